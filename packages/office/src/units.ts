import type { FormatTable } from './formats/table.ts';
import { blockGroups, closes, opens, tagsIn } from './groups.ts';
import { Tag } from './tags.ts';
import { all, closest, type Element, remove } from './xml/tree.ts';

/** Tags that act on whole slides or sheets, where each of these is a part. */

export interface UnitTags {
  /** In the order of the tags in the unit. */
  tags: readonly Tag[];
  /** Nothing else is in it: it goes, the tags stay. */
  isLone: boolean;
}

/**
 * The tags in front of each unit and behind it. An opening tag with a prefix that is closed nowhere is closed behind its
 * unit; of one that is all there is on a unit, that would leave nothing.
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

/** Takes the tags for the whole slide or sheet out of it, and the box they were in if it holds nothing else. */
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

/** The tags of a slide or sheet that holds nothing but block tags, which do not make a whole among themselves. */
export function loneTags(root: Element, table: FormatTable): Tag[] | null {
  const tags = tagsIn(root);
  if (tags.length === 0 || tags.some((tag) => tag.type === 'output')) return null;
  const blocks = tags.filter((tag) => tag.type === 'block');
  const paired = blockGroups(blocks).flat().length;
  if (paired === blocks.length) return null;
  const texts = table.leaves === null ? table.paragraphs : table.leaves;
  const hasText = all(root, ...texts).some((one) => one.textContent().trim() !== '');
  return hasText || all(root, ...CONTENT).length > 0 ? null : blocks;
}
