import { invalidData } from './record.ts';

/** A value of a cell: text stays text, a date is ISO 8601 text already. */
export type Cell = string | number | boolean | null;

/**
 * Rows under a header row as records. Columns without a name are left out where they are empty throughout.
 *
 * @returns the text of one JSON object for each row
 * @throws PlatenError `render_data_invalid` for a name that stands twice, or values without a column
 */
export function tableRecords(header: readonly Cell[], rows: readonly (readonly Cell[])[]): string[] {
  const names = header.map((name) => String(name ?? '').trim());
  const twice = names.find((name, i) => name !== '' && names.indexOf(name) !== i);
  if (twice !== undefined) throw invalidData(`the header row of render_data names "${twice}" twice`);
  return rows.map((row, index) => {
    const stray = row.findIndex((cell, i) => cell !== '' && cell !== null && (names[i] ?? '') === '');
    if (stray >= 0) {
      throw invalidData(
        `row ${index + 2} of render_data has a value in column ${stray + 1}, which has no name`,
      );
    }
    // Written by hand: an object would put integer-like names first.
    const members = names.flatMap((name, i) =>
      name === '' ? [] : [`${JSON.stringify(name)}:${JSON.stringify(row[i] ?? '')}`],
    );
    return `{${members.join(',')}}`;
  });
}
