import { createServer, type IncomingMessage } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, inject, it } from 'vitest';
import { createGotenberg, listen, type Listening } from '../../packages/gotenberg/src/index.ts';
import { pdfText } from './client.ts';

/** What forms of Gotenberg's routes have fetched and sent: webhooks, `downloadFrom`, pictures of web pages. */

const { url, token } = inject('service');

interface Call {
  method: string | undefined;
  path: string | undefined;
  headers: IncomingMessage['headers'];
  body: Buffer;
}

const calls: Call[] = [];
const background: Promise<void>[] = [];
const failures: number[] = [];
/** What callers' addresses lead to: files, a page, and a receiver. */
const other = createServer((request, response) => {
  void (async () => {
    const body = await buffer(request);
    calls.push({ method: request.method, path: request.url, headers: request.headers, body });
    if (request.url === '/text') {
      response.setHeader('content-disposition', 'attachment; filename="../far.txt"').end('From afar');
    } else if (request.url === '/page') {
      const page = '<body style="margin: 0; background: #00f"><p>';
      response.setHeader('content-type', 'text/html; charset=utf-8').end(page);
    } else response.writeHead(failures.shift() ?? 200).end();
  })();
});
let listening: Listening;
let strict: Listening;
let receiver: string;

beforeAll(async () => {
  other.listen(0, '127.0.0.1');
  await once(other, 'listening');
  receiver = `http://127.0.0.1:${(other.address() as AddressInfo).port}`;
  const any = { outside: 'open' as const, isAllowedAddress: () => true };
  const outside = { downloads: any, webhooks: any };
  const where = { port: 0, host: '127.0.0.1', fault: () => undefined };
  const keep = (work: Promise<void>) => void background.push(work);
  listening = await listen(createGotenberg({ url, token, outside, background: keep }), where);
  strict = await listen(createGotenberg({ url, token, background: keep }), where);
});
afterAll(async () => {
  await Promise.all([listening.stop(), strict.stop()]);
  other.close();
});

async function send(
  route: string,
  fields: Record<string, string>,
  headers: Record<string, string> = {},
  { url: address } = listening,
) {
  const body = new FormData();
  if (route.endsWith('html')) body.append('files', new Blob(['<p>Hello']), 'index.html');
  for (const [name, value] of Object.entries(fields)) body.append(name, value);
  const response = await fetch(`${address}/forms/${route}`, { method: 'POST', headers, body });
  return { status: response.status, bytes: Buffer.from(await response.arrayBuffer()) };
}

const hooks = (more: Record<string, string> = {}) => ({
  'gotenberg-trace': 't-7',
  'gotenberg-webhook-url': `${receiver}/done`,
  'gotenberg-webhook-events-url': `${receiver}/events`,
  ...more,
});

it('a webhook is called with the document, then with the event, in the headers asked for', async () => {
  calls.length = 0;
  failures.push(503);
  const extra = {
    'gotenberg-webhook-extra-http-headers': '{"X-Mine": "1"}',
    'gotenberg-webhook-method': 'PUT',
  };
  const { status } = await send('chromium/convert/html', {}, hooks(extra));
  expect(status).toBe(204);
  await Promise.all(background.splice(0));
  // A receiver that is busy is called again.
  expect(calls.map(({ method, path }) => `${method} ${path}`)).toEqual([
    'PUT /done',
    'PUT /done',
    'POST /events',
  ]);
  expect(calls[1]?.headers).toMatchObject({
    'x-mine': '1',
    'gotenberg-trace': 't-7',
    'content-type': 'application/pdf',
  });
  expect(pdfText(calls[1]?.body ?? Buffer.alloc(0))).toContain('Hello');
  const event = JSON.parse(calls[2]?.body.toString() ?? '') as object;
  expect(event).toMatchObject({ event: 'webhook.success', correlationId: 't-7' });
});

it('a webhook is called with the error, and a call that it refuses is not repeated', async () => {
  calls.length = 0;
  failures.push(200, 410);
  const errors = { 'gotenberg-webhook-error-url': `${receiver}/error` };
  expect((await send('pdfengines/merge', {}, hooks(errors))).status).toBe(204);
  await expect(Promise.all(background.splice(0))).rejects.toThrow(/410/);
  expect(calls.map(({ path }) => path)).toEqual(['/error', '/events']);
  expect(JSON.parse(calls[0]?.body.toString() ?? '')).toMatchObject({
    status: 400,
    message: expect.any(String),
  });
});

it('webhooks that cannot be called are refused before anything is made', async () => {
  const alone = { 'gotenberg-webhook-url': `${receiver}/done` };
  expect((await send('chromium/convert/html', {}, alone)).status).toBe(400);
  const method = { 'gotenberg-webhook-method': 'DELETE' };
  expect((await send('chromium/convert/html', {}, hooks(method))).status).toBe(400);
  expect((await send('chromium/convert/html', {}, hooks(), strict)).status).toBe(403);
  expect(background).toEqual([]);
});

it('files are fetched under the names that their servers give them, with headers for these servers', async () => {
  const downloadFrom = JSON.stringify([{ url: `${receiver}/text`, extraHttpHeaders: { 'X-Key': 'k' } }]);
  const { status, bytes } = await send('libreoffice/convert', { downloadFrom });
  expect(status).toBe(200);
  expect(pdfText(bytes)).toContain('From afar');
  expect(calls.at(-1)?.headers['x-key']).toBe('k');
  expect((await send('libreoffice/convert', { downloadFrom }, {}, strict)).status).toBe(403);
  const nameless = JSON.stringify([{ url: `${receiver}/page` }]);
  expect((await send('libreoffice/convert', { downloadFrom: nameless })).status).toBe(400);
});

it('web pages become pictures', async () => {
  const fields = { url: `${receiver}/page`, width: '30', height: '20' };
  const { status, bytes } = await send('chromium/screenshot/url', fields);
  expect([status, bytes.readUInt32BE(16), bytes.readUInt32BE(20)]).toEqual([200, 30, 20]);
  expect((await send('chromium/screenshot/url', fields, {}, strict)).status).toBe(403);
});
