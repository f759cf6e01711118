import { contentOf, isBlank } from './content.ts';
import type { FormatTable } from './formats/table.ts';
import { blockGroups, tagsIn } from './groups.ts';
import { CELL_TAGS, Tag } from './tags.ts';
import { closest, type Element, type Node, remove } from './xml/tree.ts';

/** Paragraphs that contain only block tags, and blocks of which only some tags stand in such paragraphs. */

/** Returns whether a node is a control tag or a comment, neither of which produces output. */
export function steers(node: Node): boolean {
  return node instanceof Tag && node.type !== 'output' && !CELL_TAGS.has(node.keyword) && node.level === null;
}

/** Returns whether a paragraph contains block tags and no other content. */
export function isLone(paragraph: Element, table: FormatTable): boolean {
  const content = contentOf(paragraph, table).filter((node) => !isBlank(node));
  return content.length > 0 && content.every(steers);
}

/** A tag of a block, and the paragraph that contains it; null for a tag that stands between paragraphs. */
interface BlockTag {
  tag: Tag;
  text: Element | null;
}

function blocksIn(root: Element, table: FormatTable): BlockTag[][] {
  return blockGroups(tagsIn(root)).map((group) =>
    group.map((tag) => ({ tag, text: closest(tag.parent, table.paragraphs) })),
  );
}

/** Most rounds in which paragraphs are found that stay because of others: blocks nest less deeply than that. */
const MAX_ROUNDS = 100;

/**
 * Returns the paragraphs that contain only block tags and stay all the same, because another tag of a block stands in
 * the middle of the text of a paragraph beside them.
 */
export function paragraphsToKeep(root: Element, table: FormatTable): ReadonlySet<Element> {
  const blocks = blocksIn(root, table);
  const texts = new Set(blocks.flat().flatMap(({ text }) => text ?? []));
  const lone = new Set([...texts].filter((text) => isLone(text, table)));
  const kept = new Set<Element>();
  const isGone = (text: Element | null): boolean => text !== null && lone.has(text) && !kept.has(text);
  let mixed = blocks;
  for (let round = 0; round < MAX_ROUNDS && mixed.length > 0; round += 1) {
    mixed = mixed.filter((block) => {
      const owners = new Set(block.flatMap(({ text }) => (isGone(text) ? (text?.parent ?? []) : [])));
      return block.some(({ text }) => text?.parent != null && !isGone(text) && owners.has(text.parent));
    });
    const movable = movableTags(mixed, table, isGone);
    const size = kept.size;
    for (const block of mixed) {
      if (block.every(({ tag, text }) => text === null || isGone(text) || movable.has(tag))) continue;
      for (const { text } of block) if (text !== null && isGone(text)) kept.add(text);
    }
    if (kept.size === size) break;
  }
  return kept;
}

/** Returns the tags of blocks that begin or end the text of their paragraph, beside other tags of such blocks only. */
function movableTags(
  blocks: readonly BlockTag[][],
  table: FormatTable,
  isGone: (text: Element | null) => boolean,
): ReadonlySet<Node> {
  const tags = new Set<Node>(blocks.flat().map(({ tag }) => tag));
  const movable = new Set<Node>();
  for (const text of new Set(blocks.flat().flatMap((one) => one.text ?? []))) {
    if (isGone(text)) continue;
    const content = contentOf(text, table).filter((node) => !isBlank(node));
    const first = content.findIndex((node) => !tags.has(node));
    const last = content.findLastIndex((node) => !tags.has(node));
    content.forEach((node, at) => (at < first || at > last) && movable.add(node));
  }
  return movable;
}

/**
 * Moves block tags at the beginning or end of a paragraph's text before or after it, if another tag of their block has
 * replaced its paragraph beside it.
 */
export function besideParagraphs(root: Element, table: FormatTable): void {
  const contents = new Map<Element, Node[]>();
  for (const block of blocksIn(root, table)) {
    const owners = new Set(block.filter(({ text }) => text === null).map(({ tag }) => tag.parent));
    if (owners.size === 0) continue;
    for (const { tag, text } of block) {
      if (text?.parent == null || !owners.has(text.parent)) continue;
      const content = contents.get(text) ?? contentOf(text, table).filter((node) => !isBlank(node));
      contents.set(text, content);
      if (content[0] === tag) {
        content.shift();
        remove(tag);
        text.parent.insertBefore(text, tag);
      } else if (content.at(-1) === tag) {
        content.pop();
        remove(tag);
        text.parent.insertAfter(text, tag);
      }
    }
  }
}
