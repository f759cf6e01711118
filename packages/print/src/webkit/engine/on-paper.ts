import { atWidth } from '../../in-document.ts';
import { EACH_RULE } from '../../page-rules.ts';
import { type SheetOptions, sheetPixels } from '../../sheet-options.ts';
import { NOTES } from './paged.ts';

/**
 * Returns statements that leave what is wider than the pages in `wide`, boxes that cut text off in `cut`, and elements with
 * columns, which become one, in `columns`. The view of the document does not have the width of its pages yet, so its root has.
 *
 * @param opening statements that open boxes that scroll, and leave those that cut text off in `cut`
 */
export function onPaper(
  options: Pick<SheetOptions, 'paper' | 'landscape' | 'margins' | 'scale'>,
  opening: string,
): string {
  return `
  const { cut, wide, columns } = (() => {
    const given = ${JSON.stringify(sheetPixels(options))};
    const left = rules?.margins.left ?? given.left, right = rules?.margins.right ?? given.right;
    const room = ((rules?.size?.width ?? given.width) - left - right) / ${options.scale};
    ${atWidth('room', `${NOTES}${EACH_RULE}${ONE_COLUMN}${opening}${WIDE} return { cut, wide, columns };`)}
  })();`;
}

/** Statements that make one column of several, whose lines WebKit would cut where a page ends, and name them in `columns`. */
const ONE_COLUMN = `
  const columns = [];
  let mayHaveColumns = document.querySelector('[style*=column]') !== null;
  eachRule(({ style }) => { mayHaveColumns ||= Boolean(style?.columnCount || style?.columnWidth); });
  for (const owner of mayHaveColumns ? document.querySelectorAll(':root, body, body *') : []) {
    const { columnCount, columnWidth, columnGap, columnSpan, fontSize, paddingLeft, paddingRight } = getComputedStyle(owner);
    // What spans columns would come last.
    if (columnSpan === 'all') say(owner, { 'column-span': 'none' });
    if (columnCount === 'auto' && columnWidth === 'auto') continue;
    const whole = owner.clientWidth - parseFloat(paddingLeft) - parseFloat(paddingRight), gap = parseFloat(columnGap) || parseFloat(fontSize);
    const most = columnWidth === 'auto' ? Infinity : Math.max(1, Math.floor((whole + gap) / (parseFloat(columnWidth) + gap)));
    if (Math.min(columnCount === 'auto' ? Infinity : Number(columnCount), most) > 1 && owner.innerText?.trim()) note(columns, owner);
    say(owner, { 'column-count': 'auto', 'column-width': 'auto' });
  }`;

/** WebKit's smallest scale: its largest shrink factor of 2, for its ordinary one of 1.25. */
const LEAST_SCALE = 1.25 / 2;

/**
 * Statements that leave the widest element and the scale that makes room for it in `wide`, if it is wider than `room`.
 * What is in boxes that cut it off does not count.
 */
const WIDE = `
  const wide = (() => {
    const isFromRight = getComputedStyle(document.documentElement).direction === 'rtl';
    const edge = document.documentElement.getBoundingClientRect().right;
    let most = room, widest = null, isBox = true, shut = null, moved = null;
    // What is placed from the right edge of the view is at that of the page on paper.
    const isFromEdge = (element) => {
      if (!/fixed|absolute/.test(getComputedStyle(element).position)) return false;
      const { left, width } = element.getBoundingClientRect();
      const own = [element.style.getPropertyValue('right'), element.style.getPropertyPriority('right')];
      element.style.setProperty('right', 'auto', 'important');
      const moves = Math.abs(element.getBoundingClientRect().left - left) > 1;
      element.style.setProperty('right', ...own);
      return moves && width <= room;
    };
    for (const element of document.body?.querySelectorAll('*') ?? []) {
      if (shut?.contains(element) || moved?.contains(element)) continue;
      const { left, right, width } = element.getBoundingClientRect();
      if (element.scrollWidth > width + 1 && getComputedStyle(element).overflowX !== 'visible') shut = element;
      const own = isFromRight ? edge - left : right;
      const all = isFromRight ? edge - right + element.scrollWidth : left + element.scrollWidth;
      const reach = shut === element ? own : Math.max(own, all);
      if (reach > most + 1 && isFromEdge(element)) {
        moved = element;
        continue;
      }
      // The outermost box as wide as that, or the innermost one around a text that is.
      if (reach > most + 1 || (!isBox && reach > most - 1))
        [most, widest, isBox] = [Math.max(most, reach), element, own > reach - 1];
    }
    return widest === null ? null : { element: nameOf(widest), ratio: room / most, least: ${LEAST_SCALE} };
  })();`;
