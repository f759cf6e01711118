import { CsvError, parse } from 'csv-parse/sync';
import { invalidData, MAX_RECORD_LENGTH } from './record.ts';
import { tableRecords } from './table.ts';

const DELIMITERS = [',', ';', '\t'] as const;

/**
 * The rows of a CSV file (RFC 4180) under a header row. The delimiter is the one of comma, semicolon and tab that
 * the header row has most of, outside quotes. Values stay text: `007` is no number.
 *
 * @param maxRecords one row more than that is read
 * @returns the text of one JSON object for each row
 * @throws PlatenError `render_data_invalid`
 */
export function csvRecords(text: string, maxRecords: number): string[] {
  let rows: string[][];
  try {
    rows = parse(text, {
      delimiter: delimiterOf(text),
      bom: true,
      relax_column_count: true,
      skip_empty_lines: true,
      trim: false,
      // The header row, and one too many.
      to: maxRecords + 2,
      max_record_size: MAX_RECORD_LENGTH,
    });
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    throw invalidData(`render_data is not a valid CSV file: ${error.message}`, error);
  }
  const [header, ...body] = rows;
  return header === undefined ? [] : tableRecords(header, body);
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
  const [best] = DELIMITERS.toSorted((a, b) => (counts.get(b) ?? 0) - (counts.get(a) ?? 0));
  return best ?? ',';
}
