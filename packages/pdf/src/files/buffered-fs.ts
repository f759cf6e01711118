import * as fs from 'node:fs';

const BLOCK = 1 << 16;
/** Number of cached blocks for all files together: 16 MB, even if a thousand files are open. */
const MAX_BLOCKS = 256;
/** Maximum size of a file that the engine writes: a small document may inflate to more than any disk can store. */
const MAX_WRITTEN = 2 ** 31;
/** Bytes per file that are buffered before they are written. */
const MAX_PENDING = 1 << 20;

interface Block {
  bytes: Int8Array;
  /** Number of bytes of it in the file. */
  length: number;
}

interface Pending {
  /** Position of the bytes in the file. */
  start: number;
  bytes: Int8Array;
  length: number;
}

/**
 * The file system that the engine sees. Its C library reads and writes a kilobyte at a time, which would need a
 * system call each; this module reads cached blocks and writes large pieces.
 */
export class BufferedFs {
  readonly #open = new Set<number>();
  /** By file and block number; the least recently used is first. */
  readonly #blocks = new Map<number, Block>();
  #latest: Block | undefined;
  readonly #pending = new Map<number, Pending>();
  #failure: unknown;

  /** The replacement for `node:fs`. */
  readonly api: object = {
    ...fs,
    openSync: (path: string, flags: number | string, mode?: number): number => {
      const file = fs.openSync(path, flags, mode);
      this.#open.add(file);
      return file;
    },
    closeSync: (file: number): void => this.#close(file),
    fstatSync: (file: number): fs.Stats => {
      this.#flush(file);
      return fs.fstatSync(file);
    },
    // The engine always passes a view of exactly the bytes in question, at offset 0.
    readSync: (file: number, to: Int8Array, _offset: number, length: number, position: number): number =>
      this.#read(file, to, length, position),
    writeSync: (file: number, from: Int8Array, _offset: number, length: number, position: number): number =>
      this.#write(file, from, length, position),
  };

  /**
   * Writes pending data and closes the files that the engine left open, which happens when it fails.
   *
   * @throws the error of a file (usually a full disk), even if the engine ignored it.
   */
  settle(): void {
    for (const file of this.#open) {
      try {
        this.#close(file);
      } catch (error) {
        this.#failure ??= error;
      }
    }
    this.#blocks.clear();
    this.#latest = undefined;
    const failure = this.#failure;
    this.#failure = undefined;
    if (failure !== undefined) throw failure;
  }

  #close(file: number): void {
    this.#open.delete(file);
    try {
      this.#flush(file);
    } finally {
      this.#pending.delete(file);
      this.#forget(file);
      fs.closeSync(file);
    }
  }

  #read(file: number, to: Int8Array, length: number, position: number): number {
    this.#flush(file);
    let done = 0;
    while (done < length) {
      const at = position + done;
      const block = this.#block(file, Math.floor(at / BLOCK));
      const start = at % BLOCK;
      const end = Math.min(block.length, start + length - done);
      if (end <= start) break;
      to.set(block.bytes.subarray(start, end), done);
      done += end - start;
    }
    return done;
  }

  #block(file: number, number: number): Block {
    const key = keyOf(file, number);
    const known = this.#blocks.get(key);
    if (known !== undefined) {
      if (known !== this.#latest) {
        this.#blocks.delete(key);
        this.#blocks.set(key, known);
        this.#latest = known;
      }
      return known;
    }
    const bytes = this.#blocks.size < MAX_BLOCKS ? new Int8Array(BLOCK) : this.#oldest();
    const block = { bytes, length: fs.readSync(file, bytes, 0, BLOCK, number * BLOCK) };
    this.#blocks.set(key, block);
    this.#latest = block;
    return block;
  }

  /** Evicts the least recently used block and reuses its memory. */
  #oldest(): Int8Array {
    for (const [key, { bytes }] of this.#blocks) {
      this.#blocks.delete(key);
      return bytes;
    }
    return new Int8Array(BLOCK);
  }

  #write(file: number, from: Int8Array, length: number, position: number): number {
    if (position + length > MAX_WRITTEN) {
      const error = new Error('EFBIG: the engine writes more than is allowed');
      this.#failure ??= error;
      // The engine's file system recognizes errors that have a code.
      throw Object.assign(error, { code: 'EFBIG' });
    }
    let pending = this.#pending.get(file);
    if (pending !== undefined) {
      const follows = position === pending.start + pending.length;
      if (!follows || pending.length + length > MAX_PENDING) this.#flush(file);
    }
    if (pending === undefined) {
      pending = { start: position, bytes: new Int8Array(BLOCK), length: 0 };
      this.#pending.set(file, pending);
    }
    if (pending.length === 0) pending.start = position;
    if (pending.length + length > pending.bytes.length) {
      const bytes = new Int8Array(Math.max(pending.bytes.length * 2, pending.length + length));
      bytes.set(pending.bytes.subarray(0, pending.length));
      pending.bytes = bytes;
    }
    pending.bytes.set(from, pending.length);
    pending.length += length;
    return length;
  }

  #flush(file: number): void {
    const pending = this.#pending.get(file);
    if (pending === undefined || pending.length === 0) return;
    const { start, bytes, length } = pending;
    pending.length = 0;
    this.#forget(file);
    try {
      for (let done = 0; done < length;) {
        done += fs.writeSync(file, bytes, done, length - done, start + done);
      }
    } catch (error) {
      this.#failure ??= error;
      throw error;
    }
  }

  #forget(file: number): void {
    for (const key of this.#blocks.keys()) {
      if (Math.floor(key / BLOCKS_OF_A_FILE) === file) this.#blocks.delete(key);
    }
  }
}

const BLOCKS_OF_A_FILE = 2 ** 32;

function keyOf(file: number, block: number): number {
  return file * BLOCKS_OF_A_FILE + block;
}
