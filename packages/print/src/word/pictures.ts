import { drawingsOf } from './drawings.ts';
import { buildTree, DRAWN, type Box, type Rect } from './tree.ts';
import type { DocumentReading } from './reading.ts';

/** A part of a document that becomes a picture. */
export interface PictureRequest {
  /** Index of the element in the snapshot. */
  node: number;
  /** URL of an unchanged picture; null for one that has to be drawn. */
  address: string | null;
  clip: { x: number; y: number; width: number; height: number };
}

/** In pixels: smaller pictures are invisible. */
const LEAST = 1;

/**
 * Finds the elements that become pictures, in document order.
 *
 * @param printBackground whether backgrounds are printed
 */
export function picturesOf(
  snapshot: DocumentReading['snapshot'],
  printBackground: boolean,
): PictureRequest[] {
  const wishes: PictureRequest[] = [];
  const { root } = buildTree(snapshot);
  const drawings = drawingsOf(root, printBackground);
  const open: Box[] = [root];
  for (let box = open.pop(); box !== undefined; box = open.pop()) {
    const address = drawings.has(box) ? null : pictureAddress(box);
    if (address === undefined) {
      for (let at = box.children.length - 1; at >= 0; at -= 1) {
        const child = box.children[at];
        if (child?.kind === 'box') open.push(child);
      }
      continue;
    }
    if (isSeen(box.rect) && box.style('visibility') === 'visible')
      wishes.push({ node: box.node, address, clip: clipOf(box.rect) });
  }
  return wishes;
}

/** Null if it is drawn; undefined if it is not a picture. */
function pictureAddress(box: Box): string | null | undefined {
  if (box.name === 'IMG' || (box.name === 'INPUT' && box.attribute('type') === 'image')) {
    return box.style('object-fit') === 'fill' ? box.source : null;
  }
  if (DRAWN.has(box.name)) return null;
  if (box.hasIcon) return null;
  return box.style('background-image').includes('url(') && !box.hasText ? null : undefined;
}

function isSeen({ left, top, right, bottom }: Rect): boolean {
  return right - left > LEAST && bottom - top > LEAST;
}

function clipOf({ left, top, right, bottom }: Rect): PictureRequest['clip'] {
  return { x: left, y: top, width: right - left, height: bottom - top };
}
