import { isUtf8 } from 'node:buffer';

/** Reading the text of an html template, a header, a footer or a stylesheet out of its bytes. */

/** `encoding` is a label of the WHATWG Encoding Standard; `fault` a clause: "line 3 is not UTF-8". */
export type Decoded = { text: string; encoding: string } | { fault: string };

/** HTML 13.2.3.2: an encoding declaration counts within the first 1024 bytes. */
const DECLARATION_BYTES = 1024;
const HTML_DECLARATION = /<meta[^>]{1,500}charset\s{0,9}=\s{0,9}["']?\s{0,9}([\w.:-]{1,40})/i;
const CSS_DECLARATION = /^@charset "([\w.:-]{1,40})";/;

/**
 * Decodes html (or plain text). A byte order mark decides; else what is valid UTF-8 is UTF-8, whatever it declares;
 * else the encoding declared in `<meta charset>` holds.
 */
export function decodeHtml(bytes: Uint8Array): Decoded {
  return decode(bytes, HTML_DECLARATION, 'a <meta charset="…">');
}

/** Decodes CSS, as `decodeHtml` does html; the declaration is `@charset "…";` at the very beginning. */
export function decodeCss(bytes: Uint8Array): Decoded {
  return decode(bytes, CSS_DECLARATION, 'an @charset rule');
}

function decode(bytes: Uint8Array, declaration: RegExp, declarationName: string): Decoded {
  const [first, second] = bytes;
  if (first === 0xff && second === 0xfe) return decodeAs('utf-16le', bytes);
  if (first === 0xfe && second === 0xff) return decodeAs('utf-16be', bytes);
  // The decoder leaves out a byte order mark.
  if (isUtf8(bytes)) return decodeAs('utf-8', bytes);
  const label = declaration.exec(Buffer.from(bytes.subarray(0, DECLARATION_BYTES)).toString('latin1'))?.[1];
  // A declaration that could be read as single bytes cannot be one of UTF-16: HTML takes it for UTF-8.
  if (label !== undefined && !/^utf-?(8|16)/i.test(label)) return decodeAs(label, bytes);
  if (bytes.includes(0)) return { fault: 'it is binary data' };
  const advice = `save it as UTF-8, or declare its encoding with ${declarationName}`;
  return { fault: `line ${firstLineNotUtf8(bytes)} is not UTF-8; ${advice}` };
}

function decodeAs(label: string, bytes: Uint8Array): Decoded {
  let text: string;
  let encoding: string;
  try {
    const decoder = new TextDecoder(label, { fatal: true });
    encoding = decoder.encoding;
    text = encoding === 'windows-1252' ? decodeWindows1252(bytes) : decoder.decode(bytes);
  } catch {
    return { fault: `it is not ${label}, which it says it is` };
  }
  return text.includes('\0') ? { fault: 'it holds NUL characters' } : { text, encoding };
}

/** The characters from 0x80 to 0x9f, where windows-1252 is not ISO 8859-1 (WHATWG Encoding, index windows-1252). */
const WINDOWS_1252_C1 = '€\x81‚ƒ„…†‡ˆ‰Š‹Œ\x8dŽ\x8f\x90‘’“”•–—˜™š›œ\x9džŸ';

/** Node 24's own decoder takes windows-1252 for ISO 8859-1 (nodejs/node#56542), which loses € and all dashes. */
export function decodeWindows1252(bytes: Uint8Array): string {
  const latin1 = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1');
  return latin1.replace(/[\x80-\x9f]/g, (character) =>
    WINDOWS_1252_C1.charAt(character.charCodeAt(0) - 0x80),
  );
}

/** A line break is never part of another character in UTF-8, so lines can be looked at one by one. */
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
