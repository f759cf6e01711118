import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, rm, stat, truncate, writeFile } from 'node:fs/promises';
import { type IncomingMessage, request } from 'node:http';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { promisify } from 'node:util';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readBody } from '../../packages/aws-local/src/gateway/body.ts';
import { HttpServer } from '../../packages/aws-local/src/server.ts';
import { listen } from '../../packages/gotenberg/src/server.ts';
import { serveFixture, type ServedFixture } from './served-fixture.ts';

/** Responses that are sent while the body of the request is still on its way (RFC 9112, 9.6), to real clients. */

const MB = 1024 * 1024;
/** More than the gateway takes, and more than a connection holds. */
const SIZE = 96 * MB;

const run = promisify(execFile);

let fixture: ServedFixture;
let folder: string;
let file: string;

beforeAll(async () => {
  fixture = await serveFixture();
  folder = await mkdtemp(join(tmpdir(), 'platen-refused-'));
  file = join(folder, 'body');
  await writeFile(file, '');
  await truncate(file, SIZE);
});

afterAll(async () => {
  await fixture.stop();
  await rm(folder, { recursive: true });
});

async function curl(url: string, ...options: string[]): Promise<string> {
  const args = ['-sS', '-T', file, '-X', 'POST', '-w', '%{http_code}', '-o', '/dev/null', ...options, url];
  return (await run('curl', args)).stdout;
}

async function python(url: string, code: string): Promise<string> {
  const begin = `
import sys
url, path = sys.argv[1:]
def pieces():
    with open(path, 'rb') as file:
        while piece := file.read(65536):
            yield piece
`;
  return (await run('/usr/bin/python3', ['-c', begin + code, url, file])).stdout.trim();
}

const WITH_REQUESTS = (body: string) => `
import requests
print(requests.post(url, data=${body}).status_code)`;

const WITH_URLLIB = (body: string, headers: string) => `
import os, urllib.request, urllib.error
try:
    urllib.request.urlopen(urllib.request.Request(url, data=${body}, headers=${headers}, method='POST'))
except urllib.error.HTTPError as error:
    print(error.code)`;

async function fetched(url: string): Promise<string> {
  const piece = new Uint8Array(MB);
  const body = Readable.toWeb(
    Readable.from(Array.from({ length: SIZE / MB }, () => piece)),
  ) as ReadableStream<Uint8Array>;
  return String((await fetch(url, { method: 'POST', body, duplex: 'half' })).status);
}

const CLIENTS: [string, (url: string) => Promise<string>][] = [
  ['curl, which asks first', (url) => curl(url)],
  ['curl, which does not ask', (url) => curl(url, '-H', 'Expect:')],
  ['curl in chunks', (url) => curl(url, '-H', 'Transfer-Encoding: chunked')],
  [
    'curl in chunks, which does not ask',
    (url) => curl(url, '-H', 'Transfer-Encoding: chunked', '-H', 'Expect:'),
  ],
  ['fetch of Node, in chunks', fetched],
  ['requests of Python', (url) => python(url, WITH_REQUESTS("open(path, 'rb')"))],
  ['requests of Python, in chunks', (url) => python(url, WITH_REQUESTS('pieces()'))],
  [
    'urllib of Python',
    (url) => python(url, WITH_URLLIB("open(path, 'rb')", "{'Content-Length': str(os.path.getsize(path))}")),
  ],
  ['urllib of Python, in chunks', (url) => python(url, WITH_URLLIB('pieces()', '{}'))],
];

describe('a body that is too large', () => {
  it.concurrent.each(CLIENTS)('is a 413 for %s (I-4)', async (_, send) => {
    expect(await send(`${fixture.url}/v1/probe/echo`)).toBe('413');
  });

  it('is a 413 for requests of Python, too, if it is sent to the routes of Gotenberg', async () => {
    const server = await listen(async () => new Response('Request Entity Too Large', { status: 413 }), {
      port: 0,
      host: '127.0.0.1',
      fault: (error) => expect.fail(String(error)),
    });
    expect(await python(server.url, WITH_REQUESTS('pieces()'))).toBe('413');
    await server.stop();
  });

  it('is refused with a response that is complete before the client ends, and the connection is closed', async () => {
    const socket = connect(Number(new URL(fixture.url).port), '127.0.0.1');
    const head = ['POST /v1/probe/echo HTTP/1.1', 'Host: x', 'Transfer-Encoding: chunked', '', ''].join(
      '\r\n',
    );
    socket.write(head);
    const piece = `${MB.toString(16)}\r\n${'x'.repeat(MB)}\r\n`;
    for (let sent = 0; sent < 11; sent++) socket.write(piece);
    let text = '';
    socket.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
    await new Promise<void>((resolve, reject) => socket.on('end', resolve).on('error', reject));
    expect(text).toMatch(/^HTTP\/1\.1 413 [^]*^connection: close\r$[^]*"code":"request_too_large"/im);
  });
});

it('a large body is spooled without its pieces being kept in memory', async () => {
  setFlagsFromString('--expose_gc');
  const collect = runInNewContext('gc') as () => void;
  const spooled = async (): Promise<number> => {
    const [name] = (await readdir(folder)).filter((entry) => entry.startsWith('body-'));
    return name === undefined ? 0 : (await stat(join(folder, name))).size;
  };
  const server = await HttpServer.listen({
    host: '127.0.0.1',
    port: 0,
    maxHeaderSize: 16_384,
    refuse: () => ({ status: 400, headers: {}, body: '' }),
    handler: async (incoming, response) => {
      const body = await readBody(incoming, 2 * SIZE, folder);
      await body.remove();
      response.end(String(body.length));
    },
  });
  const outgoing = request(`http://127.0.0.1:${server.port}/`, { method: 'POST' });
  const answered = once(outgoing, 'response') as Promise<[IncomingMessage]>;
  const piece = Buffer.alloc(MB);
  collect();
  const before = process.memoryUsage().arrayBuffers;
  for (let sent = 0; sent < SIZE; sent += MB) {
    if (!outgoing.write(piece)) await once(outgoing, 'drain');
  }
  // All but what a stream holds back has been written.
  await expect.poll(spooled).toBeGreaterThan(SIZE - MB);
  // One collection may leave what the last writes still hold; pieces that are kept never go.
  const held = (): number => {
    collect();
    return process.memoryUsage().arrayBuffers - before;
  };
  await expect.poll(held).toBeLessThan(SIZE / 8);
  outgoing.end();
  const [answer] = await answered;
  expect((await answer.toArray()).join('')).toBe(String(SIZE));
  await server.close(0, () => undefined);
});
