import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { UnreadResponses } from './unread.ts';

/** The HTTP server of the service: listening, and graceful shutdown. */

export type Handler = (request: IncomingMessage, response: ServerResponse) => Promise<void>;

/** Returns the response to bytes that are not an HTTP request, or to a request whose head is too long. */
export type Refusal = () => { status: number; headers: Record<string, string>; body: string };

export interface ServerSettings {
  /**
   * `localhost` accepts connections of this machine only, over IPv4 and IPv6; `0.0.0.0` or `::` accepts all.
   */
  host: string;
  /** 0 for any free port. */
  port: number;
  /** Maximum bytes of request line and headers. */
  maxHeaderSize: number;
  handler: Handler;
  refuse: Refusal;
  /** Milliseconds after which a client that reads nothing of its response is dropped; a minute by default. */
  unreadMs?: number | undefined;
}

/** The service cannot listen on the configured address. The message states the reason and a solution. */
export class ListenError extends Error {
  override readonly name = 'ListenError';
}

/**
 * Longer than clients keep idle connections, so that the server does not close one that is about to be
 * reused.
 */
const KEEP_ALIVE_MS = 65_000;
/** Milliseconds for the answers to requests that are still under way when the service has to stop. */
const FAREWELL_MS = 1_000;
/** Time for a large upload over a slow connection. */
const REQUEST_MS = 30 * 60_000;

export class HttpServer {
  readonly port: number;
  readonly #servers: Server[];
  readonly #running: Set<Promise<void>>;
  readonly #hurried = Promise.withResolvers<void>();

  private constructor(servers: Server[], port: number, running: Set<Promise<void>>) {
    this.#servers = servers;
    this.port = port;
    this.#running = running;
  }

  /** @throws ListenError */
  static async listen(settings: ServerSettings): Promise<HttpServer> {
    const running = new Set<Promise<void>>();
    if (settings.host !== 'localhost') {
      const server = await listen(settings, settings.host, settings.port, running);
      return new HttpServer([server], portOf(server), running);
    }
    const first = await listen(settings, '127.0.0.1', settings.port, running);
    const port = portOf(first);
    try {
      return new HttpServer([first, await listen(settings, '::1', port, running)], port, running);
    } catch (error) {
      // The machine has no IPv6, or the port is in use on one side only: clients then use the other side.
      if (settings.port === 0 || !isInUse(error)) return new HttpServer([first], port, running);
      first.close();
      throw error;
    }
  }

  /**
   * Accepts no new requests and finishes running ones. After `patienceMs`, or after `hurry`, it calls `interrupt`,
   * which has to answer the rest, and cuts what has no answer a moment later.
   */
  async close(patienceMs: number, interrupt: () => void): Promise<void> {
    const closed = this.#servers.map((server) => new Promise((resolve) => server.close(resolve)));
    for (const server of this.#servers) server.closeIdleConnections();
    const settled = (): Promise<unknown> => Promise.allSettled(this.#running);
    const pause = (ms: number): Promise<void> => sleep(ms, undefined, { ref: false });
    await Promise.race([settled(), pause(patienceMs), this.#hurried.promise]);
    interrupt();
    await Promise.race([settled(), pause(FAREWELL_MS)]);
    for (const server of this.#servers) server.closeAllConnections();
    await Promise.all(closed);
  }

  /** Ends the waiting of a current or future `close`. */
  hurry(): void {
    this.#hurried.resolve();
  }
}

async function listen(
  { port: wanted, maxHeaderSize, handler, refuse, unreadMs }: ServerSettings,
  host: string,
  port: number,
  running: Set<Promise<void>>,
): Promise<Server> {
  const server = createServer({
    maxHeaderSize,
    keepAliveTimeout: KEEP_ALIVE_MS,
    requestTimeout: REQUEST_MS,
    noDelay: true,
    // The check below uses the service's own error format.
    requireHostHeader: false,
  });
  // Bytes are limited elsewhere; a limit on the number would silently drop headers.
  server.maxHeadersCount = 0;
  const unread = new UnreadResponses(unreadMs);
  server.once('close', () => unread.close());
  const take = (request: IncomingMessage, response: ServerResponse): void => {
    unread.watch(response);
    if (!hasOneHost(request)) {
      const { status, headers, body } = refuse();
      response.shouldKeepAlive = false;
      response.writeHead(status, { ...headers, 'content-length': Buffer.byteLength(body) }).end(body);
      return;
    }
    const work = handler(request, response)
      .then(() => finished(response))
      .finally(() => running.delete(work));
    running.add(work);
  };
  server.on('request', take);
  // The client asks before it sends a body; the handler agrees when it needs it.
  server.on('checkContinue', take);
  const refused = new WeakSet<Duplex>();
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Duplex) => {
    // Further data on a refused connection is not a request either.
    if (refused.has(socket)) return;
    if (!socket.writable || error.code === 'ECONNRESET') {
      socket.destroy();
      return;
    }
    refused.add(socket);
    const { status, headers, body } = refuse();
    const lines = Object.entries({
      ...headers,
      connection: 'close',
      'content-length': Buffer.byteLength(body),
    });
    socket.end(
      `HTTP/1.1 ${status} Refused\r\n${lines.map(([name, value]) => `${name}: ${value}\r\n`).join('')}\r\n${body}`,
    );
    discard(socket);
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => reject(explain(error, host, wanted)));
    server.listen(port, host, resolve);
  });
  return server;
}

/** Returns whether the request has exactly one Host header (RFC 9112, 3.2); HTTP/1.0 does not require it. */
function hasOneHost({ rawHeaders, httpVersion }: IncomingMessage): boolean {
  const hosts = rawHeaders.filter((name, index) => index % 2 === 0 && name.toLowerCase() === 'host').length;
  return hosts === 1 || (hosts === 0 && httpVersion === '1.0');
}

/** Bytes and time for the rest of the client's data after a refusal, so that the refusal is not lost. */
const DISCARD_BYTES = 1024 * 1024;
const DISCARD_MS = 2_000;

/**
 * Reads and discards data for a moment, then closes the connection: closing it at once would discard the
 * response.
 */
function discard(socket: Duplex): void {
  let left = DISCARD_BYTES;
  const timer = setTimeout(() => socket.destroy(), DISCARD_MS);
  socket.removeAllListeners('data');
  socket.on('data', (chunk: Buffer) => {
    left -= chunk.length;
    if (left < 0) socket.destroy();
  });
  socket.on('error', () => {});
  socket.on('end', () => socket.destroy());
  socket.on('close', () => clearTimeout(timer));
  socket.resume();
}

async function finished(response: ServerResponse): Promise<void> {
  if (response.writableFinished || response.destroyed) return;
  await new Promise<void>((resolve) => {
    response.once('finish', resolve).once('close', resolve);
  });
}

function portOf(server: Server): number {
  return (server.address() as AddressInfo).port;
}

function isInUse(error: unknown): boolean {
  return error instanceof ListenError && (error.cause as NodeJS.ErrnoException).code === 'EADDRINUSE';
}

function explain(error: NodeJS.ErrnoException, host: string, port: number): ListenError {
  if (error.code === 'EADDRINUSE') {
    return new ListenError(
      `Port ${port} is in use by another program. Stop that one, or set PLATEN_PORT to another port.`,
      { cause: error },
    );
  }
  if (error.code === 'EACCES') {
    return new ListenError(`Port ${port} is not for ordinary users. Set PLATEN_PORT to one above 1023.`, {
      cause: error,
    });
  }
  return new ListenError(`The service cannot listen on ${host}, port ${port}: ${error.message}.`, {
    cause: error,
  });
}
