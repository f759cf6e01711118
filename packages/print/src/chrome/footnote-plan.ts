import * as z from 'zod';
import type { FootnoteArea } from '../contents/footnotes.ts';
import { PIXELS_OF_INCH } from '../page-rules.ts';
import { inches } from '../paper.ts';
import type { PrintOptions } from '../print.ts';
import type { Destination } from './destinations.ts';
import type { ChromePage } from './page.ts';

/** Plans the places of a document's notes from its printed pages (I-51). */

/** Positions in a layout on one long page. */
const flowSchema = z.object({ call: z.number(), anchor: z.number(), before: z.number() });
export const measuredSchema = z.object({
  frame: z.number().min(0),
  /** Whether it is wider than its pages, so that it is scaled down. */
  isWide: z.boolean(),
  rulers: z.tuple([z.string(), z.string()]),
  notes: z.array(
    z.object({
      call: z.string(),
      anchor: z.string(),
      before: z.string().nullable(),
      height: z.number().min(0),
      flow: flowSchema,
      /** The same with the heights of notes in the lines of their calls. */
      reserved: flowSchema,
      /**
       * Whether its call is in an element that floats cannot affect, such as a table: its anchor is before that
       * element.
       */
      isApart: z.boolean(),
      /** Start of the line of its call, or of the row. */
      line: z.number(),
      lineHeight: z.number().min(0),
    }),
  ),
});
export type Measured = z.infer<typeof measuredSchema>;

/** What placing returns: names of the areas' positions, and blocks that may begin beside them (contents/block-starts.ts). */
export const placedSchema = z.object({
  marks: z.array(z.string()),
  blocks: z.array(z.object({ name: z.string(), need: z.number() })),
});
export type Placed = z.infer<typeof placedSchema>;

/** CSS pixels between the first ruler and the second. */
const RULER = 100;
/**
 * Safety distance at the end of a page in CSS pixels: lengths on paper are rounded to points, and no line is that
 * low.
 */
const KEPT_FREE = 3;
/**
 * Reserved distance with each note: the safety distance, and the amount by which lines may move closer together.
 */
const CLOSER = 2;
export const SPARE = KEPT_FREE + CLOSER + 1;
/** Tolerance of positions in CSS pixels. */
export const TOLERANCE = 4;
const POINTS_OF_INCH = 72;

/** A position in the print, in CSS pixels of the document from the top of the content area of its page. */
export interface Place {
  page: number;
  y: number;
}

/** The content area of each page. */
export class Room {
  readonly #places: ReadonlyMap<string, Destination>;
  readonly #heights: readonly number[];
  /** Points per CSS pixel of the document, as printed and as positions are reported, without the scale. */
  readonly #pixel: number;
  readonly #toldPixel: number;
  readonly #endsOf: (page: number) => { top: number; bottom: number };
  /** Whether positions are relative to the edge of the sheet, and not to the content area. */
  readonly #isFromEdge: boolean;

  constructor(
    page: ChromePage,
    options: PrintOptions,
    places: ReadonlyMap<string, Destination>,
    heights: readonly number[],
    [first, second]: readonly [string, string],
  ) {
    this.#places = places;
    this.#heights = heights;
    const [from, to] = [places.get(first), places.get(second)];
    this.#pixel = (POINTS_OF_INCH / PIXELS_OF_INCH) * options.scale;
    const isTold = from?.page === 1 && to?.page === 1 && to.top > from.top;
    this.#toldPixel = isTold ? (to.top - from.top) / RULER : this.#pixel;
    const { sheet, rules } = page.sheet(options);
    this.#endsOf = (number) => {
      const own = rules?.byPlace[number === 1 ? 'first' : number % 2 === 1 ? 'right' : 'left'];
      const points = (side: 'top' | 'bottom'): number => {
        const pixels = own?.[side] ?? null;
        return (pixels === null ? inches(sheet.margins[side]) : pixels / PIXELS_OF_INCH) * POINTS_OF_INCH;
      };
      return { top: points('top'), bottom: points('bottom') };
    };
    this.#isFromEdge = from !== undefined && from.top > this.#endsOf(1).top / 2;
  }

  /** Height of the content area on a page. */
  height(page: number): number {
    const { top, bottom } = this.#endsOf(page);
    return ((this.#heights[page - 1] ?? this.#heights.at(-1) ?? 0) - top - bottom) / this.#pixel;
  }

  place(name: string): Place | null {
    const found = this.#places.get(name);
    if (found === undefined) return null;
    const above = this.#isFromEdge ? this.#endsOf(found.page).top : 0;
    return { page: found.page, y: (found.top - above) / this.#toldPixel };
  }

  /** Length of the content between two positions; less than 0 for a position before the first one. */
  between(from: Place, to: Place): number {
    if (from.page > to.page) return -this.between(to, from);
    let sum = to.y - from.y;
    for (let page = from.page; page < to.page; page++) sum += this.height(page);
    return sum;
  }
}

/** The notes of a page, and the properties of that page. */
export interface Planned extends FootnoteArea {
  page: number;
  y: number;
  /** Its name, once the page exists. */
  mark: string;
}

/**
 * Positions for the notes of all pages, of a document printed with the heights of notes in the lines of their
 * calls.
 */
export function planOf(measured: Measured, room: Room): { areas: Planned[]; breaks: number[] } {
  return new Planner(measured, room).plan();
}

/** The parts of a note whose positions in the text are measured. */
type Anchored = keyof Measured['notes'][number]['flow'];

class Planner {
  readonly #notes: Measured['notes'];
  readonly #frame: number;
  readonly #room: Room;
  readonly #calls: (Place | null)[];
  /** Notes by the pages of their calls. */
  readonly #byPage = new Map<number, number[]>();

  constructor({ notes, frame }: Measured, room: Room) {
    this.#notes = notes;
    this.#frame = frame;
    this.#room = room;
    this.#calls = notes.map(({ call }) => room.place(call));
    for (const [index, call] of this.#calls.entries()) {
      if (call === null) continue;
      this.#byPage.set(call.page, [...(this.#byPage.get(call.page) ?? []), index]);
      // Its line may have been moved from the page before, where lines have to keep away from then on.
      if (call.page > 1 && !this.#byPage.has(call.page - 1)) this.#byPage.set(call.page - 1, []);
    }
  }

  plan(): { areas: Planned[]; breaks: number[] } {
    const areas: Planned[] = [];
    const breaks: number[] = [];
    let last: Place | null = null;
    for (const [page, own] of [...this.#byPage].sort(([a], [b]) => a - b)) {
      const next = this.#byPage.get(page + 1)?.[0];
      let y = this.#room.height(page) + CLOSER - this.#keptFor(own);
      const limit = next === undefined ? null : this.#whereNextWouldBe(next, page);
      if (limit !== null) y = Math.min(y, limit);
      const isEmpty = own.length === 0 && (limit === null || limit > this.#room.height(page));
      if (next !== undefined && this.#breaksBefore(next, page, limit)) breaks.push(next);
      const anchored = isEmpty ? null : this.#anchorOf(own, next, page);
      if (anchored === null) continue;
      const held = this.#held(anchored.place, last, { page, y });
      const height = this.#room.height(page) - KEPT_FREE - y;
      areas.push({ notes: own, anchor: anchored.note, page, y, mark: '', height, ...held });
      last = { page, y: y + height };
    }
    return { areas, breaks };
  }

  /** Whether a page begins with a note only because content before it takes the space. */
  #breaksBefore(next: number, page: number, limit: number | null): boolean {
    const begin = this.#room.place(this.#notes[next]?.anchor ?? '');
    const isFirst = begin?.page === page + 1 && begin.y < CLOSER;
    return isFirst && (limit === null || this.#notes[next]?.isApart === true);
  }

  /** The distance of an area from its reference: its anchor, or the area before it if that is lower. */
  #held(anchor: Place, last: Place | null, at: Place): Pick<Planned, 'isBelowLast' | 'hold'> {
    // A block that begins a page may begin beside the notes of the page before, so that only its text is below
    // them.
    const isBelowLast =
      last !== null &&
      (this.#room.between(anchor, last) > 0 || (anchor.page === last.page + 1 && anchor.y < CLOSER));
    const from = isBelowLast ? last : anchor;
    const isEither = isBelowLast && this.#room.between(anchor, from) <= 0;
    return { isBelowLast, hold: Math.max(0, this.#room.between(from, at) - (isEither ? CLOSER : 0)) };
  }

  /** The reserved space above it on one long page. */
  #grown(note: number, what: Anchored): number {
    return (this.#notes[note]?.reserved[what] ?? 0) - (this.#notes[note]?.flow[what] ?? 0);
  }

  /** Its future position, without the reserved space above it on its page. */
  #final(note: number, what: Anchored): Place | null {
    const name = this.#notes[note]?.[what] ?? null;
    const place = name === null ? null : this.#room.place(name);
    if (place === null) return null;
    const first = this.#byPage.get(place.page)?.[0];
    const kept = first === undefined ? 0 : this.#grown(note, what) - this.#grown(first, 'call');
    return { page: place.page, y: place.y - Math.max(0, kept) };
  }

  /** The reserved space on a page for its notes. */
  #keptFor(own: readonly number[]): number {
    const [first, last] = [own[0], own.at(-1)];
    if (first === undefined || last === undefined) return 0;
    const atLast = this.#grown(last, 'call');
    const rest = Math.max(0, atLast - this.#grown(first, 'call'));
    const after = this.#notes[last + 1] === undefined ? 0 : this.#grown(last + 1, 'call') - atLast;
    return rest + Math.max(after, (this.#notes[last]?.height ?? 0) + this.#frame);
  }

  /** The reference of a page's area begins with the block of its last call, or of the one that is moved. */
  #anchorOf(
    own: readonly number[],
    next: number | undefined,
    page: number,
  ): { note: number; place: Place } | null {
    const earlier = this.#calls.findLastIndex((call) => call !== null && call.page < page);
    for (const note of [own.at(-1), next, earlier === -1 ? undefined : earlier]) {
      const place = note === undefined ? null : this.#final(note, 'anchor');
      if (note !== undefined && place !== null && place.page <= page) return { note, place };
    }
    return null;
  }

  /**
   * The position of the line of a page's first call on the page before, if there were space for it there; null if
   * unknown.
   */
  #whereNextWouldBe(next: number, page: number): number | null {
    const note = this.#notes[next];
    if (note === undefined) return null;
    const known = [
      { place: this.#final(next, 'anchor'), flow: note.flow.anchor },
      { place: this.#final(next, 'before'), flow: note.flow.before },
      ...(this.#byPage.get(page) ?? []).map((index) => ({
        place: this.#final(index, 'call'),
        flow: this.#notes[index]?.flow.call ?? 0,
      })),
    ].filter(({ place }) => place?.page === page);
    const nearest = known.reduce<(typeof known)[number] | null>(
      (best, one) => (best === null || one.flow > best.flow ? one : best),
      null,
    );
    if (nearest?.place == null) return null;
    // Its line does not fit there, but the one before it does.
    return nearest.place.y + (note.line - nearest.flow) + note.lineHeight / 2;
  }
}
