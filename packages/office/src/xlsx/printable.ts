import { listed } from '@platen/core/listed';
import { relatedParts } from '../ooxml/related.ts';
import { OfficePackage } from '../package.ts';
import { sheetEntries } from './workbook.ts';

/** Tells what LibreOffice does not print of a workbook. */

/** Most sheets that a warning names. */
const MAX_NAMED = 8;

/**
 * Returns a workbook's parts by path, which stay as they are.
 *
 * @param warn called with a sentence about what is not printed
 * @throws PlatenError `office_file_damaged`
 */
export function printableSheets(
  parts: ReadonlyMap<string, Buffer>,
  warn: (text: string) => void = () => undefined,
): ReadonlyMap<string, Buffer> {
  const file = OfficePackage.of(parts);
  const sheets = sheetEntries(file);
  const tell = (what: string, hasIt: (path: string) => boolean): void => {
    const names = sheets.filter(({ path }) => hasIt(path)).map(({ name }) => name);
    if (names.length > 0) warn(`LibreOffice does not print ${what}: ${listed(names, MAX_NAMED, ' sheets')}.`);
  };
  tell('pictures in headers and footers of sheets', (path) => hasHeaderPicture(file.bytes(path)));
  tell(
    'charts of the kinds that Excel has had since 2016 (waterfall, treemap, sunburst, histogram, box plot, funnel, map)',
    (path) =>
      relatedParts(file, path, 'drawing').some(
        (drawing) => relatedParts(file, drawing, 'chartEx').length > 0,
      ),
  );
  return parts;
}

/** Returns whether a header or footer shows its picture: the code &G (ISO/IEC 29500-1, 18.3.1.46). */
function hasHeaderPicture(sheet: Buffer | undefined): boolean {
  const end = sheet?.lastIndexOf('legacyDrawingHF') ?? -1;
  if (sheet === undefined || end === -1) return false;
  const texts = sheet.toString('latin1', sheet.lastIndexOf('sheetData', end), end);
  return texts.replaceAll('&amp;&amp;', '').includes('&amp;G');
}
