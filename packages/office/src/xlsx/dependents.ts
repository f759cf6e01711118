import { rewriteFormula } from '../calc/formula.ts';
import { ownedParts } from '../ooxml/clone.ts';
import { mainPart } from '../ooxml/related.ts';
import type { OfficePackage } from '../package.ts';
import { all, type Element } from '../xml/tree.ts';
import { moveComments } from './comments.ts';
import { cellText, type ChartedSheets, updateChart } from './charts.ts';
import { setText } from './sheet-parts.ts';
import { columnOf, templateColumns } from './prepare.ts';
import type { Sheet } from './sheet.ts';
import { sheetEntries } from './workbook.ts';

/** Charts, and those of Excel 2016 and later, such as waterfalls. */
const CHARTS = ['c:chartSpace', 'cx:chartSpace'];

/** The sheets of a filled workbook, for the parts that belong to them. */
export interface FilledSheets extends ChartedSheets {
  /** Receives the tables' renamed columns: table, then new name by old name in lower case. */
  renamed: Map<string, ReadonlyMap<string, string>>;
}

/**
 * Updates the parts of a sheet that refer to its rows: drawings, charts, tables, comments. Each is processed
 * once, filled or not.
 *
 * @param sheet null for a sheet that contains only a chart
 */
export function rewriteDependents(path: string, sheet: Sheet | null, sheets: FilledSheets): void {
  const { file } = sheets;
  if (sheet !== null) moveComments(file, path, sheet);
  for (const part of ownedParts(file, path).slice(1)) {
    if (!part.endsWith('.xml')) continue;
    const document = file.xml(part);
    const { root } = document;
    if (CHARTS.includes(root.tag)) updateChart({ root, own: sheet }, sheets);
    else if (sheet === null || !rewritePart(root, part, sheet, sheets)) continue;
    file.setXml(part, document);
  }
}

/** @returns whether the part is of a kind that refers to rows */
function rewritePart(root: Element, part: string, sheet: Sheet, sheets: FilledSheets): boolean {
  switch (root.tag) {
    case 'xdr:wsDr':
      for (const anchor of root.elements()) moveAnchor(anchor, sheet);
      return true;
    case 'x:table':
      rewriteTable(root, sheet, sheets, part);
      return true;
    case 'x:pivotTableDefinition':
      movePivot(root, sheet);
      return true;
    default:
      return false;
  }
}

/** Moves an anchor with its first cell; one between two cells keeps its height. */
function moveAnchor(anchor: Element, sheet: Sheet): void {
  const from = anchor.first('xdr:from')?.first('xdr:row');
  if (!from) return;
  const before = Number(from.textContent()) + 1;
  const after = newRow(before, sheet);
  for (const edge of [from, anchor.first('xdr:to')?.first('xdr:row')]) {
    if (edge) setText(edge, String(Number(edge.textContent()) + after - before));
  }
}

/** Returns the place of a row; that of the next one if it has disappeared. */
function newRow(row: number, { map }: Sheet): number {
  return map.one(row, null)?.first ?? map.range(row, 1_048_576, null)?.[0] ?? row;
}

/** Moves a pivot table with its first row: Excel writes its cells anew. */
function movePivot(root: Element, sheet: Sheet): void {
  for (const location of root.elements('x:location')) {
    const area = rewriteFormula(location.get('ref') ?? '', 'excel', ({ first, last }) => {
      const after = newRow(first, sheet);
      return { first: after, last: last === null ? null : last + after - first };
    });
    location.set('ref', area);
  }
}

/** Updates a table's area, the names of columns with tags, and the id in a copied sheet. */
function rewriteTable(root: Element, sheet: Sheet, { file, renamed }: FilledSheets, part: string): void {
  for (const element of [root, ...all(root, 'x:autoFilter', 'x:sortState', 'x:sortCondition')]) {
    const area = element.get('ref');
    if (area !== undefined) element.set('ref', sheet.cells(area) || area);
  }
  const columns = nameColumns(root, sheet, file);
  if (columns.size > 0) renamed.set(root.get('displayName') ?? '', columns);
  const others = sheetEntries(file)
    .flatMap(({ path }) => file.relationships(path).list())
    .flatMap(({ type, path }) => (type === 'table' && path !== null && path !== part ? [path] : []))
    .filter((path) => file.has(path))
    .map((path) => file.xml(path).root);
  const ids = others.map((other) => Number(other.get('id') ?? 0));
  const names = new Set(others.flatMap((other) => [other.get('name') ?? '', other.get('displayName') ?? '']));
  if (ids.includes(Number(root.get('id'))))
    root.set('id', String(ids.reduce((highest, id) => Math.max(highest, id), 0) + 1));
  for (const attribute of ['name', 'displayName']) {
    const name = root.get(attribute) ?? '';
    let free = name;
    for (let i = 2; names.has(free); i += 1) free = `${name}_${i}`;
    if (free !== name) root.set(attribute, free);
  }
}

/** @returns new names by old ones in lower case */
function nameColumns(root: Element, sheet: Sheet, file: OfficePackage): ReadonlyMap<string, string> {
  const renamed = new Map<string, string>();
  const match = /^([A-Z]+)(\d+):/.exec(root.get('ref') ?? '');
  if (match === null || root.get('headerRowCount') === '0') return renamed;
  const header = all(sheet.root, 'x:row').find((row) => row.get('r') === match[2]);
  const start = columnOf(
    header?.elements('x:c').find((cell) => cell.get('r') === `${match[1]}${match[2]}`) ?? root,
  );
  const taken = new Set<string>();
  const before = templateColumns(file, root.get('id') ?? '');
  all(root, 'x:tableColumn').forEach((column, i) => {
    const cell = header?.elements('x:c').find((one) => columnOf(one) === start + i);
    const text = cell?.first('x:is') ? cellText(cell, file) : null;
    let name = text ?? column.get('name') ?? '';
    for (let n = 2; taken.has(name.toLowerCase()); n += 1) name = `${text ?? ''}${n}`;
    taken.add(name.toLowerCase());
    if (text === null) return;
    const old = before?.[i] ?? column.get('name') ?? '';
    if (old !== name) renamed.set(old.toLowerCase(), name);
    column.set('name', name);
  });
  return renamed;
}

/** Updates the source areas of pivot tables, and makes them refresh when the file is opened (18.10.1.67). */
export function refreshPivots(file: OfficePackage, sheetNamed: (oldName: string) => Sheet | undefined): void {
  const relations = file.relationships(mainPart(file)).list();
  for (const { type, path } of relations) {
    if (type !== 'pivotCacheDefinition' || path === null || !file.has(path)) continue;
    const document = file.xml(path);
    const source = document.root.first('x:cacheSource')?.first('x:worksheetSource');
    if (source === undefined) continue;
    const sheet = sheetNamed(source.get('sheet') ?? '');
    const area = sheet?.cells(source.get('ref') ?? '') ?? '';
    if (sheet && area !== '') {
      source.set('ref', area);
      source.set('sheet', sheet.name);
    }
    document.root.set('refreshOnLoad', '1');
    file.setXml(path, document);
  }
}
