import type { PdfFile } from '../model/index.ts';
import type { PdfDict, PdfValue } from '../model/values.ts';
import { kidsOf } from './nesting.ts';
import type { Element } from './structure.ts';

/** Maximum column span of a cell; a larger one is an error. */
const MOST = 1000;

interface Row {
  row: Element;
  /** Number of rows from this one to the end of its group, which limits spans. */
  left: number;
}

interface Span {
  readonly across: number;
  readonly down: number;
}

const SINGLE: Span = { across: 1, down: 1 };

/**
 * The rows of a table with their numbers of columns, including spans. Spans beyond the last row, which a source
 * may contain, are reduced (7.2).
 */
export function repairedWidths(
  file: PdfFile,
  table: Element,
): { row: Element; width: number; overlaps: boolean }[] {
  /** For each column, the number of following rows that are covered. */
  const taken: number[] = [];
  return rowsOf(table).map(({ row, left }) => {
    let at = 0;
    let overlaps = false;
    for (const cell of cellsOf(row)) {
      while ((taken[at] ?? 0) > 0) at++;
      const { across, down } = repairedSpan(file, cell, left);
      for (let end = at + across; at < end; at++) {
        overlaps ||= (taken[at] ?? 0) > 0;
        taken[at] = Math.max(taken[at] ?? 0, down);
      }
    }
    let width = 0;
    for (let column = 0; column < taken.length; column++) {
      if ((taken[column] ?? 0) > 0) width = column + 1;
      taken[column] = Math.max(0, (taken[column] ?? 0) - 1);
    }
    return { row, width, overlaps };
  });
}

function repairedSpan(file: PdfFile, { ref, dict }: Element, left: number): Span {
  // Most cells have no attributes.
  if (dict['/A'] === undefined) return SINGLE;
  const span = spanOf(file, dict);
  const { across, down } = bounded(span, left);
  if (across === span.across && down === span.down) return span;
  const attributes = attributesOf(file, dict).map((entry) => {
    // Revision numbers are in the same array.
    const { '/ColSpan': columns, '/RowSpan': rows, ...rest } = file.dict(entry);
    if (columns === undefined && rows === undefined) return entry;
    return {
      ...rest,
      ...(columns === undefined ? {} : { '/ColSpan': across }),
      ...(rows === undefined ? {} : { '/RowSpan': down }),
    };
  });
  file.set(ref, { ...file.dict(ref), '/A': attributes });
  return { across, down };
}

/** The rows by group; rows outside of groups form a group. */
function rowsOf(table: Element): Row[] {
  const groups: Element[][] = [];
  let isOpen = false;
  for (const kid of kidsOf(table)) {
    const isGroup = ['THead', 'TBody', 'TFoot'].includes(kid.type);
    if (isGroup) groups.push(kidsOf(kid).filter(({ type }) => type === 'TR'));
    else if (kid.type === 'TR' && isOpen) groups.at(-1)?.push(kid);
    else if (kid.type === 'TR') groups.push([kid]);
    isOpen = kid.type === 'TR' || (isOpen && !isGroup);
  }
  return groups.flatMap((rows) => rows.map((row, index) => ({ row, left: rows.length - index })));
}

function cellsOf(row: Element): Element[] {
  return kidsOf(row).filter(({ type }) => type === 'TD' || type === 'TH');
}

function attributesOf(file: PdfFile, { '/A': value }: PdfDict): PdfValue[] {
  const resolved = file.resolve(value);
  return Array.isArray(resolved) ? resolved : [value ?? null];
}

/** The number of rows or columns that a cell spans. */
function spanOf(file: PdfFile, dict: PdfDict): Span {
  const span = { ...SINGLE };
  for (const entry of attributesOf(file, dict)) {
    const { '/ColSpan': across, '/RowSpan': down } = file.dict(entry);
    if (typeof across === 'number') span.across = across;
    if (typeof down === 'number') span.down = down;
  }
  return span;
}

function bounded({ across, down }: Span, left: number): Span {
  const within = (value: number, most: number): number => Math.min(most, Math.max(1, Math.trunc(value)));
  return { across: within(across, MOST), down: within(down, left) };
}
