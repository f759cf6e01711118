import { rewriteFormula } from '../calc/formula.ts';
import { ownedParts } from '../ooxml/clone.ts';
import type { OfficePackage } from '../package.ts';
import { all, copyElement, type Element, remove } from '../xml/tree.ts';
import { setText } from './furniture.ts';
import { columnOf } from './prepare.ts';
import type { Resolve, Sheet } from './sheet.ts';

/** Parts of a sheet that name its rows: drawings, charts, tables, comments. Each is looked at once, filled or not. */
export function rewriteDependents(file: OfficePackage, path: string, sheet: Sheet, resolve: Resolve): void {
  for (const part of ownedParts(file, path).slice(1)) {
    if (!part.endsWith('.xml')) continue;
    const document = file.xml(part);
    const { root } = document;
    switch (root.tag) {
      case 'xdr:wsDr':
        for (const anchor of root.elements()) moveAnchor(anchor, sheet);
        break;
      case 'c:chartSpace':
        rewriteChart(root, sheet, resolve);
        break;
      case 'x:table':
        rewriteTable(root, sheet, file, part);
        break;
      case 'x:comments':
        for (const comment of all(root, 'x:comment'))
          comment.set('ref', sheet.cells(comment.get('ref') ?? '').split(':')[0] || 'A1');
        break;
      default:
        continue;
    }
    file.setXml(part, document);
  }
}

/** What is held by two cells keeps its height, and moves with the first. */
function moveAnchor(anchor: Element, sheet: Sheet): void {
  const from = anchor.first('xdr:from')?.first('xdr:row');
  if (!from) return;
  const before = Number(from.textContent()) + 1;
  const after = sheet.map.one(before, null)?.first ?? sheet.map.range(before, 1_048_576, null)?.[0] ?? before;
  for (const edge of [from, anchor.first('xdr:to')?.first('xdr:row')]) {
    if (edge) setText(edge, String(Number(edge.textContent()) + after - before));
  }
}

/** A chart's ranges, and what it remembers of their values. */
function rewriteChart(root: Element, sheet: Sheet, resolve: Resolve): void {
  for (const formula of all(root, 'c:f')) {
    const text = rewriteFormula(formula.textContent(), 'excel', (reference) =>
      resolve({ ...reference, isArgument: true }, null, sheet),
    );
    setText(formula, text);
    const holder = formula.parent;
    const values = sheetValues(text, sheet);
    for (const cache of holder?.elements() ?? []) {
      if (cache.tag !== 'c:numCache' && cache.tag !== 'c:strCache') continue;
      // A chart without a memory reads the cells; one with a wrong memory shows it.
      if (values === null) remove(cache);
      else fillCache(cache, values);
    }
  }
}

function fillCache(cache: Element, values: readonly string[]): void {
  const isNumber = cache.tag === 'c:numCache';
  const model = cache.first('c:pt');
  const count = cache.first('c:ptCount');
  if (!model || !count) {
    remove(cache);
    return;
  }
  for (const point of cache.elements('c:pt')) remove(point);
  count.set('val', String(values.length));
  let after = count;
  values.forEach((value, i) => {
    if (value === '' || (isNumber && !Number.isFinite(Number(value)))) return;
    const point = copyPoint(model, i, value);
    cache.insertAfter(after, point);
    after = point;
  });
}

/** Values of a range of one sheet; null where one of them has to be calculated first. */
function sheetValues(reference: string, sheet: Sheet): string[] | null {
  const match = /^(?:'((?:[^']|'')+)'|([^'!]+))!\$?([A-Z]+)\$?(\d+)(?::\$?([A-Z]+)\$?(\d+))?$/.exec(
    reference,
  );
  if (match === null) return null;
  const name = match[1]?.replaceAll("''", "'") ?? match[2] ?? '';
  if (name !== sheet.name) return null;
  const [, , , column = '', first = '', lastColumn = column, last = first] = match;
  const isOneColumn = column === lastColumn;
  if (!isOneColumn && first !== last) return null;
  const cells = new Map(all(sheet.root, 'x:c').map((cell) => [cell.get('r') ?? '', cell]));
  if (!isOneColumn) return null;
  const values: string[] = [];
  for (let row = Number(first); row <= Number(last); row += 1) {
    const cell = cells.get(`${column}${row}`);
    const value = cell === undefined ? '' : cellText(cell);
    if (value === null) return null;
    values.push(value);
  }
  return values;
}

function cellText(cell: Element): string | null {
  // A shared string would have to be looked up, a formula calculated.
  if (cell.first('x:f') || cell.get('t') === 's') return null;
  const value = cell.first('x:v')?.textContent();
  if (value !== undefined) return value;
  return all(cell, 'x:t')
    .map((leaf) => leaf.textContent())
    .join('');
}

/** A table's area, the names of its columns where a tag has made them, and its id where the sheet is a copy. */
function rewriteTable(root: Element, sheet: Sheet, file: OfficePackage, part: string): void {
  for (const element of [root, ...all(root, 'x:autoFilter', 'x:sortState', 'x:sortCondition')]) {
    const area = element.get('ref');
    if (area !== undefined) element.set('ref', sheet.cells(area) || area);
  }
  nameColumns(root, sheet);
  const others = file
    .paths()
    .filter((path) => path !== part && /^xl\/tables\/[^/]+\.xml$/.test(path))
    .map((path) => file.xml(path).root);
  const ids = others.map((other) => Number(other.get('id') ?? 0));
  const names = new Set(others.flatMap((other) => [other.get('name') ?? '', other.get('displayName') ?? '']));
  if (ids.includes(Number(root.get('id')))) root.set('id', String(Math.max(...ids) + 1));
  for (const attribute of ['name', 'displayName']) {
    const name = root.get(attribute) ?? '';
    let free = name;
    for (let i = 2; names.has(free); i += 1) free = `${name}_${i}`;
    if (free !== name) root.set(attribute, free);
  }
}

function nameColumns(root: Element, sheet: Sheet): void {
  const match = /^([A-Z]+)(\d+):/.exec(root.get('ref') ?? '');
  if (match === null || root.get('headerRowCount') === '0') return;
  const header = all(sheet.root, 'x:row').find((row) => row.get('r') === match[2]);
  const start = columnOf(
    header?.elements('x:c').find((cell) => cell.get('r') === `${match[1]}${match[2]}`) ?? root,
  );
  const taken = new Set<string>();
  all(root, 'x:tableColumn').forEach((column, i) => {
    const cell = header?.elements('x:c').find((one) => columnOf(one) === start + i);
    const text = cell?.first('x:is') ? cellText(cell) : null;
    let name = text ?? column.get('name') ?? '';
    for (let n = 2; taken.has(name.toLowerCase()); n += 1) name = `${text ?? ''}${n}`;
    taken.add(name.toLowerCase());
    if (text !== null) column.set('name', name);
  });
}

function copyPoint(model: Element, index: number, value: string): Element {
  const point = copyElement(model);
  point.set('idx', String(index));
  const text = point.first('c:v');
  if (text) setText(text, value);
  return point;
}
