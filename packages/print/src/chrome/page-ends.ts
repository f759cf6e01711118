import { FORCED_BREAK, NAME_OF } from '../in-document.ts';
import { NAMED } from '../losses.ts';

/** What Chromium loses where pages end. */

/**
 * Statements that leave elements that are higher than a page in `tall`, and heads and feet of tables that are higher than
 * a quarter of it, which Chromium does not repeat (LayoutNG, block fragmentation of tables), in `heads`.
 */
export const HIGH = `
  const tall = [], heads = [];
  {
    ${NAME_OF}
    for (const picture of document.querySelectorAll('img,svg,canvas'))
      if (picture.getBoundingClientRect().height > innerHeight + 1 && tall.length <= ${NAMED}) tall.push(nameOf(picture));
    for (const table of document.querySelectorAll('table')) {
      if (table.offsetHeight <= innerHeight || heads.length > ${NAMED}) continue;
      for (const part of [table.tHead, table.tFoot])
        if (part !== null && part.offsetHeight > innerHeight / 4) heads.push(nameOf(part));
    }
  }`;

/**
 * Statements that leave tables in `spanned` with a cell that spans rows on several pages and has a background: where a page
 * ends before its room is used up, Chromium draws that below the last row, and too short by as much on the next page.
 */
export const SPANNED = `
  const spanned = [];
  {
    ${NAME_OF}
    const forced = ${FORCED_BREAK};
    const isForced = (element) => [getComputedStyle(element)].some(({ breakBefore, breakAfter }) => forced.test(breakBefore) || forced.test(breakAfter));
    const pageOf = (y) => Math.floor((y + scrollY) / innerHeight);
    let hasBreaks = null;
    const isDivided = (cell) => {
      if (cell.closest('table').offsetHeight > innerHeight) return true;
      const { top, bottom } = cell.getBoundingClientRect();
      if (pageOf(top) === pageOf(bottom - 1)) return false;
      hasBreaks ??= [...document.querySelectorAll('body *')].some(isForced);
      return !hasBreaks;
    };
    const tables = new Set();
    for (const cell of document.querySelectorAll('td[rowspan],th[rowspan]')) {
      const { backgroundColor, backgroundImage } = getComputedStyle(cell);
      if (cell.rowSpan < 2 || (backgroundColor === 'rgba(0, 0, 0, 0)' && backgroundImage === 'none')) continue;
      if (isDivided(cell)) tables.add(cell.closest('table'));
      if (tables.size > ${NAMED}) break;
    }
    spanned.push(...[...tables].map(nameOf));
  }`;
