import { pdfDocText } from '../model/values.ts';

/** The bytes of passwords. The contract imports this file too, so it does not load the PDF code. */

/** Spaces that become U+0020 (RFC 3454, table C.1.2). */
const SPACES = /[\u00a0\u1680\u2000-\u200b\u202f\u205f\u3000]/g;

/** Characters that are left out (RFC 3454, table B.1), without the space of no width, which is in both tables. */
const NOTHING = /\u00ad|\u034f|\u1806|[\u180b-\u180d]|\u200c|\u200d|\u2060|[\ufe00-\ufe0f]|\ufeff/g;

/** Characters that a password has in one form only. */
const ASCII = /^[\x20-\x7e]*$/;

/**
 * Prepares a password of AES-256 as ISO 32000-2, 7.6.4.3.3 demands: with SASLprep (RFC 4013), so that it has one form
 * however it was typed. Characters that SASLprep forbids stay, because other programs accept them.
 */
export function prepared(password: string): string {
  if (ASCII.test(password)) return password;
  return password.replace(SPACES, ' ').replace(NOTHING, '').normalize('NFKC');
}

/**
 * Returns what a password may be in a file: prepared or as given, for AES-256; in PDFDocEncoding, as the standard
 * demands for older protection (7.6.4.3.2), or in the encoding of Windows, which some programs use.
 */
export function passwordBytes(password: string): Buffer[] {
  if (ASCII.test(password)) return [Buffer.from(password)];
  const all = [
    Buffer.from(prepared(password)),
    Buffer.from(password),
    ...[pdfDocText, windowsText].flatMap((decode) =>
      [password, password.normalize('NFC')].flatMap((text) => encoded(text, decode) ?? []),
    ),
  ];
  return [...new Map(all.map((bytes) => [bytes.toString('hex'), bytes])).values()];
}

function windowsText(latin1: string): string {
  return new TextDecoder('windows-1252').decode(Buffer.from(latin1, 'latin1'));
}

/** The bytes of a text in an encoding of one byte for each character; undefined if it has other ones. */
function encoded(text: string, decode: (latin1: string) => string): Buffer | undefined {
  const codes = new Map(
    Array.from({ length: 256 }, (_, code) => [decode(String.fromCharCode(code)), code] as const),
  );
  const bytes = [...text].map((char) => codes.get(char));
  return bytes.every((byte) => byte !== undefined) ? Buffer.from(bytes) : undefined;
}
