import { read, utils, type WorkBook } from '@e965/xlsx';
import { looksLikeZip } from '../../shared/formats/office.ts';
import { readZip, ZipFault } from '../../shared/formats/zip.ts';
import { invalidData } from './record.ts';
import { type Cell, tableRecords } from './table.ts';

/**
 * The rows of the first sheet of an XLS or XLSX workbook under its header row (decision 16). Numbers and booleans
 * are themselves, dates ISO 8601 (without a time where it is midnight), the results of formulas as stored.
 *
 * @param maxRecords one row more than that is read, so that a sheet of a million rows costs no more
 * @returns the text of one JSON object for each row that is not empty
 * @throws PlatenError `render_data_invalid`
 */
export async function sheetRecords(bytes: Uint8Array, maxRecords: number): Promise<string[]> {
  await refuseBomb(bytes);
  let workbook: WorkBook;
  try {
    workbook = read(bytes, {
      type: 'array',
      dense: true,
      cellDates: true,
      UTC: true,
      sheets: 0,
      sheetRows: maxRecords + 2,
    });
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw invalidData(`render_data is not a readable XLS or XLSX workbook: ${reason}`, error);
  }
  const name = workbook.SheetNames[0];
  const sheet = name === undefined ? undefined : workbook.Sheets[name];
  if (!sheet) throw invalidData('render_data is a workbook without a sheet');
  const rows = utils.sheet_to_json<unknown[]>(sheet, {
    header: 1,
    raw: true,
    UTC: true,
    defval: null,
    blankrows: false,
  });
  const [header, ...body] = rows;
  if (header === undefined) return [];
  return tableRecords(
    header.map(cell),
    body.map((row) => row.map(cell)),
  );
}

/** The workbook reader unpacks whatever it is given; an XLSX that unpacks to gigabytes must not get that far. */
async function refuseBomb(bytes: Uint8Array): Promise<void> {
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (!looksLikeZip(file)) return;
  try {
    await readZip(file, () => false);
  } catch (error) {
    if (!(error instanceof ZipFault)) throw error;
    throw invalidData(`render_data is not a readable XLSX workbook: the file ${error.message}`, error);
  }
}

function cell(value: unknown): Cell {
  if (value instanceof Date) return isoDate(value);
  if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean') return value;
  return null;
}

function isoDate(date: Date): string {
  // A day fraction has no exact milliseconds: 09:30 comes as 09:29:59.999.
  const iso = new Date(Math.round(date.getTime() / 1000) * 1000).toISOString().replace('.000Z', '');
  return iso.endsWith('T00:00:00') ? iso.slice(0, 10) : iso;
}
