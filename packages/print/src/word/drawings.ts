import { isPrinted, textExtent } from './inline.ts';
import { type Box, DRAWN, hasBackground, hasSharpShadows, isDecorated, isInFlow, type Rect } from './tree.ts';

/**
 * Drawings that a document builds from boxes: barcodes from shadows, patterns from gradients, codes from coloured
 * cells.
 */

/** The kinds of content in an element, and the parts that only a browser can draw. */
interface Content {
  /** Text of the document, which stays text; text from style sheets is a part of the drawing. */
  hasWords: boolean;
  /** An image or another replaced element. */
  hasPictures: boolean;
  /** A gradient, or a shadow with a sharp edge. */
  isPainted: boolean;
  /** Coloured boxes. */
  fills: number;
}

/** Minimum number of coloured boxes without text that become a picture instead of a table. */
const MANY_FILLS = 24;

/** Elements that are a picture or a control by themselves. */
const PICTURES: ReadonlySet<string> = new Set([...DRAWN, 'IMG', 'INPUT', 'TEXTAREA', 'SELECT', 'BUTTON']);

/**
 * Finds the elements that are converted to pictures, because office documents have no equivalent. Each is the
 * outermost one without text of the document, so that a whole barcode is one picture.
 */
export function drawingsOf(root: Box, printBackground: boolean): ReadonlySet<Box> {
  const found = new Set<Box>();
  const contents = new Map<Box, Content>();
  const words = new Map<Box, Rect | null>();
  sumUp(root, printBackground, contents);
  const open: Box[] = [root];
  for (let box = open.pop(); box !== undefined; box = open.pop()) {
    const content = contents.get(box);
    if (content === undefined || (!content.isPainted && content.fills < MANY_FILLS)) continue;
    const isCanvas = box.name === 'HTML' || box.name === 'BODY';
    if (!isCanvas && !content.hasWords && !content.hasPictures) {
      const drawing = innermost(box, contents);
      if (isInFlow(drawing) || !isOverWords(drawing, words)) found.add(drawing);
      continue;
    }
    for (const child of box.children) if (child.kind === 'box') open.push(child);
  }
  return found;
}

/** Sums up the content of an element recursively; the depth of the tree is limited. */
function sumUp(box: Box, printBackground: boolean, contents: Map<Box, Content>): Content {
  const content: Content = {
    hasWords: false,
    hasPictures: PICTURES.has(box.name),
    isPainted: isPainted(box, printBackground),
    fills: hasBackground(box) && isPrinted(box, { printBackground }) ? 1 : 0,
  };
  for (const child of box.children) {
    if (child.kind === 'text') {
      content.hasWords ||= !box.name.startsWith('::') && child.text.trim() !== '';
      continue;
    }
    const inner = sumUp(child, printBackground, contents);
    content.hasWords ||= inner.hasWords;
    content.hasPictures ||= inner.hasPictures;
    content.isPainted ||= inner.isPainted;
    content.fills += inner.fills;
  }
  contents.set(box, content);
  return content;
}

/** Whether an element is painted with a feature that office documents lack. */
function isPainted(box: Box, printBackground: boolean): boolean {
  if (hasSharpShadows(box)) return true;
  return box.style('background-image').includes('gradient(') && isPrinted(box, { printBackground });
}

/**
 * Descends into elements that show nothing themselves and contain a single visible element: the space beside it is
 * not part of the picture.
 */
function innermost(box: Box, contents: ReadonlyMap<Box, Content>): Box {
  for (;;) {
    const seen = box.children.filter((child) => child.kind === 'box' && child.ink !== null);
    const [only] = seen;
    if (seen.length !== 1 || only?.kind !== 'box' || only.name.startsWith('::')) return box;
    const [outer, inner] = [contents.get(box), contents.get(only)];
    const isAllInside = outer?.fills === inner?.fills && outer?.isPainted === inner?.isPainted;
    if (isDecorated(box) || !isAllInside || !isInFlow(only)) return box;
    box = only;
  }
}

/**
 * Whether it is behind the text of its container, like a background.
 *
 * @param words cached extents of text
 */
function isOverWords(box: Box, words: Map<Box, Rect | null>): boolean {
  for (let at = box.parent; at !== null; at = at.parent) {
    let extent = words.get(at);
    if (extent === undefined) words.set(at, (extent = textExtent(at)));
    if (extent !== null) return overlap(extent, box.rect);
  }
  return false;
}

function overlap(a: Rect, b: Rect): boolean {
  return a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;
}
