import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import dynalite from 'dynalite';
import { Level } from 'level';
import type { Access } from '../iam/access.ts';
import { rightsForDynamo } from '../iam/dynamodb.ts';
import { DISK_FULL, hasRoomForItem } from './room.ts';
import { accessKeyOf, signatureFault } from './signature.ts';

/** Amazon DynamoDB on this machine: dynalite over LevelDB, on loopback, for callers with keys. */

/** DynamoDB's own limit of a request. */
const MAX_REQUEST = 16 * 1024 * 1024;

export interface DynamoServer {
  port: number;
  /** Waits for running requests. */
  close(): Promise<void>;
}

/**
 * @param folder folder of the tables; created when it does not exist
 * @param port 0 for any free port
 * @throws the errors of LevelDB, when another process uses the folder or its content cannot be read
 */
export async function startDynamo(folder: string, port: number, access: Access): Promise<DynamoServer> {
  // dynalite reports a folder that it cannot open only at the first request.
  const level = new Level(folder);
  await level.open();
  // LevelDB's files have deleted items until they are compacted. The types of `level` are those of every platform.
  await (level as unknown as { compactRange(start: string, end: string): Promise<void> }).compactRange(
    '',
    '\uffff',
  );
  await level.close();
  const emulator = dynalite({ path: folder, createTableMs: 0, deleteTableMs: 0, updateTableMs: 0 });
  // dynalite's own server ends the process when a client disconnects during a request.
  const server = createServer((request, response) => {
    receive(request, response, access, folder).then(
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

/** Returns the request with its complete body; undefined when it has been answered already. */
async function receive(
  request: IncomingMessage,
  response: ServerResponse,
  access: Access,
  folder: string,
): Promise<IncomingMessage | undefined> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    length += chunk.length;
    if (length > MAX_REQUEST) throw new Error('The request is too large.');
    chunks.push(chunk);
  }
  const { method = '', url = '/', headers } = request;
  const signed = { method, url, headers };
  const fault = signatureFault(signed, (id) => access.keys(id), Date.now());
  if (fault !== null) return refuse(response, 'UnrecognizedClientException', fault);
  const target = String(headers['x-amz-target']);
  const needed = rightsForDynamo(target, Buffer.concat(chunks), (table) => access.partitionKey(table));
  const refusal = access.refusal(accessKeyOf(signed), needed);
  if (refusal !== null) return refuse(response, 'AccessDeniedException', refusal);
  if (!(await hasRoomForItem(folder, target, length))) {
    return refuse(response, DISK_FULL.code, DISK_FULL.message, DISK_FULL.status);
  }
  return Object.assign(Readable.from(chunks, { objectMode: false }), {
    method,
    url,
    headers,
  }) as IncomingMessage;
}

function refuse(response: ServerResponse, type: string, message: string, status = 400): undefined {
  response.writeHead(status, { 'content-type': 'application/x-amz-json-1.0', connection: 'close' });
  response.end(JSON.stringify({ __type: `com.amazon.coral.service#${type}`, message }));
}
