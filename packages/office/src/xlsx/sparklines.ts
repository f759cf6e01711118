import { cellName } from '../calc/cell-names.ts';
import { all, copyElement, distinct, type Element, remove } from '../xml/tree.ts';
import { besideCells, setText, sourceText } from './sheet-parts.ts';
import type { Rewriting, Sheet } from './sheet.ts';

/** Sparklines, charts in one cell each ([MS-XLSX] 2.6.118): those of a repeated row occur in each pass. */

export function repeatSparklines(sheet: Sheet, rewriting: Rewriting): void {
  for (const sparkline of distinct(besideCells(sheet.root, 'x14:sparkline'))) {
    const copies = sheet
      .placesOf(cellOf(sparkline))
      .map((place, i) => placed(i === 0 ? sparkline : copyElement(sparkline), place, sheet, rewriting))
      .filter((copy) => copy !== null);
    sparkline.parent?.insertAfter(sparkline, ...copies.filter((copy) => copy !== sparkline));
    if (!copies.includes(sparkline)) remove(sparkline);
  }
  // Each of these holds at least one of the next.
  for (const tag of ['x14:sparklines', 'x14:sparklineGroup', 'x14:sparklineGroups', 'x:ext', 'x:extLst'])
    for (const holder of besideCells(sheet.root, tag)) removeIfSpent(holder);
}

/** @returns null if its cell has disappeared */
function placed(
  sparkline: Element,
  place: ReturnType<Sheet['placesOf']>[number],
  sheet: Sheet,
  { resolve, notes }: Rewriting,
): Element | null {
  const cell = sheet.cells(cellOf(sparkline), place?.scope ?? null);
  if (cell === '') return null;
  for (const element of all(sparkline, 'xm:sqref')) setText(element, cell);
  for (const element of all(sparkline, 'xm:f')) {
    const text = notes.rewrite(
      sourceText(element),
      'excel',
      (reference) => resolve({ ...reference, isArgument: reference.last !== null }, place, sheet),
      () => `the sparkline of ${cellName(sheet.oldName, cellOf(sparkline))}`,
    );
    setText(element, text);
  }
  return sparkline;
}

function cellOf(sparkline: Element): string {
  return (sparkline.source ?? sparkline).first('xm:sqref')?.textContent() ?? '';
}

function removeIfSpent(holder: Element): void {
  const isLine = holder.tag === 'x14:sparklineGroup' && !holder.first('x14:sparklines');
  const hadAny = holder.source !== null && holder.source.elements().length > 0;
  if (isLine || (hadAny && holder.elements().length === 0)) remove(holder);
}
