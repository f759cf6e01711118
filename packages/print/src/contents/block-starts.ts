import { PICTURES } from '../in-document.ts';

/**
 * Blocks that begin where the notes of a page are. Lines keep away from notes (contents/footnotes.ts), but the block around
 * them does not: it would begin on the page before its text, and with it its background, its link and its page number.
 */

/** Maximum number of blocks that are looked at. */
const MOST = 10_000;

/** How far a block may be from where notes are in CSS pixels: on paper, lengths are rounded. */
const SLACK = 20;

/**
 * Statements that store the blocks of a document with notes in `blocks`, in order, and in `need` the CSS pixels from the top of
 * each to the end of its first line. The document is as wide as its pages, and has no areas for notes.
 */
export const BLOCK_STARTS = `
  const blocks = [];
  {
    const isFirst = (node) => node instanceof Text ? node.data.trim() !== '' : node.matches('${PICTURES}') && node.getClientRects().length > 0;
    const endOfFirst = (block) => {
      const nodes = document.createTreeWalker(block, NodeFilter.SHOW_TEXT | NodeFilter.SHOW_ELEMENT);
      for (let node = nodes.nextNode(); node !== null; node = nodes.nextNode()) {
        if (!isFirst(node)) continue;
        const range = document.createRange();
        range.selectNode(node);
        const [first] = range.getClientRects();
        if (first === undefined) continue;
        // A line is higher than its letters.
        const { lineHeight, fontSize } = getComputedStyle(node.parentElement);
        const line = node instanceof Text ? parseFloat(lineHeight) || parseFloat(fontSize) * 1.15 : 0;
        return first.bottom + Math.max(0, line - first.height) / 2;
      }
      return block.getBoundingClientRect().bottom;
    };
    const walk = (parent) => {
      for (const child of parent.children) {
        if (child.localName.startsWith('platen-') || blocks.length >= ${MOST}) continue;
        const { display, float, position } = getComputedStyle(child);
        if (float !== 'none' || /^(?:absolute|fixed)$/.test(position)) continue;
        const isBlock = /^(?:block|flow-root|list-item)$/.test(display);
        if (isBlock) blocks.push({ block: child, need: endOfFirst(child) - child.getBoundingClientRect().top });
        if (isBlock || display === 'contents') walk(child);
      }
    };
    walk(document.body);
  }`;

/**
 * An expression for the blocks that may begin beside an area for notes: the `name` of each one's position, which PDFs then
 * have, and its `need`.
 *
 * `markOf`, `blocks` and `areasOfNotes` are defined; the areas are placed.
 */
export const BESIDE_AREAS = `(() => {
    const rects = areasOfNotes.map((area) => area.getBoundingClientRect());
    return blocks.flatMap(({ block, need }) => {
      const { top } = block.getBoundingClientRect();
      return rects.some((area) => top + need > area.top - ${SLACK} && top < area.bottom + ${SLACK}) ? [{ name: markOf(block), need }] : [];
    });
  })()`;

/**
 * Returns statements that let blocks begin pages, without the margins that pages cut off. `written` has what undoes it.
 *
 * @param names of their positions
 */
export function breaksBefore(names: readonly string[]): string {
  return `
  for (const name of ${JSON.stringify(names)}) {
    const block = document.getElementById(name);
    for (let at = block, top = null; at instanceof HTMLElement; at = at.firstElementChild) {
      const box = at.getBoundingClientRect().top;
      if (top !== null && Math.abs(box - top) > 0.5) break;
      top = box;
      const before = at.getAttribute('style'), element = at;
      styled(at, at === block ? { 'break-before': 'page', 'margin-top': '0' } : { 'margin-top': '0' });
      written.push(() => (before === null ? element.removeAttribute('style') : element.setAttribute('style', before)));
    }
  }`;
}
