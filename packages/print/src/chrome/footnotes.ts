import * as z from 'zod';
import {
  EXTRACT_FOOTNOTES,
  placingScript,
  RESTORE_FOOTNOTES,
  reservingScript,
} from '../contents/footnotes.ts';
import type { PrintOptions } from '../print.ts';
import { type Destination, MARKS } from './destinations.ts';
import {
  type Measured,
  measuredSchema,
  type Place,
  type Placed,
  placedSchema,
  type Planned,
  planOf,
  Room,
  SPARE,
  TOLERANCE,
} from './footnote-plan.ts';
import type { FootnoteState } from './footnote-state.ts';
import type { ChromePage } from './page.ts';
import { printedWidth } from './print-params.ts';

/** Determines the positions of a document's notes (I-51), to which `contents/footnotes.ts` moves them. */

/** Data from the document, which its scripts may have changed. */
const liftedSchema = z.object({ count: z.number(), unsupported: z.array(z.string()) });

/** The footnotes of a loaded document. */
export class Footnotes {
  readonly #page: ChromePage;
  readonly #options: PrintOptions;
  readonly #state: FootnoteState;
  readonly #warn: (text: string) => void;
  #measured: Measured | null = null;
  #areas: readonly Planned[] | null = null;
  #breaks: readonly number[] = [];
  /** Blocks that may begin beside the notes of a page. */
  #blocks: Placed['blocks'] = [];
  /** Names of blocks that begin a page, because they would begin beside the notes of the page before. */
  #starts: readonly string[] = [];
  #isGone = false;

  private constructor(
    page: ChromePage,
    options: PrintOptions,
    state: FootnoteState,
    warn: (text: string) => void,
  ) {
    this.#state = state;
    this.#warn = warn;
    this.#page = page;
    this.#options = options;
  }

  /**
   * Moves the notes of a document out of its text.
   *
   * @param state facts that the caller needs if printing fails
   * @param warn called with unsupported features
   * @returns null if there are none, or if they stay where they are written
   */
  static async lift(
    page: ChromePage,
    options: PrintOptions,
    state: FootnoteState,
    warn: (text: string) => void,
  ): Promise<Footnotes | null> {
    if (options.fitsContent || state.isRefused) return null;
    const lifted = liftedSchema.safeParse(await page.evaluate(EXTRACT_FOOTNOTES));
    const isUneven = lifted.success && lifted.data.count > 0 && page.sheet(options).rules?.isUneven === true;
    if (isUneven) {
      await page.evaluate(RESTORE_FOOTNOTES);
      warn(
        'Footnotes: float: footnote (on pages of several widths, or named ones with margins of their own) is not supported.',
      );
      return null;
    }
    for (const what of lifted.data?.unsupported ?? []) warn(`Footnotes: ${what} is not supported.`);
    return lifted.success && lifted.data.count > 0 ? new Footnotes(page, options, state, warn) : null;
  }

  /** Prepares the document for its next printing. */
  async arrange(): Promise<void> {
    if (this.#isGone) return;
    if (this.#measured === null) {
      const { sheet, rules } = this.#page.sheet(this.#options);
      this.#measured = measuredSchema.parse(
        await this.#page.evaluate(
          reservingScript(MARKS, printedWidth(sheet, rules, this.#options.scale), SPARE),
        ),
      );
      if (this.#measured.isWide) {
        this.#warn('Footnotes: float: footnote (in a document wider than its pages) is not supported.');
        await this.giveUp();
      }
    } else if (this.#areas !== null) {
      this.#state.isPlacing = true;
      const script = placingScript(MARKS, this.#areas, this.#breaks, this.#starts);
      const { marks, blocks } = placedSchema.parse(await this.#page.evaluate(script));
      this.#areas = this.#areas.map((area, index) => ({ ...area, mark: marks[index] ?? '' }));
      this.#blocks = blocks;
    }
  }

  /**
   * Checks the printed document.
   *
   * @returns whether each note is at the foot of the page of its call
   */
  look(places: ReadonlyMap<string, Destination>, heights: readonly number[]): boolean {
    if (this.#isGone) return true;
    if (this.#measured === null) return false;
    const room = new Room(this.#page, this.#options, places, heights, this.#measured.rulers);
    if (this.#areas === null) {
      const { areas, breaks } = planOf(this.#measured, room);
      this.#areas = areas;
      this.#breaks = breaks;
      return false;
    }
    const { notes } = this.#measured;
    const planned = new Map(
      this.#areas.flatMap((area) => area.notes.map((note) => [note, area.page] as const)),
    );
    // A note without a position, because its call is on no page, is in none of them.
    if (planned.size < notes.length) return false;
    const corrected: Planned[] = [];
    for (const area of this.#areas) {
      const place = room.place(area.mark);
      const calls = notes.map(({ call }, note) => ({ note, place: room.place(call) }));
      const early = calls.find(
        ({ note, place: at }) => at?.page === area.page && (planned.get(note) ?? 0) > area.page,
      );
      const isThere = place?.page === area.page && Math.abs(place.y - area.y) <= TOLERANCE;
      const isWhole = area.notes.every((note) => room.place(notes[note]?.call ?? '')?.page === area.page);
      if (isThere && isWhole && early === undefined) continue;
      corrected.push(
        correctedArea(area, room.place(notes[area.anchor]?.anchor ?? ''), isThere ? early : undefined),
      );
      break;
    }
    if (corrected.length === 0) {
      const starts = this.#areas.flatMap((area) => this.#startBeside(area, room) ?? []);
      this.#starts = [...this.#starts, ...starts];
      return starts.length === 0;
    }
    const [other] = corrected;
    this.#areas = this.#areas.map((area) => (area.page === other?.page ? other : area));
    return false;

    /** Corrects the first area at a wrong position: the ones after it will move with it. */
    function correctedArea(
      area: Planned,
      anchor: Place | null,
      early: { note: number; place: Place | null } | undefined,
    ): Planned {
      const raised =
        early?.place == null
          ? area.y
          : Math.min(area.y, early.place.y + (notes[early.note]?.lineHeight ?? 0) / 2);
      const moved = area.y - raised;
      const is = room.place(area.mark);
      let hold = area.hold - moved - TOLERANCE;
      if (is?.page === area.page) hold = area.hold + raised - is.y;
      else if (anchor !== null && !area.isBelowLast)
        hold = room.between(anchor, { page: area.page, y: raised });
      return { ...area, y: raised, height: area.height + moved, hold: Math.max(0, hold) };
    }
  }

  /** The first block that begins beside an area, or above it without room for a line. */
  #startBeside(area: Planned, room: Room): string | null {
    const found = this.#blocks.find(({ name, need }) => {
      const place = room.place(name);
      return place?.page === area.page && place.y + need > area.y - TOLERANCE;
    });
    return found === undefined || this.#starts.includes(found.name) ? null : found.name;
  }

  /** Moves notes back to where they are written. */
  async giveUp(): Promise<void> {
    if (this.#isGone) return;
    this.#isGone = true;
    await this.#page.evaluate(RESTORE_FOOTNOTES);
  }
}
