import { FORCED_BREAK, NAME_OF } from '../in-document.ts';
import { NAMED } from '../losses.ts';
import { EACH_RULE, PIXELS_OF_INCH, SOME_RULE } from '../page-rules.ts';
import { inches } from '../paper.ts';
import type { ChromePage } from './page.ts';

/** What Chromium loses where pages end. */

/** Returns the height, in CSS pixels, of the content of the highest page that the rules of a document have. */
export function highestPage({ sheet, rules }: ReturnType<ChromePage['sheet']>, scale: number): number {
  const pixels = (centimetres: number): number => inches(centimetres) * PIXELS_OF_INCH;
  const heights = (rules?.kinds ?? []).flatMap(({ first, left, right }) =>
    [first, left, right].map(({ size, margins: { top, bottom } }) => {
      const height = size?.height ?? sheet.size.height * PIXELS_OF_INCH;
      return height - (top ?? pixels(sheet.margins.top)) - (bottom ?? pixels(sheet.margins.bottom));
    }),
  );
  return Math.max(0, ...heights) / scale;
}

/**
 * Returns statements that leave elements that are higher than any page in `tall`, and heads and feet of tables that are
 * higher than a quarter of it, which Chromium does not repeat (LayoutNG, block fragmentation of tables), in `heads`.
 *
 * @param highest as `highestPage` returns it; 0 if all pages are as high as the view
 */
export const high = (highest: number): string => `
  const tall = [], heads = [];
  {
    ${NAME_OF}
    for (const picture of document.querySelectorAll('img,svg,canvas'))
      if (picture.getBoundingClientRect().height > Math.max(innerHeight, ${highest}) + 1 && tall.length <= ${NAMED}) tall.push(nameOf(picture));
    for (const table of document.querySelectorAll('table')) {
      if (table.offsetHeight <= innerHeight || heads.length > ${NAMED}) continue;
      for (const part of [table.tHead, table.tFoot])
        if (part !== null && part.offsetHeight > innerHeight / 4) heads.push(nameOf(part));
    }
  }`;

/** Defines `isOnSeveralPages(box)`: whether the end of a page divides a box. Unknown, thus false, beside forced breaks. */
const ON_SEVERAL_PAGES = `
  const forced = ${FORCED_BREAK};
  const isForced = (element) => [getComputedStyle(element)].some(({ breakBefore, breakAfter }) => forced.test(breakBefore) || forced.test(breakAfter));
  const pageOf = (y) => Math.floor((y + scrollY) / innerHeight);
  let hasBreaks = null;
  const isOnSeveralPages = ({ top, bottom }) => {
    if (pageOf(top) === pageOf(bottom - 1)) return false;
    hasBreaks ??= [...document.querySelectorAll('body *')].some(isForced);
    return !hasBreaks;
  };`;

/**
 * Statements that leave tables in `spanned` with a cell that spans rows on several pages and has a background: where a page
 * ends before its room is used up, Chromium draws that below the last row, and too short by as much on the next page.
 */
export const SPANNED = `
  const spanned = [];
  {
    ${NAME_OF}${ON_SEVERAL_PAGES}
    const tables = new Set();
    for (const cell of document.querySelectorAll('td[rowspan],th[rowspan]')) {
      const { backgroundColor, backgroundImage } = getComputedStyle(cell);
      if (cell.rowSpan < 2 || (backgroundColor === 'rgba(0, 0, 0, 0)' && backgroundImage === 'none')) continue;
      const table = cell.closest('table');
      if (table.offsetHeight > innerHeight || isOnSeveralPages(cell.getBoundingClientRect())) tables.add(table);
      if (tables.size > ${NAMED}) break;
    }
    spanned.push(...[...tables].map(nameOf));
  }`;

/**
 * Statements that leave absolutely placed boxes in `divided` that the end of a page divides although they, or all boxes like
 * them, should not be (`break-inside`): Chromium divides them where they are.
 */
export const DIVIDED = `
  const divided = [];
  {
    ${SOME_RULE}${NAME_OF}${ON_SEVERAL_PAGES}
    const mayHave = someStyle('[style*=break-inside]', ({ breakInside }) => /^avoid/.test(breakInside)) &&
      someStyle('[style*=absolute i]', ({ position }) => /absolute|var/.test(position));
    for (const element of mayHave ? document.body?.querySelectorAll('*') ?? [] : []) {
      const { position, breakInside } = getComputedStyle(element);
      if (position !== 'absolute' || !/^avoid/.test(breakInside) || divided.length > ${NAMED}) continue;
      const box = element.getBoundingClientRect();
      if (box.height <= innerHeight && isOnSeveralPages(box)) divided.push(nameOf(element));
    }
  }`;

/** Maximum number of lines that a letter stands beside. */
const MAX_LINES = 8;

/**
 * Statements that keep large letters at the beginning of paragraphs with the lines beside them: Chromium moves a float that
 * has no room to the next page, and leaves the first lines of its paragraph where they are.
 */
export const LARGE_LETTERS = `
  {
    ${EACH_RULE}
    const lengths = (style, ...names) => names.reduce((sum, name) => sum + (parseFloat(style[name]) || 0), 0);
    const around = ['marginTop', 'marginBottom', 'paddingTop', 'paddingBottom'];
    const keep = (block, height) => {
      const { lineHeight, fontSize, orphans } = getComputedStyle(block);
      const lines = Math.ceil(height / (parseFloat(lineHeight) || 1.15 * parseFloat(fontSize)) - 0.1);
      if (lines > orphans && lines <= ${MAX_LINES}) block.style.setProperty('orphans', lines, 'important');
    };
    const isFirst = ({ previousSibling }) => previousSibling === null || (previousSibling instanceof Text && previousSibling.data.trim() === '');
    eachRule(({ selectorText, style }, _, applies) => {
      const isLetter = /:first-letter/.test(selectorText);
      if (!applies || !(/left|right|start|end/.test(style?.cssFloat) || (isLetter && style?.initialLetter))) return;
      let elements = [];
      try { elements = document.querySelectorAll(selectorText.replace(/::?first-letter/g, '') || '*'); } catch {}
      for (const element of elements) {
        if (isLetter) {
          const letter = getComputedStyle(element, '::first-letter'), [lines] = letter.initialLetter.split(' ');
          const own = parseFloat(letter.lineHeight) || 1.15 * parseFloat(letter.fontSize);
          keep(element, lines === 'normal' ? own + lengths(letter, ...around) : lines * parseFloat(getComputedStyle(element).lineHeight));
        } else if (element.textContent.trim().length <= 2 && element.children.length === 0 && element.offsetHeight > 0 && isFirst(element))
          keep(element.parentElement, element.offsetHeight + lengths(getComputedStyle(element), 'marginTop', 'marginBottom'));
      }
    });
  }`;
