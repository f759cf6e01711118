import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';

/** What answers requests, on a port. */

export interface Listening {
  url: string;
  /** Takes no more requests, and waits for those that are under way. */
  stop(): Promise<void>;
}

/**
 * @param answer throws nothing but what is a fault of its own, which is answered with 500
 * @param fault told of those
 * @throws what the system says of a port that cannot be had
 */
export async function listen(
  answer: (request: Request) => Promise<Response>,
  { port, host, fault }: { port: number; host: string; fault: (error: unknown) => void },
): Promise<Listening> {
  const server = createServer((incoming, outgoing) => {
    serve(answer, incoming, outgoing).catch((error: unknown) => {
      // Who has gone away is nobody's fault.
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
  const address = new URL(url, `http://${incoming.headers.host ?? 'localhost'}`);
  const body = hasBody
    ? { body: Readable.toWeb(incoming) as ReadableStream<Uint8Array>, duplex: 'half' as const }
    : {};
  const response = await answer(new Request(address, { method, headers, ...body }));
  outgoing.writeHead(response.status, Object.fromEntries(response.headers));
  if (response.body === null) outgoing.end();
  else await pipeline(Readable.fromWeb(response.body), outgoing);
}
