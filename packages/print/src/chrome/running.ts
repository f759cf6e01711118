import { openPdf } from '@platen/pdf/model';
import { pagesOfRange } from '@platen/pdf/options';
import { visibleBox, pageImporter, pagesFor, addLinks, paint } from '@platen/pdf/content';
import * as z from 'zod';
import {
  type Instance,
  liftingScript,
  markingScript,
  RESTORING,
  sheetScript,
  SLACK,
  UNMARKING,
} from '../contents/running.ts';
import { valuesByPage, WHICH } from '../contents/strings.ts';
import type { PrintOptions } from '../print.ts';
import { type FoundBox, markedBoxes, newMarkColours } from './box-marks.ts';
import { destinationsOf, MARKS } from './destinations.ts';
import { linkTargets } from './furniture-links.ts';
import { countPages } from './page-count.ts';
import type { ChromePage } from './page.ts';

/** Places running elements in margin boxes (I-51), with the scripts of `contents/running.ts`. */

/** Maximum number of pages on which elements are printed. */
const MAX_INSTANCES = 10_000;

/** The result of the script, which scripts of the document may have changed. */
const liftedSchema = z.object({
  elements: z.array(
    z.object({
      name: z.string(),
      place: z.string(),
      isShown: z.boolean(),
      /** Whether it shows the number of its page, or that of all pages. */
      countsPages: z.boolean(),
      /** Whether something in it is placed in the box. */
      isPlacedInBox: z.boolean(),
    }),
  ),
  boxes: z.array(
    z.object({
      name: z.string(),
      which: z.string(),
      /** Whether it has no width of its own: what is narrower stands in it as its text would. */
      isWide: z.boolean(),
      /** Whether others stand beside such a box: elements are as wide as their content. */
      isBeside: z.boolean(),
    }),
  ),
  /** Names of elements that no box shows: they stay where they are written. */
  unshown: z.array(z.string()),
  isRefused: z.boolean(),
});
type Lifted = z.infer<typeof liftedSchema>;

const sheetSchema = z.array(z.object({ number: z.number(), width: z.number(), height: z.number() }));

/** An element in a box of a page. */
interface Placed extends FoundBox {
  /** From 1. */
  page: number;
  instance: Instance & { number: number };
}

/** Lays the elements over the pages of the printed document. */
export type Stamp = (pdf: Buffer) => Promise<Buffer>;

/** The running elements of a loaded document. */
export class RunningElements {
  readonly #page: ChromePage;
  readonly #options: PrintOptions;
  readonly #lifted: Lifted;
  readonly #warn: (text: string) => void;

  private constructor(page: ChromePage, options: PrintOptions, lifted: Lifted, warn: (text: string) => void) {
    this.#page = page;
    this.#options = options;
    this.#lifted = lifted;
    this.#warn = warn;
  }

  /**
   * Takes the running elements of a document out of its text.
   *
   * @param warn told of what is not done
   * @returns null where there are none, or where they stay where they are written
   */
  static async lift(
    page: ChromePage,
    options: PrintOptions,
    warn: (text: string) => void,
  ): Promise<RunningElements | null> {
    if (options.fitsContent || options.author === null) return null;
    const { data } = liftedSchema.safeParse(await page.evaluate(liftingScript(MARKS)));
    if (data === undefined || data.isRefused) {
      if (data !== undefined)
        warn('Running elements: position: running() is not supported for so many elements.');
      return null;
    }
    for (const name of data.unshown)
      warn(`Running elements: no box of a page shows ${name}, which stays where it is written.`);
    for (const which of new Set(data.boxes.map((box) => box.which)))
      if (!isWhich(which)) warn(`Running elements: element(…, ${which}) is not supported.`);
    return data.elements.length === 0 ? null : new RunningElements(page, options, data, warn);
  }

  /** Prints the elements for their boxes. The document is restored afterwards. */
  async prepare(): Promise<Stamp> {
    const same: Stamp = (pdf) => Promise.resolve(pdf);
    if (this.#lifted.boxes.length === 0) return same;
    const { placed, instances, total } = await this.#place();
    if (placed.length === 0) return same;
    if (instances.length > MAX_INSTANCES) {
      this.#warn(`Running elements: those with page numbers are printed on ${MAX_INSTANCES} pages at most.`);
      return same;
    }
    const sizes = sheetSchema.safeParse(await this.#page.evaluate(sheetScript(instances, total))).data ?? [];
    const sheet = await this.#print();
    await this.#page.evaluate(RESTORING);
    if (countPages(sheet) !== sizes.length) {
      this.#warn('Running elements: an element does not fit on a page, and none is shown.');
      return same;
    }
    const order = new Map(sizes.map(({ number, ...size }, index) => [number, { index, ...size }]));
    return (pdf) => this.#stamp(pdf, sheet, placed, order, total);
  }

  /** Finds the elements of each page and their positions. */
  async #place(): Promise<{ placed: Placed[]; instances: Instance[]; total: number }> {
    const { elements, boxes } = this.#lifted;
    const colours = newMarkColours();
    await this.#page.evaluate(markingScript(colours.room, colours.content));
    const marked = await this.#print();
    await this.#page.evaluate(UNMARKING);
    const [file, { places }] = [await openPdf(marked), await destinationsOf(marked)];
    const pages = file.pageDicts();
    const shown = new Map(
      Array.from(new Set(boxes.map(({ name }) => name)), (name) => {
        const assigned = elements.flatMap((element, value) => {
          const page = places.get(element.place)?.page;
          return element.name === name && element.isShown && page !== undefined ? [{ value, page }] : [];
        });
        return [name, valuesByPage<number | null>(assigned, pages.length, null)] as const;
      }),
    );
    const instances = new Map<string, Instance & { number: number }>();
    const placed: Placed[] = [];
    for (const [index, dict] of pages.entries()) {
      for (const found of markedBoxes(file, dict, colours)) {
        const { name = '', which = '', isWide = false, isBeside: isFit = false } = boxes[found.box] ?? {};
        const element = isWhich(which) ? (shown.get(name)?.[which][index] ?? null) : null;
        if (element === null) continue;
        const told = elements[element];
        const pixels = (points: number): number => Math.round((points / found.pixel) * 100) / 100;
        const { height, above } = found;
        const look = {
          element,
          width: pixels(found.width),
          page: told?.countsPages === true ? index + 1 : null,
          isFit: isFit && told?.isPlacedInBox === false,
          room: told?.isPlacedInBox === true ? { height: pixels(height), above } : null,
        };
        const key = JSON.stringify(look);
        const instance = instances.get(key) ?? { ...look, number: instances.size };
        instances.set(key, instance);
        placed.push({ ...found, before: isWide ? found.before : 0, page: index + 1, instance });
      }
    }
    return { placed, instances: [...instances.values()], total: pages.length };
  }

  /** Positions do not depend on tags, headers and footers. */
  #print(): Promise<Buffer> {
    const plain = { ...this.#options, header: null, footer: null, tagged: false, outline: false };
    return this.#page.pdf(plain, '');
  }

  /** Lays the elements over the pages, as artifacts. */
  async #stamp(
    pdf: Buffer,
    sheet: Buffer,
    placed: readonly Placed[],
    order: ReadonlyMap<number, { index: number; width: number; height: number }>,
    total: number,
  ): Promise<Buffer> {
    const { pageRange } = this.#options;
    const [file, source] = [await openPdf(pdf), await openPdf(sheet)];
    const looks = source.pageDicts();
    const importPage = pageImporter(file, source);
    const targetOf = linkTargets(file, source);
    const pages = pagesFor(file, undefined, 'pages');
    const forms = new Map<number, ReturnType<typeof importPage>>();
    const printed = pageRange === null ? null : pagesOfRange(pageRange, total);
    for (const { page, instance, left, top, width, height, pixel, above, before } of placed) {
      const { number, room } = instance;
      const at = printed === null ? page - 1 : printed.indexOf(page);
      const own = order.get(number);
      const target = at === -1 ? undefined : pages[at];
      if (own === undefined || target === undefined) continue;
      const look = looks[own.index] ?? {};
      const form = forms.get(number) ?? importPage(look);
      forms.set(number, form);
      // As in engines, content that is higher than its box begins at the top of the box.
      const free = room === null ? Math.max(0, height - own.height * pixel) * above : 0;
      const scale = pixel / (72 / 96);
      const box = visibleBox(file, target.dict);
      const x = left + Math.max(0, width - own.width * pixel) * before - box.x - SLACK * pixel;
      const y = top - box.y - free + SLACK * pixel - form.box.height * scale;
      // Earlier elements may have changed the page.
      const now = { ...target, dict: { ...target.dict, ...file.dict(target.ref) } };
      const matrix = [scale, 0, 0, scale, x, y] as const;
      paint(file, now, { form, matrix }, { where: 'over', subtype: '/Header' });
      addLinks(file, now, { source, look, matrix }, targetOf);
    }
    // Every PDF is packed before it is sent (decision record 0028).
    return Buffer.from(await file.save({ pack: false }));
  }
}

function isWhich(text: string): text is (typeof WHICH)[number] {
  return WHICH.some((which) => which === text);
}
