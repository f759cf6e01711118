import { isPrinted, textExtent } from './inline.ts';
import { type Box, DRAWN, hasBackground, hasSharpShadows, isDecorated, isInFlow, type Rect } from './tree.ts';

/** Drawings that a document makes of boxes: barcodes of shadows, patterns of gradients, codes of coloured cells. */

/** What is in an element, and what of it only a browser can draw. */
interface Content {
  /** Text of the document, which stays text; what style sheets write is a part of the drawing. */
  hasWords: boolean;
  /** What is a picture by itself. */
  hasPictures: boolean;
  /** A gradient, or a shadow with a sharp edge. */
  isPainted: boolean;
  /** Coloured boxes. */
  fills: number;
}

/** Coloured boxes without a word between them, of which no table is made any more. */
const MANY_FILLS = 24;

/** What is a picture or a control by itself. */
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

/** Sums up what is in an element; as deep as the tree is, which is bounded. */
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

/** Whether an element is painted with what office documents have not. */
function isPainted(box: Box, printBackground: boolean): boolean {
  if (hasSharpShadows(box)) return true;
  return box.style('background-image').includes('gradient(') && isPrinted(box, { printBackground });
}

/** Goes into elements that show nothing themselves and hold one thing that does: the room beside it is no picture. */
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

/** Whether it lies behind the words of what it stands in, as a background does. @param words what was looked at before */
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
