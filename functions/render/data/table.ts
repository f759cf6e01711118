import { invalidData } from './source.ts';

/** A value of a cell: text stays text, and a date is ISO 8601 text already. */
export type Cell = string | number | boolean | null;

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
 * Returns rows as records named by a header row. Unnamed columns that are empty throughout are left out.
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
  const names = header.map((name) => String(name ?? '').trim());
  const known = new Set<string>();
  for (const name of names) {
    if (known.has(name)) throw invalidData(`the header row of render_data names "${name}" twice`);
    if (name !== '') known.add(name);
  }
  const keys = names.map((name) => (name === '' ? null : `,${JSON.stringify(name)}:`));
  // The missing cells of a short row are empty, written once for all rows.
  const empty = keys.map((key) => (key === null ? '' : `${key}""`));
  const rest = empty.join('');
  const restFrom = [0];
  for (const member of empty) restFrom.push((restFrom.at(-1) ?? 0) + member.length);
  let length = 0;
  return rows.map((row, index) => {
    const stray = row.findIndex((cell, i) => cell !== '' && cell !== null && (names[i] ?? '') === '');
    if (stray >= 0) {
      throw invalidData(
        `row ${index + 2} of render_data has a value in column ${stray + 1}, which has no name`,
      );
    }
    // The JSON is written by hand because an object would put integer-like names first.
    const cells = row.slice(0, keys.length);
    const given = cells.map((cell, i) => (keys[i] ? `${keys[i]}${JSON.stringify(cell ?? '')}` : ''));
    const members = given.join('') + rest.slice(restFrom[cells.length]);
    const record = `{${members.slice(1)}}`;
    length += record.length;
    if (length > maxLength) {
      const million = Math.round(maxLength / 1024 / 1024);
      throw invalidData(`the records of render_data have more than ${million} million characters in all`);
    }
    return record;
  });
}
