import type { JsonObject } from '../api/types.ts';

/** Reads the first rows of a file of records, for a preview before all of them are sent. */

export interface Rows {
  columns: string[];
  rows: JsonObject[];
  /** null if only reading the whole file, as the service does, could determine it. */
  count: number | null;
}

/** Returns whether there is a preview: only the service reads old spreadsheets (.xls). */
export function canPreview(filename: string): boolean {
  return /\.(?:csv|xlsx|json|jsonl|ndjson)$/i.test(filename);
}

/** Returns whether its records are text, which can be shown and corrected. */
export function isText(filename: string): boolean {
  return canPreview(filename) && !isSheet(filename);
}

/** Returns whether its records may have objects and lists. */
export function isNested(filename: string): boolean {
  return isText(filename) && !/\.csv$/i.test(filename);
}

export function isSheet(filename: string): boolean {
  return /\.xlsx$/i.test(filename);
}

/** Most bytes of a text that is read completely. */
const MAX_PREVIEW_BYTES = 8 * 1024 * 1024;

/** Returns the first rows of a file of records. @throws Error for a file that cannot be read */
export async function readFile(file: File): Promise<Rows> {
  if (isSheet(file.name)) return (await import('../sheet/workbook.ts')).readSheet(file);
  return readRows(file.name, await beginning(file));
}

/** Returns the complete lines at the beginning of a large file. */
async function beginning(file: File): Promise<string> {
  if (file.size <= MAX_PREVIEW_BYTES || !/\.(?:csv|jsonl|ndjson)$/i.test(file.name)) return file.text();
  const part = await file.slice(0, 256 * 1024).text();
  return part.slice(0, part.lastIndexOf('\n'));
}

/** @throws Error for invalid JSON */
export function readRows(filename: string, content: string, most = 5): Rows {
  if (/\.csv$/i.test(filename)) return csvRows(content, most);
  const isLines = /\.(?:jsonl|ndjson)$/i.test(filename);
  const records = isLines
    ? content
        .split('\n')
        .filter((line) => line.trim() !== '')
        .map((line) => JSON.parse(line) as JsonObject)
    : (JSON.parse(content) as JsonObject[]);
  if (!Array.isArray(records)) throw new Error('not a list');
  const rows = records.slice(0, most);
  return { columns: [...new Set(rows.flatMap((row) => Object.keys(row)))], rows, count: records.length };
}

function csvRows(content: string, most: number): Rows {
  const [head = [], ...lines] = csvLines(content, most + 1);
  const rows = lines.map((cells) =>
    Object.fromEntries(head.map((name, index) => [name, cells[index] ?? ''])),
  );
  return { columns: head, rows, count: null };
}

/**
 * Returns the first lines of CSV (RFC 4180) that are not empty, separated by the most frequent delimiter of the first
 * line, or the one that a line `sep=;` names.
 */
export function csvLines(content: string, most: number): string[][] {
  const named = /^\uFEFF?sep=(.)\r?\n/i.exec(content);
  const text = content.slice(named === null ? Number(content.startsWith('\uFEFF')) : named[0].length);
  const end = text.indexOf('\n');
  const first = end < 0 ? text : text.slice(0, end);
  const [common = ','] = [',', ';', '\t'].toSorted((a, b) => first.split(b).length - first.split(a).length);
  const separator = named?.[1] ?? common;
  const lines: string[][] = [];
  let cells: string[] = [];
  let cell = '';
  let quoted = false;
  const endLine = (): void => {
    cells.push(cell);
    if (cells.some((one) => one.trim() !== '')) lines.push(cells);
    cells = [];
    cell = '';
  };
  for (let at = 0; at < text.length && lines.length < most; at++) {
    const char = text.charAt(at);
    if (quoted) {
      if (char !== '"') cell += char;
      else if (text[at + 1] === '"') {
        cell += '"';
        at++;
      } else quoted = false;
    } else if (char === '"' && cell === '') quoted = true;
    else if (char === separator) {
      cells.push(cell);
      cell = '';
    } else if (char === '\n') endLine();
    else if (char !== '\r') cell += char;
  }
  if (lines.length < most && (cell !== '' || cells.length > 0)) endLine();
  return lines;
}
