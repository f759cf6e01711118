import { cellName } from '../calc/cell-names.ts';
import { LOST, movedDown, rewriteFormula } from '../calc/formula.ts';
import type { FormulaNotes } from '../calc/notes.ts';
import { all, closest, copyElement, distinct, type Element, remove, Text } from '../xml/tree.ts';
import type { Rewriting, Sheet } from './sheet.ts';

/** Parts of a sheet besides its cells that refer to rows. */

/** Elements with an area that are repeated in every pass of a loop. */
const REPEATED = ['x:mergeCell', 'x:hyperlink'];
/** Elements with a list of areas that grow with the rows. */
const LISTS = ['x:conditionalFormatting', 'x:dataValidation', 'x:protectedRange', 'x:ignoredError'];
/** Elements with one area that grows with the rows. */
const AREAS: readonly [tag: string, attribute: string][] = [
  ['x:autoFilter', 'ref'],
  ['x:sortState', 'ref'],
  ['x:sortCondition', 'ref'],
];
const FORMULAS = ['x:formula', 'x:formula1', 'x:formula2', 'xm:f'];
/** Attributes with one cell. */
const CELLS: readonly [tag: string, attribute: string][] = [
  ['x:inputCells', 'r'],
  ['x:f', 'r1'],
  ['x:f', 'r2'],
];

/** Returns the elements of the given tags beside the cells of a sheet, which may be a million. */
export function besideCells(root: Element, ...tags: string[]): Element[] {
  return root.elements().flatMap((part) => (part.tag === 'x:sheetData' ? [] : all(part, ...tags)));
}

export function rewriteSheetParts(sheet: Sheet, { resolve, notes }: Rewriting): void {
  const { root } = sheet;
  for (const element of sheet.columnMoves.isEmpty ? [] : besideCells(root, ...REPEATED, ...LISTS)) {
    const area = (element.source ?? element).get(LISTS.includes(element.tag) ? 'sqref' : 'ref') ?? '';
    if (sheet.columnMoves.touchesArea(area))
      notes.addUnmoved(`${element.name} ${cellName(sheet.oldName, area)}`);
  }
  for (const tag of REPEATED)
    for (const element of distinct(besideCells(root, tag))) repeatArea(element, sheet);
  for (const link of besideCells(root, 'x:hyperlink')) followLink(link, sheet, { resolve, notes });
  for (const [tag, attribute] of AREAS) {
    for (const element of besideCells(root, tag)) {
      const area = sheet.cells((element.source ?? element).get(attribute) ?? '');
      if (area === '') remove(element);
      else element.set(attribute, area);
    }
  }
  const listed = (list: string): string =>
    sheet.areas(list, () => notes.addDoubtful(cellName(sheet.oldName, list)));
  for (const element of besideCells(root, ...LISTS)) {
    const list = listed((element.source ?? element).get('sqref') ?? '');
    if (list === '') remove(element);
    else element.set('sqref', list);
  }
  for (const element of besideCells(root, 'xm:sqref'))
    if (element.parent?.tag !== 'x14:sparkline') setText(element, listed(sourceText(element)));
  for (const element of besideCells(root, ...FORMULAS)) {
    if (element.parent?.tag === 'x14:sparkline') continue;
    const area = areaOf(element);
    const { place, tagRows } = sheet.placeOf(area) ?? { place: null, tagRows: 0 };
    const text = notes.rewrite(
      sourceText(element),
      'excel',
      movedDown(
        (reference) =>
          resolve({ ...reference, isArgument: reference.isArgument || place === null }, place, sheet),
        tagRows,
      ),
      () => `${partName(element)} of ${cellName(sheet.oldName, area)}`,
    );
    setText(element, text);
  }
  for (const scenarios of besideCells(root, 'x:scenarios')) {
    const area = (scenarios.source ?? scenarios).get('sqref');
    if (area !== undefined) scenarios.set('sqref', sheet.cells(area) || area);
  }
  for (const [tag, attribute] of CELLS) {
    for (const element of all(root, tag)) {
      const cell = (element.source ?? element).get(attribute);
      if (cell !== undefined) element.set(attribute, sheet.cells(cell).split(':')[0] || cell);
    }
  }
  for (const breaks of besideCells(root, 'x:rowBreaks')) moveBreaks(breaks, sheet, notes);
  for (const element of besideCells(root, 'x:selection', 'x:pane', 'x:sheetView')) view(element, sheet);
  for (const element of besideCells(root, 'x:dimension')) remove(element);
  dropEmpty(root, [
    'x:mergeCells',
    'x:hyperlinks',
    'x:dataValidations',
    'x:protectedRanges',
    'x:ignoredErrors',
    'x:rowBreaks',
  ]);
}

/** Updates the cell to which a link within the workbook leads; a link to a removed sheet is removed. */
function followLink(link: Element, sheet: Sheet, { resolve, notes }: Rewriting): void {
  const source = link.source ?? link;
  const location = source.get('location');
  if (location === undefined) return;
  const target = rewriteFormula(location, 'excel', (reference) => resolve(reference, null, sheet));
  if (!target.includes(LOST)) {
    link.set('location', target);
    return;
  }
  remove(link);
  notes.addDropped(`the link of ${cellName(sheet.oldName, source.get('ref') ?? '')}`);
}

/** Elements with the area to which a formula within them belongs: as attribute, or as element. */
const OWNERS: ReadonlySet<string> = new Set([
  'x:conditionalFormatting',
  'x:dataValidation',
  'x14:conditionalFormatting',
  'x14:dataValidation',
]);

/** Returns the area of the template to which a formula of a validation or conditional format belongs. */
function areaOf(formula: Element): string {
  const owner = closest(formula.source ?? formula, OWNERS);
  return owner?.get('sqref') ?? owner?.first('xm:sqref')?.textContent() ?? '';
}

function partName(formula: Element): string {
  const { tag = '' } = closest(formula.source ?? formula, OWNERS) ?? {};
  return tag.endsWith('dataValidation') ? 'the validation' : 'the conditional format';
}

function repeatArea(element: Element, sheet: Sheet): void {
  const areas = sheet.everyArea((element.source ?? element).get('ref') ?? '');
  for (const [i, area] of areas.entries()) {
    const one = i === 0 ? element : copyElement(element);
    one.set('ref', area);
    if (i > 0) element.parent?.append(one);
  }
  if (areas.length === 0) remove(element);
}

/** Most page breaks between rows (Excel's specifications). */
const MAX_BREAKS = 1026;

/** Moves page breaks, each of which follows a row; those within a repeated block are in each pass. */
function moveBreaks(breaks: Element, sheet: Sheet, notes: FormulaNotes): void {
  const rows = new Map<number, Element>();
  for (const one of distinct(breaks.elements('x:brk'))) {
    for (const row of sheet.map.breaksAfter(Number((one.source ?? one).get('id')))) rows.set(row, one);
    remove(one);
  }
  const placed = [...rows].toSorted(([a], [b]) => a - b);
  if (placed.length > MAX_BREAKS) notes.addDoubtful(`the page breaks of ${sheet.oldName}`);
  for (const [row, model] of placed.slice(0, MAX_BREAKS)) {
    const one = copyElement(model);
    one.set('id', String(row));
    breaks.append(one);
  }
  const count = String(breaks.elements().length);
  for (const name of ['count', 'manualBreakCount'])
    if (breaks.get(name) !== undefined) breaks.set(name, count);
}

/** Updates the selection and the frozen panes. */
function view(element: Element, sheet: Sheet): void {
  const source = element.source ?? element;
  for (const attribute of ['topLeftCell', 'activeCell', 'sqref']) {
    const cell = source.get(attribute);
    if (cell === undefined || !/^\$?[A-Z]+\$?\d+$/.test(cell)) continue;
    element.set(attribute, sheet.cells(cell).split(':')[0] || cellBelow(cell, sheet));
  }
  const rows = Number(source.get('ySplit') ?? 0);
  if (element.tag !== 'x:pane' || !source.get('state')?.startsWith('frozen') || rows < 1) return;
  const first = Number(/(?<!\d)\d+$/.exec(source.parent?.get('topLeftCell') ?? '')?.[0] ?? 1);
  const frozen = sheet.map.frozenRows(first, first + rows - 1);
  if (frozen > 0) element.set('ySplit', String(frozen));
  else element.unset('ySplit');
}

/** Returns the cell of the next row that remains. */
function cellBelow(cell: string, sheet: Sheet): string {
  const [, column = 'A', row = '1'] = /^\$?([A-Z]+)\$?(\d+)$/.exec(cell) ?? [];
  const next = sheet.map.range(Number(row), 1_048_576, null)?.[0];
  return next === undefined ? 'A1' : `${column}${next}`;
}

function dropEmpty(root: Element, tags: readonly string[]): void {
  for (const element of besideCells(root, ...tags)) {
    const count = element.elements().length;
    if (count === 0) remove(element);
    else if (element.get('count') !== undefined) element.set('count', String(count));
  }
}

export function sourceText(element: Element): string {
  return (element.source ?? element).textContent();
}

export function setText(element: Element, text: string): void {
  element.replaceChildren(new Text(text));
}
