import { NAME_OF, TEXTS_WHERE } from './in-document.ts';
import { NAMED } from './losses.ts';

/**
 * Text that boxes of a document cut off, which its author would miss on paper. What is put away on purpose is none:
 * names shortened with an ellipsis, text for screen readers, closed panels.
 */

/** Maximum number of characters of a text that are told. */
const TOLD = 40;
/** Number of CSS pixels that are no letter: a box may be so much narrower than its text. */
const SLACK = 3;

/** Statements that leave the boxes of a loaded document that cut text off in `cut`. */
export const CUT_TEXT = `
  const cut = [];
  {
    ${NAME_OF}${TEXTS_WHERE}
    const clips = (value) => value === 'hidden' || value === 'clip';
    const isPutAway = (element) => element.closest('[aria-hidden="true"],[hidden]') !== null ||
      !element.checkVisibility({ opacityProperty: true, visibilityProperty: true });
    const shortens = (style) => style.textOverflow === 'ellipsis' || !['none', ''].includes(style.webkitLineClamp);
    for (const element of elementsOf(document.body)) {
      if (!(element instanceof HTMLElement)) continue;
      const style = getComputedStyle(element);
      if (element.localName === 'input') {
        const isCut = element.clientWidth > 2 && element.scrollWidth > element.clientWidth + ${SLACK};
        if (isCut && !shortens(style) && !isPutAway(element))
          cut.push({ element: nameOf(element), text: element.value.slice(0, ${TOLD}) });
        continue;
      }
      const [across, down] = [clips(style.overflowX), clips(style.overflowY)];
      if (!across && !down) continue;
      const { clientWidth, clientHeight, scrollWidth, scrollHeight } = element;
      if (clientWidth <= 2 || clientHeight <= 2) continue;
      if (scrollWidth <= clientWidth + ${SLACK} && scrollHeight <= clientHeight + ${SLACK}) continue;
      if (style.clip !== 'auto' || style.clipPath !== 'none' || shortens(style)) continue;
      if (isPutAway(element)) continue;
      const box = element.getBoundingClientRect();
      const left = box.left + element.clientLeft, top = box.top + element.clientTop;
      const right = left + clientWidth + ${SLACK}, bottom = top + clientHeight;
      // Text beyond the left or upper edge as a whole was moved there.
      const isCut = (rect) => rect.width > 0 && rect.right > left && rect.bottom > top &&
        ((across && rect.right > right) || (down && (rect.top + rect.bottom) / 2 > bottom));
      for (const { data, parentElement } of textsWhere(element, isCut)) {
        if (shortens(getComputedStyle(parentElement)) || isPutAway(parentElement)) continue;
        cut.push({ element: nameOf(element), text: data.trim().replace(/\\s+/g, ' ').slice(0, ${TOLD}) });
        break;
      }
      if (cut.length > ${NAMED}) break;
    }
  }`;
