import { type CellObject, SSF } from '@e965/xlsx';
import { momentOf, shownFormat } from '@platen/core/sheet-moment';
import type { Cell } from './table.ts';

/** Converts cells of a workbook to JSON values. */

/** The codes of errors in cells ([MS-XLS], 2.5.10 BErr), as a sheet shows them. */
const ERRORS: Readonly<Record<number, string>> = {
  0: '#NULL!',
  7: '#DIV/0!',
  15: '#VALUE!',
  23: '#REF!',
  29: '#NAME?',
  36: '#NUM!',
  42: '#N/A',
  43: '#GETTING_DATA',
};

/**
 * Returns the value of a cell. Numbers, texts and booleans stay as they are; an error becomes the text that
 * the sheet shows. A number with a date or time format becomes `2026-11-21`, `2026-11-21T09:30:00`,
 * `09:30:00`, or `36:30:00` for elapsed hours (`[h]:mm`). A number with a format of so many digits (`00000`) has
 * the text that the sheet shows as well.
 *
 * @param is1904 whether the workbook counts days from 1904
 */
export function cellValue(cell: CellObject | undefined, is1904: boolean): Cell {
  const value = cell?.t === 'z' ? undefined : cell?.v;
  if (cell?.t === 'e') return ERRORS[Number(value)] ?? '#N/A';
  if (typeof value === 'number') {
    const format = String(cell?.z ?? '');
    return (
      shownAsMoment(value, format, is1904) ??
      (isCode(format) ? { value, shown: SSF.format(format, value) } : value)
    );
  }
  return typeof value === 'string' || typeof value === 'boolean' ? value : null;
}

/** Returns whether a format writes a number of so many digits, such as a postcode: `00000`, `000-00-0000`. */
function isCode(format: string): boolean {
  return /^0[0 ./-]*0$/.test(format) && !/^0\.0+$/.test(format);
}

/** @returns null for a number that is shown as a number */
function shownAsMoment(serial: number, format: string, is1904: boolean): string | null {
  const shown = shownFormat(format);
  return SSF.is_date(shown) ? momentOf(serial, shown, is1904) : null;
}
