import { paperPoints } from '../page/paper.ts';
import type { PrintOptions } from '../print.ts';

const KEY = '/MediaBox [';
/** Chromium rounds a sheet up to whole points, and down to 1/300 inch: never by more. */
const ROUNDING = 1;

/**
 * Gives the pages the exact size of the sheet: Chromium makes A4 595.92 points wide where 595.276 are right. What is
 * cut off is the overhang, less than a quarter of a millimetre of the right and upper edge. Written in place, in as many
 * bytes as there were, so that the cross-reference table stays true.
 */
export function setExactSize(pdf: Buffer, { paper, landscape }: PrintOptions): void {
  const first = pdf.indexOf(KEY);
  const close = pdf.indexOf(']', first);
  if (first === -1 || close === -1) return;
  const written = pdf.toString('latin1', first, close + 1);
  const [, , width = 0, height = 0] = written.slice(KEY.length, -1).split(' ').map(Number);
  const exact = paperPoints(paper, landscape);
  const isRounded = (is: number, wanted: number): boolean => Math.abs(is - wanted) < ROUNDING;
  if (!isRounded(width, exact.width) || !isRounded(height, exact.height)) return;

  const room = written.length - KEY.length - 1;
  const numbers = [3, 2, 1]
    .map((digits) => `0 0 ${shortest(exact.width, digits)} ${shortest(exact.height, digits)}`)
    .find((text) => text.length <= room);
  if (numbers === undefined) return;
  const replacement = `${KEY}${numbers.padEnd(room)}]`;
  for (let at = first; at !== -1; at = pdf.indexOf(written, at + written.length))
    pdf.write(replacement, at, 'latin1');
}

function shortest(value: number, digits: number): string {
  return String(Number(value.toFixed(digits)));
}
