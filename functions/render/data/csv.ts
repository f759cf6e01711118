import { CsvError, parse } from 'csv-parse/sync';
import { invalidData, MAX_RECORD_LENGTH } from './source.ts';
import { checkCells, checkColumns, tableRecords } from './table.ts';

const QUOTE = 0x22;
const SPACE = 0x20;
const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;
const DELIMITERS = [',', ';', '\t'] as const;

/**
 * Returns the rows of a CSV file (RFC 4180) as records named by its header row. The delimiter is the most frequent
 * one of comma, semicolon and tab in the header row, outside quotes, or the one that a line `sep=;` names. Values stay
 * text: `007` is not a number. Rows of empty cells are no records.
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
  const counts = new Map<string, number>();
  let quoted = false;
  for (const character of text) {
    if (character === '"') quoted = !quoted;
    else if (quoted) continue;
    else if (character === '\n' || character === '\r') {
      if (counts.size > 0) break;
    } else if ((DELIMITERS as readonly string[]).includes(character)) {
      counts.set(character, (counts.get(character) ?? 0) + 1);
    }
  }
  const [best = ','] = DELIMITERS.toSorted((a, b) => (counts.get(b) ?? 0) - (counts.get(a) ?? 0));
  return best;
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
