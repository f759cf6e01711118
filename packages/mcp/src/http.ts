import { createHash, timingSafeEqual } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import { createMcpServer, type McpOptions } from './server.ts';

export interface HttpOptions extends McpOptions {
  /** TCP port; 0 for any free port. */
  port: number;
  /** Host name or address to listen on; by default only this machine can connect. */
  host?: string | undefined;
  /** Receives the error of a request that fails with 500. */
  fault: (error: unknown) => void;
}

export interface HttpServing {
  /** URL to which agents connect. */
  url: string;
  stop: () => Promise<void>;
}

const PATH = '/mcp';

/**
 * Serves the tools over streamable HTTP. Callers send the token of the service after `Bearer`. There are no
 * sessions: each request is independent, so any number of agents may connect.
 *
 * @throws as `createMcpServer`; the system's error if the port is taken
 */
export async function serveHttp({
  port,
  host = '127.0.0.1',
  fault,
  ...options
}: HttpOptions): Promise<HttpServing> {
  const remote = { ...options, remote: true };
  // An invalid folder or URL is reported now and not to the first caller.
  await (await createMcpServer(remote)).close();
  const server = createServer((request, response) => {
    answer(request, response, remote).catch((error: unknown) => {
      fault(error);
      if (response.headersSent) response.destroy();
      else refuse(response, 500, 'The server failed.');
    });
  });
  server.listen(port, host);
  await once(server, 'listening');
  const { port: given } = server.address() as AddressInfo;
  return {
    url: `http://${host.includes(':') ? `[${host}]` : host}:${given}${PATH}`,
    stop: async () => {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}

async function answer(
  request: IncomingMessage,
  response: ServerResponse,
  options: McpOptions,
): Promise<void> {
  if (request.url?.split('?')[0] !== PATH) return refuse(response, 404, `The tools are at ${PATH}.`);
  if (!isAllowed(request.headers.authorization, options.token)) {
    response.setHeader('www-authenticate', 'Bearer');
    return refuse(response, 401, 'A token of Platen is needed: Authorization: Bearer plt_…');
  }
  if (request.method !== 'POST') {
    response.setHeader('allow', 'POST');
    return refuse(response, 405, 'There are no sessions here: messages are posted.');
  }
  const server = await createMcpServer(options);
  const transport = new StreamableHTTPServerTransport();
  // Stops the work of a request when its caller disconnects.
  response.once('close', () => void server.close());
  await server.connect(transport);
  await transport.handleRequest(request, response);
}

/**
 * Returns whether a header contains the token. The comparison takes the same time wherever the texts differ.
 */
function isAllowed(header: string | undefined, token: string): boolean {
  const [, given] = /^bearer (.*)$/i.exec(header ?? '') ?? [];
  const hash = (text: string): Buffer => createHash('sha256').update(text).digest();
  return given !== undefined && timingSafeEqual(hash(given), hash(token));
}

function refuse(response: ServerResponse, status: number, message: string): void {
  response.writeHead(status, { 'content-type': 'application/json' });
  response.end(JSON.stringify({ jsonrpc: '2.0', error: { code: -32_000, message }, id: null }));
}
