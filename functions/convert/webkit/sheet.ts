import { inches } from '@platen/print/paper';
import type { Sheet } from '@platen/print/sheet';
import type { PrintOrder } from './process.ts';

/**
 * WebKitGTK prints a CSS pixel as 0.8 points (its "shrink factor" of 1.25), where 0.75 are right. So a document is
 * printed on a sheet enlarged by that, and by the scale asked for, and the pages are made smaller afterwards: by GTK's
 * own scale the margins would change too.
 */
const POINTS_OF_PIXEL = 0.8;
const RIGHT_POINTS_OF_PIXEL = 0.75;
const MILLIMETRES = 25.4;
/** Points of an inch. */
const POINTS = 72;

/**
 * The author's own `@page` would change the scale of the content, and so would one with the margins of the sheet: WebKit
 * takes them off a second time. So they are read, taken out (prepare.ts), and the sheet is set up as they say.
 */
export const PAGE_STYLE = '@page { size: auto !important; margin: auto !important }';

/** How the sheet of a document is set up, and by what its pages are made smaller afterwards. */
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
  // With a part of a pixel left over WebKit draws all of them a little larger: the sheet is as large as whole ones need.
  const width = left + millimetresOf(room.width) + right;
  const height = top + millimetresOf(room.height) + bottom;
  return { factor, room, sheet: { width, height, top, right, bottom, left } };
}

function wholePixels(lengthInInches: number): number {
  return Math.max(1, Math.round((lengthInInches * POINTS) / POINTS_OF_PIXEL));
}

function millimetresOf(pixels: number): number {
  return (pixels * POINTS_OF_PIXEL * MILLIMETRES) / POINTS;
}
