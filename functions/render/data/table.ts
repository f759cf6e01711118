import { MemberTree } from './nested.ts';
import { invalidData } from './source.ts';

/** A number, and the text as which its cell shows it: a postcode with its zeros. */
export interface ShownNumber {
  value: number;
  shown: string;
}

/** A value of a cell: text stays text, and a date is ISO 8601 text already. */
export type Cell = string | number | boolean | null | ShownNumber;

/** The member of a record with the texts as which cells show their numbers, unless a column has that name. */
const SHOWN = 'shown';

/** The number of columns of an XLSX sheet. */
export const MAX_COLUMNS = 16_384;
/** Most cells of a table, each of which takes time: a hundred columns of the most records of a job. */
const MAX_CELLS = 10_000_000;
/** Most characters of all records together: each has the names of all columns, however short its row is. */
const MAX_LENGTH = 256 * 1024 * 1024;

/** @throws PlatenError `render_data_invalid` */
export function checkColumns(count: number): void {
  if (count <= MAX_COLUMNS) return;
  throw invalidData(`render_data has ${count} columns, but a table has ${MAX_COLUMNS} at most`);
}

/** @throws PlatenError `render_data_invalid` */
export function checkCells(count: number): void {
  if (count > MAX_CELLS) throw invalidData('render_data has more than 10 million cells');
}

/**
 * Returns rows as records named by a header row. Unnamed columns that are empty throughout are left out. Names such as
 * `customer.name` and `items[0].price` nest.
 *
 * @param maxLength characters of all records
 * @returns the text of one JSON object for each row
 * @throws PlatenError `render_data_invalid` for duplicate names, values without a column, and too many values
 */
export function tableRecords(
  header: readonly Cell[],
  rows: readonly (readonly Cell[])[],
  maxLength = MAX_LENGTH,
): string[] {
  checkColumns(header.length);
  const names = header.map((name) => String(plain(name)).trim());
  const known = new Set<string>();
  for (const name of names) {
    if (known.has(name)) throw invalidData(`the header row of render_data names "${name}" twice`);
    if (name !== '') known.add(name);
  }
  const members = new MemberTree(names);
  const showsTexts = !members.has(SHOWN);
  let length = 0;
  return rows.map((row, index) => {
    const stray = row.findIndex((cell, i) => cell !== '' && cell !== null && (names[i] ?? '') === '');
    if (stray >= 0) {
      throw invalidData(
        `row ${index + 2} of render_data has a value in column ${stray + 1}, which has no name`,
      );
    }
    const shown = showsTexts ? row.flatMap((cell, i) => (isShown(cell) ? [[names[i], cell.shown]] : [])) : [];
    const more = shown.length === 0 ? '' : `,"${SHOWN}":${JSON.stringify(Object.fromEntries(shown))}`;
    const record = members.write((i) => JSON.stringify(plain(row[i])), more);
    length += record.length;
    if (length > maxLength) {
      const million = Math.round(maxLength / 1024 / 1024);
      throw invalidData(`the records of render_data have more than ${million} million characters in all`);
    }
    return record;
  });
}

function isShown(cell: Cell): cell is ShownNumber {
  return typeof cell === 'object' && cell !== null;
}

/** Returns the value of a cell; the empty text for a cell that is missing. */
function plain(cell: Cell | undefined): string | number | boolean {
  if (cell === undefined || cell === null) return '';
  return isShown(cell) ? cell.value : cell;
}
