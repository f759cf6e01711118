import type { NamedGlyphs } from './cff.ts';
import { type1Width } from './charstrings.ts';
import { type Encoding, NOTDEF, STANDARD } from './names.ts';

/** Widths of the glyphs of a Type 1 font (Adobe Type 1 Font Format, chapters 2 and 7). */

const [OF_FONT, OF_GLYPH] = [55_665, 4330];
/** Number of random bytes at the beginning. */
const RANDOM = 4;
/** Maximum number of glyphs of a font. */
const MAX_GLYPHS = 65_536;

/** @returns undefined for a program that cannot be read */
export function readType1Glyphs(data: Uint8Array): NamedGlyphs | undefined {
  const bytes = Buffer.from(data.buffer, data.byteOffset, data.byteLength);
  const start = bytes.indexOf('eexec');
  // Segments, as in font files.
  if (start === -1 || bytes[0] === 0x80) return undefined;
  const clear = bytes.toString('latin1', 0, start);
  const hidden = decrypted(binary(bytes, start + 5), OF_FONT, RANDOM);
  const glyphs = readCharstrings(hidden);
  if (glyphs === undefined) return undefined;
  const matrix = /\/FontMatrix\s{0,9}\[\s{0,9}([\d.eE+-]{1,30})/.exec(clear)?.[1];
  const scale = matrix === undefined ? 1 : 1000 * Number(matrix);
  return {
    width: (name) => {
      const glyph = glyphs.get(name);
      if (glyph === undefined) return null;
      const width = type1Width(glyph);
      return width === undefined ? undefined : width * scale;
    },
    encoding: readEncoding(clear),
  };
}

/** The data after `eexec`, which may be written in hexadecimal digits. */
function binary(bytes: Buffer, start: number): Buffer {
  let at = start;
  while (isWhite(bytes[at])) at++;
  const isText = /^[\dA-Fa-f\s]{4}/.test(bytes.toString('latin1', at, at + 4));
  if (!isText) return bytes.subarray(at);
  return Buffer.from(bytes.toString('latin1', at).replace(/\s+/g, ''), 'hex');
}

function decrypted(bytes: Uint8Array, key: number, skipped: number): Buffer {
  const plain = Buffer.alloc(bytes.length);
  let state = key;
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at] ?? 0;
    plain[at] = byte ^ (state >> 8);
    state = ((byte + state) * 52_845 + 22_719) & 0xffff;
  }
  return plain.subarray(skipped);
}

/** Glyphs by their names: `/name length RD bytes`. */
function readCharstrings(hidden: Buffer): Map<string, Uint8Array> | undefined {
  const start = hidden.indexOf('/CharStrings');
  if (start === -1) return undefined;
  const before = /\/lenIV\s{1,9}(\d{1,2})/.exec(hidden.toString('latin1', 0, start))?.[1];
  const skipped = Number(before ?? RANDOM);
  const glyphs = new Map<string, Uint8Array>();
  let at = hidden.indexOf('begin', start);
  if (at === -1) return undefined;
  at += 5;
  while (at < hidden.length && glyphs.size < MAX_GLYPHS) {
    while (isWhite(hidden[at])) at++;
    const word = wordAt(hidden, at);
    at += Math.max(1, word.length);
    if (word === 'end') return glyphs.size === 0 ? undefined : glyphs;
    if (!word.startsWith('/')) continue;
    while (isWhite(hidden[at])) at++;
    const length = wordAt(hidden, at);
    at += length.length + 1;
    const count = Number(length);
    if (!(count >= 0 && Number.isInteger(count))) return undefined;
    // The operator before the data, and one space.
    at += wordAt(hidden, at).length + 1;
    if (at + count > hidden.length) return undefined;
    glyphs.set(word.slice(1), decrypted(hidden.subarray(at, at + count), OF_GLYPH, skipped));
    at += count;
  }
  // The data is truncated, or has more glyphs than a font can have.
  return undefined;
}

function isWhite(byte: number | undefined): boolean {
  return byte === 32 || byte === 10 || byte === 13 || byte === 9;
}

/** Maximum number of characters of a word. */
const MAX_LETTERS = 130;

function wordAt(bytes: Buffer, start: number): string {
  let end = start;
  while (end < bytes.length && end - start < MAX_LETTERS && !isWhite(bytes[end])) {
    end++;
    // A name begins without white space before it.
    if (bytes[end] === 0x2f) break;
  }
  return bytes.toString('latin1', start, end);
}

function readEncoding(clear: string): Encoding {
  const start = clear.indexOf('/Encoding');
  if (start === -1) return Array.from({ length: 256 });
  if (/^\/Encoding\s{1,9}StandardEncoding\b/.test(clear.slice(start, start + 60))) return STANDARD;
  const encoding = Array.from<string>({ length: 256 }).fill(NOTDEF);
  for (const [, code, name] of clear
    .slice(start)
    .matchAll(/\bdup\s{1,9}(\d{1,3})\s{0,9}\/([^\s/]{1,127})\s{1,9}put\b/g))
    if (Number(code) < 256) encoding[Number(code)] = name ?? NOTDEF;
  return encoding;
}
