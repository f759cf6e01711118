import { decodePlain } from './text.ts';

/**
 * Detects text that a client sends as base64, because it cannot write an option's bytes in JSON in another
 * way.
 */

/** Characters of base64 (nine bytes of text) that are very unlikely to be an ordinary word. */
const TELLING_LENGTH = 12;
/** Control characters that no text contains. */
// oxlint-disable-next-line eslint/no-control-regex -- control characters are what is looked for
const NO_TEXT = /[\x00-\x08\x0e-\x1f\x7f]/;

/**
 * Decodes a value that is the base64 of a text. A value that could also be plain text counts as plain text:
 * base64 has to be complete and canonical (RFC 4648, 3.5), contain UTF-8 or UTF-16, and either end with `=`,
 * have at least 12 characters or contain a tag.
 *
 * @returns the decoded text; null when the value is not the base64 of a text
 */
export function textOfBase64(value: string): string | null {
  const base64 = value.trim();
  if (base64 === '' || base64.length % 4 !== 0 || !/^[A-Za-z0-9+/]+={0,2}$/.test(base64)) return null;
  const bytes = Buffer.from(base64, 'base64');
  if (bytes.toString('base64') !== base64) return null;
  const decoded = decodePlain(bytes);
  if (!('text' in decoded) || decoded.encoding === 'windows-1252' || NO_TEXT.test(decoded.text)) return null;
  const isTelling = base64.endsWith('=') || base64.length >= TELLING_LENGTH || decoded.text.includes('<');
  return isTelling ? decoded.text : null;
}
