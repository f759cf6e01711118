import { FORCED_BREAK, NAME_OF } from '../../in-document.ts';
import { NAMED } from '../../losses.ts';
import { EACH_RULE } from '../../page-rules.ts';

/** Defines `note(list, element)`, which names an element in a list, and `say(element, declarations)`. */
export const NOTES = `${NAME_OF}
  const note = (list, element) => {
    const name = list.length <= ${NAMED} ? nameOf(element) || 'html' : null;
    if (name !== null && !list.includes(name)) list.push(name);
  };
  const say = (element, declarations) => {
    for (const [name, value] of Object.entries(declarations)) element.style.setProperty(name, value, 'important');
    return element;
  };`;

/**
 * Statements that can lay a loaded document out as pages. WebKit divides columns by the rules by which it divides pages, so
 * the root becomes a row of columns as wide and as high as pages, where positions can be read.
 *
 * They define `height`, of the text on a page; `isLong`, whether there may be several pages; `breaking`, the elements with
 * forced breaks; `asPages()` and `asOne()`, between which the document is pages; `pageOf(rect)`, from 0, and `yOf(rect)`, from
 * the top of that page; and `breakBefore(element)`.
 *
 * @param room for text on a page, in CSS pixels
 */
export function pagedScript(room: { width: number; height: number }): string {
  return `${NOTES}${EACH_RULE}
  const root = document.documentElement;
  // WebKit prints what is wider than the page smaller, down to five eighths.
  const grown = Math.min(1.6, Math.max(1, root.scrollWidth / ${room.width}));
  const width = Math.floor(${room.width} * grown), height = Math.floor(${room.height} * grown);
  const forced = ${FORCED_BREAK};
  let mayBreak = document.querySelector('[style*=break-]') !== null;
  eachRule(({ style }) => { mayBreak ||= forced.test(style?.breakBefore ?? '') || forced.test(style?.breakAfter ?? ''); });
  const breaking = new Set([...mayBreak ? document.querySelectorAll('body *') : []].filter((element) => {
    const { breakBefore, breakAfter } = getComputedStyle(element);
    return forced.test(breakBefore) || forced.test(breakAfter);
  }));
  const isLong = (root.scrollHeight > height || breaking.size > 0) && /^(?:block|flow-root)$/.test(getComputedStyle(root).display);
  const isForced = (value) => value === 'column' || forced.test(value);
  const isFromRight = getComputedStyle(root).direction === 'rtl';
  const stored = [];
  let isPaged = false, edge = 0;
  const sayForNow = (element, declarations) => {
    for (const name of Object.keys(declarations))
      stored.push([element, name, element.style.getPropertyValue(name), element.style.getPropertyPriority(name)]);
    say(element, declarations);
  };
  const asPages = () => {
    for (const element of breaking) {
      const { breakBefore, breakAfter } = getComputedStyle(element);
      if (forced.test(breakBefore)) sayForNow(element, { 'break-before': 'column' });
      if (forced.test(breakAfter)) sayForNow(element, { 'break-after': 'column' });
    }
    sayForNow(root, {
      'column-width': width + 'px', 'column-count': 'auto', 'column-gap': '0', 'column-fill': 'auto', 'box-sizing': 'content-box', position: 'static',
      width: width + 'px', height: height + 'px', 'min-height': '0', 'max-height': 'none', margin: '0', padding: '0', border: '0',
    });
    isPaged = true;
    edge = root.getBoundingClientRect()[isFromRight ? 'right' : 'left'];
  };
  const asOne = () => {
    for (const [element, name, value, priority] of stored.reverse()) element.style.setProperty(name, value, priority);
    isPaged = false;
  };
  // Boxes may begin a little beside their page.
  const pageOf = ({ left, right }) => Math.floor((isFromRight ? edge - (left + right) / 2 : (left + right) / 2 - edge) / width);
  const yOf = ({ top }) => top - root.getBoundingClientRect().top;
  const breakBefore = (element) => {
    say(element, { 'break-before': 'page' });
    if (isPaged) sayForNow(element, { 'break-before': 'column' });
    return element;
  };
  const avoids = (value) => value === 'avoid' || value === 'avoid-page';
  // The first one of the elements that stay with an element.
  const beginningOf = (element) => {
    const { previousElementSibling: before } = element;
    return before !== null && avoids(getComputedStyle(before).breakAfter) ? beginningOf(before) : element;
  };`;
}
