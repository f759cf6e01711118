import type { PaperSize } from '../paper.ts';

const KEY = '/MediaBox [';
/** Chromium rounds a sheet up to whole points, and then to 1/300 inch (0.24 points), up or down: never by more. */
const ROUNDING = 1 + 0.12 + 0.01;

/**
 * Gives the pages the exact size of their sheets: Chromium makes A4 595.92 points wide instead of 595.276. This
 * crops the excess, less than a quarter of a millimetre at the right and upper edge. The numbers are replaced in
 * place, with the same number of bytes, so that the cross-reference table stays valid.
 *
 * @param sizes possible page sizes, in points
 */
export function setExactSize(pdf: Buffer, sizes: readonly PaperSize[]): void {
  let written = '';
  let replacement: string | null = null;
  for (let at = pdf.indexOf(KEY); at !== -1; at = pdf.indexOf(KEY, at + KEY.length)) {
    const close = pdf.indexOf(']', at);
    if (close === -1) return;
    const found = pdf.toString('latin1', at, close + 1);
    // Most documents have a single page size.
    if (found !== written) replacement = exactBox(found, sizes);
    written = found;
    if (replacement !== null) pdf.write(replacement, at, 'latin1');
  }
}

/** The exact box in as many characters; null for one that is not a sheet, or that needs more characters. */
function exactBox(written: string, sizes: readonly PaperSize[]): string | null {
  const [, , width = 0, height = 0] = written.slice(KEY.length, -1).split(' ').map(Number);
  const isRounded = (is: number, wanted: number): boolean => Math.abs(is - wanted) < ROUNDING;
  const exact = sizes.find((size) => isRounded(width, size.width) && isRounded(height, size.height));
  if (exact === undefined) return null;
  const room = written.length - KEY.length - 1;
  const numbers = [3, 2, 1]
    .map((digits) => `0 0 ${shortest(exact.width, digits)} ${shortest(exact.height, digits)}`)
    .find((text) => text.length <= room);
  return numbers === undefined ? null : `${KEY}${numbers.padEnd(room)}]`;
}

function shortest(value: number, digits: number): string {
  return String(Number(value.toFixed(digits)));
}
