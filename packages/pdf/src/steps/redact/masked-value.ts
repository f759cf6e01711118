import { isString, pdfText, type PdfDict, type PdfValue, stringText } from '../../model/values.ts';
import type { WordFinder } from './words.ts';

/** The replacement of a removed character. */
export const MASK = '█';
/** The replacement in URLs, which permit only such characters. */
const PLAIN_MASK = 'x';

/** Maximum depth of values; no real document has deeper strings. */
const MAX_LEVELS = 100;

/** A value without the words in its strings; the same value if it contains none. */
export function maskedValue(value: PdfValue, words: WordFinder, key = '', level = 0): PdfValue {
  if (isString(value)) {
    const text = stringText(value);
    return words.isIn(text) ? pdfText(words.masked(text, key === '/URI' ? PLAIN_MASK : MASK)) : value;
  }
  if (typeof value !== 'object' || value === null || level > MAX_LEVELS) return value;
  if (Array.isArray(value)) {
    const entries = value.map((entry) => maskedValue(entry, words, key, level + 1));
    return entries.some((entry, index) => entry !== value[index]) ? entries : value;
  }
  let changed: PdfDict | undefined;
  for (const name in value) {
    const entry = value[name] ?? null;
    const masked = maskedValue(entry, words, name, level + 1);
    if (masked !== entry) (changed ??= { ...value })[name] = masked;
  }
  return changed ?? value;
}
