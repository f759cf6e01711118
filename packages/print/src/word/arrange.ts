import { hex, pixels } from './css.ts';
import { cellOf, emptyCell, type Frame } from './decoration.ts';
import { textExtent } from './inline.ts';
import type { Block, Cell, Table } from './model.ts';
import { bordersOf, insideOf } from './paragraphs.ts';
import { heightOf, MAX_TABLES, type Region, widthOf } from './region.ts';
import { backdropOf, inOrder, type Item } from './stack.ts';
import { type Box, isDecorated, type Rect, union } from './tree.ts';

/** Elements side by side (flex, grid, float, table cells without a table) become rows of an invisible table. */

interface Column {
  rect: Rect;
  items: Item[];
}

/** Maximum overlap in pixels of elements that are side by side, or below one another. */
const OVERLAP = 4;

/** Maximum number of columns in Word, including the gaps between them. */
const MAX_COLUMNS = 31;

/** @param room content area of the element around them */
export function arranged(items: readonly Item[], room: Rect, region: Region): Block[] {
  if (region.tables >= MAX_TABLES) return inOrder(items, region);
  const isRtl = items[0]?.box?.parent?.style('direction') === 'rtl';
  return rowsOf(items).flatMap((row) => {
    const columns = columnsOf(row);
    if (columns.length < 2 || columns.length > MAX_COLUMNS) return inOrder(row, region);
    return [tableOfColumns(columns, room, region, isRtl)];
  });
}

/** Items that are side by side, from top to bottom. */
function rowsOf(items: readonly Item[]): Item[][] {
  const sorted = items
    .map((item, order) => ({ item, order }))
    .sort((a, b) => a.item.rect.top - b.item.rect.top || a.order - b.order);
  const rows: { bottom: number; items: { item: Item; order: number }[] }[] = [];
  for (const one of sorted) {
    const { top, bottom } = one.item.rect;
    const row = rows.at(-1);
    const overlap = Math.min(OVERLAP, heightOf(one.item.rect) / 3);
    if (row !== undefined && top < row.bottom - overlap) {
      row.items.push(one);
      row.bottom = Math.max(row.bottom, bottom);
    } else rows.push({ bottom, items: [one] });
  }
  return rows.map(({ items: row }) => row.sort((a, b) => a.order - b.order).map(({ item }) => item));
}

/** Items of a row that are above one another, from left to right. */
function columnsOf(items: readonly Item[]): Column[] {
  const columns: Column[] = [];
  for (const item of [...items].sort((a, b) => a.rect.left - b.rect.left)) {
    const column = columns.at(-1);
    const overlap = Math.min(OVERLAP, widthOf(item.rect) / 3);
    if (column !== undefined && item.rect.left < column.rect.right - overlap) {
      column.items.push(item);
      column.rect = union(column.rect, item.rect);
    } else columns.push({ rect: { ...item.rect }, items: [item] });
  }
  return columns;
}

/** The amount by which a column may grow into the space beside it, so that its text fits in other fonts. */
function growth({ items }: Column): { left: boolean; right: boolean; frame: boolean } {
  const only = items.length === 1 ? items[0] : undefined;
  const box = only?.box ?? null;
  if (box !== null && isDecorated(box)) return { left: false, right: false, frame: true };
  const source = box ?? items[0]?.box?.parent ?? null;
  const align = source?.style('text-align') ?? 'left';
  const isRtl = source?.style('direction') === 'rtl';
  if (align.includes('center')) return { left: true, right: true, frame: false };
  const isRight = align.includes('right') || (align === 'end' && !isRtl) || (align === 'start' && isRtl);
  return { left: isRight, right: !isRight, frame: false };
}

/**
 * The only line of a column that ends at the end of its element, such as a date at the edge: null for anything
 * else. Aligned with that edge, it may grow into the space before it.
 */
function pushed(columns: readonly Column[], room: Rect, isRtl: boolean): Column | null {
  const column = isRtl ? columns[0] : columns.at(-1);
  const box = column?.items.length === 1 ? (column.items[0]?.box ?? null) : null;
  if (column === undefined || box === null || isDecorated(box) || !isInOneLine(box)) return null;
  const { left, right } = column.rect;
  return Math.abs(isRtl ? left - room.left : room.right - right) < 1 ? column : null;
}

function isInOneLine(box: Box): boolean {
  const words = textExtent(box);
  return words !== null && heightOf(words) < 2 * pixels(box.style('font-size'), 16);
}

function tableOfColumns(columns: readonly Column[], room: Rect, region: Region, isRtl: boolean): Table {
  const atEdge = pushed(columns, room, isRtl);
  const top = Math.min(...columns.map(({ rect }) => rect.top));
  const bottom = Math.max(...columns.map(({ rect }) => rect.bottom));
  const edges = columnEdges(columns, room, atEdge);
  const first = edges[0]?.left ?? room.left;
  const last = edges.at(-1)?.right ?? room.right;
  const widths: number[] = [];
  const cells: Cell[] = [];
  edges.forEach(({ left, right }, at) => {
    const column = columns[at];
    // LibreOffice starts a right-to-left table at the left: a table of full width has the right position.
    const before = at > 0 ? (edges[at - 1]?.right ?? left) : isRtl ? Math.min(left, region.left) : left;
    if (left - before > 0.5) {
      cells.push(emptyCell(widths.length, 1, top));
      widths.push(left - before);
    }
    if (column === undefined) return;
    const cell = columnCell(column, { left, right, top, bottom }, region);
    if (column === atEdge) alignBlocks(cell.blocks, isRtl ? 'left' : 'right');
    cells.push({ ...cell, column: widths.length, span: 1 });
    widths.push(Math.max(1, right - left));
  });
  if (isRtl) {
    if (region.right - last > 0.5) {
      cells.push(emptyCell(widths.length, 1, top));
      widths.push(region.right - last);
    }
    cells.reverse().forEach((cell, at) => (cell.column = at));
    widths.reverse();
  }
  return {
    kind: 'table',
    indent: isRtl ? Math.min(0, region.right - last) : first - region.left,
    columns: widths,
    rows: [{ cells, height: null, isHeader: false, keepTogether: false }],
    rightToLeft: isRtl,
    breakBefore: false,
    top,
    bottom,
  };
}

function alignBlocks(blocks: readonly Block[], align: 'left' | 'right'): void {
  for (const block of blocks) {
    if (block.kind !== 'paragraph') continue;
    block.align = align;
    block.indent = { left: 0, right: 0, first: 0 };
  }
}

function columnEdges(
  columns: readonly Column[],
  room: Rect,
  atEdge: Column | null,
): { left: number; right: number }[] {
  const grown = columns.map((column, at) => {
    const isFirst = at === 0;
    return column === atEdge ? { left: !isFirst, right: isFirst, frame: false } : growth(column);
  });
  const edges = columns.map(({ rect: { left, right } }) => ({ left, right }));
  edges.forEach((edge, at) => {
    const next = edges[at + 1];
    const [own, other] = [grown[at], grown[at + 1]];
    if (next === undefined || own === undefined || other === undefined) return;
    const gap = Math.max(0, next.left - edge.right);
    const share = own.right && other.left ? 0.5 : own.right ? 1 : 0;
    edge.right += gap * share;
    if (other.left) next.left -= gap * (1 - share);
    // A slight overlap.
    if (next.left < edge.right) next.left = edge.right;
  });
  const first = edges[0];
  const last = edges.at(-1);
  if (first !== undefined && grown[0]?.left === true) first.left = Math.min(first.left, room.left);
  if (last !== undefined && grown.at(-1)?.right === true) {
    // Content beyond the edge is invisible, and its text gets space to be slightly wider.
    last.right = Math.max(last.right, room.right) + (last.right - last.left) * 0.03;
  }
  return edges;
}

function columnCell({ items, rect }: Column, place: Rect, region: Region): Omit<Cell, 'column' | 'span'> {
  const only = items.length === 1 ? items[0] : undefined;
  const box = only?.box ?? null;
  const within = { ...region, tables: region.tables + 1, lists: 0 };
  const isPicture = box !== null && region.page.pictures.has(box.node);
  const isWhole = heightOf(rect) > heightOf(place) - OVERLAP;
  if (
    box !== null &&
    isWhole &&
    isDecorated(box) &&
    !isPicture &&
    box.hasText &&
    /^(?:block|flex|grid|list-item|flow-root|table-cell|inline-block|inline-flex)$/.test(box.style('display'))
  ) {
    const backdrop = backdropOf(box, region, region.page.printBackground);
    const frame: Frame = {
      backdrop,
      isFilled: hex(backdrop) !== hex(region.backdrop),
      borders: bordersOf(box, region.backdrop),
    };
    const inside = insideOf(box);
    const blocks = region.page.contentOf(box, {
      ...within,
      backdrop,
      paints: false,
      left: inside.left,
      right: inside.right,
    });
    const cell = cellOf(box, blocks, frame);
    cell.padding.top += Math.max(0, rect.top - place.top);
    cell.top = inside.top;
    return cell;
  }
  const blocks = arranged(items, place, { ...within, left: place.left, right: place.right });
  const first = rect.top - place.top;
  const under = place.bottom - rect.bottom;
  const align = first < 2 ? 'top' : Math.abs(first - under) < 2 ? 'center' : under < 2 ? 'bottom' : 'top';
  return {
    merge: null,
    shade: null,
    borders: {},
    padding: { top: 0, right: 0, bottom: 0, left: 0 },
    align,
    blocks,
    top: align === 'top' ? place.top : rect.top,
  };
}
