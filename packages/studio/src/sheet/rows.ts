import { attribute, type Tag, tagsOf, unescaped } from './markup.ts';

/** Reads the rows of a sheet, in the order of its text. */

export interface SheetCell {
  /** The column, from 0. */
  column: number;
  /** The type in the sheet's notation: `s` is the number of a shared text. */
  kind: string;
  style: number;
  value: string;
  from: number;
  to: number;
}

export interface SheetRow {
  /** The cells with a value. */
  cells: SheetCell[];
  from: number;
  to: number;
}

/** Yields the rows with any value; the service skips the others as well. */
export function* rowsOf(sheet: string): Generator<SheetRow> {
  let row: SheetRow | null = null;
  let cell: SheetCell | null = null;
  let column = -1;
  let from = 0;
  for (const tag of tagsOf(sheet)) {
    if (tag.name === 'row') {
      if (!tag.closes) {
        row = tag.isEmpty ? null : { cells: [], from: tag.from, to: 0 };
        column = -1;
      } else if (row !== null) {
        if (row.cells.length > 0) yield { ...row, to: tag.to };
        row = null;
      }
    } else if (tag.name === 'c' && !tag.closes) {
      column = columnOf(attribute(tag, 'r')) ?? column + 1;
      cell = tag.isEmpty ? null : cellOf(tag, column);
    } else if (tag.name === 'c' && cell !== null) {
      // An empty text is a value, such as the result of a formula.
      if (cell.value !== '' || !/^[ns]$/.test(cell.kind)) row?.cells.push({ ...cell, to: tag.to });
      cell = null;
    } else if (tag.name === 'v' || tag.name === 'is') {
      if (!tag.closes) from = tag.to;
      else if (cell !== null) {
        const inner = sheet.slice(from, tag.from);
        cell.value = tag.name === 'is' ? textIn(inner) : unescaped(inner);
      }
    } else if (tag.name === 'sheetData' && tag.closes) return;
  }
}

/** Returns the shared texts that cells refer to by number, up to the last requested one. */
export function sharedTexts(markup: string, last: number): string[] {
  const texts: string[] = [];
  let from = 0;
  for (const tag of tagsOf(markup)) {
    if (texts.length > last) break;
    if (tag.name !== 'si') continue;
    if (tag.isEmpty) texts.push('');
    else if (tag.closes) texts.push(textIn(markup.slice(from, tag.from)));
    else from = tag.to;
  }
  return texts;
}

/** Returns the text of a shared text's runs, without its phonetic guide. */
function textIn(markup: string): string {
  let text = '';
  let from = 0;
  let isSpoken = false;
  for (const tag of tagsOf(markup)) {
    if (tag.name === 'rPh') isSpoken = !tag.closes;
    else if (tag.name === 't' && !tag.isEmpty) {
      if (!tag.closes) from = tag.to;
      else if (!isSpoken) text += unescaped(markup.slice(from, tag.from));
    }
  }
  return text;
}

function cellOf(tag: Tag, column: number): SheetCell {
  const kind = attribute(tag, 't') ?? 'n';
  return { column, kind, style: Number(attribute(tag, 's') ?? 0), value: '', from: tag.from, to: 0 };
}

/** Returns the column of a cell reference: 27 for `AB12`. */
function columnOf(reference: string | undefined): number | undefined {
  const letters = /^[A-Z]{1,3}/.exec(reference ?? '')?.[0];
  if (letters === undefined) return undefined;
  return Array.from(letters).reduce((sum, letter) => sum * 26 + letter.charCodeAt(0) - 64, 0) - 1;
}
