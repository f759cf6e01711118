import { hex, type Colour } from './css.ts';
import { emptyCell, paddingOf, rowHeight } from './decoration.ts';
import type { Block, Border, Borders, Cell, Row, Table } from './model.ts';
import { borderOf, insideOf } from './paragraphs.ts';
import { MAX_TABLES, type Region, widthOf } from './region.ts';
import { backdropOf, inOrder } from './stack.ts';
import { type Box, isInFlow, type Node, type Side, SIDES } from './tree.ts';

/** Tables, cell by cell, with the widths the browser has given them. */

interface Found {
  rows: { row: Box; group: Box | null }[];
  captions: { above: Box[]; below: Box[] };
}

/** Maximum number of columns: Word does not open a document with a larger table. */
const MAX_COLUMNS = 63;

/** Maximum product of columns and rows of a table, which only overlapping cells exceed. */
const MAX_PLACES = 400_000;

/**
 * Returns whether all visible content of a table is in cells of rows. CSS may give `display: table` to an
 * element with cells, blocks or texts outside rows, and may make blocks of rows and cells; such content is
 * laid out by its position instead.
 */
export function hasRowsOnly(table: Box): boolean {
  return table.children.every((child) => {
    if (isUnseen(child)) return true;
    if (child.kind === 'text') return false;
    const display = child.style('display');
    if (display === 'table-row') return child.children.every(isCellOrUnseen);
    if (isGroup(display)) return hasRowsOnly(child);
    return display === 'table-caption' || display.startsWith('table-column');
  });
}

function isGroup(display: string): boolean {
  return display.endsWith('-group') && !display.includes('column');
}

function isCellOrUnseen(node: Node): boolean {
  return (node.kind === 'box' && node.style('display') === 'table-cell') || isUnseen(node);
}

/** Whether content outside of cells may be omitted: it has no text, and is at most decoration. */
function isUnseen(node: Node): boolean {
  if (node.kind === 'text') return node.text.trim() === '';
  return !node.hasText && (node.ink === null || !isInFlow(node));
}

/** A table, with its captions before and after it. */
export function tableOf(box: Box, region: Region): Block[] {
  const { rows, captions } = partsOf(box);
  const cells = rows.map(({ row }) => cellsOf(row));
  const isRtl = box.style('direction') === 'rtl';
  const edges = columnEdges(cells.flat(), box, isRtl);
  const isHuge = edges.length > MAX_COLUMNS + 1 || edges.length * rows.length > MAX_PLACES;
  if (isHuge || region.tables >= MAX_TABLES || cells.every((one) => one.length === 0)) {
    return inOrder(
      rows
        .flatMap(({ row }) => cellsOf(row))
        .map((cell) => ({ rect: cell.rect, box: cell, blocks: (to) => to.page.contentOf(cell, to) })),
      region,
    );
  }
  const table: Table = {
    kind: 'table',
    indent: isRtl ? region.right + (edges[0] ?? 0) : (edges[0] ?? 0) - region.left,
    columns: edges.slice(1).map((edge, at) => Math.max(1, edge - (edges[at] ?? 0))),
    rows: new RowBuilder(box, edges, isRtl, region).rows(rows, cells),
    rightToLeft: isRtl,
    breakBefore: false,
    top: rows[0]?.row.rect.top ?? box.rect.top,
    bottom: rows.at(-1)?.row.rect.bottom ?? box.rect.bottom,
  };
  const text = (one: Box): Block[] => region.page.blocksOf(one, region);
  return [...captions.above.flatMap(text), table, ...captions.below.flatMap(text)];
}

function partsOf(table: Box): Found {
  const found: Found = { rows: [], captions: { above: [], below: [] } };
  const visit = (box: Box, group: Box | null): void => {
    for (const child of box.children) {
      if (child.kind !== 'box') continue;
      const display = child.style('display');
      if (display === 'table-row') found.rows.push({ row: child, group });
      else if (isGroup(display)) visit(child, child);
      else if (display === 'table-caption') {
        found.captions[child.rect.top < table.rect.top + 1 ? 'above' : 'below'].push(child);
      }
    }
  };
  visit(table, null);
  found.rows.sort((a, b) => a.row.rect.top - b.row.rect.top);
  return found;
}

function cellsOf(row: Box): Box[] {
  return row.children.filter(
    (child): child is Box =>
      child.kind === 'box' && child.style('display') === 'table-cell' && widthOf(child.rect) > 0,
  );
}

/** Edges within this distance are the same: the gaps between cells. */
const NEAR = 3;

/** Boundaries of columns, from left to right; mirrored if a table runs from right to left. */
function columnEdges(cells: readonly Box[], table: Box, isRtl: boolean): number[] {
  const sorted = cells.flatMap(({ rect }) => sides(rect, isRtl)).sort((a, b) => a - b);
  const edges: number[] = [];
  for (const edge of sorted) if (edges.length === 0 || edge - (edges.at(-1) ?? 0) > NEAR) edges.push(edge);
  const [left, right] = sides(table.rect, isRtl);
  // The outer edges are those of the table.
  if (edges.length > 1 && Math.abs((edges[0] ?? 0) - left) <= NEAR) edges[0] = left;
  if (edges.length > 1 && Math.abs((edges.at(-1) ?? 0) - right) <= NEAR) edges[edges.length - 1] = right;
  return edges.length > 1 ? edges : [left, right];
}

function sides({ left, right }: { left: number; right: number }, isRtl: boolean): [number, number] {
  return isRtl ? [-right, -left] : [left, right];
}

class RowBuilder {
  readonly #table: Box;
  readonly #edges: readonly number[];
  readonly #isRtl: boolean;
  readonly #region: Region;
  readonly #collapses: boolean;
  readonly #backdrop: Colour;

  constructor(table: Box, edges: readonly number[], isRtl: boolean, region: Region) {
    this.#table = table;
    this.#edges = edges;
    this.#isRtl = isRtl;
    this.#region = region;
    this.#collapses = table.style('border-collapse') === 'collapse';
    this.#backdrop = backdropOf(table, region, region.page.printBackground);
  }

  rows(rows: Found['rows'], cells: readonly Box[][]): Row[] {
    const columns = this.#edges.length - 1;
    /** For each column, the cell that extends to the rows below, and their number. */
    const open: ({ cell: Cell; rows: number } | undefined)[] = [];
    return rows.map(({ row, group }, at) => {
      const own = new Map((cells[at] ?? []).map((cell) => [this.#column(cell), cell] as const));
      const isEnd = { first: at === 0, last: at === rows.length - 1 };
      const made: Cell[] = [];
      let column = 0;
      while (column < columns) {
        const above = open[column];
        if (above !== undefined && above.rows > 0) {
          above.rows -= 1;
          made.push({ ...above.cell, merge: 'goes on', blocks: [], column });
          column += above.cell.span;
          continue;
        }
        const box = own.get(column);
        if (box === undefined) {
          let next = column + 1;
          while (next < columns && !own.has(next) && (open[next]?.rows ?? 0) === 0) next += 1;
          made.push(emptyCell(column, next - column, 0));
          column = next;
          continue;
        }
        const cell = this.#cell(box, { row, group, column, ...isEnd });
        const spanned = Math.min(rowSpan(box), rows.length - at);
        if (spanned > 1) {
          cell.merge = 'starts';
          open[column] = { cell, rows: spanned - 1 };
        }
        made.push(cell);
        column += cell.span;
      }
      return {
        cells: made,
        height: this.#height(row, made, cells[at] ?? []),
        isHeader: group?.style('display') === 'table-header-group' && at < MAX_HEADERS,
        keepTogether: row.style('break-inside').startsWith('avoid'),
      };
    });
  }

  /** The column that begins nearest to a cell's start, by binary search. */
  #column(cell: Box): number {
    const [left] = sides(cell.rect, this.#isRtl);
    let low = 0;
    let high = this.#edges.length - 2;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if ((this.#edges[middle] ?? 0) <= left + NEAR) low = middle;
      else high = middle - 1;
    }
    return low;
  }

  #cell(box: Box, at: { row: Box; group: Box | null; column: number; first: boolean; last: boolean }): Cell {
    const { column } = at;
    const [, right] = sides(box.rect, this.#isRtl);
    let span = 1;
    while (
      column + span < this.#edges.length - 1 &&
      Math.abs((this.#edges[column + span] ?? 0) - right) > NEAR &&
      (this.#edges[column + span] ?? 0) < right
    )
      span += 1;
    const backdrop = [at.group, at.row, box].reduce<Colour>(
      (behind, one) =>
        one === null
          ? behind
          : backdropOf(one, { ...this.#region, backdrop: behind }, this.#region.page.printBackground),
      this.#backdrop,
    );
    const inside = insideOf(box);
    const region: Region = {
      ...this.#region,
      backdrop,
      paints: false,
      left: inside.left,
      right: inside.right,
      tables: this.#region.tables + 1,
      lists: 0,
    };
    const align = box.style('vertical-align');
    const blocks = region.page.contentOf(box, region);
    const isMiddle = align === 'middle';
    return {
      column,
      span,
      merge: null,
      shade: hex(backdrop) === hex(this.#region.backdrop) ? null : hex(backdrop),
      borders: this.#borders(box, { ...at, lastColumn: column + span === this.#edges.length - 1 }),
      padding: paddingOf(box),
      align: isMiddle ? 'center' : align === 'bottom' ? 'bottom' : 'top',
      blocks,
      top: align === 'top' || align === 'baseline' ? inside.top : (blocks[0]?.top ?? inside.top),
    };
  }

  /** If borders collapse, those of rows and of the table itself are borders of the cells at the edge. */
  #borders(
    box: Box,
    at: { row: Box; group: Box | null; column: number; lastColumn: boolean; first: boolean; last: boolean },
  ): Borders {
    const borders: Borders = {};
    for (const side of SIDES) {
      const isEdge = {
        top: at.first,
        bottom: at.last,
        left: this.#isRtl ? at.lastColumn : at.column === 0,
        right: this.#isRtl ? at.column === 0 : at.lastColumn,
      }[side];
      const candidates = [box];
      if (this.#collapses && (side === 'top' || side === 'bottom' || isEdge)) candidates.push(at.row);
      if (this.#collapses && at.group !== null && groupEdge(at, side)) candidates.push(at.group);
      if (isEdge) candidates.push(this.#table);
      const found = candidates
        .map((one) => borderOf(one, side, this.#backdrop))
        .reduce<Border | null>(
          (best, one) => (one !== null && one.width > (best?.width ?? 0) ? one : best),
          null,
        );
      if (found !== null) borders[side] = found;
    }
    return borders;
  }

  #height(row: Box, cells: readonly Cell[], boxes: readonly Box[]): number | null {
    const byColumn = new Map(cells.map((cell) => [cell.column, cell]));
    const heights = boxes.map((box) => {
      const cell = byColumn.get(this.#column(box));
      if (cell === undefined || cell.merge !== null) return null;
      return rowHeight(row.rect.bottom - row.rect.top, cell.blocks, box, this.#region);
    });
    return heights.length > 0 && heights.every((height) => height !== null) ? Math.max(...heights) : null;
  }
}

/** Whether a row is the first or last of its group. */
function groupEdge({ row, group }: { row: Box; group: Box | null }, side: Side): boolean {
  if (group === null || side === 'left' || side === 'right') return false;
  return Math.abs(row.rect[side] - group.rect[side]) < 1;
}

/** Maximum number of rows that are repeated on each page. */
const MAX_HEADERS = 5;
/** The maximum in html. */
const MAX_SPAN = 65_534;

function rowSpan(cell: Box): number {
  const span = Number.parseInt(cell.attribute('rowspan') ?? '1', 10);
  return span >= 0 && span <= MAX_SPAN ? (span === 0 ? MAX_SPAN : span) : 1;
}
