import { foreignIn } from '../foreign.ts';
import { CellRequest } from '../marks.ts';
import { make } from '../xml/build.ts';
import { all, closest, type Element, remove, replace, Text } from '../xml/tree.ts';
import { countOf } from './counts.ts';
import type { AutomaticStyles } from './styles.ts';

/** Cells of OpenDocument tables in texts, spreadsheets and slides. */

const CELL: ReadonlySet<string> = new Set(['table:table-cell']);

export function applyOdfCellRequests(root: Element, styles: AutomaticStyles): void {
  for (const request of foreignIn(root)) {
    if (!(request instanceof CellRequest)) continue;
    const cell = closest(request.parent, CELL);
    remove(request);
    if (cell !== null) apply(request, cell, styles);
  }
}

function apply({ type, value }: CellRequest, cell: Element, styles: AutomaticStyles): void {
  const [first = '', second = ''] = value.trim().split(/\s+/);
  if (type === 'cellbg') {
    const colour = /^#?([\da-f]{6})$/i.exec(first)?.[1];
    if (colour === undefined) return;
    const style = styles.derive('table-cell', cell.get('table:style-name'), 'style:table-cell-properties', {
      'fo:background-color': `#${colour}`,
    });
    cell.set('table:style-name', style);
  } else if (type === 'colspan') {
    const span = Math.trunc(Number(first));
    if (span < 2 || span > 1000) return;
    cell.set('table:number-columns-spanned', String(span));
    cell.set('table:number-rows-spanned', '1');
    for (let i = 1; i < span; i += 1)
      cell.parent?.insertAfter(cell, make(cell.parent, 'table:covered-table-cell'));
  } else if (first === '0') {
    cell.set('table:number-columns-spanned', type === 'hm' ? second : '1');
    cell.set('table:number-rows-spanned', type === 'vm' ? second : '1');
  } else if (cell.parent) replace(cell, make(cell.parent, 'table:covered-table-cell'));
}

/** Gives a table as many columns as its widest row has cells, by repeating the last ones. */
export function fitColumns(table: Element): void {
  const columns = all(table, 'table:table-column').filter((column) => nearestTable(column) === table);
  const last = columns.at(-1);
  const rows = all(table, 'table:table-row').filter((row) => nearestTable(row) === table);
  if (!last || rows.length === 0) return;
  const there = columns.reduce((sum, column) => sum + countOf(column, REPEATED), 0);
  const widest = rows.reduce(
    (most, row) =>
      Math.max(
        most,
        row.elements().reduce((sum, cell) => sum + countOf(cell, REPEATED), 0),
      ),
    0,
  );
  if (widest > there)
    last.set('table:number-columns-repeated', String(countOf(last, REPEATED) + widest - there));
}

const REPEATED = 'table:number-columns-repeated';

function nearestTable(element: Element): Element | null {
  return closest(element.parent, new Set(['table:table']));
}

/** Expands repeated rows and cells that contain a tag. */
export function expandRepeated(root: Element): void {
  for (const cell of all(root, 'table:table-cell')) expand(cell, 'table:number-columns-repeated', 256);
  for (const row of all(root, 'table:table-row')) expand(row, 'table:number-rows-repeated', 1000);
}

function expand(element: Element, attribute: string, most: number): void {
  const count = Number(element.get(attribute) ?? 1);
  if (!(count > 1) || count > most || !element.textContent().includes('{')) return;
  element.unset(attribute);
  for (let i = 1; i < count; i += 1) element.parent?.insertAfter(element, copyWithoutSource(element));
}

function copyWithoutSource(element: Element): Element {
  const copy = make(element.parent ?? element, element.tag);
  copy.attributes = element.attributes.map((attribute) => ({ ...attribute }));
  for (const child of element.children) {
    if (child.kind === 'element') copy.append(copyWithoutSource(child));
    else if (child.kind === 'text') copy.append(new Text(child.text));
  }
  return copy;
}
