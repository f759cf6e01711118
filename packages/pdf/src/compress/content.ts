/**
 * What a content stream (ISO 32000-1, 7.8) does to the coordinate system and which objects it shows: all that has
 * to be known of it to tell how large a picture appears.
 */
export type ContentStep =
  | { step: 'save' }
  | { step: 'restore' }
  | { step: 'transform'; matrix: Matrix }
  | { step: 'show'; name: string };

export type Matrix = readonly [number, number, number, number, number, number];

export const IDENTITY: Matrix = [1, 0, 0, 1, 0, 0];

/** The transformation that does `inner` first and then `outer`. */
export function multiply(inner: Matrix, outer: Matrix): Matrix {
  const [a, b, c, d, e, f] = inner;
  const [g, h, i, j, k, l] = outer;
  return [a * g + b * i, a * h + b * j, c * g + d * i, c * h + d * j, e * g + f * i + k, e * h + f * j + l];
}

const WHITE = new Set([0, 9, 10, 12, 13, 32]);
const DELIMITERS = new Set([...'()<>[]{}/%'].map((char) => char.charCodeAt(0)));

/** Goes through a content stream. What cannot be read is passed over, as readers do. */
export function* readContent(bytes: Uint8Array): Generator<ContentStep> {
  const numbers: number[] = [];
  let name = '';
  let at = 0;
  while (at < bytes.length) {
    const byte = bytes[at] ?? 0;
    if (WHITE.has(byte)) at++;
    else if (byte === 0x25) at = lineEnd(bytes, at);
    else if (byte === 0x28) at = stringEnd(bytes, at);
    else if (byte === 0x2f) {
      const end = wordEnd(bytes, at + 1);
      name = nameOf(bytes.subarray(at + 1, end));
      at = end;
    } else if (DELIMITERS.has(byte)) at++;
    else {
      const end = wordEnd(bytes, at);
      const word = Buffer.from(bytes.buffer, bytes.byteOffset + at, end - at).toString('latin1');
      at = end;
      const number = Number(word);
      if (!Number.isNaN(number)) {
        numbers.push(number);
        continue;
      }
      if (word === 'q') yield { step: 'save' };
      else if (word === 'Q') yield { step: 'restore' };
      else if (word === 'cm' && numbers.length >= 6) {
        yield { step: 'transform', matrix: numbers.slice(-6) as unknown as Matrix };
      } else if (word === 'Do') yield { step: 'show', name: `/${name}` };
      else if (word === 'ID') at = inlineImageEnd(bytes, at);
      numbers.length = 0;
    }
    if (numbers.length > 64) numbers.splice(0, 32);
  }
}

function wordEnd(bytes: Uint8Array, start: number): number {
  let at = start;
  while (at < bytes.length && !WHITE.has(bytes[at] ?? 0) && !DELIMITERS.has(bytes[at] ?? 0)) at++;
  return at;
}

function lineEnd(bytes: Uint8Array, start: number): number {
  let at = start;
  while (at < bytes.length && bytes[at] !== 10 && bytes[at] !== 13) at++;
  return at;
}

/** A string in parentheses, which may be nested or escaped. */
function stringEnd(bytes: Uint8Array, start: number): number {
  let depth = 0;
  for (let at = start; at < bytes.length; at++) {
    const byte = bytes[at];
    if (byte === 0x5c) at++;
    else if (byte === 0x28) depth++;
    else if (byte === 0x29 && --depth === 0) return at + 1;
  }
  return bytes.length;
}

/** The data of an inline image ends at `EI` between white space. */
function inlineImageEnd(bytes: Uint8Array, start: number): number {
  const data = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  for (let at = data.indexOf('EI', start); at !== -1; at = data.indexOf('EI', at + 1)) {
    const after = data[at + 2];
    if (WHITE.has(data[at - 1] ?? 32) && (after === undefined || WHITE.has(after))) return at + 2;
  }
  return bytes.length;
}

function nameOf(bytes: Uint8Array): string {
  return Buffer.from(bytes)
    .toString('latin1')
    .replace(/#([0-9A-Fa-f]{2})/g, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)));
}
