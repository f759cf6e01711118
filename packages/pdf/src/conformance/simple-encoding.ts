import type { PdfFile } from '../model/index.ts';
import { isDict, isName, nameText, type PdfDict, type PdfValue } from '../model/values.ts';
import { type Encoding, MAC_ROMAN, STANDARD, WIN_ANSI } from './programs/names.ts';

const ENCODINGS: ReadonlyMap<PdfValue, Encoding> = new Map([
  ['/WinAnsiEncoding', WIN_ANSI],
  ['/MacRomanEncoding', MAC_ROMAN],
  ['/StandardEncoding', STANDARD],
]);

/**
 * Glyph names for the codes of a simple font (ISO 32000-1, 9.6.6).
 *
 * @param own the names in the font's own encoding, for codes that the document does not define
 */
export function encodingOf(file: PdfFile, font: PdfDict, own: Encoding): Encoding {
  const value = file.resolve(font['/Encoding']);
  if (!isDict(value)) return value === null ? own : (ENCODINGS.get(value) ?? []);
  const base = file.resolve(value['/BaseEncoding']);
  const names = [...(base === null ? own : (ENCODINGS.get(base) ?? []))];
  for (const [code, name] of differencesOf(file, value)) names[code] = name;
  return names;
}

/** The differences from the base encoding. */
export function differencesOf(file: PdfFile, encoding: PdfDict): Map<number, string> {
  const names = new Map<number, string>();
  let code = 0;
  for (const entry of file.array(encoding['/Differences']).map((one) => file.resolve(one))) {
    if (typeof entry === 'number') code = entry;
    else if (isName(entry) && code >= 0 && code < 256) names.set(code++, nameText(entry));
  }
  return names;
}
