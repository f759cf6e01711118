import { csvLines } from './records.ts';

/** Rows of a file of records, taken out by their numbers. */

/** Whether the rows of a file can be told apart here: those of a spreadsheet only the service reads. */
export function canTakeRows(filename: string): boolean {
  return /\.(?:csv|json|jsonl|ndjson)$/i.test(filename);
}

/**
 * A file of the same kind with these rows alone.
 *
 * @param numbers from 0, in the order wanted
 * @throws SyntaxError for JSON that is none
 */
export async function withRows(file: File, numbers: readonly number[]): Promise<File> {
  const content = await file.text();
  return new File([rowsOf(file.name, content, numbers)], file.name, { type: file.type });
}

function rowsOf(filename: string, content: string, numbers: readonly number[]): string {
  if (/\.csv$/i.test(filename)) {
    const [head = [], ...rows] = csvLines(content, Infinity);
    return [head, ...numbers.flatMap((number) => (rows[number] === undefined ? [] : [rows[number]]))]
      .map((cells) => `${cells.map(quoted).join(',')}\r\n`)
      .join('');
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

/** Every cell, so that a single column is not taken for separated by something else. */
function quoted(cell: string): string {
  return `"${cell.replaceAll('"', '""')}"`;
}
