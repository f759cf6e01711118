import { countOf } from '../odf/counts.ts';
import type { Element } from '../xml/tree.ts';
import { columnName } from './formula.ts';

/**
 * Returns a function that names the cells of a sheet's part for errors, such as `Sheet1!B7`.
 *
 * @param sheetName name of the sheet, for a part that is one sheet and does not contain its name
 */
export function cellNames(root: Element, sheetName: string | null): ReadonlyMap<Element, string> {
  const names = new Map<Element, string>();
  const data = root.first('x:sheetData');
  for (const row of data?.elements('x:row') ?? []) {
    for (const cell of row.elements('x:c')) names.set(cell, cellName(sheetName, cell.get('r') ?? ''));
  }
  const visit = (element: Element, table: { name: string | null; row: number }): void => {
    let column = 0;
    if (element.tag === 'table:table-row') table.row += 1;
    for (const child of element.elements()) {
      if (child.tag === 'table:table') visit(child, { name: child.get('table:name') ?? null, row: 0 });
      else if (!CELLS.has(child.tag)) visit(child, table);
      else {
        names.set(child, cellName(table.name, `${columnName(column + 1)}${table.row}`));
        column += countOf(child, 'table:number-columns-repeated');
      }
    }
    if (element.tag === 'table:table-row') table.row += countOf(element, 'table:number-rows-repeated') - 1;
  };
  if (data === undefined || data === null) visit(root, { name: null, row: 0 });
  return names;
}

const CELLS: ReadonlySet<string> = new Set(['table:table-cell', 'table:covered-table-cell']);

/** Returns the cell's name as in formulas: the sheet is quoted unless it consists of letters and digits. */
export function cellName(sheet: string | null, cell: string): string {
  if (sheet === null) return cell;
  return `${/^[\p{L}_][\p{L}\p{N}_.]*$/u.test(sheet) ? sheet : `'${sheet.replaceAll("'", "''")}'`}!${cell}`;
}
