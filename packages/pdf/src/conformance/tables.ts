import type { PdfFile } from '../model/index.ts';
import type { PdfDict } from '../values.ts';
import { type Element, isElement } from './structure.ts';

/** Rows and columns that a cell may span; one that says more is wrong. */
const MOST = 1000;

/** The rows of a table with the columns that each has, what spans rows and columns counted. */
export function widthsOf(file: PdfFile, table: Element): { row: Element; width: number }[] {
  /** Of each column: how many rows further down are taken. */
  const taken: number[] = [];
  return rowsOf(table).map((row) => {
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
    return { row, width };
  });
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
