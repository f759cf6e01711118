import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';

/** The HTTP server that answers requests on a port. */

export interface Listening {
  url: string;
  /** Refuses new requests and waits for those in progress. */
  stop(): Promise<void>;
}

/**
 * Starts the server.
 *
 * @param answer handles a request; an error that it throws is a defect and leads to 500
 * @param fault receives these errors
 * @throws the system's error if the port is not available
 */
export async function listen(
  answer: (request: Request) => Promise<Response>,
  { port, host, fault }: { port: number; host: string; fault: (error: unknown) => void },
): Promise<Listening> {
  const server = createServer((incoming, outgoing) => {
    serve(answer, incoming, outgoing).catch((error: unknown) => {
      // A client that has disconnected causes errors that are not defects.
      if (!outgoing.destroyed) fault(error);
      if (outgoing.headersSent) outgoing.destroy();
      else
        outgoing.writeHead(500, { 'content-type': 'text/plain; charset=UTF-8' }).end('Internal Server Error');
    });
  });
  server.listen(port, host);
  await once(server, 'listening');
  const { port: given } = server.address() as AddressInfo;
  return {
    url: `http://${host.includes(':') ? `[${host}]` : host}:${given}`,
    stop: async () => {
      server.close();
      server.closeIdleConnections();
      await once(server, 'close');
    },
  };
}

async function serve(
  answer: (request: Request) => Promise<Response>,
  incoming: IncomingMessage,
  outgoing: ServerResponse,
): Promise<void> {
  const headers = new Headers();
  for (const [name, values] of Object.entries(incoming.headersDistinct)) {
    for (const value of values ?? []) headers.append(name, value);
  }
  const { method = 'GET', url = '/' } = incoming;
  const hasBody = method !== 'GET' && method !== 'HEAD';
  const address = addressOf(incoming.headers.host ?? 'localhost', url);
  if (address === null) {
    const refused = { 'content-type': 'text/plain; charset=UTF-8', connection: 'close' };
    outgoing.writeHead(400, refused).end('Bad Request');
    return;
  }
  const body = hasBody
    ? { body: Readable.toWeb(incoming) as ReadableStream<Uint8Array>, duplex: 'half' as const }
    : {};
  const response = await answer(new Request(address, { method, headers, ...body }));
  if (hasBody && !incoming.complete) {
    await refuse(incoming, outgoing, response);
    return;
  }
  outgoing.writeHead(response.status, Object.fromEntries(response.headers));
  if (response.body === null) outgoing.end();
  else await pipeline(Readable.fromWeb(response.body), outgoing);
}

/** Milliseconds for which the rest of a refused body is read. */
const REST_MS = 30_000;

/**
 * Sends a response to a request whose body is still on its way. If the connection were closed at once, the response would
 * be lost: this direction is closed, and the rest of the body read for a while and discarded (RFC 9112, 9.6).
 */
async function refuse(
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  response: Response,
): Promise<void> {
  const bytes = Buffer.from(await response.arrayBuffer());
  outgoing.writeHead(response.status, {
    ...Object.fromEntries(response.headers),
    connection: 'close',
    'content-length': bytes.length,
  });
  outgoing.write(bytes);
  incoming.socket.end();
  const { promise, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, REST_MS);
  incoming.on('error', resolve).on('end', resolve).on('close', resolve);
  incoming.removeAllListeners('data').resume();
  await promise;
  clearTimeout(timer);
  outgoing.destroy();
}

/**
 * Builds the URL of a request by concatenation. Resolving the path against the host would take a host from a
 * path that begins with two slashes, and the host decides whether a request counts as local.
 *
 * @returns null if the result is not a valid URL
 */
function addressOf(host: string, target: string): URL | null {
  if (!target.startsWith('/') || /[/\\?#@\s]/.test(host)) return null;
  return URL.parse(`http://${host}${target}`);
}
