import { colour, hex, pixels, type Colour } from './css.ts';
import { RunWriter } from './inline.ts';
import type { Border, Borders, ListLevel, Paragraph, ParagraphStyle } from './model.ts';
import type { Region } from './region.ts';
import { type Box, hasBorder, type Node, type Rect, type Side, SIDES } from './tree.ts';

/** Paragraphs of inline content. */

/**
 * @param box the block of the text
 * @param room content area of that block
 */
export function paragraphOf(nodes: readonly Node[], box: Box, room: Rect, region: Region): Paragraph | null {
  const writer = new RunWriter({ ...region.page, backdrop: region.backdrop });
  for (const node of nodes) writer.add(node, region.left);
  writer.finish();
  if (writer.isEmpty) return null;
  const size = pixels(box.style('font-size'), 16);
  const lineHeight = box.style('line-height');
  const height = lineHeight === 'normal' ? null : pixels(lineHeight, size * 1.2);
  const paragraph = emptyParagraph(box, room, region);
  const hasPicture = writer.runs.some(({ kind }) => kind === 'picture');
  const extent = writer.extent ?? room;
  const leading = hasPicture || height === null ? 0 : Math.max(0, (height - size * FONT_HEIGHT) / 2);
  return {
    ...paragraph,
    indent: writer.isUnwrapped ? withRoom(paragraph) : paragraph.indent,
    runs: writer.runs,
    tabs: writer.tabs,
    bookmarks: [...paragraph.bookmarks, ...writer.names],
    lineHeight: hasPicture ? null : height,
    top: Math.min(extent.top, Math.max(room.top, extent.top - leading)),
    bottom: Math.max(extent.bottom, Math.min(room.bottom, extent.bottom + leading)),
  };
}

/** A line of full width may not fit in another font: it gets more space if that is invisible. */
function withRoom({ indent, align, rightToLeft }: Paragraph): Paragraph['indent'] {
  const { left, right } = indent;
  if (align === 'center') {
    const shared = Math.min(left, right);
    return { ...indent, left: left - shared, right: right - shared };
  }
  if (align === 'both') return rightToLeft ? { ...indent, left: 0 } : { ...indent, right: 0 };
  return align === 'left' ? { ...indent, right: 0 } : { ...indent, left: 0 };
}

/** Line height of most fonts, relative to their size. */
const FONT_HEIGHT = 1.15;

/** An empty paragraph with the formatting of a block. */
export function emptyParagraph(box: Box, room: Rect, region: Region): Paragraph {
  const isRtl = box.style('direction') === 'rtl';
  return {
    kind: 'paragraph',
    style: styleOf(box),
    runs: [],
    align: alignOf(box.style('text-align'), isRtl),
    rightToLeft: isRtl,
    indent: {
      left: Math.max(0, room.left - region.left),
      right: Math.max(0, region.right - room.right),
      first: pixels(box.style('text-indent')),
    },
    lineHeight: null,
    shade: region.paints ? hex(region.backdrop) : null,
    borders: {},
    list: null,
    tabs: [],
    breakBefore: false,
    keepTogether: box.style('break-inside').startsWith('avoid'),
    bookmarks: [],
    top: room.top,
    bottom: room.bottom,
  };
}

export function alignOf(value: string, isRtl: boolean): Paragraph['align'] {
  if (value.includes('center')) return 'center';
  if (value === 'justify') return 'both';
  if (value.includes('right')) return 'right';
  if (value.includes('left')) return 'left';
  return (value === 'end') === isRtl ? 'left' : 'right';
}

/** The kind of a paragraph, from its nearest element that determines it. */
function styleOf(box: Box): ParagraphStyle {
  for (let at: Box | null = box; at !== null; at = at.parent) {
    const level = /^H([1-6])$/.exec(at.name)?.[1] ?? headingRole(at);
    if (level !== undefined) return `Heading${Number(level) as 1 | 2 | 3 | 4 | 5 | 6}`;
    if (at.name === 'CAPTION' || at.name === 'FIGCAPTION') return 'Caption';
    if (STOPS.has(at.name)) return 'Normal';
  }
  return 'Normal';
}

const STOPS: ReadonlySet<string> = new Set([
  'P',
  'LI',
  'TD',
  'TH',
  'BODY',
  'TABLE',
  'SECTION',
  'ARTICLE',
  'MAIN',
]);

function headingRole(box: Box): string | undefined {
  if (box.attribute('role') !== 'heading') return undefined;
  return /^[1-6]$/.exec(box.attribute('aria-level') ?? '2')?.[0];
}

/** Makes a paragraph a list item. */
export function asItem(paragraph: Paragraph, list: ListLevel, isNumber: boolean): void {
  paragraph.list = list;
  if (paragraph.style === 'Normal') paragraph.style = isNumber ? 'ListNumber' : 'ListBullet';
}

/** Returns the borders of an element, and their distances from its content. */
export function bordersOf(box: Box, backdrop: Colour): Borders {
  const borders: Borders = {};
  for (const side of SIDES) {
    const border = borderOf(box, side, backdrop);
    if (border !== null) borders[side] = border;
  }
  return borders;
}

export function borderOf(box: Box, side: Side, backdrop: Colour): Border | null {
  if (!hasBorder(box, side)) return null;
  const style = box.style(`border-${side}-style`);
  return {
    width: pixels(box.style(`border-${side}-width`)),
    style: style === 'dashed' || style === 'dotted' || style === 'double' ? style : 'single',
    colour: hexOver(box.style(`border-${side}-color`), backdrop),
    space: pixels(box.style(`padding-${side}`)),
  };
}

function hexOver(value: string, backdrop: Colour): string {
  const { red, green, blue, alpha } = colour(value);
  const mixed = (front: number, back: number): number => front * alpha + back * (1 - alpha);
  return hex({
    red: mixed(red, backdrop.red),
    green: mixed(green, backdrop.green),
    blue: mixed(blue, backdrop.blue),
    alpha: 1,
  });
}

/** The content area of an element, without its borders and padding. */
export function insideOf(box: Box): Rect {
  const edge = (side: Side): number =>
    pixels(box.style(`padding-${side}`)) +
    (box.style(`border-${side}-style`) === 'none' ? 0 : pixels(box.style(`border-${side}-width`)));
  const { left, top, right, bottom } = box.rect;
  return {
    left: left + edge('left'),
    top: top + edge('top'),
    right: right - edge('right'),
    bottom: bottom - edge('bottom'),
  };
}
