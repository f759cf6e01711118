import { randomUUID } from 'node:crypto';
import { createReadStream, createWriteStream, type WriteStream } from 'node:fs';
import { rm } from 'node:fs/promises';
import { finished } from 'node:stream/promises';
import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import type { BinarySource } from '../lambda/index.ts';

/** A request body, as a whole: in memory, or on disk when it is large. */
export interface RequestBody extends BinarySource {
  /** Deletes what is on disk. */
  remove(): Promise<void>;
}

/** The body is larger than allowed. */
export class BodyTooLargeError extends Error {
  override readonly name = 'BodyTooLargeError';
}

/** The client went away before the body was complete. */
export class ClientDisconnectedError extends Error {
  override readonly name = 'ClientGoneError';
}

/** The client has stopped to send in the middle of the body. */
export class BodyStalledError extends Error {
  override readonly name = 'BodyStalledError';
}

/** Most time between two pieces of a body: a slow line is slower than a client that waits on purpose. */
const STALLED_MS = 60_000;

/** Above this a body waits for its turn on disk: hundreds of requests may be waiting. */
const MEMORY_BYTES = 1024 * 1024;

/**
 * Reads the body.
 *
 * @param limit Most bytes.
 * @param folder Where a large one is put.
 * @param stalledMs After so long without a piece of it, it is given up.
 * @throws BodyTooLargeError as soon as that is known; BodyStalledError; ClientDisconnectedError; an error of the file system
 */
export async function readBody(
  request: IncomingMessage,
  limit: number,
  folder: string,
  stalledMs: number = STALLED_MS,
): Promise<RequestBody> {
  if (Number(request.headers['content-length'] ?? 0) > limit) throw new BodyTooLargeError();
  const chunks: Buffer[] = [];
  let length = 0;
  let spool: Spool | undefined;
  try {
    for await (const chunk of pieces(request, stalledMs)) {
      length += chunk.length;
      if (length > limit) throw new BodyTooLargeError();
      if (!spool && length > MEMORY_BYTES) {
        spool = new Spool(folder);
        for (const earlier of chunks.splice(0)) await spool.write(earlier);
      }
      if (spool) await spool.write(chunk);
      else chunks.push(chunk);
    }
    await spool?.end();
  } catch (error) {
    await spool?.remove();
    throw isClientGone(error) ? new ClientDisconnectedError() : error;
  }
  if (spool) return { length, open: () => spool.open(), remove: () => spool.remove() };
  return {
    length,
    open: () => Readable.from(chunks, { objectMode: false }),
    remove: async () => {},
  };
}

/** @throws BodyStalledError */
async function* pieces(request: IncomingMessage, stalledMs: number): AsyncGenerator<Buffer> {
  // Left open when it is left early: the answer has yet to be sent over it.
  const source = request.iterator({ destroyOnReturn: false });
  const stalled = Promise.withResolvers<never>();
  // It may come when nobody waits for it any more.
  stalled.promise.catch(() => {});
  const timer = setTimeout(() => stalled.reject(new BodyStalledError()), stalledMs);
  try {
    for (;;) {
      const next = await Promise.race([source.next(), stalled.promise]);
      if (next.done === true) return;
      timer.refresh();
      yield next.value as Buffer;
    }
  } finally {
    clearTimeout(timer);
  }
}

/** Whether the client waits to be asked before it sends the body. */
export function expectsContinue(request: IncomingMessage): boolean {
  return request.headers.expect?.toLowerCase() === '100-continue';
}

/** Bytes read on after a refusal, so that a client that only reads when it has written gets to see the answer. */
const DRAIN_BYTES = 64 * 1024 * 1024;
const DRAIN_MS = 10_000;

/** Reads on and throws away, for a while, then calls `done`. */
export function drain(request: IncomingMessage, done: () => void): void {
  let left = DRAIN_BYTES;
  const stop = (): void => void request.destroy();
  const timer = setTimeout(stop, DRAIN_MS);
  request.on('data', (chunk: Buffer) => {
    left -= chunk.length;
    if (left < 0) stop();
  });
  request.on('error', () => {});
  request.on('end', done);
  request.on('close', () => {
    clearTimeout(timer);
    done();
  });
}

function isClientGone(error: unknown): boolean {
  return (error as NodeJS.ErrnoException).code === 'ECONNRESET';
}

/** A file that is written once and then read. */
class Spool {
  readonly #path: string;
  readonly #file: WriteStream;
  #error: Error | undefined;

  constructor(folder: string) {
    this.#path = join(folder, `body-${randomUUID()}`);
    this.#file = createWriteStream(this.#path, { flags: 'wx', mode: 0o600 });
    this.#file.on('error', (error) => {
      this.#error = error;
    });
  }

  async write(chunk: Buffer): Promise<void> {
    if (this.#error) throw this.#error;
    if (!this.#file.write(chunk)) await once(this.#file, 'drain');
  }

  async end(): Promise<void> {
    this.#file.end();
    await finished(this.#file);
  }

  open(): Readable {
    return createReadStream(this.#path);
  }

  async remove(): Promise<void> {
    this.#file.destroy();
    await rm(this.#path, { force: true });
  }
}
