import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { BodyStalledError, readBody } from '../../packages/aws-local/src/gateway/body.ts';
import { call, json, raw, serveFixture, type ServedFixture } from './served-fixture.ts';

/** Bytes that no honest client sends: each is one request, or none, and never two (RFC 9112, 11.2). */

let fixture: ServedFixture;
let url: string;

beforeAll(async () => {
  fixture = await serveFixture({ concurrency: 2, waiting: 6 });
  ({ url } = fixture);
});

afterAll(() => fixture.stop());

/** Status codes of the answers on one connection, in their order. */
const statuses = (text: string): number[] =>
  Array.from(text.matchAll(/HTTP\/1\.1 (\d{3}) /g), ([, status]) => Number(status));

/** The request that must not come through: it would be answered with 200. */
const SMUGGLED = 'GET /v1/probe/literal HTTP/1.1\r\nHost: smuggled\r\nConnection: close\r\n\r\n';
const chunked = (text: string): string => `${text.length.toString(16)}\r\n${text}\r\n0\r\n\r\n`;

describe('a request whose length can be read in two ways is refused, and what follows it is not read', () => {
  const post = (headers: string, body: string): string =>
    `POST /v1/probe/echo HTTP/1.1\r\nHost: x\r\n${headers}\r\n\r\n${body}`;

  it.each([
    [
      'Content-Length and Transfer-Encoding',
      post('Content-Length: 4\r\nTransfer-Encoding: chunked', `0\r\n\r\n${SMUGGLED}`),
    ],
    [
      'the same, the other way round',
      post('Transfer-Encoding: chunked\r\nContent-Length: 4', `0\r\n\r\n${SMUGGLED}`),
    ],
    ['two lengths', post('Content-Length: 0\r\nContent-Length: 5', SMUGGLED)],
    ['two lengths in one', post('Content-Length: 0, 5', SMUGGLED)],
    ['a length with a sign', post('Content-Length: +0', SMUGGLED)],
    ['a length in hexadecimal', post('Content-Length: 0x0', SMUGGLED)],
    ['a length below zero', post('Content-Length: -1', SMUGGLED)],
    ['a length that overflows', post('Content-Length: 18446744073709551616', SMUGGLED)],
    ['an unknown transfer coding', post('Transfer-Encoding: xchunked', `0\r\n\r\n${SMUGGLED}`)],
    ['a coding after chunked', post('Transfer-Encoding: chunked, identity', `0\r\n\r\n${SMUGGLED}`)],
    [
      'two transfer codings',
      post('Transfer-Encoding: chunked\r\nTransfer-Encoding: identity', `0\r\n\r\n${SMUGGLED}`),
    ],
    ['a space before the colon', post('Transfer-Encoding : chunked', `0\r\n\r\n${SMUGGLED}`)],
    ['a vertical tab before chunked', post('Transfer-Encoding: \u000bchunked', `0\r\n\r\n${SMUGGLED}`)],
    ['a folded line', post('Transfer-Encoding:\r\n chunked\r\nContent-Length: 4', `0\r\n\r\n${SMUGGLED}`)],
    [
      'a bare line feed between headers',
      `POST /v1/probe/echo HTTP/1.1\r\nHost: x\nContent-Length: 0\r\n\r\n${SMUGGLED}`,
    ],
    ['a bare carriage return in a header', post('X: a\rContent-Length: 0', SMUGGLED)],
    ['a NUL in a header', post('X: a\u0000b\r\nContent-Length: 0', SMUGGLED)],
    ['a header without a name', post(': x\r\nContent-Length: 0', SMUGGLED)],
    ['a space in a method', `PO ST /v1/probe/echo HTTP/1.1\r\nHost: x\r\n\r\n${SMUGGLED}`],
    ['a version of its own', `GET /v1/probe/echo HTTP/3.9\r\nHost: x\r\n\r\n${SMUGGLED}`],
    ['two Hosts', `GET /v1/probe/literal HTTP/1.1\r\nHost: x\r\nHost: y\r\n\r\n${SMUGGLED}`],
    ['no Host', `GET /v1/probe/echo HTTP/1.1\r\n\r\n${SMUGGLED}`],
  ])('%s', async (_, text) => {
    const answer = await raw(url, text);
    expect(statuses(answer)).toEqual([400]);
    expect(answer).toContain('application/problem+json');
    expect(answer).not.toContain('smuggled');
  });

  it.each([
    ['a chunk whose length is not hexadecimal', 'zz\r\nabc\r\n0\r\n\r\n'],
    ['a chunk that is longer than it says', '1\r\nabcdef\r\n0\r\n\r\n'],
    ['a chunk with a bare line feed', '3\nabc\n0\n\n'],
    ['a chunk length that overflows', 'ffffffffffffffffff\r\nabc\r\n0\r\n\r\n'],
    ['an endless chunk extension', `3;${'x'.repeat(50_000)}\r\nabc\r\n0\r\n\r\n`],
  ])('%s', async (_, body) => {
    const answer = await raw(url, post('Transfer-Encoding: chunked', body + SMUGGLED));
    // The head was good, so the refusal may come from where the body is read; nothing of it is taken for a request.
    for (const status of statuses(answer)) expect([400, 413]).toContain(status);
    expect(answer).not.toContain('smuggled');
    expect((await call(`${url}/v1/probe/literal`)).status).toBe(200);
  });

  it('a chunk extension of ordinary length is ignored', async () => {
    const body = `5;name="value"\r\nhello\r\n0\r\nX-Trailer: 1\r\n\r\n`;
    const answer = await raw(url, post('Transfer-Encoding: chunked\r\nConnection: close', body));
    expect(statuses(answer)).toEqual([200]);
    expect(answer).toContain('"length":5');
  });

  it('two whole requests on one connection are two requests', async () => {
    const answer = await raw(url, post('Transfer-Encoding: chunked', chunked('hello')) + SMUGGLED);
    expect(statuses(answer)).toEqual([200, 200]);
  });
});

describe('addresses', () => {
  it.each([
    '/v1/../v1/probe/literal',
    '/v1/%2e%2e/v1/probe/literal',
    '/v1/probe/%2e%2e%2f%2e%2e%2fetc%2fpasswd/x',
    '//v1/probe/literal',
    '/v1//probe/literal',
    '///etc/passwd',
    '/v1/probe/literal/..%00/x',
    '/v1\\probe\\literal',
    'http://169.254.169.254/latest/meta-data/',
    'http://example.org/v1/probe/literal',
    '*',
  ])('%s does not exist', async (target) => {
    const answer = await raw(url, `GET ${target} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`);
    expect(statuses(answer)).toEqual([404]);
    expect(answer).toContain('route_not_found');
  });

  it('in a CONNECT or an upgrade request are refused', async () => {
    const connected = await raw(url, 'CONNECT 127.0.0.1:22 HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n');
    expect(statuses(connected)).not.toContain(200);
    const upgrade = 'Connection: Upgrade, close\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABkAAQAAP__';
    const answer = await raw(url, `GET /v1/probe/literal HTTP/1.1\r\nHost: x\r\n${upgrade}\r\n\r\n`);
    expect(statuses(answer)).toEqual([200]);
  });

  it('carry parameters as they are: overlong and broken escapes reach the function undecoded', async () => {
    for (const text of ['%c0%ae%c0%ae%c0%af', '%00', '%ff', '%e2%80%ae', '%zz']) {
      const event = json(await call(`${url}/v1/guarded/${text}`, { headers: { authorization: 'good' } }));
      expect(event).toMatchObject({ resource: '/v1/guarded/{what}' });
    }
  });
});

describe('names that mean something to the language', () => {
  const NAMES = ['__proto__', 'constructor', 'toString', 'hasOwnProperty', 'prototype', 'valueOf'];

  it.each(NAMES)('%s is a query parameter like another', async (name) => {
    const event = json(await call(`${url}/v1/probe/echo?${name}=1&${name}=2`));
    const values = event['multiValueQueryStringParameters'] as Record<string, unknown>;
    expect(Object.entries(values)).toEqual([[name, ['1', '2']]]);
  });

  it.each(NAMES)('%s is a header like another', async (name) => {
    const event = json(await call(`${url}/v1/probe/echo`, { headers: { [name]: 'value' } }));
    const values = Object.entries(event['multiValueHeaders'] as Record<string, unknown>);
    expect(values.find(([key]) => key.toLowerCase() === name.toLowerCase())?.[1]).toEqual(['value']);
  });
});

describe('much of it', () => {
  it.each([
    ['ten thousand headers', Array.from({ length: 10_000 }, (_, n) => `X-${n}: 1\r\n`).join('')],
    ['one huge header', `X-Huge: ${'x'.repeat(200_000)}\r\n`],
    ['a huge name', `${'x'.repeat(200_000)}: 1\r\n`],
  ])('%s are answered with 400', async (_, headers) => {
    const answer = await raw(url, `GET /v1/probe/literal HTTP/1.1\r\nHost: x\r\n${headers}\r\n`);
    expect(statuses(answer)).toEqual([400]);
  });

  it('a hundred thousand query parameters are answered with 400', async () => {
    const query = Array.from({ length: 100_000 }, (_, n) => `a${n}=1`).join('&');
    const answer = await raw(url, `GET /v1/probe/literal?${query} HTTP/1.1\r\nHost: x\r\n\r\n`);
    expect(statuses(answer)).toEqual([400]);
  });

  it('as many small headers as fit all arrive', async () => {
    const headers = 'a:\r\n'.repeat(2_100);
    const text = await raw(
      url,
      `GET /v1/probe/echo HTTP/1.1\r\nHost: x\r\n${headers}X-Last: here\r\nConnection: close\r\n\r\n`,
    );
    expect(statuses(text)).toEqual([200]);
    expect(text).toContain('X-Last');
  });
});

describe('slow clients', () => {
  const open = (): Promise<Socket> =>
    new Promise((resolve, reject) => {
      const socket = connect(Number(new URL(url).port), '127.0.0.1', () => resolve(socket));
      socket.on('error', reject);
    });

  it('delay no other request if they never end their head or their body', async () => {
    const sockets: Socket[] = [];
    for (let n = 0; n < 200; n += 1) {
      const socket = await open();
      socket.on('error', () => undefined);
      sockets.push(socket);
      socket.write('POST /v1/probe/echo HTTP/1.1\r\nHost: x\r\n');
      if (n % 2 === 0) socket.write('Content-Length: 100\r\n\r\nhalf');
      if (n % 3 === 0) socket.end();
    }
    await sleep(200);
    const answers = await Promise.all(Array.from({ length: 6 }, () => call(`${url}/v1/probe/literal`)));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200, 200]);
    for (const socket of sockets) socket.destroy();
  });

  it('are aborted if they stop in the middle of a body, and the received data is deleted', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'platen-stalled-'));
    const failed = Promise.withResolvers<unknown>();
    const server = createServer((request, response) => {
      readBody(request, 10_000_000, folder, 300).then(failed.resolve, (error: unknown) => {
        response.writeHead(400, { connection: 'close' }).end();
        failed.resolve(error);
      });
    }).listen(0, '127.0.0.1');
    await new Promise((resolve) => server.once('listening', resolve));
    const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const head = 'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 3000000\r\n\r\n';
    expect(statuses(await raw(address, head + 'x'.repeat(2_000_000)))).toEqual([400]);
    expect(await failed.promise).toBeInstanceOf(BodyStalledError);
    expect(await readdir(folder)).toEqual([]);
    server.closeAllConnections();
    server.close();
    await rm(folder, { recursive: true });
  });
});
