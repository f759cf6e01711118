import type { FormatTable } from './formats/table.ts';
import { blockGroups, closes, opens, tagsIn } from './groups.ts';
import { Tag } from './tags.ts';
import { all, closest, type Element, remove } from './xml/tree.ts';

/** Tags that act on whole slides or sheets, when each of these is a part. */

export interface UnitTags {
  /** In the order of the tags in the unit. */
  tags: readonly Tag[];
  /** True when the unit contains only tags: it is removed, and the tags stay. */
  isLone: boolean;
}

/**
 * Returns the tags before and after each unit. A prefixed opening tag that is never closed is closed after
 * its unit, unless it is the unit's only content, since nothing would remain.
 */
export function aroundUnits(units: readonly UnitTags[]): { before: Tag[]; after: Tag[] }[] {
  const placed = units.map(() => ({ before: [] as Tag[], after: [] as Tag[] }));
  const open: { tag: Tag; unit: number }[] = [];
  units.forEach(({ tags, isLone }, unit) => {
    for (const tag of tags) {
      if (opens(tag)) open.push({ tag, unit });
      if (closes(tag)) open.pop();
      const goesAfter = closes(tag) && !isLone;
      placed[unit]?.[goesAfter ? 'after' : 'before'].push(tag);
    }
  });
  for (const { tag, unit } of open.toReversed()) {
    if (tag.level !== 'slide' && tag.level !== 'sheet') continue;
    const end = {
      ...tag,
      type: 'block' as const,
      body: `end${tag.keyword}`,
      level: null,
      trimLeft: false,
      trimRight: false,
    };
    placed[unit]?.after.push(new Tag(end, tag.place));
  }
  return placed;
}

const SHAPES: ReadonlySet<string> = new Set(['p:sp', 'xdr:sp', 'draw:frame', 'draw:custom-shape']);

/** Removes the tags for the whole slide or sheet from it, and their box if it contains nothing else. */
export function takeUnitTags(root: Element, level: 'slide' | 'sheet', table: FormatTable): Tag[] {
  const tags = tagsIn(root).filter((tag) => tag.level === level && tag.type === 'block');
  for (const tag of tags) {
    const { parent } = tag;
    remove(tag);
    const shape = closest(parent, SHAPES);
    const paragraph = closest(parent, table.paragraphs);
    if (shape !== null && isBlank(shape)) remove(shape);
    else if (parent?.tag === 'x:t') emptyCell(parent);
    else if (paragraph !== null && isBlank(paragraph)) remove(paragraph);
  }
  return tags;
}

function emptyCell(leaf: Element): void {
  const cell = closest(leaf, new Set(['x:c']));
  if (cell === null || !isBlank(cell)) return;
  cell.replaceChildren();
  cell.unset('t');
}

function isBlank(element: Element): boolean {
  return element.textContent().trim() === '' && tagsIn(element).length === 0;
}

const CONTENT = [
  'p:pic',
  'p:graphicFrame',
  'p:cxnSp',
  'x:v',
  'x:f',
  'x:drawing',
  'draw:image',
  'draw:object',
  'draw:g',
];

/** Returns the tags of a slide or sheet that contains only block tags which do not match among themselves. */
export function unpairedTags(root: Element, table: FormatTable): Tag[] | null {
  const tags = tagsIn(root);
  if (tags.length === 0 || tags.some((tag) => tag.type === 'output')) return null;
  const blocks = tags.filter((tag) => tag.type === 'block');
  const paired = blockGroups(blocks).flat().length;
  if (paired === blocks.length) return null;
  const texts = table.leaves === null ? table.paragraphs : table.leaves;
  const hasText = all(root, ...texts).some((one) => one.textContent().trim() !== '');
  return hasText || all(root, ...CONTENT).length > 0 ? null : blocks;
}
