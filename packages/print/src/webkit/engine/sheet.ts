import type { Bundle } from '../../bundle.ts';
import { inches } from '../../paper.ts';
import type { Sheet } from '../../sheet.ts';
import { fontsFor, WHOLE_FONTS } from './everyday.ts';
import type { PrintOrder, WebKitProcess } from './order.ts';

/**
 * WebKitGTK prints a CSS pixel as 0.8 points (its "shrink factor" of 1.25) instead of 0.75. So a document is
 * printed on a sheet enlarged by that factor and by the requested scale, and the pages are made smaller
 * afterwards: GTK's own scale would change the margins too.
 */
const POINTS_OF_PIXEL = 0.8;
const RIGHT_POINTS_OF_PIXEL = 0.75;
const MILLIMETRES = 25.4;
/** Points per inch. */
const POINTS = 72;

/**
 * The author's own `@page` would change the scale of the content, and its margins would be subtracted from
 * the sheet a second time. So these rules are read, removed (prepare.ts), and applied to the sheet.
 */
const PAGE_STYLE = '@page { size: auto !important; margin: auto !important }';

/** Returns the style sheet of the user and the generic families for a document. */
export function stylesFor(
  { hasProductFonts }: WebKitProcess,
  document: Bundle,
): Pick<PrintOrder, 'style' | 'generic'> {
  const { rules, generic } = hasProductFonts ? fontsFor(document) : WHOLE_FONTS;
  return { style: PAGE_STYLE + rules, generic };
}

/** The sheet of a document, and the factor by which its pages are made smaller afterwards. */
export interface SheetSetup extends Pick<PrintOrder, 'sheet' | 'room'> {
  factor: number;
}

export function sheetSetup({ size, margins }: Sheet, scale: number): SheetSetup {
  const factor = (scale * RIGHT_POINTS_OF_PIXEL) / POINTS_OF_PIXEL;
  const enlarged = (centimetres: number): number => (inches(centimetres) * MILLIMETRES) / factor;
  const room = {
    width: wholePixels((size.width - inches(margins.left + margins.right)) / factor),
    height: wholePixels((size.height - inches(margins.top + margins.bottom)) / factor),
  };
  const [top, right, bottom, left] = [margins.top, margins.right, margins.bottom, margins.left].map(
    enlarged,
  ) as [number, number, number, number];
  // A sheet of fractional pixels makes WebKit draw all of them a little larger, so the sheet has a whole
  // number of pixels.
  // WebKit rounds the height down: what is as high as a page would be a little higher.
  const width = left + millimetresOf(room.width) + right;
  const height = top + millimetresOf(room.height + 0.02) + bottom;
  return { factor, room, sheet: { width, height, top, right, bottom, left } };
}

function wholePixels(lengthInInches: number): number {
  return Math.max(1, Math.round((lengthInInches * POINTS) / POINTS_OF_PIXEL));
}

function millimetresOf(pixels: number): number {
  return (pixels * POINTS_OF_PIXEL * MILLIMETRES) / POINTS;
}
