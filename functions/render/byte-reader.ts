import type { Readable } from 'node:stream';

/** Reads a stream in consecutive runs of given lengths, without buffering a whole run. */
export class ByteReader {
  readonly #source: AsyncIterator<Buffer>;
  #rest: Buffer = Buffer.alloc(0);

  constructor(stream: Readable) {
    this.#source = (stream as AsyncIterable<Buffer>)[Symbol.asyncIterator]();
  }

  /**
   * Yields the next bytes, which must be read to their end before the next call. @throws Error if the stream
   * ends before
   */
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
