import { listed } from '@platen/core/listed';
import { isOn } from '../ooxml/on-off.ts';
import { heightOfTexts, LONG } from '../printed-height.ts';
import { make } from '../xml/build.ts';
import { all, closest, type Element, remove } from '../xml/tree.ts';
import { gridOf, Rooms } from './room.ts';
import { cellsOf, columnsOf, spanOf } from './tables.ts';

/**
 * Prepares tables of Word for LibreOffice 7.4. It does not divide floating tables, takes each grid as it is, and leaves
 * out what does not fit of a row that may not split below a heading that repeats, where Word splits the row.
 */

/** Matches parts with such tables; a grid may have no columns, or very narrow ones. */
export const SUSPECT_TABLES =
  /tblpPr|cantSplit|tblGrid\s*(?:\/>|><\/)|gridCol\s*\/>|gridCol\s[^<>]{0,200}?\bw:w="1?\d?\d"/;

const TWIPS_PER_CM = 1440 / 2.54;
/** Mean width of columns, in twips, below which a grid is no grid: docx.js writes 100 for each, pandoc nothing. */
const LEAST_COLUMN = 200;
const EMU_PER_CM = 360_000;
/** The part of a line that a table may leave free if no text is to stand beside it. */
const BESIDE = 0.25;
const MAX_NAMED = 8;
const TABLE: ReadonlySet<string> = new Set(['w:tbl']);
const WITHIN: ReadonlySet<string> = new Set(['w:tc', 'w:txbxContent', 'w:hdr', 'w:ftr']);

/**
 * Gives tables without a grid one, has long floating tables stand in the text, and lets high rows split.
 *
 * @param warn called with a sentence about text that would stand beside such a table
 */
export function mendTables(root: Element, warn: (text: string) => void): void {
  const rooms = new Rooms(root);
  const moved: string[] = [];
  for (const table of all(root, 'w:tbl')) {
    const room = rooms.at(table);
    const width = room.width * TWIPS_PER_CM;
    const rows = all(table, 'w:tr').filter((row) => closest(row.parent, TABLE) === table);
    mendGrid(table, rows, width);
    const grid = gridOf(table);
    const column = sum(grid) / Math.max(grid.length, 1);
    splitHighRows(rows, column, room.height);
    const place = table.first('w:tblPr')?.first('w:tblpPr');
    if (place === undefined || closest(table.parent, WITHIN) !== null) continue;
    if (sum(rows.map((row) => heightOf(row, column))) < room.height * LONG) continue;
    settle(table, place);
    if (sum(grid) < width * (1 - BESIDE)) moved.push(JSON.stringify(beginningOf(table)));
  }
  if (moved.length === 0) return;
  warn(
    `Tables with text around them that may be longer than their page are printed without text beside them: ${listed(moved, MAX_NAMED)}.`,
  );
}

/** Sets the columns of a grid without widths by the widths of the cells (ECMA-376, 17.4.71), or equal parts. */
function mendGrid(table: Element, rows: readonly Element[], room: number): void {
  const grid = table.first('w:tblGrid');
  const known = gridOf(table);
  if (grid === undefined || sum(known) >= LEAST_COLUMN * Math.max(known.length, 1)) return;
  const columns = Array.from({ length: Math.max(0, ...rows.map(columnsOf)) }, () => 0);
  const measure = table.first('w:tblPr')?.first('w:tblW');
  const whole = widthOf(measure, room) || room;
  for (const row of rows) {
    let at = Number(row.first('w:trPr')?.first('w:gridBefore')?.get('w:val') ?? 0);
    for (const cell of cellsOf(row)) {
      const end = at + spanOf(cell);
      const own = widthOf(cell.first('w:tcPr')?.first('w:tcW'), whole) / (end - at);
      for (; at < end; at += 1) columns[at] ||= own;
    }
  }
  const unset = columns.filter((width) => width === 0).length;
  const share = Math.max((whole - sum(columns)) / unset, LEAST_COLUMN);
  const widths = columns.map((width) => Math.round(width || share));
  grid.replaceChildren(...widths.map((width) => make(grid, 'w:gridCol', { 'w:w': width })));
  measure?.set('w:w', String(sum(widths)));
  measure?.set('w:type', 'dxa');
}

/** Returns a width in twips (ECMA-376, 17.18.90: hundredths of `whole`, or its fiftieths); 0 for none. */
function widthOf(measure: Element | undefined, whole: number): number {
  const written = measure?.get('w:w') ?? '';
  const type = measure?.get('w:type') ?? 'dxa';
  const value = Number.parseFloat(written);
  if (!(value > 0) || type === 'auto' || type === 'nil') return 0;
  if (written.endsWith('%')) return (value / 100) * whole;
  return type === 'pct' ? (value / 5000) * whole : value;
}

/** Returns the likely height of a row in centimetres. @param column the mean width of a column in twips */
function heightOf(row: Element, column: number): number {
  const typed = Number(row.first('w:trPr')?.first('w:trHeight')?.get('w:val') ?? 0) || 0;
  const cells = cellsOf(row).map((cell) => {
    const width = widthOf(cell.first('w:tcPr')?.first('w:tcW'), 0) || column * spanOf(cell);
    const texts = all(cell, 'w:p').map((one) => one.textContent());
    const pictures = all(cell, 'wp:extent').map((one) => Number(one.get('cy')) / EMU_PER_CM || 0);
    return heightOfTexts(texts, width / TWIPS_PER_CM) + sum(pictures);
  });
  return Math.max(typed / TWIPS_PER_CM, ...cells);
}

/** Lets rows split that may be higher than the room below the heading of their table, if that repeats. */
function splitHighRows(rows: readonly Element[], column: number, page: number): void {
  const first = rows.findIndex((row) => !isOn(row.first('w:trPr')?.first('w:tblHeader')));
  const heading = sum(rows.slice(0, Math.max(first, 0)).map((row) => heightOf(row, column)));
  if (heading === 0) return;
  for (const row of rows.slice(first)) {
    const whole = row.first('w:trPr')?.first('w:cantSplit');
    if (whole !== undefined && heading + heightOf(row, column) > page * LONG) remove(whole);
  }
}

/** Has a floating table stand in the text, at the same side of the column. */
function settle(table: Element, place: Element): void {
  const properties = table.first('w:tblPr');
  const side = place.get('w:tblpXSpec');
  const indent = place.get('w:horzAnchor') === 'page' ? 0 : Number(place.get('w:tblpX') ?? 0);
  remove(place);
  if (properties === undefined) return;
  for (const old of [...properties.elements('w:jc'), ...properties.elements('w:tblInd')]) remove(old);
  if (side === 'center' || side === 'right') properties.append(make(properties, 'w:jc', { 'w:val': side }));
  else if (side === undefined && indent !== 0)
    properties.append(make(properties, 'w:tblInd', { 'w:w': indent, 'w:type': 'dxa' }));
}

function beginningOf(table: Element): string {
  return (
    all(table, 'w:p')
      .map((one) => one.textContent().trim())
      .find((text) => text !== '') ?? ''
  ).slice(0, 30);
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
