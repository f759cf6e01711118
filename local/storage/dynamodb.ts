import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import dynalite from 'dynalite';
import { Level } from 'level';
import { type Credentials, signatureFault } from './signature.ts';

/** Amazon DynamoDB on this machine: dynalite over LevelDB, on loopback, for those who have the keys. */

/** DynamoDB's own limit of a request. */
const MAX_REQUEST = 16 * 1024 * 1024;

export interface DynamoServer {
  port: number;
  /** Waits for the requests that are under way. */
  close(): Promise<void>;
}

/**
 * @param folder Where tables are kept; made when it is not there.
 * @param port 0 for any that is free.
 * @throws the errors of LevelDB, when another process uses the folder or what is kept there cannot be read
 */
export async function startDynamo(folder: string, port: number, keys: Credentials): Promise<DynamoServer> {
  // dynalite says nothing of a folder it cannot open before it is asked for something in it.
  const level = new Level(folder);
  await level.open();
  await level.close();
  const emulator = dynalite({ path: folder, createTableMs: 0, deleteTableMs: 0, updateTableMs: 0 });
  // Not its own server: that one ends the process when a client goes away in the middle of a request.
  const server = createServer((request, response) => {
    receive(request, response, keys).then(
      (whole) => whole && emulator.emit('request', whole, response),
      () => response.destroy(),
    );
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', resolve);
  });
  return {
    port: (server.address() as AddressInfo).port,
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeIdleConnections();
      }),
  };
}

/** The request with its body complete; undefined when it has been answered already. */
async function receive(
  request: IncomingMessage,
  response: ServerResponse,
  keys: Credentials,
): Promise<IncomingMessage | undefined> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    length += chunk.length;
    if (length > MAX_REQUEST) throw new Error('The request is too large.');
    chunks.push(chunk);
  }
  const { method = '', url = '/', headers } = request;
  const fault = signatureFault({ method, url, headers }, keys, Date.now());
  if (fault !== null) {
    response.writeHead(400, { 'content-type': 'application/x-amz-json-1.0', connection: 'close' });
    response.end(
      JSON.stringify({ __type: 'com.amazon.coral.service#UnrecognizedClientException', message: fault }),
    );
    return undefined;
  }
  return Object.assign(Readable.from(chunks, { objectMode: false }), {
    method,
    url,
    headers,
  }) as IncomingMessage;
}
