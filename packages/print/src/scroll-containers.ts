import { FORCED_BREAK, PICTURES, TEXTS_WHERE } from './in-document.ts';

/**
 * Paper does not scroll: boxes that would scroll show their whole content, as Prince and WeasyPrint print them. A
 * browser prints what is visible of them at the moment, and loses the rest.
 */

/** Signs of boxes that scroll or clip in the text of a document. */
const MAY_SCROLL = /overflow[^;{}]{0,40}(?:auto|scroll|hidden|clip|overlay)/i;
/** Fields of forms and frames, which scroll by themselves. */
const HAS_FIELDS = /<(?:textarea|input|select|iframe)\b/i;

/** Returns whether a text may have boxes with content that is not visible. */
export function mayScroll(text: string): boolean {
  return (text.includes('overflow') && MAY_SCROLL.test(text)) || HAS_FIELDS.test(text);
}

/** Maximum number of rounds: boxes within boxes. */
const ROUNDS = 4;

/**
 * Statements that open the boxes of a loaded document that scroll, and those around them with a fixed height. Lines of
 * code are wrapped, and the items of a row, where there is no room for them. Fields of forms get room for their values.
 */
export const OPEN_SCROLLERS = `${TEXTS_WHERE}  const root = document.documentElement, body = document.body;
  const set = (element, declarations) => {
    for (const [name, value] of Object.entries(declarations)) element.style.setProperty(name, value, 'important');
  };
  // Empty room that sticks out is no content.
  const sticksOut = (element, across, down) => {
    const { left: x, top: y } = element.getBoundingClientRect();
    const left = x + element.clientLeft - 1, top = y + element.clientTop;
    const right = left + element.clientWidth + 2, bottom = top + element.clientHeight + 1;
    const isOut = (rect) => rect.width > 0 && rect.height > 0 &&
      ((across && (rect.right > right || rect.left < left)) || (down && rect.bottom > bottom));
    const isDrawnOut = (picture) => isOut(picture.getBoundingClientRect());
    return [...element.querySelectorAll('${PICTURES}')].some(isDrawnOut) || !textsWhere(element, isOut).next().done;
  };
  const isTooWide = (element) => element.scrollWidth > element.clientWidth + 1;
  const isTooHigh = (element) => element.scrollHeight > element.clientHeight + 1;
  const scrolls = (value) => value === 'auto' || value === 'scroll';
  /** Boxes whose content does not fit, with the directions in which it does not. */
  const scrollers = () => {
    const found = [];
    for (const element of elementsOf(body)) {
      if (!(element instanceof HTMLElement) || element.matches('textarea,select')) continue;
      const { overflowX, overflowY } = getComputedStyle(element);
      const across = scrolls(overflowX) && isTooWide(element), down = scrolls(overflowY) && isTooHigh(element);
      if ((across || down) && element.clientWidth > 2 && element.clientHeight > 2 && sticksOut(element, across, down))
        found.push([element, across, down]);
    }
    return found;
  };
  const grow = (element) => {
    set(element, { height: 'auto', 'max-height': 'none' });
    const { position } = getComputedStyle(element);
    if (position === 'fixed' || position === 'absolute') set(element, { position: 'absolute', bottom: 'auto' });
  };
  const widen = (element) => {
    const { whiteSpace, display, flexDirection } = getComputedStyle(element);
    if (whiteSpace === 'pre' || whiteSpace === 'nowrap') {
      set(element, { 'white-space': whiteSpace === 'pre' ? 'pre-wrap' : 'normal', 'overflow-wrap': 'anywhere' });
      for (const code of element.querySelectorAll('code')) set(code, { 'white-space': 'inherit' });
    }
    if (/flex$/.test(display) && flexDirection.startsWith('row')) set(element, { 'flex-wrap': 'wrap' });
    if (isTooWide(element)) set(element, { 'max-width': 'none' });
  };
  /** Gives the boxes around one the height of their content. */
  const open = (element) => {
    for (let next = around(element); next !== null; next = around(next)) {
      if (!isTooHigh(next)) continue;
      grow(next);
      if (getComputedStyle(next).overflowY !== 'visible') set(next, { overflow: 'visible' });
    }
  };
  // Fields show their whole value: lines of text, a list with all of its options, a line as far as there is room for it.
  for (const field of document.querySelectorAll('textarea,select,input')) {
    if (field.clientWidth <= 2 || field.value === '' && field.localName !== 'select') continue;
    const [across, down] = [field.offsetWidth - field.clientWidth, field.offsetHeight - field.clientHeight];
    if (field.localName === 'select') {
      if ((field.size > 1 || field.multiple) && isTooHigh(field)) field.size = field.querySelectorAll('option,optgroup').length;
    } else if (field.localName === 'input') {
      if (isTooWide(field)) set(field, { 'box-sizing': 'border-box', width: field.scrollWidth + across + 'px', 'max-width': '100%' });
    } else {
      if (isTooWide(field)) set(field, { 'white-space': 'pre-wrap', 'overflow-wrap': 'anywhere' });
      if (isTooHigh(field)) set(field, { 'box-sizing': 'border-box', height: field.scrollHeight + down + 'px', 'max-height': 'none' });
    }
    open(field);
  }
  for (let round = 0; round < ${ROUNDS}; round += 1) {
    const found = scrollers();
    if (found.length === 0) break;
    for (const [element, across, down] of found) {
      if (across) widen(element);
      set(element, { overflow: 'visible' });
      if (down) grow(element);
    }
    for (const [element, , down] of found) if (down) open(element);
  }
  // A frame whose document may be read shows it whole, where its content is longer.
  for (const frame of document.querySelectorAll('iframe')) {
    const content = frame.contentDocument?.documentElement;
    if (content === undefined || frame.clientWidth <= 2 || frame.clientHeight <= 2) continue;
    const missing = content.scrollHeight - frame.contentWindow.innerHeight;
    if (missing <= 1) continue;
    set(frame, { height: parseFloat(getComputedStyle(frame).height) + missing + 'px', 'max-height': 'none' });
    open(frame);
  }
  // Forced breaks make the content of a box longer on paper than it is on a screen, where it seems to fit.
  const forced = [];
  for (const element of elementsOf(body)) {
    const { breakBefore, breakAfter } = getComputedStyle(element);
    const [before, after] = [${FORCED_BREAK}.test(breakBefore), ${FORCED_BREAK}.test(breakAfter)];
    if (before || after) forced.push({ element, before, after });
  }
  const isContent = (element) => element !== null && element.getClientRects().length > 0;
  /** Whether a break before or after an element divides the content of a box around it. */
  const divides = ({ element, before, after }, box) => {
    if (element === box || !box.contains(element)) return false;
    for (let next = element; next !== box && next !== null; next = next.parentElement)
      if ((after && isContent(next.nextElementSibling)) || (before && isContent(next.previousElementSibling))) return true;
    return false;
  };
  const clipped = forced.length === 0 ? [] : [...elementsOf(body)].filter((element) => {
    if (!(element instanceof HTMLElement) || element.matches('textarea,select,input')) return false;
    return getComputedStyle(element).overflowY !== 'visible' && element.clientHeight > 2;
  });
  for (const box of clipped) {
    const high = box.offsetHeight, style = box.getAttribute('style');
    if (!forced.some((one) => divides(one, box))) continue;
    grow(box);
    // A box without a height of its own is divided by the pages.
    if (box.offsetHeight !== high || scrolls(getComputedStyle(box).overflowY)) set(box, { overflow: 'visible' });
    else if (style === null) box.removeAttribute('style');
    else box.setAttribute('style', style);
    for (let next = around(box); next !== null && next !== root; next = around(next)) grow(next);
  }
  // That of the root and of the body is the one of the window, which is a page here.
  for (const element of [root, body]) {
    if (element === null || getComputedStyle(element).overflowY === 'visible') continue;
    if (isTooHigh(element) && sticksOut(element, false, true)) grow(element);
    set(element, { overflow: 'visible' });
  }`;
