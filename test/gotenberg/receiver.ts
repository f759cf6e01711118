import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { basename, join } from 'node:path';
import { buffer } from 'node:stream/consumers';

/** The server of a scenario: it has files and pages to fetch, and it receives webhooks. */

interface Call {
  headers: IncomingHttpHeaders;
  body: Buffer;
}

export interface Receiver {
  port: number;
  /** The last request, except those for events. */
  last(): Call | undefined;
  /** The last event; undefined if there is none yet. */
  event(): Buffer | undefined;
  stop(): void;
}

/**
 * @param folder the folder that the paths of files and pages start from
 * @param received is called with each document or error of a webhook
 */
export async function startReceiver(folder: string, received: (call: Call) => void): Promise<Receiver> {
  let last: Call | undefined;
  let event: Buffer | undefined;
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const call = { headers: request.headers, body: await buffer(request) };
    const path = decodeURIComponent(new URL(request.url ?? '/', 'http://receiver').pathname);
    const [, kind = '', rest = ''] = /^\/([^/]*)\/?(.*)$/.exec(path) ?? [];
    if (path === '/webhook/events') event = call.body;
    else last = call;
    if (kind === 'webhook') {
      if (rest !== 'events') received(call);
      response.end('OK');
    } else if (path === '/redirect-to-private') {
      response.writeHead(302, { location: 'http://127.0.0.1:9999/redirected' }).end();
    } else if ((kind === 'static' || kind === 'html') && existsSync(join(folder, rest))) {
      const disposition = `attachment; filename="${basename(rest)}"`;
      const headers =
        kind === 'html'
          ? { 'content-type': 'text/html; charset=UTF-8' }
          : { 'content-disposition': disposition };
      response.writeHead(200, headers).end(readFileSync(join(folder, rest)));
    } else response.writeHead(kind === 'html' ? 500 : 404).end('Not Found');
  };
  const server = createServer((request, response) => {
    answer(request, response).catch((error: unknown) => {
      response.destroy(error as Error);
    });
  });
  server.listen(0, '0.0.0.0');
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    last: () => last,
    event: () => event,
    stop: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}
