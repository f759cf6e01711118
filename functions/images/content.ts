import type { Orientation } from '@platen/imaging/picture';
import { pdfNumbers } from '@platen/pdf/content';
import type { Box } from './placement.ts';

/** The operators of a page's content stream (PDF 32000-1, Annex A). */

export type Rgb = readonly [number, number, number];

/** Returns the operators for a filled rectangle. */
export function filledBox({ x, y, width, height }: Box, [red, green, blue]: Rgb): string {
  return `q ${pdfNumbers(red / 255, green / 255, blue / 255)} rg ${pdfNumbers(x, y, width, height)} re f Q`;
}

/**
 * Returns the operators that show the image XObject, one unit wide and high, in a box.
 *
 * @param orientation how its rows and columns are turned; `box` is its place once it is upright
 */
export function shownImage(
  name: string,
  { x, y, width: w, height: h }: Box,
  orientation: Orientation,
): string {
  // EXIF 2.32, 4.6.4: the edges of the picture that the first row and the first column are.
  const matrices: Readonly<Record<Orientation, readonly number[]>> = {
    1: [w, 0, 0, h, 0, 0],
    2: [-w, 0, 0, h, w, 0],
    3: [-w, 0, 0, -h, w, h],
    4: [w, 0, 0, -h, 0, h],
    5: [0, -h, -w, 0, w, h],
    6: [0, -h, w, 0, 0, h],
    7: [0, h, w, 0, 0, 0],
    8: [0, h, -w, 0, w, 0],
  };
  const [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0] = matrices[orientation];
  return `q ${pdfNumbers(a, b, c, d, e + x, f + y)} cm /${name} Do Q`;
}
