import { constants, inflateSync } from 'node:zlib';
import * as z from 'zod';
import { PIXELS_OF_INCH } from '../page-rules.ts';
import { NAME_OF, PICTURES } from '../in-document.ts';
import { wideWarnings } from '../losses.ts';
import { contentStreams } from './page-count.ts';

/**
 * Chromium scales a whole document down if any box of it is wider than its page, even an invisible one. An author
 * who sets the sizes of pages and margins expects lengths as they are written, as in every formatter for paged
 * media. So a document is not scaled down for boxes that are invisible or extend beyond the paper (0086).
 */

/** Chromium's units per inch in the content of pages. */
const DOTS_OF_INCH = 300;
/** Chromium's minimum scale. */
const MAX_SHRINK = 2;
/** Maximum number of pages that are read: all have the same scale, but some are blank. */
const PAGES = 3;
/** Maximum bytes of the compressed content of a page. */
const MAX_BYTES = 64 * 1024;

const UNIFORM = /^([\d.]+) 0 0 ([\d.]+) [-\d.]+ [-\d.]+ cm$/gm;

/**
 * Returns whether a printed document may have been scaled down: it was not if no content on its first pages is.
 * Drawings with their own scale look the same.
 */
function mayBeShrunk(pdf: Buffer, scale: number): boolean {
  const whole = (DOTS_OF_INCH / PIXELS_OF_INCH) * scale;
  for (const stream of contentStreams(pdf, PAGES)) {
    for (const [, across, down] of beginOf(stream).matchAll(UNIFORM)) {
      const ratio = whole / Number(across);
      if (across === down && ratio > 1.001 && ratio < MAX_SHRINK + 0.001) return true;
    }
  }
  return false;
}

function beginOf(stream: Buffer): string {
  // Truncated content is accepted here.
  const part = stream.subarray(0, MAX_BYTES);
  return inflateSync(part, { finishFlush: constants.Z_SYNC_FLUSH }).toString('latin1');
}

/** The result of the script, which scripts of the document may have changed. */
const widthSchema = z.object({
  /** Whether the document is now as wide as its pages. */
  isCut: z.boolean(),
  /** The scale that makes room for all of it. */
  ratio: z.number().positive().max(1),
  /** Its widest element. */
  element: z.string(),
});

/** A printed document that can be printed again. */
interface Printed {
  scale: number;
  /** Whether the author has set the sizes of pages and margins. */
  isSized: boolean;
  /** Margin on the right of its pages, in CSS pixels. */
  margin: number;
  evaluate(body: string): Promise<unknown>;
  print(): Promise<Buffer>;
  /** Called if the document stays smaller. */
  warn(text: string): void;
}

/** Returns the document in its original size, if it was scaled down without need; a warning names what is too wide. */
export async function inFullSize(
  pdf: Buffer,
  { scale, isSized, margin, evaluate, print, warn }: Printed,
): Promise<Buffer> {
  if (!mayBeShrunk(pdf, scale)) return pdf;
  const { data } = widthSchema.safeParse(await evaluate(cuttingScript(margin, isSized)));
  if (data === undefined) return pdf;
  if (data.isCut) return await print();
  for (const text of wideWarnings(data.element, data.ratio, 1 / MAX_SHRINK)) warn(text);
  return pdf;
}

/**
 * Body of a function that runs inside a loaded document: it clips content that is wider than the page, if the
 * excess is invisible or extends beyond the paper. Chromium draws nothing in the margins of a page, so text,
 * images and borders that extend there would be lost: for these, the document stays unchanged.
 *
 * @param margin on the right of the page, in CSS pixels
 * @param mayClip whether it may clip; otherwise it only measures
 */
function cuttingScript(margin: number, mayClip: boolean): string {
  return `const margin = ${margin}, mayClip = ${mayClip};${NAME_OF}${BODY}`;
}

const BODY = `
  const root = document.documentElement, body = document.body;
  const room = root.clientWidth, { scrollWidth } = root;
  const result = (isCut) => {
    let element = body ?? root, most = 0;
    for (const other of isCut ? [] : body?.querySelectorAll('*') ?? []) {
      const { right } = other.getBoundingClientRect();
      if (right > most + 1) [element, most] = [other, right];
    }
    return { isCut, ratio: Math.min(1, room / Math.max(1, scrollWidth)), element: nameOf(element) };
  };
  const ownLook = body === null ? null : getComputedStyle(body);
  const rootLook = getComputedStyle(root);
  if (!mayClip || ownLook === null || scrollWidth <= room || rootLook.direction === 'rtl' || !rootLook.writingMode.startsWith('horizontal'))
    return result(false);
  // The margins of the body become a part of it, so that what runs over the edge of the page stays in them.
  const isFilling = Math.abs(body.offsetWidth + parseFloat(ownLook.marginLeft) + parseFloat(ownLook.marginRight) - room) < 1;
  const isPlain = isFilling && ownLook.position === 'static' && ownLook.boxSizing === 'content-box' &&
    rootLook.backgroundColor === 'rgba(0, 0, 0, 0)' && rootLook.backgroundImage === 'none';
  const box = body.getBoundingClientRect();
  const left = isPlain ? 0 : box.left, right = isPlain ? room : box.right;
  const isCutAtEdges = left <= 0 && right >= room;
  const isVisible = (colour) => !/^rgba\\(.*, 0\\)$|\\/ 0\\)$/.test(colour);
  // Chromium draws nothing on the left of the text of a page either.
  const isOutside = (rect) => rect.width > 0 && rect.height > 0 &&
    (rect.right > right + 1 || (left > 0 && rect.right > 0 && rect.left < left - 1));
  // Chromium counts what reaches over the right edge alone.
  let widest = right;
  const isLost = (element) => {
    const look = getComputedStyle(element);
    const rects = [...element.getClientRects()];
    for (const rect of rects) widest = Math.max(widest, rect.right);
    const out = rects.filter((rect) => isOutside(rect));
    if (look.visibility !== 'visible') return false;
    const text = document.createRange();
    for (const node of element.childNodes) {
      if (!(node instanceof Text) || node.data.trim() === '') continue;
      text.selectNodeContents(node);
      if ([...text.getClientRects()].some((rect) => isOutside(rect))) return true;
    }
    if (out.length === 0) return false;
    if (element.matches('${PICTURES}')) return true;
    for (const side of ['Top', 'Right', 'Bottom'])
      if (parseFloat(look['border' + side + 'Width']) > 0 && isVisible(look['border' + side + 'Color'])) return true;
    const isDrawn = isVisible(look.backgroundColor) || look.backgroundImage !== 'none';
    return isDrawn && !(isCutAtEdges && out.every(({ right: end }) => end >= room + margin - 1));
  };
  for (const element of body.querySelectorAll('*')) if (isLost(element)) return result(false);
  // What else is as wide may be generated content, or the margin of a box.
  if (scrollWidth > Math.ceil(widest) + 1) return result(false);
  const changed = [];
  const set = (element, declarations) => {
    for (const [name, value] of Object.entries(declarations)) {
      changed.push([element, name, element.style.getPropertyValue(name), element.style.getPropertyPriority(name)]);
      element.style.setProperty(name, value, 'important');
    }
  };
  if (isPlain) {
    const sum = (side) => parseFloat(ownLook['margin' + side]) + parseFloat(ownLook['padding' + side]) + 'px';
    set(body, { 'padding-left': sum('Left'), 'padding-right': sum('Right'), 'margin-left': '0', 'margin-right': '0' });
  }
  // That of the root is handed to the page, which keeps the one of the body where it is.
  set(root, { 'overflow-x': 'clip', 'overflow-y': 'visible' });
  set(body, { 'overflow-x': 'clip', 'overflow-y': 'visible' });
  if (root.scrollWidth <= room) return result(true);
  for (const [element, name, value, priority] of changed.reverse()) element.style.setProperty(name, value, priority);
  return result(false);`;
