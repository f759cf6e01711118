import type { FormatTable } from './formats/table.ts';
import { blockGroups, tagsIn } from './groups.ts';
import { TemplateFault } from './paragraphs.ts';
import type { Tag } from './tags.ts';
import {
  closest,
  copyElement,
  type Element,
  type Foreign,
  type Node,
  remove,
  shallowCopy,
} from './xml/tree.ts';

/**
 * Checks the nesting of blocks. A block may run once, several times or not at all, and the result has to be a
 * valid document each time: its tags have to be in the same element, or in elements of which one continues
 * the other.
 */

/** A block tag of a program and its place. */
export interface PlacedBlock {
  tag: Tag;
  /** The enclosing object outside of the tree: an attribute, or the list of parts. */
  within: object | null;
  table: FormatTable | null;
}

/**
 * Refuses blocks that begin in one place and end in another.
 *
 * @param blocks all block tags of a program in order
 * @throws TemplateFault
 */
export function checkStructure(blocks: readonly PlacedBlock[]): void {
  const known = new Map(blocks.map((block) => [block.tag, block]));
  for (const [open, ...others] of blockGroups(blocks.map(({ tag }) => tag))) {
    const first = open && known.get(open);
    if (!first) continue;
    for (const tag of others) {
      const other = known.get(tag);
      if (other && isSamePlace(first, other)) continue;
      const { part, paragraph } = tag.place;
      const where = part === open.place.part ? '' : `${part}, `;
      const message = `{% ${tag.body} %}, which belongs to it, is elsewhere (${where}paragraph ${paragraph}): a block must begin and end in the same text, cell, row, table, text box, slide or sheet`;
      throw new TemplateFault(message, open.place, `{% ${open.body} %}`);
    }
  }
}

function isSamePlace(one: PlacedBlock, other: PlacedBlock): boolean {
  if (one.within !== null || other.within !== null) return one.within === other.within;
  const [a, b] = [one.tag.parent, other.tag.parent];
  if (a === b) return true;
  const { table } = one;
  const common = a === null || b === null ? null : commonAncestor([one.tag, other.tag]);
  if (common === null || table === null) return false;
  const [from, to] = [chainOf(one.tag, common), chainOf(other.tag, common)];
  const isWithinOne = closest(common, table.paragraphs) !== null;
  return sameNames(from, to) && goesOn(from, isWithinOne, table) && goesOn(to, isWithinOne, table);
}

/** Returns the innermost element that contains all tags; null when they are in different parts. */
export function commonAncestor(tags: readonly Tag[]): Element | null {
  const [first, ...rest] = tags;
  if (first === undefined) return null;
  const others = rest.map((tag) => new Set(chainOf(tag, null)));
  return chainOf(first, null).findLast((ancestor) => others.every((chain) => chain.has(ancestor))) ?? null;
}

/** Returns the elements between a tag and its ancestor `below`, outer ones first. */
function chainOf(tag: Tag, below: Element | null): Element[] {
  const chain: Element[] = [];
  for (let at = tag.parent; at !== null && at !== below; at = at.parent) chain.push(at);
  return chain.reverse();
}

function sameNames(one: readonly Element[], other: readonly Element[]): boolean {
  return one.length === other.length && one.every(({ tag }, i) => tag === other[i]?.tag);
}

/** Returns whether text continues between such elements: lists, paragraphs, and elements within them. */
function goesOn(chain: readonly Element[], isWithinOne: boolean, table: FormatTable): boolean {
  const paragraph = chain.findIndex(({ tag }) => table.paragraphs.has(tag));
  const outer = isWithinOne ? 0 : paragraph === -1 ? chain.length : paragraph;
  return chain.every((one, i) => {
    if (i < outer) return table.item.has(one.tag) || one.tag === 'text:list';
    return isInline(one, table) || (i === outer && !isWithinOne);
  });
}

/** Returns whether an element divides a paragraph's text and can be divided itself: runs, links. */
function isInline({ tag }: Element, table: FormatTable): boolean {
  return !table.solid.has(tag) && !table.paragraphs.has(tag);
}

/**
 * Moves both tags of a block to the same level when only one of them is in a run or link, by dividing the
 * element within their paragraph.
 */
export function divideInline(root: Element, table: FormatTable): void {
  for (const group of blockGroups(tagsIn(root))) {
    const common = commonAncestor(group);
    const [open] = group;
    if (common === null || open === undefined) continue;
    const chain = chainOf(open, common);
    if (group.every((tag) => sameNames(chain, chainOf(tag, common)))) continue;
    const isWithinOne = closest(common, table.paragraphs) !== null;
    for (const tag of group) {
      const top = isWithinOne ? common : closest(tag.parent, table.paragraphs);
      if (top !== null && chainOf(tag, top).every((one) => isInline(one, table))) raise(tag, top, table);
    }
  }
}

/** Makes a tag, or other content, a child of `top` by dividing the elements in between. */
export function raise(tag: Foreign, top: Element, table: FormatTable): void {
  while (tag.parent !== null && tag.parent !== top) {
    const owner: Element = tag.parent;
    const following: Node[] = owner.children.slice(owner.children.indexOf(tag) + 1);
    remove(tag);
    owner.parent?.insertAfter(owner, tag);
    if (following.length > 0) {
      const rest = shallowCopy(owner);
      for (const child of owner.elements()) {
        if (table.properties.has(child.tag) && !following.includes(child)) rest.append(copyElement(child));
      }
      for (const node of following) remove(node);
      rest.append(...following);
      tag.parent.insertAfter(tag, rest);
    }
    if (owner.children.every((child) => child.kind === 'element' && table.properties.has(child.tag)))
      remove(owner);
  }
}
