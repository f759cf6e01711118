import { closeSync, openSync, writeSync } from 'node:fs';
import { PlatenError } from '@platen/core/errors';
import { deflatedRows } from './encode.ts';
import type { Bitmap } from '../pdfium/document.ts';

const SHORT = 3;
const LONG = 4;
const RATIONAL = 5;

/** Offsets are 32 bits wide. */
const MAX_BYTES = 2 ** 32 - 1;

/** A TIFF of several pages (TIFF 6.0), written page by page, so that memory holds only one page. */
export class TiffFile {
  readonly #file: number;
  #position = 8;
  /** Position at which the offset of the next page's directory is written. */
  #link = 4;

  constructor(path: string) {
    this.#file = openSync(path, 'w');
    const header = Buffer.alloc(8);
    header.write('II', 'latin1');
    header.writeUInt16LE(42, 2);
    this.#write(header, 0);
  }

  /** @throws PlatenError `pdf_too_complex` for more than 4 GB. */
  async add(bitmap: Bitmap, dpi: number): Promise<void> {
    const { width, height } = bitmap;
    const strip = await deflatedRows(bitmap);
    const data = this.#append(strip);
    const bits = this.#append(uint16(8, 8, 8));
    const resolution = this.#append(uint32(Math.round(dpi * 1000), 1000));
    const entries: [tag: number, type: number, count: number, value: number][] = [
      [254, LONG, 1, 2],
      [256, LONG, 1, width],
      [257, LONG, 1, height],
      [258, SHORT, 3, bits],
      [259, SHORT, 1, 8],
      [262, SHORT, 1, 2],
      [273, LONG, 1, data],
      [277, SHORT, 1, 3],
      [278, LONG, 1, height],
      [279, LONG, 1, strip.length],
      [282, RATIONAL, 1, resolution],
      [283, RATIONAL, 1, resolution],
      [296, SHORT, 1, 2],
      [317, SHORT, 1, 2],
    ];
    const directory = Buffer.alloc(2 + entries.length * 12 + 4);
    directory.writeUInt16LE(entries.length);
    entries.forEach(([tag, type, count, value], index) => {
      const at = 2 + index * 12;
      directory.writeUInt16LE(tag, at);
      directory.writeUInt16LE(type, at + 2);
      directory.writeUInt32LE(count, at + 4);
      directory.writeUInt32LE(value, at + 8);
    });
    const place = this.#append(directory);
    this.#write(uint32(place), this.#link);
    this.#link = place + directory.length - 4;
  }

  close(): void {
    closeSync(this.#file);
  }

  /** @returns the offset of the data; directories must begin at an even offset, so all data does */
  #append(bytes: Buffer): number {
    const at = this.#position;
    if (at + bytes.length > MAX_BYTES) {
      throw new PlatenError(
        'pdf_too_complex',
        'The pages do not fit into one TIFF: request fewer pages or a lower `dpi`.',
      );
    }
    this.#write(bytes, at);
    this.#position = at + bytes.length + (bytes.length % 2);
    return at;
  }

  #write(bytes: Buffer, at: number): void {
    for (let done = 0; done < bytes.length;) {
      done += writeSync(this.#file, bytes, done, bytes.length - done, at + done);
    }
  }
}

function uint16(...values: number[]): Buffer {
  const bytes = Buffer.alloc(values.length * 2);
  values.forEach((value, index) => bytes.writeUInt16LE(value, index * 2));
  return bytes;
}

function uint32(...values: number[]): Buffer {
  const bytes = Buffer.alloc(values.length * 4);
  values.forEach((value, index) => bytes.writeUInt32LE(value, index * 4));
  return bytes;
}
