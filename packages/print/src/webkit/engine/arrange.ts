import * as z from 'zod';
import { NAMED } from '../../losses.ts';
import { BREAK_MARGINS } from './flow.ts';
import { pagedScript } from './paged.ts';
import { DIVIDED_TABLES, MEASURED_TABLES } from './tables.ts';

/** What is done in a loaded document that has the width of its pages, before it is printed. */

/** Most elements that are moved to the next page, so that they stay with what follows them. */
const MAX_MOVED = 300;

/**
 * Defines `keepTogether(element)`, which keeps an element with what follows it, where its styles avoid a break, and notes
 * those that WebKit divides or separates in `avoided`.
 */
const KEPT_TOGETHER = `
  const avoided = [];
  let moves = ${MAX_MOVED};
  const rectsOf = (node) => {
    if (node instanceof Element) return node.getClientRects();
    const range = document.createRange();
    range.selectNodeContents(node);
    return range.getClientRects();
  };
  const isContent = (node) => node instanceof Text ? node.data.trim() !== '' : node.matches('img,svg,canvas,video,hr,input');
  // The page on which the content of an element begins, or ends. A box may begin where its first line has no room.
  const pageOfContent = (element, isEnd) => {
    const nodes = document.createTreeWalker(element, NodeFilter.SHOW_ELEMENT | NodeFilter.SHOW_TEXT);
    let last = null;
    for (let node = nodes.currentNode; node !== null; node = nodes.nextNode()) {
      if (!isContent(node) || rectsOf(node).length === 0) continue;
      last = node;
      if (!isEnd) break;
    }
    const rects = [...rectsOf(last ?? element)];
    return rects.length === 0 ? null : pageOf(rects.at(isEnd ? -1 : 0));
  };
  const beside = (element, name) => {
    for (let at = element; at !== null && at !== document.body; at = at.parentElement)
      for (let next = at[name]; next !== null; next = next[name]) if (next.getClientRects().length > 0) return next;
    return null;
  };
  const keepTogether = (element) => {
    const { breakBefore: before, breakInside: inside, breakAfter: after, display, position, float } = getComputedStyle(element);
    if (!/^(?:block|flow-root|list-item|table|flex|grid)$/.test(display) || /absolute|fixed/.test(position) || float !== 'none') return;
    const rects = [...element.getClientRects()];
    if (rects.length === 0) return;
    if (avoids(inside) && rects.length > 1 && rects.reduce((sum, rect) => sum + rect.height, 0) <= height) note(avoided, element);
    const next = avoids(after) ? beside(element, 'nextElementSibling') : null;
    if (next !== null && !isForced(getComputedStyle(next).breakBefore) && pageOfContent(next, false) > pageOf(rects.at(-1))) {
      const first = beginningOf(element);
      const isMovable = (moves -= 1) > 0 && pageOf(rects[0]) === pageOf(first.getClientRects()[0]) && yOf(first.getClientRects()[0]) > 1;
      if (isMovable) breakBefore(first);
      if (!isMovable || pageOfContent(next, false) > pageOfContent(element, true)) note(avoided, element);
    }
    const previous = avoids(before) ? beside(element, 'previousElementSibling') : null;
    if (previous !== null && !isForced(getComputedStyle(previous).breakAfter) && pageOfContent(previous, true) < pageOfContent(element, false))
      note(avoided, element);
  };`;

/** Statements that leave the titles of headings in `titles`, with their pages, and whether these begin with them. */
const TITLES = `
  const titles = [];
  {
    let before = -1;
    const nodes = document.createTreeWalker(document.body ?? root, NodeFilter.SHOW_ELEMENT | NodeFilter.SHOW_TEXT);
    while (nodes.nextNode()) {
      const node = nodes.currentNode;
      const rects = isContent(node) || node.nodeType === 1 && node.matches('h1,h2,h3,h4,h5,h6,[role=heading]') ? [...rectsOf(node)] : [];
      if (rects.length === 0) continue;
      const title = isContent(node) ? '' : node.innerText.replace(/\\s+/g, ' ').trim();
      if (isContent(node)) before = pageOf(rects.at(-1));
      else if (title !== '') titles.push({ title, page: pageOf(rects[0]), isFirst: before < pageOf(rects[0]) });
    }
  }`;

/** Defines `hasBackground`: whether the document is painted to the end of its last page. WebKit ends that with the content. */
const HAS_BACKGROUND = `
  const isPainted = (element) => {
    const { backgroundColor, backgroundImage } = getComputedStyle(element);
    return backgroundImage !== 'none' || !/^(?:transparent|rgba\\(0, 0, 0, 0\\))$/.test(backgroundColor);
  };
  const hasBackground = /dark/.test(getComputedStyle(root).colorScheme) || [root, document.body].some((element) => element !== null && isPainted(element));`;

/** Statements that let it reach that end. */
const BACKGROUND = `
  if (hasBackground)
    root.append(say(document.createElement('platen-end'), {
      all: 'initial', position: 'absolute', left: '0', top: (pages ?? 1) * height - 1 + 'px', width: '1px', height: '1px',
    }));`;

/** Statements that leave elements whose forced breaks WebKit ignores in `unbroken`. */
const UNBROKEN = `
  const unbroken = [];
  for (const element of breaking) {
    const { display, cssFloat, position } = getComputedStyle(element);
    const isRow = /^table-(?:row|row-group)$/.test(display) && tables.has(element.closest('table')) && !cutRows.includes(nameOf(element.closest('table')));
    if (!isRow && (/^table-(?!caption)/.test(display) || /flex|grid/.test(getComputedStyle(element.parentElement).display) || cssFloat !== 'none' || /absolute|fixed/.test(position)))
      note(unbroken, element);
  }`;

/** Statements that leave elements that are heads and feet of tables by their styles in `heads`. */
const HEADS = `
  const heads = [];
  let mayBeHeads = document.querySelector('[style*=-group]') !== null;
  eachRule(({ style }) => { mayBeHeads ||= /^table-(?:header|footer)-group$/.test(style?.display ?? ''); });
  for (const element of mayBeHeads && isLong ? document.querySelectorAll('body *') : [])
    if (/^table-(?:header|footer)-group$/.test(getComputedStyle(element).display) && !element.matches('thead,tfoot')) note(heads, element);`;

/** Statements that leave elements with vertical text on several pages in `vertical`, and the root or body with such text. */
const VERTICAL = `
  const vertical = [];
  for (const element of document.querySelectorAll('html, body, body *')) {
    if (getComputedStyle(element).writingMode === 'horizontal-tb' || (element.parentElement !== null && getComputedStyle(element.parentElement).writingMode !== 'horizontal-tb')) continue;
    if (element === root || element === document.body || element.getClientRects().length > 1) note(vertical, element);
  }`;

/**
 * Returns the body of a function that divides the tables of a loaded document between rows, keeps headings with what
 * follows them, and returns as JSON what `Arranged` describes.
 *
 * @param room for text on a page, in CSS pixels
 */
export function arrangeScript(
  room: { width: number; height: number },
  { avoids, vertical, sections }: { avoids: boolean; vertical: boolean; sections: boolean },
): string {
  return `${pagedScript(room)}${BREAK_MARGINS}
  const isAvoiding = (element) => {
    const { breakBefore, breakInside, breakAfter } = getComputedStyle(element);
    return avoids(breakBefore) || avoids(breakInside) || avoids(breakAfter);
  };
  ${MEASURED_TABLES}${DIVIDED_TABLES}${HAS_BACKGROUND}
  // One table that begins on the first page is divided by its position, which is that on the page.
  const beyond = [...tables.values()].filter(({ table }) => table.getBoundingClientRect().bottom + scrollY > height);
  const isSingle = breaking.size === 0 && beyond.length === 1 && isPlain(beyond[0]) && beyond[0].units.length > 0 && isDivisible(beyond[0].table) &&
    yOf(beyond[0].units[0][0].getBoundingClientRect()) < height;
  const isMeasured = isLong && (hasBackground || (beyond.length > 0 && !isSingle) || (breaking.size > 0 && tables.size > 0) || ${avoids || vertical || sections});
  const steps = isMeasured || (isLong && isSingle) ? [...document.querySelectorAll('${avoids ? 'body *' : 'table'}')].filter((element) => (isMeasured ? tables.has(element) : beyond[0].table === element) || ${avoids} && isAvoiding(element)) : [];
  if (isMeasured) asPages();
  ${KEPT_TOGETHER}
  for (const element of steps) {
    if (${avoids}) keepTogether(element);
    if (tables.has(element)) divide(tables.get(element));
  }
  ${sections ? TITLES : 'const titles = [];'}
  ${vertical ? VERTICAL : 'const vertical = [];'}
  const pages = isMeasured ? Math.max(1, Math.round(root.scrollWidth / width)) : null;
  asOne();
  for (const plan of plans) plan();
  ${UNBROKEN}${HEADS}${BACKGROUND}
  return JSON.stringify({ pages, isDivided, titles, unsupported: { cutRows, connected, avoided, unbroken, heads, unspaced, vertical } });`;
}

const list = z.array(z.string()).max(NAMED + 1);
const arrangedSchema = z.object({
  /** The number of pages; null if it is not known. */
  pages: z.number().nullable(),
  /** Whether a table was divided. */
  isDivided: z.boolean(),
  /** Headings, in order. */
  titles: z.array(z.object({ title: z.string(), page: z.number(), isFirst: z.boolean() })),
  /** What WebKit does not print as the document asks for it: elements of each kind. */
  unsupported: z.object({
    cutRows: list,
    connected: list,
    avoided: list,
    unbroken: list,
    heads: list,
    unspaced: list,
    vertical: list,
  }),
});
export type Arranged = z.infer<typeof arrangedSchema>;

/** Returns null if the document's scripts have made the result invalid. */
export function arrangedOf(found: unknown): Arranged | null {
  return arrangedSchema.safeParse(found).data ?? null;
}

/** Returns the heading under which each page begins: the last one above it, or the one that it begins with. */
export function sectionsOf({ titles }: Arranged, total: number): string[] {
  return Array.from({ length: total }, (_, page) => {
    const above = titles.findLast((one) => one.page < page || (one.page === page && one.isFirst));
    return above?.title ?? '';
  });
}
