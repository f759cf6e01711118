import { atWidth, NAME_OF } from '@platen/print/in-document';
import { NAMED } from '@platen/print/losses';
import { type SheetOptions, sheetPixels } from '@platen/print/sheet-options';

/**
 * Returns statements that leave what is wider than the pages in `wide`, boxes that cut text off in `cut`, and tables whose
 * rows are connected over more than a page in `connected`. The view of the document does not have the width of its pages
 * yet, so its root has.
 *
 * @param avoids whether the document may avoid breaks; those that are not avoided are left in `avoided`
 * @param opening statements that open boxes that scroll, and leave those that cut text off in `cut`
 */
export function onPaper(
  options: Pick<SheetOptions, 'paper' | 'landscape' | 'margins' | 'scale' | 'fitsContent'>,
  opening: string,
  avoids: boolean,
): string {
  return `
  const { cut, wide, connected, avoided } = (() => {
    const given = ${JSON.stringify(sheetPixels(options))};
    const left = rules?.margins.left ?? given.left, right = rules?.margins.right ?? given.right;
    const room = ((rules?.size?.width ?? given.width) - left - right) / ${options.scale};
    const top = rules?.margins.top ?? given.top, bottom = rules?.margins.bottom ?? given.bottom;
    const height = ${options.fitsContent} ? Infinity : ((rules?.size?.height ?? given.height) - top - bottom) / ${options.scale};
    ${atWidth('room', `${opening}${WIDE}${CONNECTED}${avoids ? AVOIDED : 'const avoided = [];'} return { cut, wide, connected, avoided };`)}
  })();`;
}

/** WebKit's smallest scale: its largest shrink factor of 2, for its ordinary one of 1.25. */
const LEAST_SCALE = 1.25 / 2;

/**
 * Statements that leave the widest element and the scale that makes room for it in `wide`, if it is wider than `room`.
 * What is in boxes that cut it off does not count, nor in columns, which are arranged later.
 */
const WIDE = `${NAME_OF}
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
    const isInColumns = (element) => {
      for (let next = element.parentElement; next !== null; next = next.parentElement) {
        const { columnCount, columnWidth } = getComputedStyle(next);
        if (columnCount !== 'auto' || columnWidth !== 'auto') return true;
      }
      return false;
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
      if ((reach > most + 1 || (!isBox && reach > most - 1)) && !isInColumns(element))
        [most, widest, isBox] = [Math.max(most, reach), element, own > reach - 1];
    }
    return widest === null ? null : { element: nameOf(widest), ratio: room / most, least: ${LEAST_SCALE} };
  })();`;

/**
 * Statements that leave elements in `avoided` that WebKit may divide, or separate from their neighbours, although their styles
 * avoid that: children of flex and grid containers that are higher than a page (`height`), and any in documents of several pages.
 */
const AVOIDED = `
  const avoided = [];
  {
    const avoids = (value) => value === 'avoid' || value === 'avoid-page';
    const isLong = document.documentElement.scrollHeight > height;
    for (const element of isLong ? document.body?.querySelectorAll('*') ?? [] : []) {
      const { breakInside, breakBefore, breakAfter } = getComputedStyle(element);
      const around = element.parentElement;
      const isDivided = avoids(breakInside) && around.offsetHeight > height && /flex|grid/.test(getComputedStyle(around).display);
      if (avoided.length <= ${NAMED} && (isDivided || avoids(breakBefore) || avoids(breakAfter))) avoided.push(nameOf(element));
    }
  }`;

/** Statements that leave tables with a cell that spans rows and is higher than a page (`height`) in `connected`. */
const CONNECTED = `
  const connected = [];
  for (const cell of document.querySelectorAll('td[rowspan],th[rowspan]')) {
    const name = cell.rowSpan > 1 && cell.offsetHeight > height ? nameOf(cell.closest('table')) : null;
    if (name !== null && connected.length <= ${NAMED} && !connected.includes(name)) connected.push(name);
  }`;
