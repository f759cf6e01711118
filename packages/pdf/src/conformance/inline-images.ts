import type { ContentOperations } from '../content/operations.ts';
import { Tokens } from '../rebuild/tokens.ts';
import { isName, type PdfDict, type PdfValue } from '../model/values.ts';
import type { Violations } from './violations.ts';

/** Permitted filters of inline images (ISO 19005-2, 6.1.10). */
const FILTERS = new Set(
  (
    '/ASCIIHexDecode /AHx /ASCII85Decode /A85 /FlateDecode /Fl /RunLengthDecode /RL /CCITTFaxDecode /CCF ' +
    '/DCTDecode /DCT'
  ).split(' '),
);

/** The abbreviations of colour spaces in inline images (ISO 32000-1, table 94). */
const SPACES: Readonly<Record<string, string>> = {
  '/RGB': '/DeviceRGB',
  '/CMYK': '/DeviceCMYK',
  '/G': '/DeviceGray',
};

/**
 * Checks an inline image.
 *
 * @returns its colour space
 */
export function checkInlineImage(
  operation: ContentOperations,
  violations: Violations,
  page: number,
): PdfValue {
  const dict = propertiesOf(operation);
  const filter = dict['/F'] ?? dict['/Filter'] ?? [];
  const unknown = [filter].flat().some((name) => !isName(name) || !FILTERS.has(name));
  if (unknown) {
    const detail = 'An inline image has a filter that PDF/A forbids: embed it as an object.';
    violations.add({ archive: '6.1.10' }, detail, { page });
  }
  if ((dict['/I'] ?? dict['/Interpolate']) === true) {
    const detail = 'An inline image requests interpolation: remove `Interpolate`.';
    violations.add({ archive: '6.2.8' }, detail, { page });
  }
  const space = dict['/CS'] ?? dict['/ColorSpace'] ?? null;
  return renamed(Array.isArray(space) ? space.map(renamed) : space);
}

function renamed(value: PdfValue): PdfValue {
  return typeof value === 'string' ? (SPACES[value] ?? value) : value;
}

function propertiesOf({ bytes, operatorStart, end }: ContentOperations): PdfDict {
  const tokens = new Tokens(bytes, operatorStart + 2);
  const dict: PdfDict = {};
  while (tokens.at < end) {
    const key = tokens.value();
    if (!isName(key)) break;
    dict[key] = tokens.value();
  }
  return dict;
}
