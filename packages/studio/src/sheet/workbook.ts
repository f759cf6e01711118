import { momentOf, shownFormat } from '@platen/core/sheet-moment';
import type { JsonObject } from '../api/types.ts';
import type { Rows } from '../screens/records.ts';
import { attribute, escaped, type Tag, tagsOf } from './markup.ts';
import { rowsOf, sharedTexts, type SheetCell, type SheetRow } from './rows.ts';
import { entryText, openZip, withEntry, type Zip } from './zip.ts';

/**
 * Reads the first sheet of an XLSX workbook as records under its header row, as the service does: its first rows, and
 * the workbook with other column names or fewer rows. All other content stays unchanged.
 */

/** Most characters of a part: a larger one is not a usual table, or the ZIP unpacks to gigabytes. */
const MOST = 64_000_000;
/** Most characters of the sheet if only its first rows are needed. */
const BEGINNING = 1_000_000;

type Value = string | number | boolean;

interface Workbook {
  zip: Zip;
  /** Name of the entry with the first sheet. */
  sheet: string;
  is1904: boolean;
}

/** @throws Error for a file that is not an XLSX workbook or is too large */
export async function readSheet(file: Blob, most = 5): Promise<Rows> {
  const book = await openWorkbook(file);
  const sheet = await entryText(book.zip, book.sheet, BEGINNING, true);
  const found: SheetRow[] = [];
  for (const row of rowsOf(sheet)) {
    found.push(row);
    if (found.length > most) break;
  }
  const [header, ...rows] = found;
  if (header === undefined) return { columns: [], rows: [], count: null };
  const show = await valuesOf(book, found);
  const names = namesOf(header, show);
  const records = rows.map(({ cells }) => {
    const values = new Map(cells.map((cell) => [cell.column, show(cell)]));
    return Object.fromEntries(Array.from(names, ([column, name]) => [name, values.get(column) ?? '']));
  });
  return { columns: [...names.values()], rows: records satisfies JsonObject[], count: null };
}

/**
 * Returns the workbook with other names in its header row.
 *
 * @param names new names by those in the file; others stay
 * @throws Error as `readSheet`
 */
export async function renamedSheet(file: File, names: ReadonlyMap<string, string>): Promise<File> {
  const book = await openWorkbook(file);
  const sheet = await entryText(book.zip, book.sheet, MOST);
  const { value: header, done } = rowsOf(sheet).next();
  if (done === true) return file;
  const known = namesOf(header, await valuesOf(book, [header]));
  let text = '';
  let at = 0;
  for (const { column, from, to } of header.cells) {
    const name = names.get(known.get(column) ?? '');
    if (name === undefined) continue;
    text += sheet.slice(at, from) + textCell(sheet.slice(from, to), name);
    at = to;
  }
  return await fileOf(file, book, text + sheet.slice(at));
}

/**
 * Returns the workbook with only some of its rows.
 *
 * @param numbers of records, from 0
 * @throws Error as `readSheet`
 */
export async function sheetOfRows(file: File, numbers: readonly number[]): Promise<File> {
  const book = await openWorkbook(file);
  const sheet = await entryText(book.zip, book.sheet, MOST);
  const wanted = new Set(numbers);
  let text = '';
  let at = 0;
  let number = -2;
  for (const { from, to } of rowsOf(sheet)) {
    number++;
    if (number < 0 || wanted.has(number)) continue;
    text += sheet.slice(at, from);
    at = to;
  }
  return await fileOf(file, book, text + sheet.slice(at));
}

/** Returns a cell of a sheet with a text, in the same place and with the same style. */
function textCell(markup: string, text: string): string {
  const open = markup.slice(0, markup.indexOf('>')).replace(/\st=(?:"[^"]*"|'[^']*')/, '');
  const ns = /^<(\w+:)?c/.exec(open)?.[1] ?? '';
  const content = `<${ns}is><${ns}t xml:space="preserve">${escaped(text)}</${ns}t></${ns}is>`;
  return `${open} t="inlineStr">${content}</${ns}c>`;
}

async function openWorkbook(file: Blob): Promise<Workbook> {
  const zip = await openZip(file);
  const relations = new Map<string, string>();
  for (const tag of tagsOf(await entryText(zip, 'xl/_rels/workbook.xml.rels', MOST)))
    if (tag.name === 'Relationship')
      relations.set(attribute(tag, 'Id') ?? '', attribute(tag, 'Target') ?? '');
  const tags = [...tagsOf(await entryText(zip, 'xl/workbook.xml', MOST))];
  const first = tags.find(({ name }) => name === 'sheet');
  const target = first && relations.get(attribute(first, 'id') ?? '');
  if (target === undefined) throw new Error('no sheet');
  const properties = tags.find(({ name }) => name === 'workbookPr');
  return {
    zip,
    sheet: target.startsWith('/') ? target.slice(1) : `xl/${target}`,
    is1904: properties !== undefined && /^(?:1|true)$/.test(attribute(properties, 'date1904') ?? ''),
  };
}

/** Returns the displayed values of these rows, as the service reads them. */
async function valuesOf(book: Workbook, rows: readonly SheetRow[]): Promise<(cell: SheetCell) => Value> {
  const { zip, is1904 } = book;
  const has = (name: string): boolean => zip.entries.some((entry) => entry.name === name);
  const cells = rows.flatMap((row) => row.cells);
  const shared = cells.filter(({ kind }) => kind === 's').map(({ value }) => Number(value));
  const last = shared.reduce((most, index) => Math.max(most, index), -1);
  const [texts, styles] = ['xl/sharedStrings.xml', 'xl/styles.xml'];
  const strings = last < 0 || !has(texts) ? [] : sharedTexts(await entryText(zip, texts, MOST), last);
  const formats = has(styles) ? formatsOf(await entryText(zip, styles, MOST)) : [];
  return ({ kind, style, value }) => {
    if (kind === 's') return strings[Number(value)] ?? '';
    if (kind === 'b') return value === '1';
    if (kind !== 'n') return value;
    const shown = formats[style];
    return (shown === undefined ? null : momentOf(Number(value), shown, is1904)) ?? Number(value);
  };
}

/** Returns for each style the format of its dates and times; undefined if it has none. */
function formatsOf(styles: string): (string | undefined)[] {
  const codes = new Map(Object.entries(MOMENTS));
  const formats: (string | undefined)[] = [];
  let isInCells = false;
  for (const tag of tagsOf(styles)) {
    if (tag.name === 'numFmt' && !tag.closes)
      codes.set(attribute(tag, 'numFmtId') ?? '', momentFormat(attribute(tag, 'formatCode') ?? ''));
    else if (tag.name === 'cellXfs') isInCells = !tag.closes;
    else if (tag.name === 'xf' && isInCells && !tag.closes) formats.push(formatOf(tag, codes));
  }
  return formats;
}

function formatOf(tag: Tag, codes: ReadonlyMap<string, string>): string | undefined {
  return codes.get(attribute(tag, 'numFmtId') ?? '') || undefined;
}

/** The formats of dates and times that every workbook has (ECMA-376 part 1, 18.8.30). */
const MOMENTS: Readonly<Record<string, string>> = {
  14: 'm/d/yy',
  15: 'd-mmm-yy',
  16: 'd-mmm',
  17: 'mmm-yy',
  18: 'h:mm AM/PM',
  19: 'h:mm:ss AM/PM',
  20: 'h:mm',
  21: 'h:mm:ss',
  22: 'm/d/yy h:mm',
  45: 'mm:ss',
  46: '[h]:mm:ss',
  47: 'mmss.0',
};

/** Returns '' for a format of numbers. */
function momentFormat(code: string): string {
  const shown = shownFormat(code);
  const letters = shown
    .replace(/general|\[(?!h+\]|m+\]|s+\])[^\][]*\]/gi, '')
    .replace(/[0#?][0#?.,E+%-]*/g, '');
  return /[ymdhseg]/i.test(letters) ? shown : '';
}

/** Returns the names of columns by their places; columns without a name are ignored. */
function namesOf(header: SheetRow, show: (cell: SheetCell) => Value): Map<number, string> {
  const names = header.cells.map((cell): [number, string] => [cell.column, String(show(cell)).trim()]);
  return new Map(names.filter(([, name]) => name !== ''));
}

async function fileOf(file: File, { zip, sheet }: Workbook, text: string): Promise<File> {
  return new File([await withEntry(zip, sheet, text)], file.name, { type: file.type });
}
