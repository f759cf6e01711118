import { colour, gradientColour, blended, type Colour } from './css.ts';
import { isPrinted } from './inline.ts';
import type { Block } from './model.ts';
import type { Region } from './region.ts';
import { type Box, hasBackground, type Rect } from './tree.ts';

/** The vertical arrangement of an element's content, and the colour behind it. */

/** A part of an element's content: a block, or inline content. */
export interface Item {
  rect: Rect;
  /** Null for inline content. */
  box: Box | null;
  blocks: (region: Region) => Block[];
}

/** Below one another, in document order. */
export function inOrder(items: readonly Item[], region: Region): Block[] {
  const blocks: Block[] = [];
  let breaks = false;
  for (const { box, blocks: make } of items) {
    const made = make(region);
    breaks ||= box !== null && isForced(box.style('break-before'));
    const first = made[0];
    if (first !== undefined && breaks && region.tables === 0) {
      first.breakBefore = true;
      breaks = false;
    }
    blocks.push(...made);
    breaks ||= box !== null && isForced(box.style('break-after'));
  }
  return blocks;
}

/** Returns whether a value of `break-before` or `break-after` begins a new page. */
export function isForced(value: string): boolean {
  return (
    value === 'page' ||
    value === 'always' ||
    value === 'left' ||
    value === 'right' ||
    value === 'recto' ||
    value === 'verso'
  );
}

/** Elements with such a break, and all their ancestors. */
export function breakMarks(root: Box): ReadonlySet<Box> {
  const marks = new Set<Box>();
  const open: Box[] = [root];
  for (let box = open.pop(); box !== undefined; box = open.pop()) {
    if (isForced(box.style('break-before')) || isForced(box.style('break-after'))) {
      for (let at = box.parent; at !== null && !marks.has(at); at = at.parent) marks.add(at);
    }
    for (const child of box.children) if (child.kind === 'box') open.push(child);
  }
  return marks;
}

/** Returns the colour behind the content of an element. */
export function backdropOf(
  box: Box,
  region: Pick<Region, 'backdrop' | 'page'>,
  printBackground: boolean,
): Colour {
  if (!hasBackground(box) || !isPrinted(box, { printBackground })) return region.backdrop;
  const flat = blended(colour(box.style('background-color')), region.backdrop);
  const gradient = gradientColour(box.style('background-image'));
  return gradient === null ? flat : blended(gradient, flat);
}
