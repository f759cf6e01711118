import { randomUUID } from 'node:crypto';
import { type FileHandle, open, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { hasRoom, isDiskFull } from '../disk.ts';

/**
 * The pieces of an answer that the client has not taken yet, in their order: a few in memory, more on disk. A function
 * thus finishes at its own speed, and not at that of its client.
 */

const MB = 1024 * 1024;
/** Most bytes in memory for one answer. */
const MEMORY_BYTES = MB;
/** Most bytes on disk for one answer, and for all of them. */
const DISK_BYTES = 128 * MB;
const ALL_DISK_BYTES = 512 * MB;

let onAllDisks = 0;

export class Backlog implements AsyncIterable<Buffer> {
  readonly #folder: string;
  /** Pieces in memory, and the numbers of bytes of those on disk. */
  readonly #pieces: (Buffer | number)[] = [];
  #inMemory = 0;
  #onDisk = 0;
  #file: FileHandle | undefined;
  /** Where the next piece on disk begins. */
  #position = 0;
  /** A write has failed: what follows stays in memory. */
  #isDiskFull = false;
  #isEnded = false;
  #isClosed = false;
  #changed = Promise.withResolvers<void>();

  /** @param folder folder for pieces on disk */
  constructor(folder: string) {
    this.#folder = folder;
  }

  /** Adds a piece; waits for the client if there is no room for it. After `close`, pieces are discarded. */
  async add(piece: Buffer): Promise<void> {
    while (!this.#isClosed) {
      const { promise: changed } = this.#changed;
      if (this.#inMemory === 0 || this.#inMemory + piece.length <= MEMORY_BYTES) {
        this.#inMemory += piece.length;
        this.#pieces.push(piece);
        return this.#notify();
      }
      if (await this.#store(piece)) return this.#notify();
      await changed;
    }
  }

  /** Whether nothing more is taken. */
  get isClosed(): boolean {
    return this.#isClosed;
  }

  /** Ends the answer: there are no more pieces. */
  end(): void {
    this.#isEnded = true;
    this.#notify();
  }

  /** Returns the pieces as they come, until the end or `close`. */
  async *[Symbol.asyncIterator](): AsyncGenerator<Buffer> {
    while (!this.#isClosed) {
      const piece = this.#pieces.shift();
      if (piece !== undefined) {
        const bytes = await this.#taken(piece);
        if (bytes === null) return;
        yield bytes;
        this.#notify();
      } else if (this.#isEnded) return;
      else await this.#changed.promise;
    }
  }

  /** Discards everything, also what is still added. */
  async close(): Promise<void> {
    if (this.#isClosed) return;
    this.#count(-this.#onDisk);
    this.#isClosed = true;
    this.#pieces.length = 0;
    this.#notify();
    await this.#file?.close();
  }

  async #store(piece: Buffer): Promise<boolean> {
    const size = piece.length;
    if (this.#isDiskFull || this.#onDisk + size > DISK_BYTES || onAllDisks + size > ALL_DISK_BYTES)
      return false;
    const isEmpty = this.#onDisk === 0;
    this.#count(size);
    try {
      if (!(await hasRoom(this.#folder, size))) return this.#refused(size);
      this.#file ??= await this.#opened();
      if (isEmpty) {
        this.#position = 0;
        await this.#file.truncate();
      }
      await this.#file.appendFile(piece);
    } catch (error) {
      if (this.#isClosed) return true;
      if (!isDiskFull(error)) throw error;
      this.#isDiskFull = true;
      return this.#refused(size);
    }
    this.#pieces.push(size);
    return true;
  }

  /** Opens a file without a name: its content is gone when it is closed, even by the end of the process. */
  async #opened(): Promise<FileHandle> {
    const path = join(this.#folder, `answer-${randomUUID()}`);
    const file = await open(path, 'ax+', 0o600);
    await rm(path);
    if (this.#isClosed) await file.close();
    return file;
  }

  #refused(size: number): false {
    this.#count(-size);
    return false;
  }

  #count(size: number): void {
    if (this.#isClosed) return;
    this.#onDisk += size;
    onAllDisks += size;
  }

  /** @returns null when it was closed meanwhile */
  async #taken(piece: Buffer | number): Promise<Buffer | null> {
    if (typeof piece !== 'number') {
      this.#inMemory -= piece.length;
      return piece;
    }
    const bytes = Buffer.allocUnsafe(piece);
    try {
      const read = await this.#file?.read(bytes, 0, piece, this.#position);
      if (read?.bytesRead !== piece) throw new Error('An answer on disk is shorter than it was.');
      this.#position += piece;
      this.#count(-piece);
    } catch (error) {
      if (this.#isClosed) return null;
      throw error;
    }
    return bytes;
  }

  #notify(): void {
    this.#changed.resolve();
    this.#changed = Promise.withResolvers();
  }
}
