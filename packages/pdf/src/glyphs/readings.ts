import { inLogicalOrder, runsRightToLeft } from './direction.ts';
import { type Letter, lettersOf, UNKNOWN } from './letters.ts';
import { cellsOf, columnLines, type Line, linesOf } from './lines.ts';
import type { Glyph } from './reader.ts';

/** The orders in which a reader may read the letters of a page. */

/** All readings of glyphs: in the order of the content, in lines and in columns; in both directions. */
export function readingsOf(glyphs: readonly Glyph[]): Letter[][] {
  const isReplaced = glyphs.some(({ replacement }) => replacement !== undefined);
  const letters = lettersOf(glyphs, true);
  const contents = isReplaced ? [letters, lettersOf(glyphs, false)] : [letters];
  const seen = letters.filter(({ text }) => text !== UNKNOWN);
  const lines = linesOf(seen);
  const cells = cellsOf(lines);
  const columns = columnLines(cells);
  const isMixed = seen.some(({ text }) => runsRightToLeft(text));
  if (!isMixed) return [...contents, joined(lines), joined(columns)];
  const directions = [false, true].flatMap((isRightToLeft) =>
    [lines, columns].map((some) => joined(some, isRightToLeft)),
  );
  // Some readers read the cells of a row from left to right, and each of them from right to left.
  const rows = cells.length > lines.length ? [joined(cells, true)] : [];
  return [...contents, ...contents.map((order) => order.toReversed()), ...directions, ...rows];
}

function joined(lines: readonly Line[], isRightToLeft = false): Letter[] {
  return lines.flatMap((line) => inLogicalOrder(line.letters, isRightToLeft));
}
