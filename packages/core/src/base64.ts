import { decodePlain } from './text.ts';

/** Text that comes as base64: clients with an option of bytes have no other way to write it in JSON. */

/** Characters of base64 that are no word by chance: nine bytes of a text. */
const TELLING_LENGTH = 12;
/** Characters that stand in no text. */
// oxlint-disable-next-line eslint/no-control-regex -- control characters are what is looked for
const NO_TEXT = /[\x00-\x08\x0e-\x1f\x7f]/;

/**
 * The text whose bytes a value is the base64 of. A value that may as well be text itself is taken for text: it has to be
 * whole and canonical base64 (RFC 4648, 3.5), of UTF-8 or UTF-16, and either end with `=`, be 12 characters long or hold
 * a tag.
 *
 * @returns null for a value that is no base64 of a text
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
