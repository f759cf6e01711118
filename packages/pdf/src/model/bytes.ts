import { closeSync, fstatSync, openSync, readSync, writeFileSync } from 'node:fs';
import { damaged } from './syntax.ts';

/** Bytes of a file around a position. */
export interface Window {
  bytes: Buffer;
  /** Their offset in the file. */
  start: number;
}

/** The source of a document's bytes: memory, or a disk. */
export interface ByteSource {
  readonly length: number;
  /** Whether all of it is in memory, so that slices of it may be kept. */
  readonly isHeld: boolean;
  /** Returns at least the `size` bytes from `start` on, unless the file ends before. They stay valid. */
  window(start: number, size: number): Window;
  /** A part, as the data of a stream. */
  data(start: number, end: number): StreamBytes;
}

/** The data of a stream as it is stored. */
export interface StreamBytes {
  readonly length: number;
  /** All of the data; from a disk it is read each time. */
  readonly raw: Buffer;
  /** All of the data, piece by piece; each piece is valid until the next is requested. */
  pieces(): Iterable<Buffer>;
}

/** Data in memory. */
export class HeldBytes implements StreamBytes {
  readonly raw: Buffer;

  constructor(bytes: Uint8Array) {
    this.raw = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }

  get length(): number {
    return this.raw.length;
  }

  pieces(): Iterable<Buffer> {
    return [this.raw];
  }
}

/** Data in memory in several pieces, which are copied only into the file. */
export class HeldPieces implements StreamBytes {
  readonly length: number;
  readonly #pieces: readonly Buffer[];

  constructor(pieces: readonly Uint8Array[]) {
    this.#pieces = pieces.map((piece) => Buffer.from(piece.buffer, piece.byteOffset, piece.byteLength));
    this.length = pieces.reduce((sum, piece) => sum + piece.byteLength, 0);
  }

  get raw(): Buffer {
    return Buffer.concat(this.#pieces);
  }

  pieces(): readonly Buffer[] {
    return this.#pieces;
  }
}

/**
 * Data to be held. Small data is copied, because it would keep the memory beside it: Node takes it out of buffers of
 * 64 KiB, in which zlib reserves 16 KiB for each result. The streams of 100,000 pages kept 2 GB in that way.
 */
export function held(bytes: Uint8Array): HeldBytes {
  const { byteLength } = bytes.buffer;
  const isShared = byteLength <= Buffer.poolSize && bytes.length < byteLength / 2;
  return new HeldBytes(isShared ? new Uint8Array(bytes) : bytes);
}

/** A document in memory. */
export class MemorySource implements ByteSource {
  readonly isHeld = true;
  readonly #bytes: Buffer;

  constructor(bytes: Uint8Array) {
    this.#bytes = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }

  get length(): number {
    return this.#bytes.length;
  }

  window(): Window {
    return { bytes: this.#bytes, start: 0 };
  }

  data(start: number, end: number): StreamBytes {
    return new HeldBytes(this.#bytes.subarray(start, end));
  }
}

/** Number of bytes per read: objects are near others that are needed with them. */
const WINDOW = 1 << 14;
/** Number of cached windows. */
const KEPT = 8;
/** Number of bytes per copy. */
const PIECE = 1 << 18;
/** Larger data is not read through the windows. */
const SMALL = 1 << 12;

/**
 * A document on disk. It is opened for each read, so that nothing has to be closed; the file must not change while
 * it is in use.
 */
export class FileSource implements ByteSource {
  readonly isHeld = false;
  readonly length: number;
  readonly #path: string;
  /** The most recently used window is last. */
  readonly #windows: Window[] = [];

  constructor(path: string) {
    this.#path = path;
    this.length = this.#withFile((file) => fstatSync(file).size);
  }

  window(start: number, size: number): Window {
    const end = Math.min(start + size, this.length);
    const at = this.#windows.findIndex(
      (window) => window.start <= start && end <= window.start + window.bytes.length,
    );
    const [known] = at === -1 ? [] : this.#windows.splice(at, 1);
    const window = known ?? {
      bytes: this.#read(start, Math.min(this.length, start + Math.max(size, WINDOW))),
      start,
    };
    this.#windows.push(window);
    if (this.#windows.length > KEPT) this.#windows.shift();
    return window;
  }

  data(start: number, end: number): StreamBytes {
    if (end - start > SMALL) return new FileBytes(this.#path, start, end);
    const window = this.window(start, end - start);
    return new HeldBytes(new Uint8Array(window.bytes.subarray(start - window.start, end - window.start)));
  }

  #read(start: number, end: number): Buffer {
    return this.#withFile((file) => filled(file, Buffer.allocUnsafeSlow(Math.max(0, end - start)), start));
  }

  #withFile<T>(work: (file: number) => T): T {
    const file = openSync(this.#path, 'r');
    try {
      return work(file);
    } finally {
      closeSync(file);
    }
  }
}

/** Writes data to a file, from which it is read when it is requested. The file must stay. */
export function onDisk(path: string, data: Uint8Array): StreamBytes {
  writeFileSync(path, data);
  return new FileBytes(path, 0, data.length);
}

/** Data that stays on disk until it is requested. */
class FileBytes implements StreamBytes {
  readonly length: number;
  readonly #path: string;
  readonly #start: number;

  constructor(path: string, start: number, end: number) {
    this.length = end - start;
    this.#path = path;
    this.#start = start;
  }

  get raw(): Buffer {
    const [all = Buffer.alloc(0)] = this.#piecesOf(this.length);
    return all;
  }

  pieces(): Generator<Buffer> {
    return this.#piecesOf(PIECE);
  }

  /** The memory is reused for each piece, so that a large document needs no more than a small one. */
  *#piecesOf(size: number): Generator<Buffer> {
    const buffer = Buffer.allocUnsafeSlow(Math.min(size, this.length));
    const file = openSync(this.#path, 'r');
    try {
      for (let at = 0; at < this.length; at += size)
        yield filled(file, buffer.subarray(0, Math.min(size, this.length - at)), this.#start + at);
    } finally {
      closeSync(file);
    }
  }
}

/**
 * Returns a buffer with the bytes of a file from a position on.
 *
 * @throws PlatenError `pdf_damaged` if the file is too short
 */
function filled(file: number, buffer: Buffer, start: number): Buffer {
  for (let at = 0; at < buffer.length;) {
    const count = readSync(file, buffer, at, buffer.length - at, start + at);
    if (count === 0) throw damaged('its file has become shorter');
    at += count;
  }
  return buffer;
}

/** Returns the version that a file declares; undefined if it begins otherwise. */
export function versionOf(bytes: ByteSource): string | undefined {
  return /^%PDF-([12]\.\d)/.exec(bytes.window(0, 8).bytes.toString('latin1', 0, 8))?.[1];
}
