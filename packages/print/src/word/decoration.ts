import { hex, type Colour } from './css.ts';
import type { Block, Borders, Cell, Paragraph, Table } from './model.ts';
import { alignOf, emptyParagraph, insideOf } from './paragraphs.ts';
import { heightOf, type Region, widthOf } from './region.ts';
import { type Box, type Side } from './tree.ts';

/** Backgrounds and borders of elements that contain more than one paragraph. */

/** The frame of an element. */
export interface Frame {
  backdrop: Colour;
  /** Whether it has its own background. */
  isFilled: boolean;
  borders: Borders;
}

/** A table of one cell. */
export function boxed(box: Box, blocks: Block[], frame: Frame, region: Region): Block[] {
  const width = widthOf(box.rect);
  const height = heightOf(box.rect);
  if (width < 1 || height < 1) return [];
  const content = blocks.length > 0 ? blocks : [];
  const table: Table = {
    kind: 'table',
    indent: box.rect.left - region.left,
    columns: [width],
    rows: [
      {
        cells: [{ ...cellOf(box, content, frame), column: 0, span: 1 }],
        height: rowHeight(height, content, box, region),
        isHeader: false,
        keepTogether: box.style('break-inside').startsWith('avoid'),
      },
    ],
    rightToLeft: false,
    breakBefore: false,
    top: box.rect.top,
    bottom: box.rect.bottom,
  };
  return [table];
}

/** A cell that looks like an element. */
export function cellOf(
  box: Box,
  blocks: Block[],
  { backdrop, isFilled, borders }: Frame,
): Omit<Cell, 'column' | 'span'> {
  const inside = insideOf(box);
  const shade = isFilled ? hex(backdrop) : null;
  return { merge: null, shade, borders, padding: paddingOf(box), align: 'top', blocks, top: inside.top };
}

/** A cell that only occupies space. */
export function emptyCell(column: number, span: number, top: number): Cell {
  return {
    column,
    span,
    merge: null,
    shade: null,
    borders: {},
    padding: { top: 0, right: 0, bottom: 0, left: 0 },
    align: 'top',
    blocks: [],
    top,
  };
}

/** Pixels by which the text of a cell may be wider than in the browser, at the cost of its padding. */
const ROOM = 4;

/** Returns the padding of an element; a little less if it has no text. */
export function paddingOf(box: Box): Record<Side, number> {
  const inside = insideOf(box);
  const { rect } = box;
  const left = inside.left - rect.left;
  const right = rect.right - inside.right;
  const padding = { top: inside.top - rect.top, right, bottom: rect.bottom - inside.bottom, left };
  const align = alignOf(box.style('text-align'), box.style('direction') === 'rtl');
  if (align === 'both') return padding;
  if (align === 'center') {
    const shared = Math.min(left, right, ROOM / 2);
    return { ...padding, left: left - shared, right: right - shared };
  }
  return align === 'left'
    ? { ...padding, right: Math.max(0, right - ROOM) }
    : { ...padding, left: Math.max(0, left - ROOM) };
}

/** Minimum difference in pixels between the heights of a row and its content for which its height is written. */
const SLACK = 3;

/** Returns null if the content of a row determines its height. */
export function rowHeight(height: number, blocks: readonly Block[], box: Box, region: Region): number | null {
  const last = blocks.at(-1);
  const inside = insideOf(box);
  const content = last === undefined ? 0 : last.bottom - inside.top;
  const needed = content + (inside.top - box.rect.top) + (box.rect.bottom - inside.bottom);
  return height > needed + SLACK && height < region.page.height * 0.9 ? height : null;
}

/** Puts the borders of an element on the paragraphs in it. */
export function decorated(blocks: Block[], box: Box, borders: Borders, region: Region): Block[] {
  for (const side of ['left', 'right'] as const) {
    const border = borders[side];
    if (border === undefined) continue;
    for (const block of blocks) {
      if (block.kind !== 'paragraph' || block.borders[side] !== undefined) continue;
      const space =
        side === 'left'
          ? region.left + block.indent.left - box.rect.left - border.width
          : box.rect.right - (region.right - block.indent.right) - border.width;
      block.borders = { ...block.borders, [side]: { ...border, space: Math.max(0, space) } };
    }
  }
  const { top, bottom } = borders;
  if (top !== undefined) blocks = edge(blocks, blocks[0], 'top', { box, top, region });
  if (bottom !== undefined) blocks = edge(blocks, blocks.at(-1), 'bottom', { box, top: bottom, region });
  return blocks;
}

/** A line above or below all blocks: a border of the paragraph there, or a separate paragraph. */
function edge(
  blocks: Block[],
  block: Block | undefined,
  side: 'top' | 'bottom',
  { box, top: border, region }: { box: Box; top: NonNullable<Borders[Side]>; region: Region },
): Block[] {
  if (block?.kind === 'paragraph' && block.borders[side] === undefined && spansBox(block, box, region)) {
    const space = side === 'top' ? block.top - box.rect.top : box.rect.bottom - block.bottom;
    block.borders = { ...block.borders, [side]: { ...border, space: Math.max(0, space - border.width) } };
    if (side === 'top') block.top = box.rect.top;
    else block.bottom = box.rect.bottom;
    return blocks;
  }
  const at = side === 'top' ? box.rect.top : box.rect.bottom - border.width;
  const line: Paragraph = {
    ...emptyParagraph(box, { ...box.rect, top: at, bottom: at + border.width }, region),
    style: 'Normal',
    borders: { top: { ...border, space: 0 } },
    bookmarks: [],
  };
  return side === 'top' ? [line, ...blocks] : [...blocks, line];
}

/** Whether a paragraph is as wide as the element whose border it shows. */
function spansBox(block: Paragraph, box: Box, region: Region): boolean {
  const space = Math.max(
    Math.abs(region.left + block.indent.left - box.rect.left),
    Math.abs(box.rect.right - (region.right - block.indent.right)),
  );
  const far = Math.max(block.top - box.rect.top, 0);
  return space < 1.5 && block.list === null && far < 200;
}
