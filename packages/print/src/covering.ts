import { NAME_OF, TEXTS_WHERE } from './in-document.ts';
import { NAMED } from './losses.ts';
import { SOME_RULE } from './page-rules.ts';

/** Share of the height of a fixed box that the repeated head or foot of a table has if it makes room for it. */
const ROOM = 0.8;

/**
 * Statements that leave boxes in `covering` that Chromium repeats on each page (CSS 2.2, 9.3.1) and that hide text on
 * the pages after the first one, as the document leaves room for them on that page alone. They run while the view is
 * as large as the area of a page; so the text of a later page is where the document has it without page breaks, which
 * may be off by some lines. Documents with forced breaks are left out: their pages may end before such a box.
 */
export const COVERING = `
  const covering = [];
  {
    ${SOME_RULE}
    const mayFix = someStyle('[style*=fixed i],:modal,:popover-open', ({ position }) => position === 'fixed');
    ${NAME_OF}${TEXTS_WHERE}
    const isLong = document.documentElement.scrollHeight > innerHeight + 1;
    const hides = ({ position, opacity, visibility, backgroundColor, zIndex }) => position === 'fixed' && opacity === '1' &&
      visibility === 'visible' && backgroundColor.startsWith('rgb(') && !(zIndex < 0);
    const hasRoom = ({ top, bottom }) => [...document.querySelectorAll('thead,tfoot')]
      .some(({ offsetHeight }) => offsetHeight >= ${ROOM} * (bottom - top));
    const repeatsRoom = (element) => element !== null &&
      (getComputedStyle(element).boxDecorationBreak === 'clone' || repeatsRoom(element.parentElement));
    const isForced = (element) => {
      const { breakBefore, breakAfter } = getComputedStyle(element);
      return /page|left|right|recto|verso|always/.test(breakBefore.replace('avoid-page', '') + breakAfter.replace('avoid-page', ''));
    };
    let hasBreaks = null;
    for (const box of mayFix && isLong ? document.querySelectorAll('body *') : []) {
      if (covering.length > ${NAMED} || !hides(getComputedStyle(box))) continue;
      const area = box.getBoundingClientRect();
      if (area.bottom - area.top < 1 || hasRoom(area)) continue;
      hasBreaks ??= [...document.querySelectorAll('body *')].some(isForced);
      if (hasBreaks) break;
      const isCovered = (rect) => {
        const middle = (rect.top + rect.bottom) / 2 + scrollY, inPage = middle % innerHeight;
        return middle > innerHeight && inPage > area.top && inPage < area.bottom && rect.right > area.left && rect.left < area.right;
      };
      for (const { parentElement } of textsWhere(document.body, isCovered)) {
        if (repeatsRoom(parentElement)) continue;
        covering.push(nameOf(box));
        break;
      }
    }
  }`;
