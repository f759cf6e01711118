import { placedRows, type PlacedCell } from '../html/grid.ts';
import { type HtmlLine, type HtmlPicture, type HtmlTable, linesOf } from '../html/model.ts';
import type { OfficePackage } from '../package.ts';
import { lengthOf, linesIn } from '../text-width.ts';
import { make } from '../xml/build.ts';
import type { Element } from '../xml/tree.ts';
import { richRun } from './inline.ts';
import { fillCell } from './tables.ts';

/** HTML tables as DrawingML tables (ECMA-376, 21.1.3). */

const PER_POINT = 12_700;
/**
 * Default margins between a cell's text and its edges: left and right together, and top and bottom together.
 */
const BESIDE = 2 * 91_440;
const AROUND = 2 * 45_720;
/** Characters that count for a column's width. */
const [LONGEST_WORD, LONGEST_LINE] = [30, 60];
/** Font size of tables in points, unless set otherwise. */
const SIZE = 18;
/** A thin line around each cell, for presentations without a table style. */
const PLAIN_STYLE = '{5940675A-B579-460E-94D1-54222C63F5DA}';
const EDGES = ['lnL', 'lnR', 'lnT', 'lnB'] as const;
const ALIGN = { left: 'l', center: 'ctr', right: 'r', justify: 'just' } as const;

export interface TablePlace {
  file: OfficePackage;
  part: string;
  /** An element of the tree that receives the table. */
  near: Element;
  /** The run whose format the text takes; null for that of the table style. */
  model: Element | null;
  /** Width in EMU. */
  width: number;
  /** Returns the height of a picture in a cell of the given width, in EMU. */
  pictureHeight: (picture: HtmlPicture, width: number) => number;
  /** Id of a table style; null when the presentation has none. */
  style: string | null;
}

/** @returns an `a:tbl` and its expected height in EMU */
export function drawingTable(table: HtmlTable, place: TablePlace): { element: Element; height: number } {
  const { near, style, model } = place;
  const size = Number(model?.first('a:rPr')?.get('sz') ?? SIZE * 100) / 100;
  const grid = placedRows(table);
  const widths = columnWidths(grid, table.columns, place.width, size);
  const heights = grid.map((row) => rowHeight(row, widths, size, place));
  const heads = (cells: readonly (PlacedCell | undefined)[]): 1 | undefined =>
    cells.every((one) => one?.cell.header) ? 1 : undefined;
  const flags = { firstRow: heads(grid[0] ?? []), firstCol: heads(grid.map(([first]) => first)), bandRow: 1 };
  const rows = grid.map((row, at) => {
    const below = grid.length - at;
    const cells = row.flatMap((one) => cellsOf(one, below, place));
    return make(near, 'a:tr', { h: heights[at] ?? 0 }, ...cells);
  });
  const element = make(
    near,
    'a:tbl',
    {},
    make(near, 'a:tblPr', flags, make(near, 'a:tableStyleId', {}, style ?? PLAIN_STYLE)),
    make(near, 'a:tblGrid', {}, ...widths.map((w) => make(near, 'a:gridCol', { w }))),
    ...rows,
  );
  return { element, height: total(heights) };
}

/**
 * Returns column widths as browsers set them: room for the longest word, then for lines, filling the
 * available width.
 */
function columnWidths(grid: readonly PlacedCell[][], columns: number, width: number, size: number): number[] {
  const least = Array.from({ length: columns }, () => 0);
  const wanted = Array.from({ length: columns }, () => 0);
  for (const row of grid) {
    let column = 0;
    for (const { cell, colspan, covered } of row) {
      if (!covered && colspan === 1) {
        for (const line of textLines(linesOf(cell.blocks))) {
          const longest = largest(line.split(/\s/).map(lengthOf));
          least[column] = Math.max(least[column] ?? 0, Math.min(LONGEST_WORD, longest));
          wanted[column] = Math.max(wanted[column] ?? 0, Math.min(LONGEST_LINE, lengthOf(line)));
        }
      }
      column += colspan;
    }
  }
  // The two extra characters allow for letters that are wider than average.
  const measure = (count: number): number => BESIDE + (count + 2) * characterWidth(size);
  const [low, high] = [least.map(measure), wanted.map(measure)];
  const [lowest, highest] = [total(low), total(high)];
  const shared = (of: readonly number[], sum: number): number[] =>
    of.map((one) => Math.floor((width * one) / sum));
  if (highest <= width) return shared(high, highest);
  if (lowest >= width) return shared(low, lowest);
  const part = (width - lowest) / (highest - lowest);
  return low.map((one, i) => Math.floor(one + ((high[i] ?? one) - one) * part));
}

function largest(numbers: readonly number[]): number {
  return numbers.reduce((most, one) => Math.max(most, one), 0);
}

function total(numbers: readonly number[]): number {
  return numbers.reduce((sum, one) => sum + one, 0);
}

/**
 * Returns the height that the cells of one row need; cells that span rows can also grow in the other rows.
 */
function rowHeight(
  row: readonly PlacedCell[],
  widths: readonly number[],
  size: number,
  { pictureHeight }: TablePlace,
): number {
  let height = lineHeight(size) + AROUND;
  let column = 0;
  for (const { cell, colspan, covered } of row) {
    const width = total(widths.slice(column, column + colspan));
    column += colspan;
    if (covered || cell.rowspan > 1) continue;
    const lines = linesOf(cell.blocks);
    const text = textLines(lines).reduce(
      (sum, line) => sum + linesIn(line, charactersIn(width - BESIDE, size)),
      0,
    );
    const pictures = lines.flatMap(({ runs }) => runs.flatMap(({ picture }) => picture ?? []));
    const pictured = total(pictures.map((picture) => pictureHeight(picture, width)));
    const words = textLines(lines).some((line) => line.trim() !== '') ? text * lineHeight(size) + AROUND : 0;
    height = Math.max(height, words + pictured);
  }
  return Math.round(height);
}

function textLines(lines: readonly HtmlLine[]): string[] {
  return lines.map(({ runs }) => runs.map(({ text }) => text).join(''));
}

/** Returns the height of a line. @param size points @returns EMU */
export function lineHeight(size: number): number {
  return size * 1.2 * PER_POINT;
}

function characterWidth(size: number): number {
  return size * 0.52 * PER_POINT;
}

/** Returns how many characters of average width fit on a line. @param width EMU @param size points */
export function charactersIn(width: number, size: number): number {
  return Math.max(1, Math.floor(width / characterWidth(size)));
}

/** Returns the cell and those it covers to its right: a row has one for each column. */
function cellsOf({ cell, colspan, covered }: PlacedCell, below: number, place: TablePlace): Element[] {
  const { near } = place;
  const rowSpan = Math.min(cell.rowspan, below);
  const spans = {
    rowSpan: !covered && rowSpan > 1 ? rowSpan : undefined,
    gridSpan: colspan > 1 ? colspan : undefined,
    vMerge: covered ? 1 : undefined,
  };
  const lines = covered ? [] : linesOf(cell.blocks);
  const paragraphs = lines.length > 0 ? lines.map((line) => paragraph(line, place)) : [make(near, 'a:p')];
  const first = tableCell(spans, paragraphs, cell.background, place);
  const down = { rowSpan: spans.rowSpan, hMerge: 1, vMerge: spans.vMerge };
  const others = Array.from({ length: colspan - 1 }, () =>
    tableCell(down, [make(near, 'a:p')], cell.background, place),
  );
  return [first, ...others];
}

function tableCell(
  spans: Readonly<Record<string, number | undefined>>,
  paragraphs: readonly Element[],
  background: string | null,
  { near, style }: TablePlace,
): Element {
  const body = make(near, 'a:txBody', {}, make(near, 'a:bodyPr'), make(near, 'a:lstStyle'), ...paragraphs);
  const line = (edge: (typeof EDGES)[number]): Element =>
    make(
      near,
      `a:${edge}`,
      { w: 6350 },
      make(near, 'a:solidFill', {}, make(near, 'a:schemeClr', { val: 'tx1' })),
    );
  const properties = make(near, 'a:tcPr', {}, ...(style === null ? EDGES.map(line) : []));
  const element = make(near, 'a:tc', spans, body, properties);
  if (background !== null) fillCell(element, background);
  return element;
}

function paragraph({ runs, align, rtl }: HtmlLine, { near, model, file, part }: TablePlace): Element {
  const properties = make(near, 'a:pPr', {
    algn: align === null ? undefined : ALIGN[align],
    rtl: rtl ? 1 : undefined,
  });
  const content = runs.map((run) => richRun(run, model, near, file, part));
  return make(near, 'a:p', {}, ...(properties.attributes.length > 0 ? [properties] : []), ...content);
}
