import { inches } from '@platen/print/paper';
import { type PageRules, PIXELS_OF_INCH } from '@platen/print/page-rules';
import type { Sheet } from '@platen/print/sheet';
import type { Margins } from '@platen/print/sheet-options';

/**
 * Left, right and first pages whose margins are on other sides but leave the same room. WebKit lays all pages
 * out alike, so the text of some pages is moved afterwards.
 */
export interface Mirroring {
  /** The sheet with the margins of right pages. */
  sheet: Sheet;
  /** Returns the margins of a page, in centimetres. */
  marginsOf(page: number): Margins;
}

const CENTIMETRES_OF_INCH = 2.54;
/** Lengths that differ by less are equal, written in other units. */
const SAME_CM = 0.001;

/** @param isFromRight whether the first page is a left one */
export function mirrored(sheet: Sheet, rules: PageRules | null, isFromRight: boolean): Mirroring {
  const alike = { sheet, marginsOf: () => sheet.margins };
  if (rules === null) return alike;
  const of = (place: keyof PageRules['byPlace']): Margins => {
    const margins = { ...sheet.margins };
    for (const side of ['top', 'right', 'bottom', 'left'] as const) {
      const pixels = rules.byPlace[place][side];
      // Margins without a rule of their own are those of all pages.
      if (pixels === null || pixels === rules.margins[side]) continue;
      margins[side] = (pixels / PIXELS_OF_INCH) * CENTIMETRES_OF_INCH;
    }
    return margins;
  };
  const [left, right, first] = [of('left'), of('right'), of('first')];
  if (!leaveAsMuch(left, right) || !hasRoom(sheet, right)) return alike;
  return {
    sheet: { ...sheet, margins: right },
    marginsOf: (page) => {
      if (page === 1 && !isFromRight && leaveAsMuch(first, right)) return first;
      return (page % 2 === 0) === isFromRight ? right : left;
    },
  };
}

function leaveAsMuch(some: Margins, others: Margins): boolean {
  const differ = (one: keyof Margins, other: keyof Margins): boolean =>
    Math.abs(some[one] + some[other] - others[one] - others[other]) > SAME_CM;
  return !differ('left', 'right') && !differ('top', 'bottom');
}

function hasRoom({ size }: Sheet, { top, right, bottom, left }: Margins): boolean {
  return size.width > inches(left + right + 0.1) && size.height > inches(top + bottom + 0.1);
}
