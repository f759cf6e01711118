/** The root of a sheet, which may have any path. */
const SHEET = /<(?:[\w.-]+:)?worksheet[\s>]/;
/** Bytes of a part that its root follows. */
const PROLOG = 1000;

/**
 * Returns the parts of a workbook (xlsx) whose sheets show their first cell: LibreOffice begins the only page of a sheet
 * with the cell that was shown first when the workbook was saved (ISO/IEC 29500-1, 18.3.1.87).
 */
export function unscrolled(parts: ReadonlyMap<string, Buffer>): Map<string, Buffer> {
  return new Map(
    [...parts].map(([path, part]) => {
      if (!SHEET.test(part.toString('latin1', 0, PROLOG))) return [path, part];
      // What follows are the cells, whose texts stay as they are.
      const end = Math.max(part.indexOf('sheetData'), 0);
      const views = part.toString('latin1', 0, end).replaceAll(/\stopLeftCell=(?:"[^"]*"|'[^']*')/g, '');
      return [path, Buffer.concat([Buffer.from(views, 'latin1'), part.subarray(end)])];
    }),
  );
}
