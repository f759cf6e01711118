import { type CellObject, read, utils, type WorkBook } from '@e965/xlsx';
import { looksLikeZip } from '@platen/office/format';
import { readZip, ZipFault } from '@platen/core/zip';
import { cellValue } from './sheet-cell.ts';
import { ACCEPTED, invalidData } from './source.ts';
import { type Cell, checkColumns, tableRecords } from './table.ts';

/**
 * Returns the rows of the first sheet of an XLS or XLSX workbook as records named by its header row (I-16).
 * `cellValue` converts the values; formulas have their stored results, and one without is refused.
 *
 * @param maxRecords one more row is read, so that a sheet of a million rows costs no more
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
      // The number formats identify dates and times; formatted texts would take time.
      cellNF: true,
      cellText: false,
      cellHTML: false,
      // Formulas without a stored result have cells without a value.
      cellFormula: true,
      sheetStubs: true,
      UTC: true,
      sheets: 0,
      sheetRows: maxRecords + 2,
    });
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    const what = `render_data is not a readable XLS or XLSX workbook: ${reason.replace(/\.$/, '')}`;
    throw invalidData(`${what}; ${ACCEPTED}`, error);
  }
  const name = workbook.SheetNames[0];
  const sheet = name === undefined ? undefined : workbook.Sheets[name];
  if (!sheet) throw invalidData('render_data is a workbook without a sheet');
  const is1904 = workbook.Workbook?.WBProps?.date1904 === true;
  // The cells that exist, not the sheet's declared range, which may have millions of empty ones.
  const rows = (sheet['!data'] ?? [])
    .map((row: readonly (CellObject | undefined)[], at) => rowOf(row, is1904, at + 1))
    .filter((row) => row.some((value) => value !== null));
  const [header, ...body] = rows;
  return header === undefined ? [] : tableRecords(header, body);
}

function rowOf(cells: readonly (CellObject | undefined)[], is1904: boolean, row: number): Cell[] {
  checkColumns(cells.length);
  return Array.from(cells, (cell, column) => {
    if (cell?.f !== undefined && cell.v === undefined) {
      const name = utils.encode_cell({ c: column, r: row - 1 });
      const advice = 'open the workbook in a spreadsheet program and save it';
      throw invalidData(`cell ${name} of render_data has a formula without a stored result: ${advice}`);
    }
    return cellValue(cell, is1904);
  });
}

/** The workbook reader unpacks anything; this refuses an XLSX that unpacks to gigabytes. */
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
