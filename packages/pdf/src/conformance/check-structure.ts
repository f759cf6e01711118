import type { PdfFile } from '../model/index.ts';
import { isString, textOf, type PdfDict } from '../values.ts';
import { type Element, isElement, pageOf, type Structure } from './structure.ts';
import type { Violations } from './violations.ts';

/** Looks for what only the author can say: texts for pictures, the order of headings, whole tables. */
export function checkStructure(file: PdfFile, structure: Structure, violations: Violations): void {
  let heading = 0;
  for (const element of structure.elements) {
    const level = Number(/^H([1-6])$/.exec(element.type)?.[1] ?? 0);
    if (level > 0) {
      checkHeading(element, level, heading, violations);
      heading = level;
    } else if (element.type === 'Figure') checkAlternate(element, FIGURE, violations);
    else if (element.type === 'Formula') checkAlternate(element, FORMULA, violations);
    else if (element.type === 'Table') checkTable(file, element, violations);
  }
}

function placeOf(element: Element): { page: number | null; element: string } {
  return { page: pageOf(element), element: element.label };
}

function checkHeading(element: Element, level: number, before: number, violations: Violations): void {
  if (level <= before + 1) return;
  const detail =
    before === 0
      ? `The first heading is of level ${level}: begin with a heading of level 1 (h1).`
      : `A heading of level ${level} follows one of level ${before}: leave no level out (h${before + 1}).`;
  violations.add({ accessible: '7.4.2' }, detail, placeOf(element));
}

const FIGURE = {
  clause: '7.3',
  detail:
    'A picture has no alternate text: give it one (`alt`, or `aria-label` for svg and canvas), or an empty `alt` where it is decoration.',
};
const FORMULA = { clause: '7.7', detail: 'A formula has no alternate text: give it one.' };

function checkAlternate(
  element: Element,
  { clause, detail }: { clause: string; detail: string },
  violations: Violations,
): void {
  const { dict } = element;
  if (['/Alt', '/ActualText'].some((key) => isString(dict[key]) && textOf(dict[key]).trim() !== '')) return;
  violations.add({ accessible: clause }, detail, placeOf(element));
}

/** Rows and columns that are looked at; a table that says more is wrong. */
const MOST = 10_000;

/** Every row has as many cells as the others, what spans rows and columns counted. */
function checkTable(file: PdfFile, table: Element, violations: Violations): void {
  const rows = rowsOf(table);
  /** Of each column: how many rows further down are taken. */
  const taken: number[] = [];
  let columns = -1;
  for (const row of rows) {
    let at = 0;
    for (const cell of row.kids.filter(isElement)) {
      while ((taken[at] ?? 0) > 0) at++;
      const { across, down } = spanOf(file, cell.dict);
      for (let end = at + across; at < end; at++) taken[at] = Math.max(taken[at] ?? 0, down);
    }
    let width = 0;
    for (let column = 0; column < taken.length; column++) {
      if ((taken[column] ?? 0) > 0) width = column + 1;
      taken[column] = Math.max(0, (taken[column] ?? 0) - 1);
    }
    if (columns !== -1 && width !== columns) {
      const detail = `A row of the table is ${width} columns wide, those above it ${columns}: give every row as many cells, counting colspan and rowspan.`;
      violations.add({ accessible: '7.2' }, detail, {
        page: pageOf(row) ?? pageOf(table),
        element: table.label,
      });
      return;
    }
    columns = width;
  }
}

function rowsOf(table: Element): Element[] {
  return table.kids.filter(isElement).flatMap((kid) => {
    if (kid.type === 'TR') return [kid];
    return ['THead', 'TBody', 'TFoot'].includes(kid.type) ? kid.kids.filter(isElement) : [];
  });
}

function spanOf(file: PdfFile, { '/A': value }: PdfDict): { across: number; down: number } {
  const resolved = file.resolve(value);
  const span = { across: 1, down: 1 };
  for (const entry of Array.isArray(resolved) ? resolved : [value]) {
    const { '/ColSpan': across, '/RowSpan': down } = file.dict(entry);
    if (typeof across === 'number') span.across = Math.min(MOST, Math.max(1, across));
    if (typeof down === 'number') span.down = Math.min(MOST, Math.max(1, down));
  }
  return span;
}
