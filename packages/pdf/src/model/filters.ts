import { constants, inflateSync } from 'node:zlib';
import { damaged, tooComplex } from './syntax.ts';
import { lzwDecode } from './lzw.ts';
import { decodePrediction, type Prediction } from './predictor.ts';
import { isDict, isName, type PdfDict, type PdfValue } from './values.ts';

/** Decodes the filters of streams (ISO 32000-2, 7.4), except those of images and of encryption. */

export interface Decoded {
  data: Buffer;
  /** Filters that are not decoded, the outermost first: `/DCTDecode` and the like. */
  filters: string[];
}

/** Abbreviations, which inline images and some writers use. */
const SHORT: Readonly<Record<string, string>> = {
  '/Fl': '/FlateDecode',
  '/LZW': '/LZWDecode',
  '/AHx': '/ASCIIHexDecode',
  '/A85': '/ASCII85Decode',
  '/RL': '/RunLengthDecode',
};

/** Maximum number of filters. */
const MAX_FILTERS = 16;

/**
 * Decodes the data of a stream.
 *
 * @param dict of the stream, whose filters and parameters are direct
 * @param most bytes of the output of each filter
 * @throws PlatenError `pdf_damaged` for data that is invalid for its filter; `pdf_too_complex` for more than `most`
 */
export function decoded(
  raw: Buffer,
  filter: PdfValue | undefined,
  parameters: PdfValue | undefined,
  most: number,
): Decoded {
  const filters = (Array.isArray(filter) ? filter : [filter ?? null]).filter(isName);
  const settings = Array.isArray(parameters) ? parameters : [parameters ?? null];
  if (filters.length > MAX_FILTERS) throw tooComplex('A stream of the PDF has too many filters.');
  let data = raw;
  for (const [index, name] of filters.entries()) {
    const setting = settings[index];
    const next = decodedBy(SHORT[name] ?? name, data, isDict(setting) ? setting : {}, most);
    if (next === undefined) return { data, filters: filters.slice(index) };
    if (next.length > most) throw tooLarge();
    data = next;
  }
  return { data, filters: [] };
}

function decodedBy(filter: string, data: Buffer, parameters: PdfDict, most: number): Buffer | undefined {
  switch (filter) {
    case '/FlateDecode':
      return decodePrediction(inflated(data, most), prediction(parameters));
    case '/LZWDecode':
      return decodePrediction(
        lzwDecode(data, parameters['/EarlyChange'] !== 0, most),
        prediction(parameters),
      );
    case '/ASCIIHexDecode':
      return asciiHex(data);
    case '/ASCII85Decode':
      return ascii85(data);
    case '/RunLengthDecode':
      return runLength(data, most);
    default:
      return undefined;
  }
}

export function tooLarge(): Error {
  return tooComplex('A stream of the PDF is larger than is allowed.');
}

function prediction(parameters: PdfDict): Prediction {
  const number = (key: string, standard: number): number => {
    const value = parameters[key];
    return typeof value === 'number' && Number.isInteger(value) ? value : standard;
  };
  return {
    predictor: number('/Predictor', 1),
    colors: number('/Colors', 1),
    bits: number('/BitsPerComponent', 8),
    columns: number('/Columns', 1),
  };
}

function inflated(data: Buffer, most: number): Buffer {
  if (data.length === 0) return data;
  try {
    // Some writers omit the checksum at the end.
    const options = { finishFlush: constants.Z_SYNC_FLUSH, maxOutputLength: Math.max(1, most) };
    return inflateSync(data, options);
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ERR_BUFFER_TOO_LARGE') throw tooLarge();
    throw damaged('a stream cannot be inflated', error);
  }
}

const WHITE = new Set([0, 9, 10, 12, 13, 32]);
const [TILDE, GREATER, BANG, SMALL_Z] = [0x7e, 0x3e, 0x21, 0x7a];

function asciiHex(data: Buffer): Buffer {
  const end = data.indexOf(GREATER);
  const text = data.toString('latin1', 0, end === -1 ? data.length : end).replace(/[\s\0]+/g, '');
  if (/[^\da-f]/i.test(text)) throw damaged('a stream has a hexadecimal digit that is none');
  return Buffer.from(text.length % 2 === 1 ? `${text}0` : text, 'hex');
}

/** Five characters encode four bytes (7.4.3). */
function ascii85(data: Buffer): Buffer {
  const output = Buffer.alloc(data.length * 4);
  let [length, value, count] = [0, 0, 0];
  for (const byte of data) {
    if (byte === TILDE) break;
    if (WHITE.has(byte)) continue;
    if (byte === SMALL_Z && count === 0) {
      length += 4;
      continue;
    }
    if (byte < BANG || byte > BANG + 84) throw damaged('a stream has a character of base 85 that is none');
    value = value * 85 + (byte - BANG);
    if (++count < 5) continue;
    if (value > 0xffffffff) throw damaged('a stream has a number of base 85 that is too large');
    output.writeUInt32BE(value, length);
    length += 4;
    [value, count] = [0, 0];
  }
  if (count === 1) throw damaged('a stream of base 85 ends with half a byte');
  if (count > 1) {
    for (let missing = count; missing < 5; missing++) value = value * 85 + 84;
    output.writeUInt32BE(Math.min(value, 0xffffffff), length);
    length += count - 1;
  }
  return output.subarray(0, length);
}

/** Runs of literal bytes, and of repeated bytes (7.4.5). */
function runLength(data: Buffer, most: number): Buffer {
  // Twice: millions of runs would take far more memory as a list than their bytes do.
  const output = Buffer.allocUnsafe(eachRun(data, most, () => undefined));
  eachRun(data, most, (start, length, from, isRepeated) => {
    if (isRepeated) output.fill(data[from] ?? 0, start, start + length);
    else data.copy(output, start, from, from + length);
  });
  return output;
}

/**
 * Reports each run: its place in the output and its length, the place of its data, and whether that is one byte.
 *
 * @returns the length of the output
 */
function eachRun(
  data: Buffer,
  most: number,
  found: (start: number, length: number, from: number, isRepeated: boolean) => void,
): number {
  let total = 0;
  for (let at = 0; at < data.length;) {
    const code = data[at++] ?? 128;
    // The last run may be incomplete.
    if (code === 128 || at >= data.length) break;
    const isRepeated = code > 128;
    const length = isRepeated ? 257 - code : Math.min(code + 1, data.length - at);
    if (total + length > most) throw tooLarge();
    found(total, length, at, isRepeated);
    total += length;
    at += isRepeated ? 1 : length;
  }
  return total;
}
