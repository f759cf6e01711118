import { createReadStream, createWriteStream } from 'node:fs';
import type { Readable, Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { ZipArchive } from 'archiver';

/** Writes a ZIP file. It takes one entry at a time, so memory does not grow with the number of entries. */
export class ZipFile {
  readonly #archive = new ZipArchive({ zlib: { level: 6 } });
  readonly #written: Promise<void>;
  #isOver = false;
  /** Ends the current wait for an entry. */
  #wake = (): void => {};

  /** @param to path of the file, or a stream that receives its bytes */
  constructor(to: string | Writable) {
    this.#written = pipeline(this.#archive, typeof to === 'string' ? createWriteStream(to) : to);
    // `finish` awaits this promise too; until then a failure (a full disk) must not count as an unhandled rejection.
    const over = (): void => {
      this.#isOver = true;
      this.#wake();
    };
    this.#written.then(over, over);
  }

  /**
   * Adds an entry and waits until it has been written.
   *
   * @param packed true for content that is compressed already, such as PDFs and office files: it is stored
   *   without compression
   */
  async add(name: string, content: Uint8Array, packed: boolean): Promise<void> {
    const bytes = Buffer.from(content.buffer, content.byteOffset, content.byteLength);
    await this.#append(bytes, { name, store: packed });
  }

  /** Adds a file as an entry and reads it while writing, so memory does not grow with the file's size. */
  async addFile(name: string, path: string, packed: boolean): Promise<void> {
    await this.addStream(name, createReadStream(path), packed);
  }

  /** Adds the content of a stream as an entry and reads it while writing. */
  async addStream(name: string, content: Readable, packed: boolean): Promise<void> {
    await this.#append(content, { name, store: packed });
  }

  async #append(content: Buffer | Readable, entry: { name: string; store: boolean }): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#wake = resolve;
    this.#archive.once('entry', () => resolve());
    this.#archive.append(content, entry);
    // Not a race with the promise of the whole file, which would keep something of each entry until its end.
    if (!this.#isOver) await promise;
    // A failed read or write also ends the wait, and this line throws its error.
    if (this.#isOver) await this.#written;
  }

  /** Completes the file. @throws the error of a failed write */
  async finish(): Promise<void> {
    await Promise.race([this.#archive.finalize(), this.#written]);
    await this.#written;
  }

  /** Abandons the file: nothing more is written. */
  abort(): void {
    this.#archive.abort();
  }
}
