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
  const mayLackResults = await refuseBomb(bytes);
  let workbook: WorkBook;
  try {
    workbook = read(bytes, {
      type: 'array',
      dense: true,
      // The number formats identify dates and times; formatted texts would take time.
      cellNF: true,
      cellText: false,
      cellHTML: false,
      cellFormula: mayLackResults,
      sheetStubs: mayLackResults,
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
    if (cell?.t === 'z' && cell.f !== undefined) {
      const name = utils.encode_cell({ c: column, r: row - 1 });
      const advice = 'open the workbook in a spreadsheet program and save it';
      throw invalidData(`cell ${name} of render_data has a formula without a stored result: ${advice}`);
    }
    return cellValue(cell, is1904);
  });
}

const FORMULA = /<(?:\w{1,20}:)?f[\s/>]/;
/** A stored result; one that is a text may be empty. */
const RESULT = /<(?:\w{1,20}:)?v>[^<]|\st="str"/;

/** Returns whether the markup of a sheet has a formula whose cell has no stored result. */
function lacksResults(sheet: string): boolean {
  return sheet.split(/<\/(?:\w{1,20}:)?c>/).some((cell) => FORMULA.test(cell) && !RESULT.test(cell));
}

/** Most array formulas with which formulas are read: the reader compares each cell with all of them. */
const MAX_ARRAYS = 1000;

/**
 * Refuses an XLSX that unpacks to gigabytes, because the workbook reader unpacks anything.
 *
 * @returns whether a sheet has formulas without stored results
 */
async function refuseBomb(bytes: Uint8Array): Promise<boolean> {
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (!looksLikeZip(file)) return false;
  try {
    const { wanted } = await readZip(file, (name) => /^xl\/worksheets\/[^/]+\.xml$/.test(name));
    // Most sheets of data have no formula, and need not become a text.
    const suspect = [...wanted.values()].filter((sheet) => sheet.includes('<f') || sheet.includes(':f'));
    const sheets = suspect.map((sheet) => sheet.toString('latin1'));
    const found = sheets.filter((sheet) => FORMULA.test(sheet) && lacksResults(sheet));
    if (found.some((sheet) => sheet.split('t="array"').length > MAX_ARRAYS))
      throw invalidData('render_data has formulas without a stored result');
    return found.length > 0;
  } catch (error) {
    if (!(error instanceof ZipFault)) throw error;
    throw invalidData(`render_data is not a readable XLSX workbook: the file ${error.message}`, error);
  }
}
