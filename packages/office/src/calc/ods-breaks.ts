import { countOf } from '../odf/counts.ts';
import { AutomaticStyles } from '../odf/styles.ts';
import { all, copyElement, type Element } from '../xml/tree.ts';
import type { OdsSheet } from './ods-sheet.ts';

/** Page breaks of OpenDocument spreadsheets: properties of the style of the row that they precede. */

const BREAK = 'fo:break-before';
const COUNT = 'table:number-rows-repeated';
/** Repeated rows beyond these are not looked at one by one: they are the empty ones below the cells. */
const MAX_REPEATED = 1000;

/** Moves page breaks with their rows, as in xlsx: those within a repeated block are in each pass. */
export function moveBreaks(root: Element, sheets: readonly OdsSheet[]): void {
  const breaking = new Set(
    all(root, 'style:style')
      .filter((style) => style.get('style:family') === 'table-row')
      .filter((style) => style.first('style:table-row-properties')?.get(BREAK) === 'page')
      .map((style) => style.get('style:name')),
  );
  const moved = sheets.filter(({ map }) => map.moved);
  if (breaking.size === 0 || moved.length === 0) return;
  const styles = new AutomaticStyles(root);
  for (const sheet of moved) {
    const wanted = wantedBreaks(sheet, breaking);
    for (const { element, row } of sheet.placed()) {
      const isWanted = wanted.has(row);
      if (isWanted === breaking.has(element.get('table:style-name'))) continue;
      const count = countOf(element, COUNT);
      if (isWanted && count > 1) {
        // Only the first of several equal rows begins a page.
        element.parent?.insertAfter(element, withCount(copyElement(element), count - 1));
        withCount(element, 1);
      }
      const change = { [BREAK]: isWanted ? 'page' : 'auto' };
      const name = element.get('table:style-name');
      element.set('table:style-name', styles.derive('table-row', name, 'style:table-row-properties', change));
    }
  }
}

/** Returns the filled rows that begin a page. */
function wantedBreaks(sheet: OdsSheet, breaking: ReadonlySet<string | undefined>): Set<number> {
  const wanted = new Set<number>();
  for (const { origin, count, element } of sheet.templateRows()) {
    if (!breaking.has(element.get('table:style-name'))) continue;
    for (let row = origin; row < origin + Math.min(count, MAX_REPEATED); row += 1)
      if (row > 1) for (const above of sheet.map.breaksAfter(row - 1)) wanted.add(above + 1);
  }
  return wanted;
}

function withCount(row: Element, count: number): Element {
  if (count === 1) row.unset(COUNT);
  else row.set(COUNT, String(count));
  return row;
}
