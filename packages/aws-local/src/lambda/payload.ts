import { Readable } from 'node:stream';

/** An event on its way to a function: JSON that need not be in memory as a whole. */
export interface Payload {
  /** Bytes of the JSON text. */
  length: number;
  open(): Readable;
}

export function jsonPayload(event: unknown): Payload {
  const bytes = Buffer.from(JSON.stringify(event));
  return { length: bytes.length, open: () => Readable.from([bytes], { objectMode: false }) };
}

/** Raw bytes that are to stand in an event. */
export interface BinarySource {
  /** Bytes before encoding. */
  length: number;
  open(): Readable;
}

/**
 * An event with a member more: `body`, the source's bytes in base64, which are encoded while they are sent. A large
 * upload is so never held as text, which takes four thirds of its size.
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

/** Encodes in pieces of three bytes, so that padding appears at the end only. */
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
