import { inches } from '../../paper.ts';
import { type PageRules, PIXELS_OF_INCH } from '../../page-rules.ts';
import type { Sheet } from '../../sheet.ts';
import type { Margins } from '../../sheet-options.ts';

/** Lengths that differ by less are equal, written in other units; in centimetres. */
const SAME = 0.001;
const CENTIMETRES_OF_INCH = 2.54;

/**
 * The sheets of pages. WebKit gives all pages of a document one size and one room for text, so that those on the left and on
 * the right, and the first one, have margins of their own only where these leave the same room: the text is moved there.
 */
export class PageSheets {
  /** The sheet that WebKit prints on. */
  readonly sheet: Sheet;
  readonly #rules: PageRules | null;
  readonly #isFromRight: boolean;
  readonly #places: Readonly<Record<'first' | 'left' | 'right', Sheet>>;

  /** @param sheet of pages without a rule of their own */
  constructor(sheet: Sheet, rules: PageRules | null, isFromRight: boolean) {
    this.#rules = rules;
    this.#isFromRight = isFromRight;
    const [left, right] = [this.#on(sheet, 'left'), this.#on(sheet, 'right')];
    this.sheet = hasSameRoom(left, right) ? right : sheet;
    this.#places = { first: this.#on(sheet, 'first'), left, right };
  }

  /** The sheet of a page. @param number counted from 1 */
  of(number: number): Sheet {
    const own = this.#places[number === 1 ? 'first' : this.isLeft(number) ? 'left' : 'right'];
    return hasSameRoom(own, this.sheet) ? own : this.sheet;
  }

  isLeft(number: number): boolean {
    return (number % 2 === 0) !== this.#isFromRight;
  }

  /** Whether pages on some places have another room for text, which they do not get. */
  get isUneven(): boolean {
    return Object.values(this.#places).some((one) => !hasSameRoom(one, this.sheet));
  }

  #on(sheet: Sheet, place: 'first' | 'left' | 'right'): Sheet {
    const rules = this.#rules;
    const margins: Margins = { ...sheet.margins };
    for (const side of ['top', 'right', 'bottom', 'left'] as const) {
      const pixels = rules?.byPlace[place][side] ?? null;
      // Margins without a rule of their own are those of all pages.
      if (pixels === null || pixels === rules?.margins[side]) continue;
      margins[side] = (pixels / PIXELS_OF_INCH) * CENTIMETRES_OF_INCH;
    }
    return { size: sheet.size, margins };
  }
}

/** Returns whether the margins of two sheets leave the same room for text, if in another place. */
function hasSameRoom(one: Sheet, other: Sheet): boolean {
  const roomOf = ({ size, margins: { top, right, bottom, left } }: Sheet): [number, number] => [
    size.width - inches(left + right),
    size.height - inches(top + bottom),
  ];
  const [ownWidth, ownHeight] = roomOf(one);
  const [width, height] = roomOf(other);
  return Math.max(Math.abs(ownWidth - width), Math.abs(ownHeight - height)) <= inches(SAME);
}
