import { inflateSync } from 'node:zlib';
import { PlatenError } from '@platen/core/errors';
import { lzwDecode } from '@platen/pdf/lzw';
import { checkSize, invalidImage, MAX_PIXELS, unsupportedImage } from './limits.ts';
import { completeDirectory, type Directory, firstNumber, isLittleEndian } from './tiff-directory.ts';
import { DATA_START, shortTiff } from './tiff-write.ts';

/**
 * Reads pages of TIFF files whose samples are floats, signed, or longer than 16 bits, and maps them to unsigned
 * samples of 16 bits: for the decoders such numbers are either out of range or of another meaning.
 */

const TAG = {
  width: 0x100,
  height: 0x101,
  bits: 0x102,
  compression: 0x103,
  photometric: 0x106,
  stripOffsets: 0x111,
  samples: 0x115,
  rowsPerStrip: 0x116,
  stripLengths: 0x117,
  planar: 0x11c,
  predictor: 0x13d,
  tileWidth: 0x142,
  tileHeight: 0x143,
  tileOffsets: 0x144,
  tileLengths: 0x145,
  extra: 0x152,
  format: 0x153,
  lowest: 0x154,
  highest: 0x155,
};
const FORMATS = { unsigned: 1, signed: 2, float: 3, undefined: 4 } as const;
/** Maximum samples of a page: each takes eight bytes until the range is known. */
const MAX_SAMPLES = 64 << 20;

/** Returns whether the samples of a page are of a kind that this module reads. */
export function hasWideSamples(page: Directory): boolean {
  const [format = 1, bits = 1] = [firstNumber(page, TAG.format), firstNumber(page, TAG.bits)];
  return (format !== FORMATS.unsigned && format !== FORMATS.undefined) || bits > 16;
}

export interface ShortSamplesTask {
  bytes: Uint8Array;
  /** 0-based. */
  page: number;
  /** The subject of error messages. */
  what: string;
}

/**
 * Returns one page as a TIFF of unsigned samples of 16 bits. Integers map their whole range, floats the range
 * that `SMinSampleValue` and `SMaxSampleValue` state; without these 0 to 1, if a value is higher 0 to 255 or
 * 0 to 65535, and otherwise, or if a value is negative, from the lowest value to the highest.
 *
 * @throws PlatenError `image_format_unsupported`, `image_invalid`, `image_too_large`
 */
export function withShortSamples({ bytes, page, what }: ShortSamplesTask): ShortSamples {
  const directory = completeDirectory(bytes, page);
  if (directory === undefined) return invalidImage(`${what} has no page ${page + 1}.`);
  const layout = layoutOf(directory, what);
  const values = new Float64Array(layout.width * layout.height * layout.samples);
  fillValues(values, Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength), directory, layout);
  const [low, high] = rangeOf(values, directory, layout);
  const tiff = shortTiff(values.length * 2, layout, directory.get(TAG.extra) ?? []);
  for (let i = 0; i < values.length; i += 1) {
    const scaled = (((values[i] ?? 0) - low) / (high - low)) * 65_535;
    // What is no number is black.
    const short = Number.isNaN(scaled) ? 0 : Math.min(65_535, Math.max(0, Math.round(scaled)));
    tiff.writeUInt16LE(short, DATA_START + 2 * i);
  }
  return { tiff, guessed: isStated(directory, layout) ? null : [low, high] };
}

export interface ShortSamples {
  tiff: Buffer;
  /** The values taken for black and white where the file does not state them; null if it does. */
  guessed: [black: number, white: number] | null;
}

function isStated(page: Directory, { format }: Layout): boolean {
  const [low, high] = [firstNumber(page, TAG.lowest), firstNumber(page, TAG.highest)];
  return format !== FORMATS.float || (low !== undefined && high !== undefined && high > low);
}

interface Layout {
  what: string;
  width: number;
  height: number;
  /** Channels of a pixel. */
  samples: number;
  bits: 8 | 16 | 32 | 64;
  format: number;
  photometric: number;
  isPlanar: boolean;
  compression: number;
  predictor: number;
}

function layoutOf(page: Directory, what: string): Layout {
  const [width = 0, height = 0] = [firstNumber(page, TAG.width), firstNumber(page, TAG.height)];
  checkSize(width, height, what);
  const samples = firstNumber(page, TAG.samples) ?? 1;
  const bits = firstNumber(page, TAG.bits) ?? 1;
  const format = firstNumber(page, TAG.format) ?? FORMATS.unsigned;
  const photometric = firstNumber(page, TAG.photometric) ?? 1;
  if (format > FORMATS.undefined) return unsupportedImage(what, 'has complex numbers');
  const smallest = format === FORMATS.float ? 16 : 8;
  if (![8, 16, 32, 64].includes(bits) || bits < smallest || samples > 16) {
    return unsupportedImage(what, `has ${samples} samples of ${bits} bits per pixel`);
  }
  if (![0, 1, 2, 5].includes(photometric)) {
    return unsupportedImage(what, `has floats or long integers of the colour space ${photometric}`);
  }
  if (width * height * samples > MAX_SAMPLES) {
    throw new PlatenError(
      'image_too_large',
      `${what} has ${width} x ${height} pixels of ${samples} long samples, which need too much memory.`,
    );
  }
  return {
    what,
    width,
    height,
    samples,
    bits: bits as Layout['bits'],
    format,
    photometric,
    isPlanar: firstNumber(page, TAG.planar) === 2,
    compression: firstNumber(page, TAG.compression) ?? 1,
    predictor: firstNumber(page, TAG.predictor) ?? 1,
  };
}

/** Reads the strips or tiles of a page one after the other. */
function fillValues(values: Float64Array, file: Buffer, page: Directory, layout: Layout): void {
  const isTiled = page.has(TAG.tileOffsets);
  const [offsets = [], lengths = []] = isTiled
    ? [page.get(TAG.tileOffsets), page.get(TAG.tileLengths)]
    : [page.get(TAG.stripOffsets), page.get(TAG.stripLengths)];
  const width = isTiled ? (firstNumber(page, TAG.tileWidth) ?? 0) : layout.width;
  const rows = isTiled
    ? (firstNumber(page, TAG.tileHeight) ?? 0)
    : Math.min(firstNumber(page, TAG.rowsPerStrip) ?? layout.height, layout.height);
  if (!(width > 0 && rows > 0) || width * rows > MAX_PIXELS) {
    invalidImage(`${layout.what} is damaged: its strips or tiles have no valid size.`);
  }
  const [across, down] = [Math.ceil(layout.width / width), Math.ceil(layout.height / rows)];
  const planes = layout.isPlanar ? layout.samples : 1;
  const channels = layout.isPlanar ? 1 : layout.samples;
  const little = isLittleEndian(file);
  for (let piece = 0; piece < across * down * planes; piece += 1) {
    const [offset, length] = [offsets[piece], lengths[piece]];
    if (offset === undefined || length === undefined || offset + length > file.length) {
      return invalidImage(`${layout.what} is cut off: the end of its data is missing.`);
    }
    const plane = Math.floor(piece / (across * down));
    const [column, row] = [piece % across, Math.floor(piece / across) % down];
    const height = isTiled ? rows : Math.min(rows, layout.height - row * rows);
    const rowBytes = width * channels * (layout.bits / 8);
    const data = unpacked(file.subarray(offset, offset + length), layout, rowBytes * height);
    const read = reader(data, layout, { rowBytes, width, channels, little });
    for (let y = 0; y < Math.min(height, layout.height - row * rows); y += 1) {
      for (let x = 0; x < Math.min(width, layout.width - column * width); x += 1) {
        const pixel = (row * rows + y) * layout.width + column * width + x;
        for (let c = 0; c < channels; c += 1) {
          values[pixel * layout.samples + plane + c] = read(y, x * channels + c);
        }
      }
    }
  }
}

/** @throws PlatenError `image_format_unsupported` for compressions that are not lossless or not common */
function unpacked(data: Buffer, { compression, what }: Layout, size: number): Buffer {
  const full = ((): Buffer => {
    try {
      if (compression === 1) return data;
      if (compression === 5) return lzwDecode(data, true, size);
      if (compression === 8 || compression === 32_946) return inflateSync(data, { maxOutputLength: size });
    } catch (error) {
      return invalidImage(`${what} is damaged: its data cannot be decompressed.`, error);
    }
    return unsupportedImage(what, `has floats or long integers in compression ${compression}`);
  })();
  if (full.length < size) invalidImage(`${what} is cut off: the end of its data is missing.`);
  return Buffer.from(full.subarray(0, size));
}

interface Rows {
  rowBytes: number;
  width: number;
  channels: number;
  little: boolean;
}

/** Undoes the prediction (TIFF 6.0, section 14; Adobe Photoshop TIFF Technical Note 3) and reads samples. */
function reader(data: Buffer, layout: Layout, rows: Rows): (row: number, place: number) => number {
  const { bits, format, predictor } = layout;
  const isFloat = predictor === 3;
  if (isFloat) undoFloatPrediction(data, bits / 8, rows);
  const view = new DataView(data.buffer, data.byteOffset, data.byteLength);
  const little = isFloat ? false : rows.little;
  if (predictor === 2) undoDifferences(view, bits, { ...rows, little });
  const at = (row: number, place: number): number => row * rows.rowBytes + place * (bits / 8);
  if (format === FORMATS.float) {
    if (bits === 16) return (row, place) => half(view.getUint16(at(row, place), little));
    return bits === 64
      ? (row, place) => view.getFloat64(at(row, place), little)
      : (row, place) => view.getFloat32(at(row, place), little);
  }
  const isSigned = format === FORMATS.signed;
  return (row, place) => integer(view, at(row, place), bits, isSigned, little);
}

/** A floating-point number of 16 bits (IEEE 754). `DataView.getFloat16` is not in all supported versions of Node.js. */
function half(bits: number): number {
  const [sign, exponent, fraction] = [bits & 0x8000 ? -1 : 1, (bits >> 10) & 0x1f, bits & 0x3ff];
  if (exponent === 0) return sign * fraction * 2 ** -24;
  if (exponent === 0x1f) return fraction === 0 ? sign * Infinity : NaN;
  return sign * (1 + fraction / 1024) * 2 ** (exponent - 15);
}

function integer(view: DataView, at: number, bits: number, isSigned: boolean, little: boolean): number {
  if (bits === 8) return isSigned ? view.getInt8(at) : view.getUint8(at);
  if (bits === 16) return isSigned ? view.getInt16(at, little) : view.getUint16(at, little);
  if (bits === 32) return isSigned ? view.getInt32(at, little) : view.getUint32(at, little);
  return Number(isSigned ? view.getBigInt64(at, little) : view.getBigUint64(at, little));
}

/** Every sample is the difference to the one of the pixel before. */
function undoDifferences(view: DataView, bits: number, { rowBytes, channels, little }: Rows): void {
  const size = bits / 8;
  for (let start = 0; start < view.byteLength; start += rowBytes) {
    for (let at = start + channels * size; at < start + rowBytes; at += size) {
      const before = at - channels * size;
      if (bits === 8) view.setUint8(at, view.getUint8(at) + view.getUint8(before));
      else if (bits === 16)
        view.setUint16(at, view.getUint16(at, little) + view.getUint16(before, little), little);
      else if (bits === 32)
        view.setUint32(at, view.getUint32(at, little) + view.getUint32(before, little), little);
      else {
        const sum = view.getBigUint64(at, little) + view.getBigUint64(before, little);
        view.setBigUint64(at, BigInt.asUintN(64, sum), little);
      }
    }
  }
}

/** Bytes of a row are differences, and stand in groups: the highest of all its samples first. */
function undoFloatPrediction(data: Buffer, size: number, { rowBytes, channels }: Rows): void {
  const count = rowBytes / size;
  for (let start = 0; start < data.length; start += rowBytes) {
    for (let at = start + channels; at < start + rowBytes; at += 1) {
      data[at] = ((data[at] ?? 0) + (data[at - channels] ?? 0)) & 0xff;
    }
    const row = Buffer.from(data.subarray(start, start + rowBytes));
    for (let i = 0; i < count; i += 1) {
      for (let byte = 0; byte < size; byte += 1) data[start + i * size + byte] = row[byte * count + i] ?? 0;
    }
  }
}

/** Returns the values of black and white. */
function rangeOf(values: Float64Array, page: Directory, { format, bits }: Layout): [number, number] {
  if (format === FORMATS.unsigned || format === FORMATS.undefined) return [0, 2 ** bits - 1];
  if (format === FORMATS.signed) return [-(2 ** (bits - 1)), 2 ** (bits - 1) - 1];
  const [stated, limit] = [firstNumber(page, TAG.lowest), firstNumber(page, TAG.highest)];
  if (stated !== undefined && limit !== undefined && limit > stated) return [stated, limit];
  let [low, high] = [Infinity, -Infinity];
  for (const value of values) {
    if (!Number.isFinite(value)) continue;
    if (value < low) low = value;
    if (value > high) high = value;
  }
  const white = [1, 255, 65_535].find((value) => high <= value);
  if (low >= 0 && white !== undefined) return [0, white];
  return high > low ? [low, high] : [0, 1];
}
