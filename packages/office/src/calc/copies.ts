import { countBelow } from './count-below.ts';
import { columnName, columnNumber, type Reference } from './formula.ts';
import type { ReferencedSheet } from './references.ts';
import type { RowMap, RowRange } from './row-map.ts';

/** Finds the copies of a range of repeated rows that has other rows between its copies. */

/** Most ranges in places that programs read at once. */
export const MOST_RANGES = 200;
/** More columns than this are not looked at one by one. */
const MAX_COLUMNS = 256;

/**
 * Returns the copies of a range of the template between two filled rows: several ranges if other rows of the
 * block, which are between the copies, have values in its columns.
 *
 * @returns null when the whole range has to do, although it contains such rows
 */
export function copiesOf(
  reference: Reference & { last: number },
  rows: RowRange,
  { map, kindOf }: ReferencedSheet,
): readonly RowRange[] | null {
  const { first, last, columns, ignores, mostRanges } = reference;
  if (mostRanges === null) return [rows];
  const isOther = (row: number): boolean => {
    if (columns === null || ignores === 'none') return true;
    const [from = 1, to = from] = columns.map((name) => columnNumber(name));
    for (let column = from; column <= Math.min(to, from + MAX_COLUMNS); column += 1) {
      const kind = kindOf(row, columnName(column));
      if (kind === 'value' || (kind === 'text' && ignores !== 'texts')) return true;
    }
    return false;
  };
  const others = new Set(rowsAround(first, last, map).filter(isOther));
  if (others.size === 0) return [rows];
  const ranges = rangesBetween([first, last], rows, { map, others, most: Math.max(1, mostRanges) });
  if (ranges.length === 1) return [rows];
  return ranges.length > mostRanges ? null : ranges;
}

/** Returns the other rows of the loops that repeat a row of a range: they may be between its copies. */
function rowsAround(first: number, last: number, map: RowMap): number[] {
  const around = new Set<number>();
  for (const rows of map.loopRows()) {
    if (countBelow(rows, first) === countBelow(rows, last + 1)) continue;
    for (const row of rows) if ((row < first || row > last) && !map.isTagRow(row)) around.add(row);
  }
  return [...around];
}

/** Returns the copies of a range, which end at rows of `others`; the search ends with more than `most`. */
function rangesBetween(
  [first, last]: RowRange,
  [from, to]: RowRange,
  { map, others, most }: { map: RowMap; others: ReadonlySet<number>; most: number },
): RowRange[] {
  const { filled } = map;
  const ranges: [number, number][] = [];
  let current: [number, number] | null = null;
  const start = Math.max(0, map.filledBelow(from + 1) - 1);
  for (let i = start; i < filled.length && ranges.length <= most; i += 1) {
    const one = filled[i];
    if (one === undefined || one.row > to) break;
    const { origin, count } = one.template;
    if (others.has(origin)) current = null;
    if (origin > last || origin + count <= first) continue;
    const end = Math.min(to, one.row + count - 1);
    if (current !== null) current[1] = end;
    else ranges.push((current = [Math.max(from, one.row), end]));
  }
  return ranges;
}
