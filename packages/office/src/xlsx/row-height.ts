import { columnNumber } from '../calc/formula.ts';
import { linesIn } from '../text-width.ts';
import { closest, type Element } from '../xml/tree.ts';
import { columnOf } from './prepare.ts';

/**
 * Heights of rows with wrapped text. LibreOffice does not measure the rows of a file from another program,
 * and Excel keeps an existing height, so the height is estimated from the widths of columns and characters.
 */

/** Excel's default column width in characters (ECMA-376, 18.3.1.81). */
const DEFAULT_WIDTH = 8.43;
/** Line height relative to the font size: 15 pt for 11 pt. */
const LINE = 15 / 11;
/** Points; Excel treats a larger height as damage. */
const HIGHEST = 409;
/** Characters lost at the end of a line where the next word does not fit. */
const LOST = 2;
const SHEET: ReadonlySet<string> = new Set(['x:worksheet']);

/** Makes the row of a cell high enough for its text. A height set by the author stays. */
export function fitRowHeight(cell: Element, text: string, fontSize: number): void {
  const row = cell.parent;
  if (row === null || /^(?:1|true)$/.test(row.get('customHeight') ?? '')) return;
  const width = Math.max(1, widthOf(cell) - LOST);
  const lines = linesIn(text, width);
  const height = Math.min(HIGHEST, lines * fontSize * LINE);
  // The height for an earlier cell of the row counts; the height for the template's own text does not.
  const others = heights.get(row) ?? 0;
  heights.set(row, Math.max(height, others));
  if (height <= others) return;
  const old = row.source?.get('ht');
  // The program that wrote the file has measured more exactly; its height stays when the number of lines is
  // the same.
  const isSame = old === undefined ? lines === 1 : Math.abs(height - Number(old)) < (fontSize * LINE) / 2;
  if (!isSame) row.set('ht', rounded(height));
  else if (old !== undefined) row.set('ht', old);
}

/** Height in points of a row without a set height. */
const USUAL = 15;
/** Points added to rows beyond their text. */
const raised = new WeakMap<Element, number>();

/** Makes a row higher than its text by a number of points: the text of a cell is at its bottom by default. */
export function addRowHeight(cell: Element, points: number): void {
  const row = cell.parent;
  const before = row === null ? 0 : (raised.get(row) ?? 0);
  if (row === null || points <= before || /^(?:1|true)$/.test(row.get('customHeight') ?? '')) return;
  const text = Number(row.get('ht') ?? heights.get(row) ?? USUAL) - before;
  raised.set(row, points);
  row.set('ht', rounded(Math.min(HIGHEST, text + points)));
}

function rounded(height: number): string {
  return String(Math.round(height * 100) / 100);
}

const heights = new WeakMap<Element, number>();

/** Returns the width of a cell in characters, including the cells merged with it. */
function widthOf(cell: Element): number {
  const sheet = closest(cell, SHEET);
  if (sheet === null) return DEFAULT_WIDTH;
  // Rows have moved, but the columns of merged cells have not.
  const source = cell.source ?? cell;
  const first = columnOf(source);
  const last = mergedColumns(sheet.source ?? sheet).get(source.get('r') ?? '') ?? first;
  let width = 0;
  for (let column = first; column <= last; column += 1) width += columnWidth(sheet, column);
  return width;
}

const merged = new WeakMap<Element, ReadonlyMap<string, number>>();

/** Maps the address of the first merged cell to the column of the last. */
function mergedColumns(sheet: Element): ReadonlyMap<string, number> {
  let found = merged.get(sheet);
  if (found === undefined) {
    const areas = sheet.first('x:mergeCells')?.elements('x:mergeCell') ?? [];
    found = new Map(
      areas.map((area) => {
        const [from = '', to = from] = (area.get('ref') ?? '').split(':');
        return [from, columnNumber(/^[A-Za-z]+/.exec(to)?.[0] ?? 'A')];
      }),
    );
    merged.set(sheet, found);
  }
  return found;
}

function columnWidth(sheet: Element, column: number): number {
  const own = sheet
    .first('x:cols')
    ?.elements('x:col')
    .find((one) => Number(one.get('min')) <= column && column <= Number(one.get('max')))
    ?.get('width');
  return Number(own ?? sheet.first('x:sheetFormatPr')?.get('defaultColWidth') ?? DEFAULT_WIDTH);
}
