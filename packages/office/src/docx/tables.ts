import { CellRequest } from '../marks.ts';
import { make } from '../xml/build.ts';
import { all, closest, copyElement, type Element, type Node, remove } from '../xml/tree.ts';

/** `{% colspan %}`, `{% cellbg %}`, `{% hm %}`, `{% vm %}` and columns added by loops, in Word tables. */

const CELL: ReadonlySet<string> = new Set(['w:tc']);
const TABLE: ReadonlySet<string> = new Set(['w:tbl']);

function requestsIn(root: Element): CellRequest[] {
  const found: CellRequest[] = [];
  const visit = (node: Node): void => {
    if (node instanceof CellRequest) found.push(node);
    else if (node.kind === 'element') node.children.forEach(visit);
  };
  visit(root);
  return found;
}

/** Order of cell properties (ECMA-376, 17.4.66, CT_TcPrBase). */
const ORDER = [
  'cnfStyle',
  'tcW',
  'gridSpan',
  'hMerge',
  'vMerge',
  'tcBorders',
  'shd',
  'noWrap',
  'tcMar',
  'textDirection',
  'tcFitText',
  'vAlign',
  'hideMark',
];

function setProperty(cell: Element, name: string, attributes: Record<string, string>): void {
  let properties = cell.first('w:tcPr');
  if (properties === undefined) {
    properties = make(cell, 'w:tcPr');
    cell.insertBefore(cell.children[0] ?? null, properties);
  }
  const old = properties.first(`w:${name}`);
  if (old) remove(old);
  const rank = ORDER.indexOf(name);
  const next = properties.elements().find((child) => ORDER.indexOf(child.tag.slice(2)) > rank);
  properties.insertBefore(next ?? null, make(properties, `w:${name}`, attributes));
}

export function applyCellRequests(root: Element): void {
  for (const request of requestsIn(root)) {
    const cell = closest(request.parent, CELL);
    remove(request);
    if (cell !== null) apply(request, cell);
  }
}

function apply({ type, value }: CellRequest, cell: Element): void {
  const [first = '', second = ''] = value.trim().split(/\s+/);
  switch (type) {
    case 'colspan': {
      const span = Math.trunc(Number(first));
      if (span >= 1 && span <= 63) setProperty(cell, 'gridSpan', { 'w:val': String(span) });
      return;
    }
    case 'cellbg': {
      const colour = /^#?([\da-f]{6})$/i.exec(first)?.[1];
      if (colour)
        setProperty(cell, 'shd', { 'w:val': 'clear', 'w:color': 'auto', 'w:fill': colour.toUpperCase() });
      return;
    }
    case 'hm': {
      if (first !== '0') {
        remove(cell);
        return;
      }
      const own = Number(cell.first('w:tcPr')?.first('w:gridSpan')?.get('w:val') ?? 1);
      setProperty(cell, 'gridSpan', { 'w:val': String(own * Number(second)) });
      return;
    }
    case 'vm':
      setProperty(cell, 'vMerge', { 'w:val': first === '0' ? 'restart' : 'continue' });
      if (first !== '0') for (const leaf of all(cell, 'w:t')) leaf.replaceChildren();
      return;
    default:
  }
}

/** Gives the grid of each table as many columns as its widest row, at an unchanged total width. */
export function fitGrids(tables: readonly Element[], rows: readonly Element[]): void {
  const rowsOf = Map.groupBy(rows, (row) => closest(row.parent, TABLE));
  for (const table of tables) fitGrid(table, rowsOf.get(table) ?? []);
}

function fitGrid(table: Element, rows: readonly Element[]): void {
  const grid = table.first('w:tblGrid');
  if (!grid) return;
  const columns = grid.elements('w:gridCol');
  if (!rows.some((row) => row.source !== null)) return;
  const widest = Math.max(0, ...rows.map(columnsOf));
  const before = Math.max(0, ...rows.map((row) => (row.source ? columnsOf(row.source) : 0)));
  if (widest === columns.length || widest === 0 || columns.length === 0) return;
  // A table that did not match its grid before filling stays as the author wrote it.
  if (before === widest) return;
  const total = columns.reduce((sum, column) => sum + Number(column.get('w:w') ?? 0), 0);
  const width = Math.floor(total / widest);
  for (let i = columns.length; i < widest; i += 1) {
    const last = columns.at(-1);
    if (last) grid.insertAfter(last, copyElement(last));
  }
  for (const column of columns.slice(widest)) remove(column);
  if (width === 0) return;
  for (const column of grid.elements('w:gridCol')) column.set('w:w', String(width));
  for (const row of rows) {
    for (const cell of cellsOf(row)) {
      const measure = cell.first('w:tcPr')?.first('w:tcW');
      if (measure?.get('w:type') === 'dxa') measure.set('w:w', String(width * spanOf(cell)));
    }
  }
}

export function cellsOf(row: Element): Element[] {
  return row
    .elements()
    .flatMap((child) => (child.tag === 'w:sdt' ? all(child, 'w:tc') : child.tag === 'w:tc' ? [child] : []));
}

export function spanOf(cell: Element): number {
  return Number(cell.first('w:tcPr')?.first('w:gridSpan')?.get('w:val') ?? 1) || 1;
}

export function columnsOf(row: Element): number {
  const properties = row.first('w:trPr');
  const skipped = (name: string): number => Number(properties?.first(name)?.get('w:val') ?? 0);
  return cellsOf(row).reduce(
    (sum, cell) => sum + spanOf(cell),
    skipped('w:gridBefore') + skipped('w:gridAfter'),
  );
}
