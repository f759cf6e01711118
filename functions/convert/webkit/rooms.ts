import { BLANK_PAGE } from '@platen/print/contents/css';
import { inches } from '@platen/print/paper';
import { type PageRules, PIXELS_OF_INCH } from '@platen/print/page-rules';
import type { Sheet } from '@platen/print/sheet';
import type { Margins } from '@platen/print/sheet-options';

/**
 * Pages of several sizes, or with several rooms for text (`@page :first`, named pages). WebKit lays all pages of a
 * printing out alike. Content behind a forced break begins a page in every printing, so a document is printed once for
 * each room, and the pages of the content between two such breaks are taken from the printing that has their room.
 */

/** Most rooms of a document. */
export const MAX_ROOMS = 4;

/** Lengths that differ by less are equal, written in other units; in centimetres. */
const SAME = 0.001;
const CENTIMETRES_OF_INCH = 2.54;

/** Content between two forced breaks, of pages of one name. */
export interface Segment {
  name: string;
  /** The number of the mark where it begins; 0 for the beginning of the document. */
  at: number;
  /** The number of the mark where the content before it ends. */
  before: number;
}

/** The pages of a printing with marks. */
export interface MarkedPages {
  /** Pages, from 0, by the number of the mark on them. */
  places: ReadonlyMap<number, number>;
  total: number;
  /** Pages that were made blank, from 0. */
  blank: ReadonlySet<number>;
}

/** A page of a composed document: the printing it is taken from, its number there from 0, and its sheet. */
export interface ComposedPage {
  room: number;
  page: number;
  sheet: Sheet;
}

/** The sheets of the pages of a document. */
export class PageSheets {
  readonly #sheet: Sheet;
  readonly #rules: PageRules | null;
  readonly #isFromRight: boolean;

  /** @param sheet of pages without a rule of their own */
  constructor(sheet: Sheet, rules: PageRules | null, isFromRight: boolean) {
    this.#sheet = sheet;
    this.#rules = rules;
    this.#isFromRight = isFromRight;
  }

  /** The sheet of a page. @param number counted from 1 @param name of the page; `''` for none */
  of(number: number, name: string): Sheet {
    const rules = this.#rules;
    const kind =
      rules?.kinds.find((each) => each.name === name) ?? rules?.kinds.find((each) => each.name === '');
    if (rules === null || kind === undefined) return this.#sheet;
    const isLeft = (number % 2 === 0) !== this.#isFromRight;
    const { size, margins: own } = number === 1 ? kind.first : isLeft ? kind.left : kind.right;
    const margins: Margins = { ...this.#sheet.margins };
    for (const side of ['top', 'right', 'bottom', 'left'] as const) {
      const pixels = own[side];
      // Margins without a rule of their own are those of all pages.
      if (pixels === null || pixels === rules.margins[side]) continue;
      margins[side] = (pixels / PIXELS_OF_INCH) * CENTIMETRES_OF_INCH;
    }
    const isOwnSize =
      size !== null && (size.width !== rules.size?.width || size.height !== rules.size.height);
    const sheet = {
      size: isOwnSize
        ? { width: size.width / PIXELS_OF_INCH, height: size.height / PIXELS_OF_INCH }
        : this.#sheet.size,
      margins,
    };
    return hasRoom(sheet) ? sheet : this.#sheet;
  }

  /** The sheet that the most pages without a name share, at least one side of the book. */
  ofMost(): Sheet {
    const [even, odd] = [this.of(2, ''), this.of(3, '')];
    return isSameRoom(even, odd) ? odd : this.#sheet;
  }

  /** One sheet for each room that pages may have. @param names in their order: only pages of the first one begin the document */
  ofRooms(names: Iterable<string>): Sheet[] {
    const rooms: Sheet[] = [];
    for (const [index, name] of [...new Set(names)].entries())
      for (const number of index === 0 ? [1, 2, 3] : [2, 3]) {
        const sheet = this.of(number, name);
        if (!rooms.some((room) => isSameRoom(room, sheet))) rooms.push(sheet);
      }
    return rooms;
  }
}

/** Returns whether two sheets have the same size and leave the same room for text, if in another place. */
export function isSameRoom(one: Sheet, other: Sheet): boolean {
  const lengths = ({ size, margins: { top, right, bottom, left } }: Sheet): number[] => [
    size.width * CENTIMETRES_OF_INCH,
    size.height * CENTIMETRES_OF_INCH,
    left + right,
    top + bottom,
  ];
  const others = lengths(other);
  return lengths(one).every((length, index) => Math.abs(length - (others[index] ?? 0)) <= SAME);
}

function hasRoom({ size, margins: { top, right, bottom, left } }: Sheet): boolean {
  return size.width > inches(left + right + 0.1) && size.height > inches(top + bottom + 0.1);
}

/**
 * Chooses the pages of a document from its printings.
 *
 * @param printings one for each of `rooms`
 * @returns null if content does not begin a page in a printing, or if pages of a segment leave different rooms
 */
export function compose(
  segments: readonly Segment[],
  rooms: readonly Sheet[],
  printings: readonly MarkedPages[],
  sheets: PageSheets,
): ComposedPage[] | null {
  const pages: ComposedPage[] = [];
  for (const [index, { name, at }] of segments.entries()) {
    const number = pages.length + 1;
    const own = sheets.of(number, name);
    const room = rooms.findIndex((each) => isSameRoom(each, own));
    const printing = printings[room];
    const next = segments[index + 1];
    if (printing === undefined) return null;
    const begin = at === 0 ? 0 : printing.places.get(at);
    const end = next === undefined ? printing.total : beginningOf(next, printing);
    if (begin === undefined || end === null || end <= begin) return null;
    for (let page = begin; page < end; page += 1) {
      const isBlank = printing.blank.has(page);
      const sheet = sheets.of(pages.length + 1, isBlank ? BLANK_PAGE : name);
      if (!isBlank && !isSameRoom(sheet, own)) return null;
      pages.push({ room, page, sheet });
    }
  }
  return pages;
}

/** The page that a segment begins; null if it does not begin a page. */
function beginningOf({ at, before }: Segment, { places, blank }: MarkedPages): number | null {
  const [begin, end] = [places.get(at), places.get(before)];
  if (begin === undefined || end === undefined) return null;
  let last = end;
  while (blank.has(last + 1)) last += 1;
  return begin === last + 1 ? begin : null;
}

/** Returns the marks of a composed document. */
export function composedPlaces(
  pages: readonly ComposedPage[],
  printings: readonly MarkedPages[],
): Map<number, number> {
  const numbers = new Map(pages.map(({ room, page }, number) => [`${room} ${page}`, number]));
  const composed = new Map<number, number>();
  for (const [room, { places }] of printings.entries())
    for (const [mark, page] of places) {
      const number = numbers.get(`${room} ${page}`);
      if (number !== undefined) composed.set(mark, number);
    }
  return composed;
}
