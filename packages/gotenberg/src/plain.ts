import { utils, write } from '@e965/xlsx';
import { CsvError, parse } from 'csv-parse/sync';
import { decodePlain } from '@platen/core/text';
import type { SentFile } from './form.ts';
import { RequestError } from './request-error.ts';

/**
 * Converts plain text and CSV to documents that the engines of the service print. Text that looks like a
 * formula or markup stays text, so these documents cannot reference files or addresses.
 */

/** Maximum cells of a table: 65,536 rows of 26 columns. */
const MAX_CELLS = 26 * 65_536;
/** Maximum width of a column in characters; a column is as wide as its longest cell. */
const WIDEST = 60;
const SEPARATORS = [',', ';', '\t', '|'];

/** Returns the text of a file. @throws RequestError if the file is not text */
async function textOf({ name, content }: SentFile): Promise<string> {
  const decoded = decodePlain(new Uint8Array(await content.arrayBuffer()));
  if ('fault' in decoded) throw new RequestError(400, `${name} is no text: ${decoded.fault}`);
  return decoded.text;
}

/** Returns an HTML page with the text in a monospaced font and with its line breaks. @throws RequestError */
export async function textPage(file: SentFile): Promise<string> {
  const text = (await textOf(file)).replaceAll('&', '&amp;').replaceAll('<', '&lt;');
  return `<!doctype html><meta charset="utf-8"><title></title><style>
pre { font: 10pt/1.2 'Liberation Mono', Cousine, monospace; white-space: pre-wrap; overflow-wrap: anywhere; margin: 0; tab-size: 8 }
</style><pre>\n${text}</pre>`;
}

/** Returns a workbook with the rows of a CSV file. @throws RequestError */
export async function csvWorkbook(file: SentFile): Promise<Uint8Array<ArrayBuffer>> {
  const rows = rowsOf(file.name, await textOf(file));
  const widths: number[] = [];
  let cells = 0;
  for (const row of rows) {
    cells += row.length;
    for (const [column, text] of row.entries())
      widths[column] = Math.min(WIDEST, Math.max(widths[column] ?? 8, text.length + 1));
  }
  if (cells > MAX_CELLS) throw new RequestError(400, `${file.name} has more than ${MAX_CELLS} cells`);
  const sheet = utils.aoa_to_sheet(rows.map((row) => row.map(valueOf)));
  sheet['!cols'] = widths.map((wch) => ({ wch }));
  const book = utils.book_new();
  utils.book_append_sheet(book, sheet, 'Sheet1');
  return new Uint8Array(write(book, { type: 'array', bookType: 'xlsx', compression: true }) as ArrayBuffer);
}

/** @throws RequestError */
function rowsOf(name: string, text: string): string[][] {
  const [line = ''] = text.split('\n', 1);
  const count = (separator: string) => line.split(separator).length;
  const delimiter = SEPARATORS.toSorted((a, b) => count(b) - count(a))[0] ?? ',';
  try {
    return parse(text, { delimiter, bom: true, relax_column_count: true, relax_quotes: true });
  } catch (error) {
    if (error instanceof CsvError) throw new RequestError(400, `${name} cannot be read: ${error.message}`);
    throw error;
  }
}

/** Returns a number for a plain decimal; otherwise the text, so that codes such as `007` stay unchanged. */
function valueOf(text: string): string | number {
  return /^-?(0|[1-9]\d{0,14})(\.\d{1,14})?$/.test(text) ? Number(text) : text;
}
