import { linesIn } from './text-width.ts';

/** Estimates of how high texts are when they are printed, without their fonts: in 11 points. */

/** Centimetres. */
const LINE = 0.48;
const LETTER = 0.18;
/** The part of a page that something may fill before it counts as likely to be higher than a page. */
export const LONG = 0.5;

/** Returns the estimated height of paragraphs in centimetres, in a column of that many centimetres. */
export function heightOfTexts(paragraphs: readonly string[], width: number): number {
  const letters = Math.max(1, width / LETTER);
  return paragraphs.reduce((sum, text) => sum + linesIn(text, letters), 0) * LINE;
}
