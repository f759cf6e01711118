import { pdfDocText } from './values.ts';

/** Strings and names in the form of values.ts, which is that of qpdf's JSON. */

const UTF8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** A name from the characters after its slash in the file. */
export function unescapedName(raw: string): string {
  const bytes = unescaped(raw);
  try {
    return `/${UTF8.decode(bytes)}`;
  } catch {
    // It is not valid text: its bytes are kept unchanged.
    return `n:/${escaped(bytes)}`;
  }
}

function unescaped(raw: string): Buffer {
  const bytes: number[] = [];
  for (let at = 0; at < raw.length; at++) {
    const code = raw.charAt(at) === '#' ? raw.slice(at + 1, at + 3) : '';
    if (isHex(code)) {
      bytes.push(Number.parseInt(code, 16));
      at += 2;
    } else bytes.push(raw.charCodeAt(at));
  }
  return Buffer.from(bytes);
}

function isHex(code: string): boolean {
  return /^[\da-f]{2}$/i.test(code);
}

/** The characters of a name that need no escape (ISO 32000-2, 7.3.5). */
export function isPlainNameByte(byte: number): boolean {
  if (byte < 0x21 || byte > 0x7e) return false;
  return !'#()<>[]{}/%'.includes(String.fromCharCode(byte));
}

function escaped(bytes: Buffer): string {
  let text = '';
  for (const byte of bytes) {
    text += isPlainNameByte(byte) ? String.fromCharCode(byte) : `#${byte.toString(16).padStart(2, '0')}`;
  }
  return text;
}

/** A string of bytes: `u:` if they are clearly text, otherwise `b:` and digits. */
export function stringOf(bytes: Buffer): string {
  const text = textOfBytes(bytes);
  return text === undefined ? `b:${bytes.toString('hex')}` : `u:${text}`;
}

const [TAB, LF, FF, CR, BACKSPACE] = [9, 10, 12, 13, 8];

function textOfBytes(bytes: Buffer): string | undefined {
  const [first, second, third] = bytes;
  if (first === 0xfe && second === 0xff) return utf16(Buffer.from(bytes.subarray(2)));
  if (first === 0xef && second === 0xbb && third === 0xbf) return utf8(bytes.subarray(3));
  let others = 0;
  for (const byte of bytes) {
    if (byte > 0x7e) {
      if (byte === 0x7f || byte === 0x9f || byte === 0xad) return undefined;
      others++;
    } else if (byte < 0x20 && !isLayout(byte)) return undefined;
  }
  // Many of them indicate binary data without control codes.
  if (others * 5 > bytes.length) return undefined;
  const text = bytes.toString('latin1');
  return others === 0 ? text : pdfDocText(text);
}

function isLayout(byte: number): boolean {
  return byte === TAB || byte === LF || byte === FF || byte === CR || byte === BACKSPACE;
}

/** Undefined if the bytes would not be reproduced from the decoded characters. */
function utf16(bytes: Buffer): string | undefined {
  if (bytes.length % 2 === 1) return undefined;
  const text = bytes.swap16().toString('utf16le');
  return text.isWellFormed() ? text : undefined;
}

function utf8(bytes: Buffer): string | undefined {
  try {
    return UTF8.decode(bytes);
  } catch {
    return undefined;
  }
}

/** The interned copy of a text, so that comparisons with literals and object keys are by identity. */
export function sharedText(text: string): string {
  return Object.keys({ [text]: null })[0] ?? text;
}
