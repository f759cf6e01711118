/** Characters of a faulty line that an error shows: a minified page is a single line. */
export const SHOWN_CHARACTERS = 160;

/** Returns the part of a source line around a 1-based column, for an error's `source`. */
export function aroundColumn(line: string, column: number): string {
  if (line.length <= SHOWN_CHARACTERS) return line;
  const start = Math.max(0, Math.min(column - SHOWN_CHARACTERS / 2, line.length - SHOWN_CHARACTERS));
  return line.slice(start, start + SHOWN_CHARACTERS).toWellFormed();
}
