import { colour, pixels } from './css.ts';
import type { DocumentReading } from './reading.ts';
import { STYLE_NAMES, type StyleName } from './style-names.ts';

/** The visible elements of a document, with their styles and positions (CSS pixels). */

export interface Rect {
  left: number;
  top: number;
  right: number;
  bottom: number;
}

/** A part of a text on one line. */
export interface TextLine {
  start: number;
  end: number;
  rect: Rect;
}

/** A text node, with the lines it is on. */
export interface TextNode {
  readonly kind: 'text';
  readonly text: string;
  readonly lines: readonly TextLine[];
  readonly parent: Box;
}

export type Node = Box | TextNode;

/**
 * The maximum depth of parsed elements in browsers; deeper ones, which scripts create, are placed beside one
 * another.
 */
const MAX_DEPTH = 512;

/** Icon fonts, without which the text has no meaning. */
const ICON = /^[\s\u{E000}-\u{F8FF}\u{F0000}-\u{FFFFD}]+$/u;
const INDEX = new Map<StyleName, number>(STYLE_NAMES.map((name, index) => [name, index]));

/** The data about one element in a snapshot. */
interface Facts {
  node: number;
  /** In capitals; `::before` and the like for pseudo-elements. */
  name: string;
  parent: Box | null;
  rect: Rect;
  /** URL of its picture. */
  source: string | null;
  strings: readonly string[];
  styles: readonly number[];
  attributes: readonly number[];
}

/** An element or pseudo-element. */
export class Box {
  readonly kind = 'box';
  readonly children: Node[] = [];
  readonly node: number;
  readonly name: string;
  readonly parent: Box | null;
  readonly depth: number;
  readonly rect: Rect;
  readonly source: string | null;
  /** Whether it, or any descendant, has text. */
  hasText = false;
  /** Whether its own text is an icon. */
  hasIcon = false;
  /** Whether it contains a block: an inline element is then treated as a block. */
  holdsBlocks = false;
  /** The area of its text lines, pictures, borders and backgrounds. */
  ink: Rect | null = null;
  readonly #facts: Pick<Facts, 'strings' | 'styles' | 'attributes'>;

  constructor(facts: Facts) {
    this.node = facts.node;
    this.name = facts.name;
    this.parent = facts.parent;
    this.depth = facts.parent === null ? 0 : facts.parent.depth + 1;
    this.rect = facts.rect;
    this.source = facts.source;
    this.#facts = facts;
  }

  /** The computed value. */
  style(name: StyleName): string {
    const { strings, styles } = this.#facts;
    return strings[styles[INDEX.get(name) ?? -1] ?? -1] ?? '';
  }

  attribute(name: string): string | null {
    const { strings, attributes } = this.#facts;
    for (let at = 0; at + 1 < attributes.length; at += 2) {
      if (strings[attributes[at] ?? -1] === name) return strings[attributes[at + 1] ?? -1] ?? '';
    }
    return null;
  }
}

/** The visible content of a document. */
export interface Tree {
  root: Box;
}

/** Builds the tree, in time linear to the snapshot. */
export function buildTree({ documents, strings }: DocumentReading['snapshot']): Tree {
  const document = documents[0];
  if (document === undefined) throw new Error('the snapshot has no document');
  const { nodes, layout, textBoxes } = document;
  const { parentIndex = [], nodeType = [], nodeName = [], attributes = [] } = nodes;
  const layoutOf = new Map<number, number>();
  /** Pseudo-elements have their text without a separate node. */
  const textsOf = new Map<number, number[]>();
  layout.nodeIndex.forEach((node, at) => {
    if (!layoutOf.has(node)) {
      layoutOf.set(node, at);
    } else if ((layout.text[at] ?? -1) >= 0) {
      const texts = textsOf.get(node);
      if (texts === undefined) textsOf.set(node, [at]);
      else texts.push(at);
    }
  });
  const sources = new Map(
    nodes.currentSourceURL?.index.map((node, at) => [node, nodes.currentSourceURL?.value[at] ?? -1]),
  );
  const linesOf = linesByLayout(textBoxes);
  const boxes: (Box | undefined)[] = [];
  /** Hidden menus and tooltips, with their content. */
  const unseen = new Set<number>();
  let root: Box | undefined;
  for (let node = 0; node < parentIndex.length; node += 1) {
    if (unseen.has(parentIndex[node] ?? -1)) {
      unseen.add(node);
      continue;
    }
    const at = layoutOf.get(node);
    const above = boxes[parentIndex[node] ?? -1];
    const parent = above === undefined || above.depth < MAX_DEPTH ? above : above.parent;
    // An element without a box, such as one with `display: contents`, passes its content to its parent.
    boxes[node] = parent ?? undefined;
    if (at === undefined) continue;
    if (nodeType[node] === TEXT) {
      if (parent) addText(parent, strings[layout.text[at] ?? -1] ?? '', linesOf.get(at) ?? []);
      continue;
    }
    if (nodeType[node] !== ELEMENT) continue;
    const box = new Box({
      node,
      name: (strings[nodeName[node] ?? -1] ?? '').toUpperCase(),
      parent: parent ?? null,
      rect: rectOf(layout.bounds[at]),
      source: strings[sources.get(node) ?? -1] ?? null,
      strings,
      styles: layout.styles[at] ?? [],
      attributes: attributes[node] ?? [],
    });
    if (isPositioned(box) && box.style('opacity') === '0') {
      unseen.add(node);
      continue;
    }
    boxes[node] = box;
    for (const text of textsOf.get(node) ?? [])
      addText(box, strings[layout.text[text] ?? -1] ?? '', linesOf.get(text) ?? []);
    parent?.children.push(box);
    root ??= box;
  }
  if (root === undefined) throw new Error('the snapshot has no element');
  const own = boxes.filter((box, node): box is Box => box?.node === node);
  for (const box of own.reverse()) {
    if (box.children.some((child) => placeOf(child) !== 0))
      box.children.sort((a, b) => placeOf(a) - placeOf(b));
    summarize(box);
  }
  return { root };
}

const ELEMENT = 1;
const TEXT = 3;

type TextBoxes = DocumentReading['snapshot']['documents'][number]['textBoxes'];

function linesByLayout({ layoutIndex, start, length, bounds }: TextBoxes): Map<number, TextLine[]> {
  const found = new Map<number, TextLine[]>();
  layoutIndex.forEach((layout, at) => {
    const first = start[at] ?? 0;
    const line = { start: first, end: first + (length[at] ?? 0), rect: rectOf(bounds[at]) };
    const lines = found.get(layout);
    if (lines === undefined) found.set(layout, [line]);
    else lines.push(line);
  });
  return found;
}

function rectOf([left = 0, top = 0, width = 0, height = 0]: readonly number[] = []): Rect {
  return { left, top, right: left + width, bottom: top + height };
}

function addText(parent: Box, text: string, lines: TextLine[]): void {
  lines.sort((a, b) => a.start - b.start);
  parent.children.push({ kind: 'text', text, lines, parent });
}

/** A snapshot lists pseudo-elements before the content of an element. */
const ORDER: Readonly<Record<string, number>> = { '::MARKER': -2, '::BEFORE': -1, '::AFTER': 1 };

function placeOf(node: Node): number {
  return node.kind === 'box' ? (ORDER[node.name] ?? 0) : 0;
}

/** Derives facts about an element from its content, which has already been summarized. */
function summarize(box: Box): void {
  // The parts of a drawing, including its texts, are visible in its picture.
  if (DRAWN.has(box.name)) box.children.length = 0;
  const isShown = box.style('visibility') === 'visible';
  if (isShown && (isDecorated(box) || hasSharpShadows(box) || REPLACED.has(box.name)))
    box.ink = { ...box.rect };
  for (const child of box.children) {
    if (child.kind === 'box') {
      box.hasText ||= child.hasText;
      box.holdsBlocks ||= child.holdsBlocks || (!isInline(child) && isInFlow(child));
      if (child.ink !== null) box.ink = union(box.ink, child.ink);
      continue;
    }
    if (child.text.trim() === '' || child.lines.length === 0) continue;
    box.hasText = true;
    box.hasIcon = ICON.test(child.text);
    if (isShown) for (const { rect } of child.lines) box.ink = union(box.ink, rect);
  }
  if (box.children.length > 1) box.hasIcon &&= box.children.every((child) => child.kind === 'text');
}

/** Elements without an equivalent in office documents: they become pictures. */
export const DRAWN: ReadonlySet<string> = new Set([
  'SVG',
  'CANVAS',
  'VIDEO',
  'IFRAME',
  'OBJECT',
  'EMBED',
  'METER',
  'PROGRESS',
]);

/** Elements that are visible without text. */
const REPLACED: ReadonlySet<string> = new Set([...DRAWN, 'IMG', 'INPUT', 'HR']);

export function union(a: Rect | null, b: Rect): Rect {
  if (a === null) return { ...b };
  return {
    left: Math.min(a.left, b.left),
    top: Math.min(a.top, b.top),
    right: Math.max(a.right, b.right),
    bottom: Math.max(a.bottom, b.bottom),
  };
}

/** Returns whether an element is inline. */
export function isInline(box: Box): boolean {
  const display = box.style('display');
  return (
    display.startsWith('inline') || display.startsWith('ruby') || display === 'contents' || box.name === 'BR'
  );
}

export function isInFlow(box: Box): boolean {
  return box.style('float') === 'none' && !isPositioned(box);
}

/** Returns whether an element is positioned outside the flow. */
export function isPositioned(box: Box): boolean {
  const position = box.style('position');
  return position === 'absolute' || position === 'fixed';
}

export const SIDES = ['top', 'right', 'bottom', 'left'] as const;
export type Side = (typeof SIDES)[number];

/** Returns whether an element has visible backgrounds or borders. */
export function isDecorated(box: Box): boolean {
  return hasBackground(box) || SIDES.some((side) => hasBorder(box, side));
}

export function hasBackground(box: Box): boolean {
  return (
    colour(box.style('background-color')).alpha > 0 || box.style('background-image').includes('gradient(')
  );
}

/** Returns whether shadows draw lines or dots: several without blur. A single shadow is decoration. */
export function hasSharpShadows(box: Box): boolean {
  // Of each shadow the last piece has its lengths: the others are of its colour.
  const lengths = box
    .style('box-shadow')
    .split(', ')
    .map((piece) => piece.split(' ').filter((word) => word.endsWith('px')));
  const sharp = lengths.filter(
    ([x, y, blur, spread]) => blur === '0px' && [x, y, spread].some((length) => length !== '0px'),
  );
  return sharp.length > 1;
}

export function hasBorder(box: Box, side: Side): boolean {
  const style = box.style(`border-${side}-style`);
  return (
    style !== 'none' &&
    style !== 'hidden' &&
    pixels(box.style(`border-${side}-width`)) > 0 &&
    colour(box.style(`border-${side}-color`)).alpha > 0
  );
}
