import { countOf } from '../odf/counts.ts';
import { make } from '../xml/build.ts';
import { copyElement, type Element, replace } from '../xml/tree.ts';
import { columnName } from './formula.ts';
import { columnsIn, type OdsSheet } from './ods-sheet.ts';

/** Merged cells of OpenDocument spreadsheets: a cell names the rows and columns that it covers (ODF 1.3 part 3, 9.1.4). */

const ROWS = 'table:number-rows-spanned';
const COLUMNS = 'table:number-columns-spanned';
const CELL = 'table:table-cell';
const COVERED = 'table:covered-table-cell';

/** Gives merged cells the rows that their area has now; of an area in a repeated block, there is one in each pass. */
export function updateSpans(sheet: OdsSheet): void {
  if (!sheet.map.moved) return;
  const byRow = new Map(sheet.placed().map(({ element, row }) => [row, element]));
  for (const { origin, element } of sheet.templateRows()) {
    for (const [cell, column] of columnsIn(element)) {
      const count = countOf(cell, ROWS);
      if (count < 2 || sheet.columnMoves.touchesArea(`${columnName(column)}${origin}`)) continue;
      const width = countOf(cell, COLUMNS);
      for (const [first, last] of sheet.map.each(origin, origin + count - 1)) {
        const top = byRow.get(first);
        if (top !== undefined) span(top, column, { [ROWS]: last - first + 1, [COLUMNS]: width });
        for (let row = first + 1; row <= last; row += 1) cover(byRow.get(row), column);
      }
    }
  }
}

/** Makes the cell of a row cover an area; it is covered itself if the first row of the area was removed. */
function span(row: Element, column: number, size: Readonly<Record<string, number>>): void {
  const cell = cellAt(row, column);
  if (cell === null) return;
  const anchor = cell.tag === CELL ? cell : withTag(cell, CELL);
  for (const [attribute, count] of Object.entries(size)) anchor.set(attribute, String(count));
}

/** Covers a cell that was the first of its area, if an area from a row above covers it. */
function cover(row: Element | undefined, column: number): void {
  const cell = row === undefined ? null : cellAt(row, column);
  if (cell?.tag !== CELL) return;
  const covered = withTag(cell, COVERED);
  covered.unset(ROWS);
  covered.unset(COLUMNS);
}

/** Replaces a cell by one with another tag. */
function withTag(cell: Element, tag: string): Element {
  const other = make(cell.parent ?? cell, tag);
  other.attributes.push(...cell.attributes);
  other.append(...cell.children);
  replace(cell, other);
  return other;
}

/** Returns the cell of a column on its own; null if the row ends before it. */
function cellAt(row: Element, column: number): Element | null {
  let from = 1;
  for (const cell of row.elements().filter(({ tag }) => tag === CELL || tag === COVERED)) {
    const count = countOf(cell, REPEATED);
    if (column < from + count) return isolate(cell, column - from, count);
    from += count;
  }
  return null;
}

const REPEATED = 'table:number-columns-repeated';

/** Divides equal cells that are stored once, so that one of them is on its own. */
function isolate(cell: Element, before: number, count: number): Element {
  const part = (size: number): Element[] => {
    if (size === 0) return [];
    const copy = copyElement(cell);
    if (size === 1) copy.unset(REPEATED);
    else copy.set(REPEATED, String(size));
    return [copy];
  };
  if (count === 1) return cell;
  const own = part(1);
  replace(cell, ...part(before), ...own, ...part(count - before - 1));
  return own[0] ?? cell;
}
