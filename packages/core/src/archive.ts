import { createReadStream, createWriteStream } from 'node:fs';
import type { Readable, Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { ZipArchive } from 'archiver';

/**
 * A ZIP file under construction. Entries are written one at a time, so that memory does not grow with their number.
 */
export class ZipFile {
  readonly #archive = new ZipArchive({ zlib: { level: 6 } });
  readonly #written: Promise<void>;

  /** @param to path of the file, or what takes its bytes */
  constructor(to: string | Writable) {
    this.#written = pipeline(this.#archive, typeof to === 'string' ? createWriteStream(to) : to);
    // Awaited in `finish`; until then a failure (a full disk) must not count as unhandled.
    this.#written.catch(() => undefined);
  }

  /**
   * Adds an entry and waits until it has been written.
   *
   * @param packed already compressed, as PDFs and office files are: stored as it is
   */
  async add(name: string, content: Uint8Array, packed: boolean): Promise<void> {
    const bytes = Buffer.from(content.buffer, content.byteOffset, content.byteLength);
    await this.#append(bytes, { name, store: packed });
  }

  /** Adds a file as an entry, read while it is written: memory does not grow with its size. */
  async addFile(name: string, path: string, packed: boolean): Promise<void> {
    await this.addStream(name, createReadStream(path), packed);
  }

  /** Adds what a stream gives as an entry, read while it is written. */
  async addStream(name: string, content: Readable, packed: boolean): Promise<void> {
    await this.#append(content, { name, store: packed });
  }

  async #append(content: Buffer | Readable, entry: { name: string; store: boolean }): Promise<void> {
    const done = new Promise<void>((resolve) => {
      this.#archive.once('entry', () => resolve());
    });
    this.#archive.append(content, entry);
    // A failed write, or read, ends the wait too, and is thrown from here.
    await Promise.race([done, this.#written]);
  }

  /** Completes the file. @throws the error of a failed write */
  async finish(): Promise<void> {
    await Promise.race([this.#archive.finalize(), this.#written]);
    await this.#written;
  }

  /** Gives up: nothing is written any more. */
  abort(): void {
    this.#archive.abort();
  }
}
