import { randomUUID } from 'node:crypto';
import { createReadStream, createWriteStream, type WriteStream } from 'node:fs';
import { rm } from 'node:fs/promises';
import { finished } from 'node:stream/promises';
import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { demandRoom } from '../disk.ts';
import type { BinarySource } from '../lambda/index.ts';

/** A complete request body, in memory or, when it is large, on disk. */
export interface RequestBody extends BinarySource {
  /** Deletes the file on disk. */
  remove(): Promise<void>;
}

/** The body is larger than allowed. */
export class BodyTooLargeError extends Error {
  override readonly name = 'BodyTooLargeError';
}

/** The client disconnected before the body was complete. */
export class ClientDisconnectedError extends Error {
  override readonly name = 'ClientGoneError';
}

/** The client stopped sending in the middle of the body. */
export class BodyStalledError extends Error {
  override readonly name = 'BodyStalledError';
}

/** Maximum milliseconds between two pieces of a body: even a slow connection is faster. */
const STALLED_MS = 60_000;

/** A larger body waits on disk, because hundreds of requests may be waiting. */
const MEMORY_BYTES = 1024 * 1024;
/** Bytes between two looks at the room on the disk. */
const STEP_BYTES = 4 * 1024 * 1024;

/**
 * Reads the body.
 *
 * @param limit maximum bytes
 * @param folder folder for a large body
 * @param stalledMs milliseconds without data after which reading fails
 * @throws BodyTooLargeError as soon as it is known; BodyStalledError; ClientDisconnectedError; DiskFullError; an
 *   error of the file system
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

/** @throws BodyStalledError; ClientDisconnectedError; an error of the connection */
async function* pieces(request: IncomingMessage, stalledMs: number): AsyncGenerator<Buffer> {
  for (;;) {
    const chunk = request.read() as Buffer | null;
    if (chunk !== null) yield chunk;
    else if (request.readableEnded) return;
    else await arrival(request, stalledMs);
  }
}

/**
 * Waits until there is something to read, or the body has ended. Everything that waits here belongs to this wait
 * alone: a promise that lasted for the whole body would keep each piece until its end. No listener remains, so
 * that the rest can be read in another way when reading ends early.
 */
async function arrival(request: IncomingMessage, stalledMs: number): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const gone = (): void => reject(new ClientDisconnectedError());
  const timer = setTimeout(() => reject(new BodyStalledError()), stalledMs);
  request.on('readable', resolve).on('end', resolve).on('error', reject).on('close', gone);
  if (request.destroyed) gone();
  try {
    await promise;
  } finally {
    clearTimeout(timer);
    request.off('readable', resolve).off('end', resolve).off('error', reject).off('close', gone);
  }
}

/** Returns whether the client waits for `100 Continue` before it sends the body. */
export function expectsContinue(request: IncomingMessage): boolean {
  return request.headers.expect?.toLowerCase() === '100-continue';
}

function isClientGone(error: unknown): boolean {
  return (error as NodeJS.ErrnoException).code === 'ECONNRESET';
}

/** A file that is written once and then read. */
class Spool {
  readonly #folder: string;
  readonly #path: string;
  readonly #file: WriteStream;
  #error: Error | undefined;

  /** Bytes that there was room for when it was last looked at, less those written since. */
  #allowed = 0;

  constructor(folder: string) {
    this.#folder = folder;
    this.#path = join(folder, `body-${randomUUID()}`);
    this.#file = createWriteStream(this.#path, { flags: 'wx', mode: 0o600 });
    this.#file.on('error', (error) => {
      this.#error = error;
    });
  }

  async write(chunk: Buffer): Promise<void> {
    if (this.#error) throw this.#error;
    this.#allowed -= chunk.length;
    if (this.#allowed < 0) {
      await demandRoom(this.#folder, STEP_BYTES + chunk.length);
      this.#allowed = STEP_BYTES;
    }
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
