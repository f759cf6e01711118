import type { Readable } from 'node:stream';

/** Reads a stream in runs of so many bytes, one after the other, each as it comes. */
export class ByteReader {
  readonly #source: AsyncIterator<Buffer>;
  #rest: Buffer = Buffer.alloc(0);

  constructor(stream: Readable) {
    this.#source = (stream as AsyncIterable<Buffer>)[Symbol.asyncIterator]();
  }

  /** The next bytes; to be read to their end before others are taken. @throws Error when the stream ends before */
  async *take(size: number): AsyncGenerator<Buffer> {
    let left = size;
    while (left > 0) {
      if (this.#rest.length === 0) {
        const { value, done } = await this.#source.next();
        if (done === true) throw new Error(`the stream ended ${left} bytes too early`);
        this.#rest = value;
      }
      const piece = this.#rest.subarray(0, left);
      this.#rest = this.#rest.subarray(piece.length);
      left -= piece.length;
      yield piece;
    }
  }
}
