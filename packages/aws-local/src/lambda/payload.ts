import { Readable } from 'node:stream';

/** An event for a function: JSON that need not be completely in memory. */
export interface Payload {
  /** Bytes of the JSON text. */
  length: number;
  open(): Readable;
}

export function jsonPayload(event: unknown): Payload {
  const bytes = Buffer.from(JSON.stringify(event));
  return { length: bytes.length, open: () => Readable.from([bytes], { objectMode: false }) };
}

/** Raw bytes to include in an event. */
export interface BinarySource {
  /** Bytes before encoding. */
  length: number;
  open(): Readable;
}

/**
 * Returns an event with an additional `body`: the source's bytes in base64, encoded while they are sent. A
 * large upload is thus never held as text of four thirds of its size.
 */
export function payloadWithBody(event: object, source: BinarySource): Payload {
  const head = Buffer.from(`${JSON.stringify(event).slice(0, -1)},"body":"`);
  const tail = Buffer.from('"}');
  return {
    length: head.length + Math.ceil(source.length / 3) * 4 + tail.length,
    open: () =>
      Readable.from(
        (async function* () {
          yield head;
          yield* base64(source.open());
          yield tail;
        })(),
        { objectMode: false },
      ),
  };
}

/** Encodes multiples of three bytes, so that padding appears at the end only. */
async function* base64(source: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let rest: Buffer = Buffer.alloc(0);
  for await (const chunk of source) {
    const bytes = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
    const whole = bytes.length - (bytes.length % 3);
    if (whole > 0) yield Buffer.from(bytes.toString('base64', 0, whole), 'latin1');
    rest = bytes.subarray(whole);
  }
  if (rest.length > 0) yield Buffer.from(rest.toString('base64'), 'latin1');
}
