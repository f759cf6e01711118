/**
 * Soft hyphens of a document's author. Engines draw all of them, as characters that are not seen, so that a search for
 * a word does not find it. Those within a line are removed before printing, and those at the ends of lines from what
 * Chromium has printed (chrome/soft-hyphens.ts).
 */

const WRITTEN = /\u00ad|&shy;|&#(?:0*173|x0*ad);/i;

/** Returns whether a document's html has soft hyphens. */
export function hasSoftHyphens(html: string): boolean {
  return WRITTEN.test(html);
}

/**
 * Statements that remove the soft hyphens at which no line ends, in the layout of the loaded document, and in its title. The
 * elements with others are in `divided`.
 */
export const WHOLE_WORDS = `
  const texts = document.createTreeWalker(document.body ?? document.documentElement, NodeFilter.SHOW_TEXT);
  const range = document.createRange();
  const changes = [], divided = new Set();
  while (texts.nextNode()) {
    const node = texts.currentNode, { data } = node;
    if (!data.includes('\\u00ad')) continue;
    const rectOf = (at) => {
      range.setStart(node, at);
      range.setEnd(node, at + 1);
      // A letter behind a line's end has a place at that end as well.
      return [...range.getClientRects()].at(-1);
    };
    let kept = '';
    for (let at = 0; at < data.length; at += 1) {
      if (data[at] !== '\\u00ad') {
        kept += data[at];
        continue;
      }
      const before = at > 0 ? rectOf(at - 1) : undefined, after = at + 1 < data.length ? rectOf(at + 1) : undefined;
      // The end of a line: the next letter is on another one, or at the same height of the next column.
      const isWithin = before !== undefined && after !== undefined &&
        Math.abs(after.top - before.top) <= before.height / 2 && Math.abs(after.left - before.right) <= 3 * before.height;
      if (isWithin) continue;
      kept += data[at];
      if (after !== undefined) divided.add(node.parentElement);
    }
    if (kept !== data) changes.push([node, kept]);
  }
  // All are measured before the first one is changed.
  for (const [node, text] of changes) node.data = text;
  if (document.title.includes('\\u00ad')) document.title = document.title.replaceAll('\\u00ad', '');`;
