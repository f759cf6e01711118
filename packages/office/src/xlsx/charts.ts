import { MOST_RANGES } from '../calc/copies.ts';
import type { FormulaNotes } from '../calc/notes.ts';
import type { OfficePackage } from '../package.ts';
import { make } from '../xml/build.ts';
import { all, type Element, remove } from '../xml/tree.ts';
import { setText } from './sheet-parts.ts';
import { sharedString } from './prepare.ts';
import type { Resolve, Rewriting, Sheet } from './sheet.ts';

/** Charts, which refer to cells and cache their values (ECMA-376, 21.2.2.24). */

/** A chart's caches: points of one range each, or of several columns. */
const CACHES = ['c:numCache', 'c:strCache', 'c:multiLvlStrCache'];
/** Ranges; those of charts of Excel 2016 and later are followed by the caches themselves ([MS-ODRAWXML] 2.24.3.30). */
const RANGES = ['c:f', 'cx:f'];

/** A chart shows the rows to which it refers, and none between them. */
const EACH_ROW = { isArgument: true, ignores: 'none', mostRanges: MOST_RANGES } as const;

/** The workbook to which a chart's formulas refer. */
export interface ChartedSheets {
  file: OfficePackage;
  /** Returns a sheet by its current name. */
  sheetNamed: (name: string) => Sheet | undefined;
  resolve: Resolve;
  notes: FormulaNotes;
}

/** A chart. */
export interface Chart {
  root: Element;
  /** The sheet that contains it; null when that has no cells, or the chart is outside the workbook. */
  own: Sheet | null;
}

/** Removes a template chart's cached tags, because the tags are filled in the cells. */
export function removeCachedPoints(root: Element): void {
  for (const cache of all(root, ...CACHES)) {
    if (cache.parent?.first('c:f') === undefined || !/\{[{%#]/.test(cache.textContent())) continue;
    for (const point of cache.elements()) {
      if (point.tag === 'c:pt' || point.tag === 'c:lvl') remove(point);
    }
  }
}

/**
 * Calls `resolve` for a chart's ranges, so that an empty row is kept when a range would otherwise have none.
 */
export function visitRanges({ root, own }: Chart, rewriting: Rewriting): void {
  for (const formula of all(root, ...RANGES)) moved(formula, own, rewriting);
}

/** Updates a chart's ranges to the rows' new positions, and its cache to the current values. */
export function updateChart({ root, own }: Chart, sheets: ChartedSheets): void {
  for (const formula of all(root, ...RANGES)) {
    const text = moved(formula, own, sheets);
    setText(formula, text);
    const values = cellValues(text, sheets);
    for (const cache of formula.parent?.elements() ?? []) {
      if (![...CACHES, 'cx:lvl'].includes(cache.tag) || values === 'unknown') continue;
      // A chart without a cache reads the cells; one with a wrong cache shows it.
      if (values === 'calculated' || cache.tag === 'c:multiLvlStrCache') remove(cache);
      else if (cache.tag === 'cx:lvl') rememberLevel(cache, values);
      else remember(cache, values);
    }
  }
}

function moved(formula: Element, own: Sheet | null, { resolve, notes }: Rewriting): string {
  return notes.rewrite(
    formula.textContent(),
    'excel',
    (reference) => resolve({ ...reference, ...EACH_ROW }, null, own),
    () => `a chart (${formula.textContent()})`,
  );
}

/** Replaces a cache's points but keeps its number format: count, then points, then extensions (21.2.2.24). */
function remember(cache: Element, values: readonly string[]): void {
  for (const old of [...cache.elements('c:pt'), ...cache.elements('c:ptCount')]) remove(old);
  const isNumber = cache.tag === 'c:numCache';
  const points = values.flatMap((value, idx) =>
    value === '' || (isNumber && !Number.isFinite(Number(value)))
      ? []
      : [make(cache, 'c:pt', { idx }, make(cache, 'c:v', {}, value))],
  );
  cache.insertBefore(
    cache.first('c:extLst') ?? null,
    make(cache, 'c:ptCount', { val: values.length }),
    ...points,
  );
}

/** Replaces the points of a cache of Excel 2016 and later. */
function rememberLevel(cache: Element, values: readonly string[]): void {
  cache.set('ptCount', String(values.length));
  cache.replaceChildren(
    ...values.flatMap((value, idx) => (value === '' ? [] : [make(cache, 'cx:pt', { idx }, value)])),
  );
}

const RANGE = /^(?:'((?:[^']|'')+)'|([^'!]+))!\$?([A-Z]+)\$?(\d+)(?::\$?([A-Z]+)\$?(\d+))?$/;

/** Returns whether a formula is one area of a sheet that it names. */
export function isRange(formula: string): boolean {
  return RANGE.test(formula);
}

/**
 * Returns the values of a column of cells, or of several ones; `calculated` when one of them has to be
 * calculated first, or for another area; `unknown` for a name of a formula instead of an area.
 */
function cellValues(formula: string, sheets: ChartedSheets): string[] | 'calculated' | 'unknown' {
  if (!formula.includes(',')) return RANGE.test(formula) ? rangeValues(formula, sheets) : 'unknown';
  const values: string[] = [];
  for (const range of formula.replace(/^\(|\)$/g, '').split(',')) {
    const found = rangeValues(range, sheets);
    if (found === 'calculated') return found;
    values.push(...found);
  }
  return values;
}

function rangeValues(range: string, { file, sheetNamed }: ChartedSheets): string[] | 'calculated' {
  const match = RANGE.exec(range);
  if (match === null) return 'calculated';
  const sheet = sheetNamed(match[1]?.replaceAll("''", "'") ?? match[2] ?? '');
  if (sheet === undefined) return 'calculated';
  const [, , , column = '', first = '', lastColumn = column, last = first] = match;
  if (column !== lastColumn) return 'calculated';
  const cells = new Map(all(sheet.root, 'x:c').map((cell) => [cell.get('r') ?? '', cell]));
  const values: string[] = [];
  for (let row = Number(first); row <= Number(last); row += 1) {
    const cell = cells.get(`${column}${row}`);
    const value = cell === undefined ? '' : cellText(cell, file);
    if (value === null) return 'calculated';
    values.push(value);
  }
  return values;
}

/** Returns a cell's displayed text; null for a cell that has to be calculated. */
export function cellText(cell: Element, file: OfficePackage): string | null {
  if (cell.first('x:f')) return null;
  const value = cell.first('x:v')?.textContent();
  if (cell.get('t') === 's') return sharedString(file, Number(value ?? -1));
  return (
    value ??
    all(cell, 'x:t')
      .map((leaf) => leaf.textContent())
      .join('')
  );
}
