import { listed } from '@platen/core/listed';
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
    (path) => related(file, path, 'drawing').some((drawing) => related(file, drawing, 'chartEx').length > 0),
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

/** Returns the paths of the parts to which a part has relationships of a type. */
function related(file: OfficePackage, from: string, type: string): string[] {
  return file
    .relationships(from)
    .list()
    .flatMap((one) => (one.type === type && one.path !== null && file.has(one.path) ? [one.path] : []));
}
