import { Break, CellRequest, PictureValue, type RichValue, TypedValue } from '../marks.ts';
import { make } from '../xml/build.ts';
import {
  copyElement,
  type Element,
  type Foreign,
  type Node,
  remove,
  replace,
  shallowCopy,
  Text,
} from '../xml/tree.ts';

/** Inserts the results of values into Word runs. */

export interface DocxInline {
  picture(value: PictureValue, near: Element): Element | null;
  rich(value: RichValue): Node[];
}

/** Resolves everything in `w:t` that is not text: breaks and pictures. */
export function resolveLeaf(leaf: Element, inline: DocxInline): void {
  if (!leaf.children.some((child) => child.kind === 'foreign')) return;
  const run = leaf.parent;
  if (run === null) return;
  if (leaf.tag !== 'w:t') {
    for (const child of leaf.children.slice()) if (child.kind === 'foreign') replace(child, new Text(' '));
    return;
  }
  const nodes: Node[] = [];
  for (const child of leaf.children.slice()) {
    if (child.kind === 'text') nodes.push(textLeaf(leaf, child.text));
    else if (child instanceof Break) nodes.push(breakNode(child, run));
    else if (child instanceof PictureValue) {
      const picture = inline.picture(child, run);
      if (picture !== null) nodes.push(picture);
    } else if (child instanceof CellRequest || child instanceof TypedValue) continue;
  }
  replace(leaf, ...nodes);
  const split = nodes.filter((node) => node instanceof Break);
  for (const mark of split) splitParagraph(mark);
}

function textLeaf(leaf: Element, text: string): Element {
  const copy = shallowCopy(leaf);
  copy.append(new Text(text));
  copy.set('xml:space', 'preserve');
  return copy;
}

function breakNode(mark: Break, run: Element): Node {
  switch (mark.type) {
    case 'line':
      return make(run, 'w:br');
    case 'tab':
      return make(run, 'w:tab');
    case 'page':
      return make(run, 'w:br', { 'w:type': 'page' });
    case 'paragraph':
      return mark;
  }
}

/** Moves the content after the mark into a new paragraph of the same format. */
export function splitParagraph(
  mark: Foreign,
  paragraphTag = 'w:p',
  kept: readonly string[] = ['w:pPr', 'w:rPr'],
): void {
  let node: Node = mark;
  let tail: Element | null = null;
  while (node.parent !== null) {
    const owner: Element = node.parent;
    const copy = shallowCopy(owner);
    for (const child of owner.elements()) if (kept.includes(child.tag)) copy.append(copyElement(child));
    const following = owner.children.slice(owner.children.indexOf(node) + 1);
    for (const next of following) remove(next);
    if (tail !== null) copy.append(tail);
    copy.append(...following);
    tail = copy;
    node = owner;
    if (owner.tag === paragraphTag) break;
  }
  const paragraph = node as Element;
  remove(mark);
  if (tail !== null) {
    // A section's end stays with the last paragraph.
    const section = paragraph.first('w:pPr')?.first('w:sectPr');
    if (section) remove(section);
    paragraph.parent?.insertAfter(paragraph, tail);
  }
}
