import { isUtf8 } from 'node:buffer';

/**
 * Decodes text from bytes: templates, headers, footers, stylesheets, data files and form fields. All of them
 * share the detection of UTF-16 in this file.
 */

/** `encoding` is a label of the WHATWG Encoding Standard; `fault` a clause: "line 3 is not UTF-8". */
export type Decoded = { text: string; encoding: string } | { fault: string };

/** HTML 13.2.3.2: an encoding declaration counts within the first 1024 bytes. */
const DECLARATION_BYTES = 1024;
const HTML_DECLARATION = /<meta[^>]{1,500}charset\s{0,9}=\s{0,9}["']?\s{0,9}([\w.:-]{1,40})/i;
const CSS_DECLARATION = /^@charset "([\w.:-]{1,40})";/;

/**
 * Decodes HTML or plain text. A byte order mark decides; otherwise, text that looks like UTF-16 is decoded as
 * UTF-16 and valid UTF-8 as UTF-8, whatever it declares; otherwise the encoding in `<meta charset>` applies.
 */
export function decodeHtml(bytes: Uint8Array): Decoded {
  return decode(bytes, HTML_DECLARATION, 'a <meta charset="…">');
}

/** Decodes CSS in the same way as `decodeHtml`; the declaration is `@charset "…";` at the very beginning. */
export function decodeCss(bytes: Uint8Array): Decoded {
  return decode(bytes, CSS_DECLARATION, 'an @charset rule');
}

/**
 * Decodes text without an encoding declaration: a data file or a form field. It is UTF-8 or UTF-16, with or
 * without a byte order mark, otherwise Windows-1252, the default of spreadsheet programs.
 */
export function decodePlain(bytes: Uint8Array): Decoded {
  const unicode = decodeUnicode(bytes);
  if (unicode !== null) return unicode;
  const text = decodeWindows1252(bytes);
  return NO_TEXT.test(text) ? { fault: 'it is binary data' } : { text, encoding: 'windows-1252' };
}

function decode(bytes: Uint8Array, declaration: RegExp, declarationName: string): Decoded {
  const unicode = decodeUnicode(bytes);
  if (unicode !== null) return unicode;
  const label = declaration.exec(Buffer.from(bytes.subarray(0, DECLARATION_BYTES)).toString('latin1'))?.[1];
  // A declaration that is readable as single bytes cannot be in UTF-16: HTML reads such a label as UTF-8.
  if (label !== undefined && !/^utf-?(8|16)/i.test(label)) return decodeAs(label, bytes);
  if (bytes.includes(0)) return { fault: 'it is binary data' };
  const advice = `save it as UTF-8, or declare its encoding with ${declarationName}`;
  return { fault: `line ${firstLineNotUtf8(bytes)} is not UTF-8; ${advice}` };
}

/** @returns null when the bytes are neither UTF-16 nor UTF-8 */
function decodeUnicode(bytes: Uint8Array): Decoded | null {
  const utf16 = utf16Order(bytes);
  const decoded = utf16 && decodeAs(utf16, bytes);
  // Text that only starts like UTF-16 may have another encoding.
  if (decoded && ('text' in decoded || hasUtf16Mark(bytes))) return decoded;
  // The decoder leaves out a byte order mark.
  return isUtf8(bytes) ? decodeAs('utf-8', bytes) : null;
}

/** Characters that no text contains: C0 controls except white space, the DOS end of file and escape. */
// oxlint-disable-next-line eslint/no-control-regex -- control characters are what is looked for
const NO_TEXT = /[\x00-\x08\x0e-\x19\x1c-\x1f]/;

/** Number of leading bytes that are examined. */
const LOOKED_AT = 65_536;
/** Minimum share of ASCII in text of a non-Latin script: its markup, digits and line breaks. */
const MIN_ASCII = 0.1;

/**
 * Detects which UTF-16 a text uses: by its byte order mark or, as .NET writes `Encoding.Unicode`, without
 * one.
 *
 * Without a mark, the ASCII characters decide, whose high byte is 0: UTF-8 and single-byte encodings have no
 * byte 0 in a text, and the numbers in binary files soon produce a NUL or a control character in either
 * order.
 *
 * @returns null for everything else
 */
export function utf16Order(bytes: Uint8Array): 'utf-16le' | 'utf-16be' | null {
  if (hasUtf16Mark(bytes)) return bytes[0] === 0xff ? 'utf-16le' : 'utf-16be';
  if (bytes.length < 2 || bytes.length % 2 !== 0) return null;
  const head = bytes.subarray(0, LOOKED_AT);
  if (!head.includes(0)) return null;
  const little = asciiOfUtf16(head, 1);
  const big = asciiOfUtf16(head, 0);
  // A character such as U+4E00 also has a 0, in the other byte: in the wrong order it reads as ASCII.
  if (Math.max(little, big) === 0) return null;
  return little >= big ? 'utf-16le' : 'utf-16be';
}

/** Returns true when the bytes begin with the byte order mark of UTF-16. */
export function hasUtf16Mark([first, second]: Uint8Array): boolean {
  return (first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff);
}

/**
 * Counts the ASCII characters when the bytes are read as UTF-16; returns 0 when the result is not text.
 *
 * @param high offset of the high byte in a pair: 1 for little endian, 0 for big endian
 */
function asciiOfUtf16(bytes: Uint8Array, high: 0 | 1): number {
  let ascii = 0;
  /** Pairs that would be two ASCII characters in a single-byte encoding. */
  let pairs = 0;
  let surrogate = false;
  const count = bytes.length / 2;
  for (let at = 0; at < bytes.length; at += 2) {
    const upper = bytes[at + high] ?? 0;
    const lower = bytes[at + 1 - high] ?? 0;
    const unit = upper * 256 + lower;
    const isTrail = unit >= 0xdc00 && unit <= 0xdfff;
    if (surrogate !== isTrail || unit >= 0xfffe) return 0;
    surrogate = unit >= 0xd800 && unit <= 0xdbff;
    if (upper === 0 && lower < 0x80) {
      if (lower === 0x7f || NO_TEXT.test(String.fromCharCode(lower))) return 0;
      ascii += 1;
    } else if (isPrintable(upper) && isPrintable(lower)) pairs += 1;
  }
  if (ascii * 2 >= count) return ascii;
  // Single-byte text with a stray NUL consists of such pairs only; in Chinese text they are about a third.
  return ascii < count * MIN_ASCII || pairs > (count - ascii) * 0.75 ? 0 : ascii;
}

function isPrintable(byte: number): boolean {
  return (byte >= 0x20 && byte < 0x7f) || byte === 0x0a || byte === 0x0d || byte === 0x09;
}

function decodeAs(label: string, bytes: Uint8Array): Decoded {
  let text: string;
  let encoding: string;
  try {
    const decoder = new TextDecoder(label, { fatal: true });
    encoding = decoder.encoding;
    text = encoding === 'windows-1252' ? decodeWindows1252(bytes) : decoder.decode(bytes);
  } catch {
    return { fault: `it is not ${label}, as it declares` };
  }
  return text.includes('\0') ? { fault: 'it contains NUL characters' } : { text, encoding };
}

/** The characters from 0x80 to 0x9f, where windows-1252 is not ISO 8859-1 (WHATWG Encoding, index windows-1252). */
const WINDOWS_1252_C1 = '€\x81‚ƒ„…†‡ˆ‰Š‹Œ\x8dŽ\x8f\x90‘’“”•–—˜™š›œ\x9džŸ';

/**
 * Decodes Windows-1252. Node 24's own decoder treats it as ISO 8859-1 (nodejs/node#56542), which loses € and
 * all dashes.
 */
export function decodeWindows1252(bytes: Uint8Array): string {
  const latin1 = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1');
  return latin1.replace(/[\x80-\x9f]/g, (character) =>
    WINDOWS_1252_C1.charAt(character.charCodeAt(0) - 0x80),
  );
}

/**
 * Returns the first line that is not valid UTF-8. A line break is never part of another character in UTF-8,
 * so each line can be checked on its own.
 */
function firstLineNotUtf8(bytes: Uint8Array): number {
  let line = 1;
  let start = 0;
  for (;;) {
    const newline = bytes.indexOf(0x0a, start);
    if (newline < 0 || !isUtf8(bytes.subarray(start, newline))) return line;
    start = newline + 1;
    line += 1;
  }
}
