import type { Margins, SheetOptions } from './sheet-options.ts';
import { PlatenError } from '@platen/core/errors';
import { type PageRules, PIXELS_OF_INCH } from './page-rules.ts';
import { inches, paperInches, type PaperSize } from './paper.ts';

/** The sheet of the pages of a document that have no rule of their own. */
export interface Sheet {
  /** In inches. */
  size: PaperSize;
  /** In centimetres. */
  margins: Margins;
}

/** What decides over the sheet, besides the document. */
export type SheetChoice = Pick<SheetOptions, 'paper' | 'landscape' | 'margins' | 'author'>;

const CENTIMETRES_OF_INCH = 2.54;
/** Less than that holds nothing. */
const LEAST_ROOM_CM = 0.1;
/** What a default margin may take of a sheet for which it is too large, such as a label. */
const SHARE_OF_MARGIN = 0.1;

/** No length of a rule is more: with the smallest scale, engines still can count its pixels in 32 bits. */
const MOST_INCHES = 200_000;

const AXES = [
  { length: 'width', sides: ['left', 'right'] },
  { length: 'height', sides: ['top', 'bottom'] },
] as const;

/**
 * The sheet that the options and the document's rules come to. Rules that leave no room on their own sheet hold as little
 * as in Chromium: not at all.
 *
 * @throws PlatenError `invalid_option` when margins of an option leave no room on the sheet of the document
 */
export function sheetOf(choice: SheetChoice, rules: PageRules | null): Sheet {
  const own: Sheet = { size: paperInches(choice.paper, choice.landscape), margins: choice.margins };
  if (rules === null || choice.author === null) return own;
  const inch = (pixels: number): number => Math.min(pixels / PIXELS_OF_INCH, MOST_INCHES);
  const size =
    rules.size === null ? own.size : { width: inch(rules.size.width), height: inch(rules.size.height) };
  const margins = { ...choice.margins };
  for (const { length, sides } of AXES) {
    const room = size[length] * CENTIMETRES_OF_INCH - LEAST_ROOM_CM;
    for (const side of sides) {
      const pixels = rules.margins[side];
      if (pixels !== null) margins[side] = inch(pixels) * CENTIMETRES_OF_INCH;
    }
    const sum = (): number => sides.reduce((total, side) => total + margins[side], 0);
    if (sum() <= room) continue;
    for (const side of sides) {
      const isDefault = choice.author.margins[side] && rules.margins[side] === null;
      if (isDefault) margins[side] = Math.min(margins[side], room * SHARE_OF_MARGIN);
    }
    if (sum() <= room) continue;
    if (sides.every((side) => choice.author?.margins[side])) return own;
    throw noRoom(sides, sum(), room, length);
  }
  return { size, margins };
}

function noRoom(sides: readonly string[], sum: number, room: number, length: string): PlatenError {
  const field = sides.map((side) => `margin_${side}`).join(' + ');
  const rounded = (centimetres: number): number => Math.round(centimetres * 100) / 100;
  const available = rounded(room + LEAST_ROOM_CM);
  const message = `${field} is ${rounded(sum)} cm, which leaves no room on the ${length} of ${available} cm that the document's @page says`;
  return new PlatenError('invalid_option', `${message}.`, {
    faults: [{ field, message, value: rounded(sum), allowed: `less than ${available}` }],
  });
}

/** The printable area in CSS pixels, as a document sees it at a scale. */
export function roomOf({ size, margins }: Sheet, scale: number): PaperSize {
  const pixels = (length: number): number => Math.max(1, Math.round((length * PIXELS_OF_INCH) / scale));
  return {
    width: pixels(size.width - inches(margins.left + margins.right)),
    height: pixels(size.height - inches(margins.top + margins.bottom)),
  };
}

/**
 * Declarations that tell a header and a footer what pages they stand on, for their styles: how far they keep from the
 * edges, and whether those go that nobody asked for, as the document has its own.
 */
export function furnitureVariables({ margins }: Sheet, rules: PageRules | null): string {
  if (rules === null) return '';
  const length = (side: 'left' | 'right'): string => {
    const pixels = rules.insets[side];
    return pixels === null ? `${margins[side]}cm` : `${pixels}px`;
  };
  const display = rules.hasMarginBoxes ? ';--default-furniture:none' : '';
  return `--page-left:${length('left')};--page-right:${length('right')}${display}`;
}
