import type { Json, JsonObject } from '../api/types.ts';
import { csvLines, isSheet } from './records.ts';

/** Changes files of records: their column names, or a selection of their rows. */

/**
 * Returns a file of the same kind with only these rows.
 *
 * @param numbers from 0, in the requested order
 * @throws Error for a file that cannot be read
 */
export async function withRows(file: File, numbers: readonly number[]): Promise<File> {
  if (isSheet(file.name)) return (await import('../sheet/workbook.ts')).sheetOfRows(file, numbers);
  const content = await file.text();
  return new File([rowsOf(file.name, content, numbers)], file.name, { type: file.type });
}

/**
 * Returns a file of the same kind with other column names.
 *
 * @param names new names by those in the file; others stay
 * @throws Error for a file that cannot be read
 */
export async function withColumns(file: File, names: ReadonlyMap<string, string>): Promise<File> {
  if (names.size === 0) return file;
  if (isSheet(file.name)) return (await import('../sheet/workbook.ts')).renamedSheet(file, names);
  const content = await file.text();
  const renamed = (record: unknown): unknown => {
    if (typeof record !== 'object' || record === null || Array.isArray(record)) return record;
    return Object.entries(record as JsonObject).reduce<Json>(
      (made, [name, value]) => withPath(made, names.get(name)?.match(STEPS) ?? [name], value),
      {},
    );
  };
  return new File([columnsOf(file.name, content, names, renamed)], file.name, { type: file.type });
}

/** The steps of `items[0].price`: names, and numbers of elements. */
const STEPS = /[^.[\]]+/g;

/** Returns a value with another one at a path within it. */
function withPath(within: Json | undefined, [step, ...rest]: readonly string[], value: Json): Json {
  if (step === undefined) return value;
  if (/^\d+$/.test(step) && (within === undefined || Array.isArray(within))) {
    const list = [...(within ?? [])];
    list[Number(step)] = withPath(list[Number(step)], rest, value);
    return list;
  }
  const members = typeof within === 'object' && within !== null && !Array.isArray(within) ? within : {};
  const inner = Object.hasOwn(members, step) ? members[step] : undefined;
  return Object.fromEntries([...Object.entries(members), [step, withPath(inner, rest, value)]]);
}

function columnsOf(
  filename: string,
  content: string,
  names: ReadonlyMap<string, string>,
  renamed: (record: unknown) => unknown,
): string {
  if (/\.csv$/i.test(filename)) {
    const [head = [], ...rows] = csvLines(content, Infinity);
    return csvOf([head.map((name) => names.get(name) ?? name), ...rows]);
  }
  if (/\.json$/i.test(filename)) return JSON.stringify((JSON.parse(content) as unknown[]).map(renamed));
  const lines = content.split('\n').filter((line) => line.trim() !== '');
  return lines.map((line) => `${JSON.stringify(renamed(JSON.parse(line)))}\n`).join('');
}

function csvOf(rows: readonly (readonly string[])[]): string {
  return rows.map((cells) => `${cells.map(quoted).join(',')}\r\n`).join('');
}

function rowsOf(filename: string, content: string, numbers: readonly number[]): string {
  if (/\.csv$/i.test(filename)) {
    const [head = [], ...rows] = csvLines(content, Infinity);
    return csvOf([head, ...numbers.flatMap((number) => (rows[number] === undefined ? [] : [rows[number]]))]);
  }
  if (/\.json$/i.test(filename)) {
    const records = JSON.parse(content) as unknown[];
    return JSON.stringify(
      numbers.map((number) => records[number]),
      null,
      2,
    );
  }
  const lines = content.split('\n').filter((line) => line.trim() !== '');
  return numbers.map((number) => `${lines[number] ?? ''}\n`).join('');
}

/** Quotes every cell, so that a single column is not split at another delimiter. */
function quoted(cell: string): string {
  return `"${cell.replaceAll('"', '""')}"`;
}
