import { columnName, columnNumber, shiftFormula } from '../calc/formula.ts';
import type { TemplateRow } from '../calc/row-map.ts';
import { relatedPart } from '../ooxml/related.ts';
import type { OfficePackage } from '../package.ts';
import { percentDecoded } from '../percent.ts';
import { hasTag } from '../templated.ts';
import { make } from '../xml/build.ts';
import { all, copyElement, type Element, remove, Text } from '../xml/tree.ts';

/** Normalises a sheet's template before its tags are searched, and records its rows. */

export interface SheetLayout {
  rows: TemplateRow[];
  rowOf: Map<Element, TemplateRow>;
  /** Columns of the cells of each row, ascending. */
  columns: Map<Element, readonly number[]>;
}

/** Up to this many empty rows are written out, so that a loop repeats those between its rows. */
const MAX_EMPTY_ROWS = 5000;

const layouts = new WeakMap<OfficePackage, Map<string, SheetLayout>>();
const strings = new WeakMap<OfficePackage, readonly Element[]>();
const tableColumns = new WeakMap<OfficePackage, Map<string, readonly string[]>>();

export function layoutOf(file: OfficePackage, path: string): SheetLayout | undefined {
  return layouts.get(file)?.get(path);
}

export function prepareSheet(root: Element, path: string, file: OfficePackage): void {
  placeLinksWithin(root, path, file);
  const data = root.first('x:sheetData');
  if (!data) return;
  writePlaces(data);
  inlineStrings(data, sharedStrings(file));
  expandSharedFormulas(data);
  writeEmptyRows(data);
  const layout: SheetLayout = { rows: [], rowOf: new Map(), columns: new Map() };
  for (const row of data.elements('x:row')) {
    const entry = { origin: Number(row.get('r')), count: 1, element: row };
    layout.rows.push(entry);
    layout.rowOf.set(row, entry);
    layout.columns.set(
      row,
      row
        .elements('x:c')
        .map((cell) => columnOf(cell))
        .toSorted((a, b) => a - b),
    );
  }
  const known = layouts.get(file) ?? new Map<string, SheetLayout>();
  known.set(path, layout);
  layouts.set(file, known);
}

/** Writes links into the workbook that are kept as addresses, `#Sheet1!A1`, as places, which follow rows and sheets. */
function placeLinksWithin(root: Element, path: string, file: OfficePackage): void {
  for (const link of all(root, 'x:hyperlinks').flatMap((links) => links.elements())) {
    const target = file.relationships(path).find(link.get('r:id') ?? '')?.target;
    if (target?.startsWith('#') !== true || hasTag(target)) continue;
    link.set('location', percentDecoded(target.slice(1)));
    link.unset('r:id');
  }
}

export function columnOf(cell: Element): number {
  return columnNumber(/^[A-Za-z]+/.exec(cell.get('r') ?? 'A')?.[0] ?? 'A');
}

/**
 * Writes the positions that rows and cells may omit when they follow the previous one (ECMA-376, 18.3.1.73).
 */
function writePlaces(data: Element): void {
  let row = 0;
  for (const element of data.elements('x:row')) {
    row = Number(element.get('r') ?? row + 1);
    element.set('r', String(row));
    let column = 0;
    for (const cell of element.elements('x:c')) {
      column = cell.get('r') === undefined ? column + 1 : columnOf(cell);
      cell.set('r', `${columnName(column)}${row}`);
    }
  }
}

function sharedStrings(file: OfficePackage): readonly Element[] {
  let known = strings.get(file);
  if (known === undefined) {
    const path = relatedPart(file, 'sharedStrings');
    known = path === undefined ? [] : all(file.xml(path).root, 'x:si');
    strings.set(file, known);
  }
  return known;
}

/** Returns a shared string; null when the index does not exist. */
export function sharedString(file: OfficePackage, index: number): string | null {
  const item = sharedStrings(file)[index];
  if (item === undefined) return null;
  // Phonetic readings do not belong to the text.
  return all(item, 'x:t')
    .filter((leaf) => leaf.parent?.tag !== 'x:rPh')
    .map((leaf) => leaf.textContent())
    .join('');
}

/** Records the names of a table's columns in the template, because formulas refer to them. */
export function recordColumns(root: Element, file: OfficePackage): void {
  if (root.tag !== 'x:table') return;
  const known = tableColumns.get(file) ?? new Map<string, readonly string[]>();
  known.set(
    root.get('id') ?? '',
    all(root, 'x:tableColumn').map((column) => column.get('name') ?? ''),
  );
  tableColumns.set(file, known);
}

/** Returns the names of a table's columns in the template; undefined when they contain no tags. */
export function templateColumns(file: OfficePackage, table: string): readonly string[] | undefined {
  return tableColumns.get(file)?.get(table);
}

/** Returns a copy of a workbook whose sheets and tables are already prepared, to fill it again. */
export function copyWorkbook(file: OfficePackage): OfficePackage {
  const copy = file.copy();
  const [sheets, tables] = [layouts.get(file), tableColumns.get(file)];
  if (sheets) layouts.set(copy, sheets);
  if (tables) tableColumns.set(copy, tables);
  return copy;
}

/** Returns true when any string of the workbook may contain a tag. */
export function stringsMayHoldTags(file: OfficePackage): boolean {
  const bytes = file.bytes(relatedPart(file, 'sharedStrings') ?? '');
  return bytes !== undefined && (bytes.includes('{') || bytes.includes('&lt;im'));
}

/** Converts shared strings with tags to inline strings: a shared one could only be filled once. */
function inlineStrings(data: Element, shared: readonly Element[]): void {
  for (const cell of all(data, 'x:c')) {
    if (cell.get('t') !== 's') continue;
    const item = shared[Number(cell.first('x:v')?.textContent() ?? -1)];
    if (!item || !/[{]|<im/i.test(item.textContent())) continue;
    const text = make(cell, 'x:is');
    for (const child of item.elements()) {
      // Phonetic readings belong to the original text.
      if (child.tag === 'x:t' || child.tag === 'x:r') text.append(copyElement(child));
    }
    for (const leaf of all(text, 'x:t')) unescapeText(leaf);
    cell.set('t', 'inlineStr');
    cell.replaceChildren(text);
  }
}

/** Returns escaped underscores and carriage returns to what they are (22.9.2.19): the filled text is escaped anew. */
function unescapeText(leaf: Element): void {
  const text = leaf.textContent();
  if (!text.includes('_x')) return;
  leaf.replaceChildren(new Text(text.replaceAll('_x000D_', '').replaceAll('_x005F_', '_')));
}

/** Writes a shared formula, which is stored once at its first cell (18.3.1.40), into each of its cells. */
function expandSharedFormulas(data: Element): void {
  const masters = new Map<string, { formula: string; row: number; column: number }>();
  for (const cell of all(data, 'x:c')) {
    const element = cell.first('x:f');
    if (element?.get('t') !== 'shared') continue;
    const id = element.get('si') ?? '';
    const row = Number(/(?<!\d)\d+$/.exec(cell.get('r') ?? '')?.[0]);
    const column = columnOf(cell);
    const text = element.textContent();
    if (text !== '') masters.set(id, { formula: text, row, column });
    const master = masters.get(id);
    if (!master) continue;
    const own = shiftFormula(master.formula, row - master.row, column - master.column);
    cell.insertBefore(element, make(cell, 'x:f', {}, own));
    remove(element);
  }
}

function writeEmptyRows(data: Element): void {
  const rows = data.elements('x:row');
  const last = Number(rows.at(-1)?.get('r') ?? 0);
  if (last - rows.length > MAX_EMPTY_ROWS) return;
  let next = 1;
  for (const row of rows) {
    const number = Number(row.get('r'));
    for (; next < number; next += 1) data.insertBefore(row, make(data, 'x:row', { r: next }));
    next = number + 1;
  }
}
