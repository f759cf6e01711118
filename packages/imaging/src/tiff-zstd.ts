import { deflateSync, zstdDecompressSync } from 'node:zlib';
import { checkSize, invalidImage } from './limits.ts';
import {
  completeDirectory,
  type Directory,
  entryPlaces,
  firstNumber,
  isLittleEndian,
  tiffDirectories,
} from './tiff-directory.ts';

/** Recodes the data of TIFF files that is compressed with Zstandard, which the decoders of images lack. */

const TAG = {
  width: 0x100,
  height: 0x101,
  bits: 0x102,
  compression: 0x103,
  samples: 0x115,
  rowsPerStrip: 0x116,
  planar: 0x11c,
  tileWidth: 0x142,
  tileHeight: 0x143,
};
const STRIPS = { offsets: 0x111, lengths: 0x117 };
const TILES = { offsets: 0x144, lengths: 0x145 };
/** Number of the compression, as libtiff writes it. */
const ZSTD = 50_000;
const DEFLATE = 8;
const LONG = 4;

/** Returns whether pages of a file are compressed with Zstandard. */
export function hasZstd(bytes: Uint8Array): boolean {
  return tiffDirectories(bytes).some(isZstd);
}

function isZstd(page: Directory): boolean {
  return firstNumber(page, TAG.compression) === ZSTD;
}

export interface ZstdTask {
  bytes: Uint8Array;
  /** The subject of error messages. */
  what: string;
}

/**
 * Returns the file with Deflate in place of Zstandard; the data that was decompressed follows the end of the file.
 * Predictors stay as they are, because both compressions have the same.
 *
 * @throws PlatenError `image_invalid`, `image_too_large`
 */
export function withoutZstd({ bytes, what }: ZstdTask): Buffer {
  const file = Buffer.from(bytes);
  const added: Buffer[] = [];
  let end = file.length;
  const add = (data: Buffer): number => {
    const at = end;
    added.push(data);
    end += data.length;
    return at;
  };
  const allPlaces = entryPlaces(bytes);
  for (const [page, short] of tiffDirectories(bytes).entries()) {
    if (!isZstd(short)) continue;
    const directory = completeDirectory(bytes, page) ?? short;
    const tags = directory.has(TILES.offsets) ? TILES : STRIPS;
    const largest = pieceSize(directory, what);
    const lengths = directory.get(tags.lengths) ?? [];
    const pieces = (directory.get(tags.offsets) ?? []).map((start, index) =>
      recoded(bytes.subarray(start, start + (lengths[index] ?? 0)), largest, what),
    );
    const write = (tag: number, values: readonly number[]): void => {
      const place = allPlaces[page]?.get(tag);
      if (place !== undefined) writeLongs(file, place, values, add);
    };
    write(TAG.compression, [DEFLATE]);
    write(tags.offsets, pieces.map(add));
    write(
      tags.lengths,
      pieces.map(({ length }) => length),
    );
  }
  // All of it at once: such a buffer can be moved out of a thread.
  const whole = Buffer.alloc(end);
  file.copy(whole);
  let at = file.length;
  for (const data of added) at += data.copy(whole, at);
  return whole;
}

/** Most bytes of a strip or tile once decompressed. @throws PlatenError `image_invalid`, `image_too_large` */
function pieceSize(page: Directory, what: string): number {
  const number = (tag: number, otherwise: number): number => firstNumber(page, tag) ?? otherwise;
  const [width, height] = [number(TAG.width, 0), number(TAG.height, 0)];
  const columns = number(TAG.tileWidth, width);
  const rows = number(TAG.tileHeight, Math.min(number(TAG.rowsPerStrip, height), height));
  checkSize(width, height, what);
  checkSize(columns, rows, what);
  const channels = number(TAG.planar, 1) === 2 ? 1 : number(TAG.samples, 1);
  return Math.ceil((columns * channels * number(TAG.bits, 1)) / 8) * rows;
}

function recoded(data: Uint8Array, largest: number, what: string): Buffer {
  try {
    return deflateSync(zstdDecompressSync(data, { maxOutputLength: largest }), { level: 1 });
  } catch (error) {
    return invalidImage(`${what} is damaged: its data cannot be decompressed.`, error);
  }
}

/** Replaces the values of an entry. @param add appends a list and returns where it is */
function writeLongs(
  file: Buffer,
  place: number,
  values: readonly number[],
  add: (list: Buffer) => number,
): void {
  const isLittle = isLittleEndian(file);
  const put = (target: Buffer, value: number, at: number): number =>
    isLittle ? target.writeUInt32LE(value, at) : target.writeUInt32BE(value, at);
  if (isLittle) file.writeUInt16LE(LONG, place + 2);
  else file.writeUInt16BE(LONG, place + 2);
  const [only = 0] = values;
  if (values.length === 1) put(file, only, place + 8);
  else {
    const list = Buffer.alloc(4 * values.length);
    for (const [index, value] of values.entries()) put(list, value, 4 * index);
    put(file, add(list), place + 8);
  }
}
