import { arranged } from './arrange.ts';
import { colour, hex, blended, type Colour } from './css.ts';
import type { Block, Paragraph } from './model.ts';
import { asItem, bordersOf, emptyParagraph, insideOf, paragraphOf } from './paragraphs.ts';
import { boxed, decorated, type Frame, paddingOf } from './decoration.ts';
import { heightOf, MAX_TABLES, type Region } from './region.ts';
import { backdropOf, inOrder, isForced, type Item } from './stack.ts';
import { hasRowsOnly, tableOf } from './tables.ts';
import { type Box, isDecorated, isInline, type Node, type Rect, union } from './tree.ts';

/** The blocks of a document, one below the other. */

/** Returns the content of an element. */
export function contentOf(box: Box, region: Region): Block[] {
  const room = insideOf(box);
  const items = itemsOf(box, room);
  if (items.length > 1 && isArranged(box, items)) return arranged(items, room, region);
  const blocks = inOrder(items, region);
  const [only] = items;
  if (only?.box === null && /flex|grid/.test(box.style('display'))) alignAsSeen(blocks, only.rect, room);
  return blocks;
}

/** Text directly in a flex box or grid is positioned by it, regardless of `text-align`. */
function alignAsSeen(blocks: readonly Block[], text: Rect, room: Rect): void {
  const [left, right] = [text.left - room.left, room.right - text.right];
  if (left < 2) return;
  for (const block of blocks) {
    if (block.kind !== 'paragraph') continue;
    if (Math.abs(left - right) < 2) block.align = 'center';
    else if (right < 2) block.align = 'right';
  }
}

/** Divides an element into blocks and sequences of lines. */
function itemsOf(box: Box, room: Rect): Item[] {
  const items: Item[] = [];
  let line: Node[] = [];
  const isFlexible = /flex|grid/.test(box.style('display'));
  const endLine = (): void => {
    const nodes = line;
    line = [];
    const rect = extentOf(nodes);
    if (rect === null && !nodes.some((node) => node.kind === 'box' && node.name === 'BR')) return;
    items.push({
      rect: rect ?? room,
      box: null,
      blocks: (region) => {
        const paragraph = paragraphOf(nodes, box, room, region);
        return paragraph === null ? [] : [paragraph];
      },
    });
  };
  const visit = (node: Node): void => {
    if (node.kind === 'text') {
      line.push(node);
      return;
    }
    if (node.name === '::MARKER') return;
    if (isInline(node) && !isFlexible) {
      if (!node.holdsBlocks) {
        line.push(node);
        return;
      }
      if (node.style('display') === 'inline') {
        node.children.forEach(visit);
        return;
      }
    }
    endLine();
    if (node.ink === null && node.children.length === 0 && heightOf(node.rect) === 0) {
      // Nothing of it is visible, but a page may end there.
      if (!isForced(node.style('break-before')) && !isForced(node.style('break-after'))) return;
    }
    items.push({ rect: layoutRect(node), box: node, blocks: (region) => blocksOf(node, region) });
  };
  box.children.forEach(visit);
  endLine();
  return items;
}

function extentOf(nodes: readonly Node[]): Rect | null {
  let extent: Rect | null = null;
  for (const node of nodes) {
    if (node.kind === 'box') {
      if (node.ink !== null) extent = union(extent, node.ink);
    } else if (node.text.trim() !== '') for (const { rect } of node.lines) extent = union(extent, rect);
  }
  return extent;
}

/**
 * The visible elements that count for a side-by-side layout: an invisible element is replaced by its visible
 * content.
 */
function layoutRect(box: Box): Rect {
  return isDecorated(box) || box.ink === null ? box.rect : box.ink;
}

function isArranged(box: Box, items: readonly Item[]): boolean {
  const display = box.style('display');
  if (/flex|grid/.test(display)) return true;
  return items.some(
    ({ box: one }) =>
      one !== null &&
      (one.style('float') !== 'none' ||
        isInline(one) ||
        one.style('display') === 'table-cell' ||
        one.style('position') === 'absolute'),
  );
}

/** The blocks of one element. */
export function blocksOf(box: Box, around: Region): Block[] {
  const region = LISTS.has(box.name) ? { ...around, lists: around.lists + 1 } : around;
  const { pictures, printBackground } = region.page;
  if (pictures.has(box.node)) return blocksOfLine(box, region);
  if (box.ink === null && !region.page.breaks.has(box) && !box.hasText) return emptyBlocks(box, region);
  if (box.name === 'HR') return rule(box, region);
  const display = box.style('display');
  if (/^(?:inline-)?table$/.test(display) && hasRowsOnly(box)) return withNames(tableOf(box, region), box);
  const backdrop = backdropOf(box, region, printBackground);
  if (!isDecorated(box)) return withNames(listed(box, contentOf(box, region), region), box);
  return withNames(listed(box, framed(box, backdrop, region), region), box);
}

const LISTS: ReadonlySet<string> = new Set(['UL', 'OL', 'MENU']);

function blocksOfLine(box: Box, region: Region): Block[] {
  const around = box.parent ?? box;
  const paragraph = paragraphOf([box], around, insideOf(around), region);
  if (paragraph === null) return [];
  // A picture that is a block has its own position.
  paragraph.indent.left = Math.max(0, box.rect.left - region.left);
  paragraph.align = 'left';
  return [paragraph];
}

function emptyBlocks(box: Box, region: Region): Block[] {
  if (!isForced(box.style('break-before')) && !isForced(box.style('break-after'))) return [];
  return region.tables > 0 ? [] : [{ ...emptyParagraph(box, box.rect, region), bottom: box.rect.top }];
}

function rule(box: Box, region: Region): Block[] {
  const paragraph = emptyParagraph(box, box.rect, region);
  const borders = bordersOf(box, region.backdrop);
  const line = borders.top ?? borders.bottom;
  const fill = colour(box.style('background-color'));
  const drawn =
    line ??
    (fill.alpha > 0
      ? {
          width: heightOf(box.rect),
          style: 'single' as const,
          colour: hex(blended(fill, region.backdrop)),
          space: 0,
        }
      : null);
  return drawn === null
    ? []
    : [{ ...paragraph, borders: { top: { ...drawn, space: 0 } }, bottom: box.rect.bottom }];
}

/** The content of an element with a background or borders. */
function framed(box: Box, backdrop: Colour, region: Region): Block[] {
  const isFilled = hex(backdrop) !== hex(region.backdrop);
  const borders = bordersOf(box, region.backdrop);
  if (!isFilled && Object.keys(borders).length === 0) return contentOf(box, region);
  const within: Region = { ...region, backdrop };
  const isLong = heightOf(box.rect) > region.page.height * 0.9 || region.page.breaks.has(box);
  if (!box.hasText && box.children.every((child) => child.kind === 'text' || child.ink === null)) {
    return boxed(box, [], { backdrop, isFilled, borders }, region);
  }
  if (isLong)
    return decorated(contentOf(box, { ...within, paints: region.paints || isFilled }), box, borders, region);
  const plain = contentOf(box, within);
  const alone = plain.length === 1 ? plain[0] : undefined;
  if (alone?.kind === 'paragraph' && decoratesParagraph(box, alone, region)) {
    return [framedParagraph(alone, box, { backdrop, isFilled, borders }, region)];
  }
  if (!isFilled && borders.left === undefined && borders.right === undefined)
    return decorated(plain, box, borders, region);
  if (!isFilled && Object.keys(borders).length === 1 && plain.every(isPlainParagraph))
    return decorated(plain, box, borders, region);
  if (region.tables >= MAX_TABLES) return plain;
  const inside = insideOf(box);
  const cell: Region = {
    ...within,
    left: inside.left,
    right: inside.right,
    paints: false,
    tables: region.tables + 1,
    lists: 0,
  };
  return boxed(box, contentOf(box, cell), { backdrop, isFilled, borders }, region);
}

function isPlainParagraph(block: Block): boolean {
  return block.kind === 'paragraph' && block.shade === null && Object.keys(block.borders).length === 0;
}

/** In points: the maximum distance between a border and its paragraph. */
const MAX_SPACE = 31;

function decoratesParagraph(box: Box, paragraph: Paragraph, region: Region): boolean {
  const inside = insideOf(box);
  // An element that is not at the start of the text has its own position.
  const shift = region.left + paragraph.indent.left - inside.left;
  if (paragraph.align === 'left' && Math.abs(shift) > 2) return false;
  const far = Math.max(
    inside.left - box.rect.left,
    box.rect.right - inside.right,
    paragraph.top - box.rect.top,
    box.rect.bottom - paragraph.bottom,
  );
  return Object.keys(paragraph.borders).length === 0 && paragraph.shade === null && far * 0.75 <= MAX_SPACE;
}

function framedParagraph(
  paragraph: Paragraph,
  box: Box,
  { backdrop, isFilled, borders }: Frame,
  region: Region,
): Paragraph {
  const inside = insideOf(box);
  const fill = hex(backdrop);
  const distance = {
    top: paragraph.top - box.rect.top,
    bottom: box.rect.bottom - paragraph.bottom,
    left: inside.left - box.rect.left,
    right: box.rect.right - inside.right,
  };
  const padding = paddingOf(box);
  /** The space at a side that the text may use if another font is wider. */
  const given = (side: 'left' | 'right'): number =>
    Math.max(0, Math.min(distance[side] - padding[side], distance[side] - (borders[side]?.width ?? 0)));
  const space = {
    top: distance.top,
    bottom: distance.bottom,
    left: distance.left - given('left'),
    right: distance.right - given('right'),
  };
  const all: Paragraph['borders'] = {};
  for (const side of ['top', 'right', 'bottom', 'left'] as const) {
    const border = borders[side];
    const free = Math.max(0, space[side] - (border?.width ?? 0));
    // A background extends to the borders: borders of its colour extend it to the edge.
    if (border !== undefined) all[side] = { ...border, space: free };
    else if (isFilled && free > 0.5) all[side] = { width: 1, style: 'single', colour: fill, space: free - 1 };
  }
  return {
    ...paragraph,
    indent: {
      ...paragraph.indent,
      left: Math.max(0, inside.left - region.left - given('left')),
      right: Math.max(0, region.right - inside.right - given('right')),
    },
    shade: isFilled ? fill : paragraph.shade,
    borders: all,
    top: box.rect.top,
    bottom: box.rect.bottom,
  };
}

/** Marks the first paragraph of a list item. */
function listed(box: Box, blocks: Block[], region: Region): Block[] {
  const first = blocks[0];
  if (box.style('display') !== 'list-item' || first?.kind !== 'paragraph' || first.list !== null)
    return blocks;
  const list = region.page.lists.place(box, first.indent.left, region);
  if (list !== null) asItem(first, list, region.page.lists.definitions[list.list - 1]?.format !== 'bullet');
  return blocks;
}

/** The name of an element, for links that lead to it. */
function withNames(blocks: Block[], box: Box): Block[] {
  const id = box.attribute('id');
  const first = blocks[0];
  if (id === null || id === '' || first === undefined) return blocks;
  if (first.kind === 'paragraph') first.bookmarks.push(id);
  else {
    const cell = first.rows[0]?.cells[0]?.blocks[0];
    if (cell?.kind === 'paragraph') cell.bookmarks.push(id);
  }
  return blocks;
}
