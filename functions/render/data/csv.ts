import { CsvError, parse } from 'csv-parse/sync';
import { invalidData, MAX_RECORD_LENGTH } from './source.ts';
import { checkCells, checkColumns, tableRecords } from './table.ts';

const QUOTE = 0x22;
const SPACE = 0x20;
const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;
/** In the order of preference for a file that can be read with several. */
const DELIMITERS = [';', '\t', ','] as const;
/** Number of rows that decide on the delimiter. */
const SAMPLED = 20;

/**
 * Returns the rows of a CSV file (RFC 4180) as records named by its header row. The delimiter is the one that a line
 * `sep=;` names, or the one of comma, semicolon and tab that gives most of the first rows as many cells as the header row.
 * Rows may end in different ways. Values stay text: `007` is not a number. Rows of empty cells are no records.
 *
 * @param maxRecords one more row is read
 * @returns the text of one JSON object for each row
 * @throws PlatenError `render_data_invalid`
 */
export function csvRecords(text: string, maxRecords: number): string[] {
  const { delimiter, table } = separated(text);
  checkSize(table, delimiter.charCodeAt(0), maxRecords + 2);
  const rows: string[][] = [];
  let width = 0;
  try {
    parse(table, {
      delimiter,
      record_delimiter: ['\r\n', '\n', '\r'],
      bom: true,
      relax_column_count: true,
      skip_empty_lines: true,
      trim: false,
      max_record_size: MAX_RECORD_LENGTH,
      on_record: (row: string[]) => {
        if (row.every((cell) => cell.trim() === '')) return null;
        if (rows.length === 0) width = row.length;
        // Empty cells beyond the header are dropped while reading, because a row of delimiters takes memory.
        const isWide = row.length > width && row.slice(width).every((cell) => cell === '');
        rows.push(isWide ? row.slice(0, width) : row);
        // The header row, and one more than allowed.
        if (rows.length === maxRecords + 2) throw new EnoughRows();
        return null;
      },
    });
  } catch (error) {
    if (!(error instanceof EnoughRows)) {
      if (!(error instanceof CsvError)) throw error;
      throw invalidData(`render_data is not a valid CSV file: ${error.message}`, error);
    }
  }
  const [header, ...body] = rows;
  return header === undefined ? [] : tableRecords(header, body);
}

/** Ends the reading of a file with more rows than are wanted. */
class EnoughRows extends Error {}

/** Returns the delimiter of a CSV file, and its rows without the line in which Excel names the delimiter. */
function separated(text: string): { delimiter: string; table: string } {
  const named = /^\ufeff?sep=(.)(?:\r\n|[\r\n])/i.exec(text);
  const delimiter = named?.[1];
  if (named === null || delimiter === undefined || delimiter === '"')
    return { delimiter: delimiterOf(text), table: text };
  return { delimiter, table: text.slice(named[0].length) };
}

function delimiterOf(text: string): string {
  const [header, ...rows] = delimitersOf(text);
  const inHeader = (delimiter: string): number => header?.get(delimiter) ?? 0;
  const fitting = (delimiter: string): number =>
    inHeader(delimiter) === 0 ? -1 : rows.filter((row) => row.get(delimiter) === inHeader(delimiter)).length;
  const [best] = DELIMITERS.toSorted((a, b) => fitting(b) - fitting(a) || inHeader(b) - inHeader(a));
  return best === undefined || inHeader(best) === 0 ? ',' : best;
}

/** The number of delimiters outside quotes in each of the first rows that are not empty. */
function delimitersOf(text: string): Map<string, number>[] {
  const rows: Map<string, number>[] = [];
  let row = new Map<string, number>();
  let [quoted, isEmpty] = [false, true];
  for (const character of text) {
    if (character === '"') quoted = !quoted;
    if (!quoted && (character === '\n' || character === '\r')) {
      if (!isEmpty) rows.push(row);
      if (rows.length === SAMPLED) return rows;
      [row, isEmpty] = [new Map(), true];
      continue;
    }
    isEmpty = false;
    if (!quoted && (DELIMITERS as readonly string[]).includes(character))
      row.set(character, (row.get(character) ?? 0) + 1);
  }
  return isEmpty ? rows : [...rows, row];
}

/**
 * Counts the cells before reading them: finding a delimiter takes a hundredth of the time of creating a cell.
 *
 * @param rows rows that will be read
 * @throws PlatenError `render_data_invalid`
 */
function checkSize(text: string, delimiter: number, rows: number): void {
  let quoted = false;
  let row = 1;
  let columns = 1;
  let cells = 0;
  let isEmpty = true;
  for (let at = 0; at < text.length && row <= rows; at += 1) {
    const unit = text.charCodeAt(at);
    if (unit === QUOTE) {
      quoted = !quoted;
      isEmpty = false;
    } else if (quoted) continue;
    else if (unit === delimiter) columns += 1;
    else if (unit === LINE_FEED || unit === CARRIAGE_RETURN) {
      checkColumns(columns);
      cells += columns;
      columns = 1;
      if (!isEmpty) row += 1;
      isEmpty = true;
    } else isEmpty &&= unit === SPACE;
  }
  checkColumns(columns);
  checkCells(cells + columns);
}
