import { CellRequest } from '../marks.ts';
import { foreignIn } from '../foreign.ts';
import { make } from '../xml/build.ts';
import { all, closest, copyElement, type Element, remove } from '../xml/tree.ts';

/** Tables on slides. */

const CELL: ReadonlySet<string> = new Set(['a:tc']);

export function applyDrawingCellRequests(root: Element): void {
  for (const request of foreignIn(root)) {
    if (!(request instanceof CellRequest)) continue;
    const cell = closest(request.parent, CELL);
    remove(request);
    if (cell !== null) apply(request, cell);
  }
}

function apply({ type, value }: CellRequest, cell: Element): void {
  const [first = '', second = ''] = value.trim().split(/\s+/);
  if (type === 'cellbg') {
    const colour = /^#?([\da-f]{6})$/i.exec(first)?.[1];
    if (colour) fillCell(cell, colour.toUpperCase());
  } else if (type === 'colspan') {
    const span = Math.trunc(Number(first));
    if (span < 2 || span > 1000) return;
    cell.set('gridSpan', String(span));
    for (let i = 1; i < span; i += 1) cell.parent?.insertAfter(cell, covered(cell, 'hMerge'));
  } else if (type === 'hm' || type === 'vm') {
    const isAcross = type === 'hm';
    if (first === '0') cell.set(isAcross ? 'gridSpan' : 'rowSpan', second);
    else {
      cell.set(isAcross ? 'hMerge' : 'vMerge', '1');
      for (const leaf of all(cell, 'a:t')) leaf.replaceChildren();
    }
  }
}

function covered(cell: Element, attribute: string): Element {
  const body = make(cell, 'a:txBody', {}, make(cell, 'a:bodyPr'), make(cell, 'a:p'));
  return make(cell, 'a:tc', { [attribute]: 1 }, body, make(cell, 'a:tcPr'));
}

const FILLS = ['a:noFill', 'a:solidFill', 'a:gradFill', 'a:blipFill', 'a:pattFill', 'a:grpFill'];

export function fillCell(cell: Element, colour: string): void {
  let properties = cell.first('a:tcPr');
  if (properties === undefined) {
    properties = make(cell, 'a:tcPr');
    cell.append(properties);
  }
  for (const old of properties.elements()) if (FILLS.includes(old.tag)) remove(old);
  const after = properties.elements().findLast((child) => child.tag.startsWith('a:ln'));
  const fill = make(cell, 'a:solidFill', {}, make(cell, 'a:srgbClr', { val: colour }));
  if (after) properties.insertAfter(after, fill);
  else properties.insertBefore(properties.children[0] ?? null, fill);
}

/** Gives a DrawingML table as many grid columns as its rows have cells, as the format requires. */
export function fitDrawingGrid(table: Element): void {
  const grid = table.first('a:tblGrid');
  if (!grid) return;
  const columns = grid.elements('a:gridCol');
  const widest = Math.max(0, ...table.elements('a:tr').map((row) => row.elements('a:tc').length));
  if (widest === 0 || columns.length === 0 || widest === columns.length) return;
  const total = columns.reduce((sum, column) => sum + Number(column.get('w') ?? 0), 0);
  for (let i = columns.length; i < widest; i += 1)
    grid.append(copyElement(columns[0] ?? make(grid, 'a:gridCol')));
  for (const column of columns.slice(widest)) remove(column);
  for (const column of grid.elements('a:gridCol')) column.set('w', String(Math.floor(total / widest)));
}
