import { promisify } from 'node:util';
import { constants, deflate, deflateSync, type ZlibOptions } from 'node:zlib';
import { IdTable, Integers } from './integers.ts';
import { type PdfDict, serialize } from './values.ts';

/** Object streams, and the cross-reference streams that refer to them (PDF 1.5). */

/**
 * Maximum number of objects of an object stream: more save little, and a reader decompresses all of them to get
 * one.
 */
export const STREAM_OBJECTS = 200;

/** Up to this many bytes, an object stream may have more objects than that: those of tags are many and small. */
export const SMALL_STREAM = 1 << 16;

/** Whether a further object belongs to another object stream. @param length bytes of its objects */
export function isStreamFull(count: number, length: number): boolean {
  return count >= STREAM_OBJECTS && length > SMALL_STREAM;
}

/** A row of a cross-reference stream (ISO 32000-2, table 18). */
export type Place =
  | { type: 'free'; next: number; generation: number }
  | { type: 'offset'; offset: number; generation?: number }
  | { type: 'packed'; stream: number; index: number };

/** Radix of the packed fields: greater than the number of objects of a file. */
const MAX_ROWS = 2 ** 26;

/** The positions of objects, by number. */
export class Places {
  /** Row numbers by object number, 1-based. */
  readonly #rowOf = new IdTable();
  readonly #ids = new Integers();
  #highest = 0;
  /** Type and two fields of each (table 18). */
  #rows = new Float64Array(3 * 256);

  set(id: number, place: Place): void {
    if (place.type === 'free') this.put(id, 0, place.next, place.generation);
    else if (place.type === 'offset') this.put(id, 1, place.offset, place.generation ?? 0);
    else this.put(id, 2, place.stream, place.index);
  }

  /** The same for a row given by its fields. */
  put(id: number, type: 0 | 1 | 2, second: number, third: number): void {
    const known = this.#rowOf.get(id) - 1;
    const row = known === -1 ? this.#ids.length : known;
    if (known === -1) {
      this.#ids.push(id);
      this.#rowOf.set(id, row + 1);
      this.#highest = Math.max(this.#highest, id);
    }
    if (3 * row === this.#rows.length) {
      const larger = new Float64Array(2 * this.#rows.length);
      larger.set(this.#rows);
      this.#rows = larger;
    }
    this.#rows[3 * row] = type;
    this.#rows[3 * row + 1] = second;
    this.#rows[3 * row + 2] = third;
  }

  get(id: number): Place | undefined {
    const row = this.#rowOf.get(id) - 1;
    if (row === -1) return undefined;
    const [type = 0, second = 0, third = 0] = this.#rows.subarray(3 * row, 3 * row + 3);
    if (type === 0) return { type: 'free', next: second, generation: third };
    if (type === 1) return { type: 'offset', offset: second, generation: third };
    return { type: 'packed', stream: second, index: third };
  }

  /** The object numbers in ascending order, with three fields of each. */
  inOrder(): { numbers: Int32Array; rows: Float64Array } {
    const order = this.#order();
    const numbers = new Int32Array(order.length);
    const rows = new Float64Array(3 * order.length);
    for (let at = 0; at < order.length; at++) {
      const row = order[at] ?? 0;
      numbers[at] = this.#ids.at(row);
      for (let field = 0; field < 3; field++) rows[3 * at + field] = this.#rows[3 * row + field] ?? 0;
    }
    return { numbers, rows };
  }

  /** The rows sorted by number. */
  #order(): Int32Array {
    const count = this.#ids.length;
    const order = new Int32Array(count);
    if (this.#highest > 4 * count + 1024) {
      const keys = new Float64Array(count);
      for (let row = 0; row < count; row++) keys[row] = this.#ids.at(row) * MAX_ROWS + row;
      keys.sort();
      for (let at = 0; at < count; at++) order[at] = (keys[at] ?? 0) % MAX_ROWS;
      return order;
    }
    const rowOf = new Int32Array(this.#highest + 1);
    for (let row = 0; row < count; row++) rowOf[this.#ids.at(row)] = row + 1;
    let at = 0;
    for (const row of rowOf) if (row !== 0) order[at++] = row - 1;
    return order;
  }
}

const deflatedInPool = promisify(deflate);

/** Bytes of a file that are compressed by the calling thread, in about two milliseconds. */
const AT_HAND = 1 << 17;

/**
 * Compresses the streams of one file. Waking a thread of the pool takes longer than compressing some kilobytes, so the
 * first streams are compressed at once. Those of larger files are compressed in the pool, so that other requests
 * continue.
 */
export class Deflater {
  readonly #level: number;
  #left = AT_HAND;

  /** @param level compression level, 0 to 9 */
  constructor(level: number = constants.Z_DEFAULT_COMPRESSION) {
    this.#level = level;
  }

  /** @returns the bytes in zlib's format */
  async deflate(bytes: Buffer, options: ZlibOptions = {}): Promise<Buffer> {
    const all = { ...options, level: this.#level };
    this.#left -= bytes.length;
    return this.#left >= 0 ? deflateSync(bytes, all) : await deflatedInPool(bytes, all);
  }
}

/**
 * Objects repeat data from a few hundred bytes before: a window of 8 KiB compresses them as well as one of 32 KiB,
 * in two thirds of the time.
 */
const NEAR = { windowBits: 13, memLevel: 7 };

/** Returns the head of an object stream: the numbers of its objects, and their offsets. */
export function headOf(places: readonly { id: number; offset: number }[]): Buffer {
  return Buffer.from(`${places.map((place) => `${place.id} ${place.offset}`).join(' ')}\n`);
}

/** The number of objects of an object stream, their numbers and offsets in `bodies`, and their values. */
export interface StreamContent {
  count: number;
  head: Buffer;
  bodies: readonly Buffer[];
}

/** Number of object streams that are compressed concurrently, which is the number of available threads. */
const AT_ONCE = 4;

/** Object streams that are compressed beside each other, and are taken in their order. */
export class ObjectStreams implements AsyncDisposable {
  readonly #deflater: Deflater;
  readonly #take: (id: number, bytes: Buffer) => void;
  readonly #waiting: { id: number; made: Promise<Buffer> }[] = [];

  /** @param take receives the number and the bytes of each stream */
  constructor(deflater: Deflater, take: (id: number, bytes: Buffer) => void) {
    this.#deflater = deflater;
    this.#take = take;
  }

  /** Begins to compress a stream; waits if several others are not complete. @param id its own number */
  async add(id: number, content: StreamContent): Promise<void> {
    const made = objectStreamOf(id, content, this.#deflater);
    // A failure is reported when its turn comes.
    made.catch(() => undefined);
    this.#waiting.push({ id, made });
    await this.#takeUntil(AT_ONCE);
  }

  /** Waits until all streams are taken. */
  async finish(): Promise<void> {
    await this.#takeUntil(0);
  }

  /** Waits for the remaining work after a failure, so that it ends with its request. */
  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.allSettled(this.#waiting.map(({ made }) => made));
  }

  async #takeUntil(most: number): Promise<void> {
    while (this.#waiting.length > most) {
      const next = this.#waiting.shift();
      if (next !== undefined) this.#take(next.id, await next.made);
    }
  }
}

/** An object stream of serialized values. @param id its own number */
export async function objectStreamOf(
  id: number,
  { count, head, bodies }: StreamContent,
  deflater: Deflater,
): Promise<Buffer> {
  const data = await deflater.deflate(Buffer.concat([head, ...bodies]), NEAR);
  return streamObject(id, { '/Type': '/ObjStm', '/N': count, '/First': head.length }, data);
}

/**
 * Writes a cross-reference stream (7.5.8).
 *
 * @param id its own number; `places` must contain its place
 * @param places by the numbers of the objects
 * @param trailer the document's trailer; entries about the cross-reference stream itself are replaced
 * @returns the whole object
 */
export async function crossReferenceStream(
  id: number,
  places: Places,
  trailer: PdfDict,
  deflater: Deflater,
): Promise<Buffer> {
  const index: number[] = [];
  const widths = [1, 1, 1];
  /** Type and two fields of each (table 18). */
  const { numbers, rows } = places.inOrder();
  const highest = [0, 0, 0];
  let [first, count] = [0, 0];
  for (let at = 0; at < numbers.length; at++) {
    const number = numbers[at] ?? 0;
    if (at === 0 || number !== first + count) {
      if (at > 0) index.push(first, count);
      [first, count] = [number, 0];
    }
    count++;
    for (let field = 1; field < 3; field++) {
      highest[field] = Math.max(highest[field] ?? 0, rows[3 * at + field] ?? 0);
    }
  }
  index.push(first, count);
  for (const [field, value] of highest.entries()) {
    while (value >= 256 ** (widths[field] ?? 1)) widths[field] = (widths[field] ?? 1) + 1;
  }
  const data = await deflater.deflate(predicted(rows, widths));
  const dict: PdfDict = {
    ...trailer,
    '/Type': '/XRef',
    '/W': widths,
    '/Index': index,
    '/DecodeParms': { '/Predictor': 12, '/Columns': widths.reduce((sum, width) => sum + width, 0) },
  };
  return streamObject(id, dict, data);
}

function streamObject(id: number, dict: PdfDict, data: Buffer): Buffer {
  const head = serialize({ ...dict, '/Filter': '/FlateDecode', '/Length': data.length });
  return Buffer.concat([
    Buffer.from(`${id} 0 obj\n${head}\nstream\n`, 'latin1'),
    data,
    Buffer.from('\nendstream\nendobj\n'),
  ]);
}

/** The rows as differences from the row above (PNG's filter Up), which compress far better. */
function predicted(rows: Float64Array, widths: readonly number[]): Buffer {
  const UP = 2;
  const length = widths.reduce((sum, width) => sum + width, 0);
  const bytes = Buffer.allocUnsafe((rows.length / 3) * (length + 1));
  const above = new Uint8Array(length);
  let at = 0;
  for (let row = 0; row < rows.length; row += 3) {
    bytes[at++] = UP;
    let end = 0;
    for (let field = 0; field < 3; field++) {
      let value = rows[row + field] ?? 0;
      const start = end;
      end += widths[field] ?? 1;
      for (let place = end - 1; place >= start; place--) {
        const byte = value & 0xff;
        value = value < 2 ** 31 ? value >> 8 : (value - byte) / 256;
        bytes[at + place] = byte - (above[place] ?? 0);
        above[place] = byte;
      }
    }
    at += length;
  }
  return bytes;
}
