import { rewriteFormula } from '../calc/formula.ts';
import type { OfficePackage } from '../package.ts';
import { make } from '../xml/build.ts';
import { all, type Element, remove } from '../xml/tree.ts';
import { setText } from './furniture.ts';
import { sharedString } from './prepare.ts';
import type { Resolve, Sheet } from './sheet.ts';

/** Charts, which name cells and remember what is in them (ECMA-376, 21.2.2.24). */

/** What a chart remembers: points of one range each, or of several columns. */
const CACHES = ['c:numCache', 'c:strCache', 'c:multiLvlStrCache'];

/** The workbook that a chart's formulas are about. */
export interface ChartedSheets {
  file: OfficePackage;
  /** By its name now. */
  sheetNamed: (name: string) => Sheet | undefined;
  resolve: Resolve;
}

/** A chart. */
export interface Chart {
  root: Element;
  /** The sheet it is on; null where that has no cells, or the chart is outside of the workbook. */
  own: Sheet | null;
}

/** Takes out what a chart of the template remembers of tags in its cells, which are filled where they stand. */
export function forgetPoints(root: Element): void {
  for (const cache of all(root, ...CACHES)) {
    if (cache.parent?.first('c:f') === undefined || !/\{[{%#]/.test(cache.textContent())) continue;
    for (const point of cache.elements()) {
      if (point.tag === 'c:pt' || point.tag === 'c:lvl') remove(point);
    }
  }
}

/** Has `resolve` see a chart's ranges, so that an empty row is kept where one of them would have none. */
export function visitRanges({ root, own }: Chart, resolve: Resolve): void {
  for (const formula of all(root, 'c:f')) moved(formula, own, resolve);
}

/** Has a chart's ranges follow their rows, and the chart remember the values that are there now. */
export function followCells({ root, own }: Chart, sheets: ChartedSheets): void {
  for (const formula of all(root, 'c:f')) {
    const text = moved(formula, own, sheets.resolve);
    setText(formula, text);
    const values = cellValues(text, sheets);
    for (const cache of formula.parent?.elements() ?? []) {
      if (!CACHES.includes(cache.tag) || values === 'unknown') continue;
      // A chart without a memory reads the cells; one with a wrong memory shows it.
      if (values === 'calculated' || cache.tag === 'c:multiLvlStrCache') remove(cache);
      else remember(cache, values);
    }
  }
}

function moved(formula: Element, own: Sheet | null, resolve: Resolve): string {
  return rewriteFormula(formula.textContent(), 'excel', (reference) =>
    resolve({ ...reference, isArgument: true }, null, own),
  );
}

/** The format of its numbers stays, its points are new: count, then points, then extensions (21.2.2.24). */
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

const RANGE = /^(?:'((?:[^']|'')+)'|([^'!]+))!\$?([A-Z]+)\$?(\d+)(?::\$?([A-Z]+)\$?(\d+))?$/;

/**
 * Values of a column of cells; `calculated` where one of them has to be calculated first, or the area is another;
 * `unknown` for what is no area: the name of a formula.
 */
function cellValues(range: string, { file, sheetNamed }: ChartedSheets): string[] | 'calculated' | 'unknown' {
  const match = RANGE.exec(range);
  if (match === null) return range.includes(',') ? 'calculated' : 'unknown';
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

/** What a cell shows; null for one that has to be calculated. */
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
