/** Estimates the space that text takes before layout. */

/** East Asian characters and emoji are as wide as two other characters. */
const WIDE =
  /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe4f\uff00-\uff60\u{1f300}-\u{1faff}\u{20000}-\u{3ffff}]/gu;

/** Returns the width of a line, in characters of average width. */
export function lengthOf(line: string): number {
  return line.length + (line.match(WIDE)?.filter((character) => character.length === 1).length ?? 0);
}

/** Returns the number of lines of a text that wraps at a width in characters. */
export function linesIn(text: string, width: number): number {
  return text.split('\n').reduce((sum, line) => sum + Math.max(1, Math.ceil(lengthOf(line) / width)), 0);
}
