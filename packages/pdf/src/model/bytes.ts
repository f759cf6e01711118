import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { damaged } from './syntax.ts';

/** Bytes of a file around a place. */
export interface Window {
  bytes: Buffer;
  /** Where in the file they begin. */
  start: number;
}

/** The bytes that a document is read of: in memory, or on a disk. */
export interface ByteSource {
  readonly length: number;
  /** Whether all of it is in memory, so that parts of it may be held. */
  readonly isHeld: boolean;
  /** At least the `size` bytes from `start` on, but for what lies behind the end. They hold for as long as anyone has them. */
  window(start: number, size: number): Window;
  /** A part, as the data of a stream. */
  data(start: number, end: number): StreamBytes;
}

/** The data of a stream as it is stored. */
export interface StreamBytes {
  readonly length: number;
  /** All of it; what is on a disk is read each time. */
  readonly raw: Buffer;
  /** All of it, piece by piece; each holds until the next is asked for. */
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

/** Bytes that are read at once: objects stand beside those that are needed with them. */
const WINDOW = 1 << 14;
/** Windows that are kept. */
const KEPT = 8;
/** Bytes that are copied at once. */
const PIECE = 1 << 18;
/** Data up to here is read through the windows. */
const SMALL = 1 << 12;

/**
 * A document on disk. It is opened for each part that is read, so that nothing has to be closed; the file
 * must not change while it is in use.
 */
export class FileSource implements ByteSource {
  readonly isHeld = false;
  readonly length: number;
  readonly #path: string;
  /** The latest is the last. */
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
    return new HeldBytes(Buffer.from(window.bytes.subarray(start - window.start, end - window.start)));
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

/** Data that stays on a disk until it is asked for. */
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

  /** The same memory is used for each, so that a large document needs no more than a small one. */
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

/** A buffer with the bytes of a file from a place on. @throws PlatenError `pdf_damaged` where the file ends before */
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
