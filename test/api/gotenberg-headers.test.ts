import { createServer, type IncomingHttpHeaders } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { createGotenberg, listen, type Listening } from '../../packages/gotenberg/src/index.ts';
import { listenAsGateway, startWebPages } from '../support/render-service.ts';
import { pdfText } from './client.ts';

/** What pages of Gotenberg's forms load over http, and which hosts get headers and cookies (I-22, I-53, I-58). */

const seen: { to: string; headers: IncomingHttpHeaders }[] = [];
/** A page of `page.test`, with resources and redirects to `api.test`, `other.test` and back. */
const site = createServer((request, response) => {
  const { host = '', ...headers } = request.headers;
  const [name = '', port = ''] = host.split(':');
  seen.push({ to: `${name}${request.url}`, headers });
  const at = (other: string, path: string) => `http://${other}.test:${port}${path}`;
  const redirects: Record<string, string> = {
    '/moved': at('api', '/moved-here.css'),
    '/away': at('other', '/away-here.css'),
    '/file': at('other', '/file-here'),
  };
  const target = redirects[request.url ?? ''];
  if (target !== undefined) response.writeHead(302, { location: target }).end();
  else if (request.url === '/start') response.writeHead(302, { location: at('page', '/page') }).end();
  else if (request.url === '/page' || request.url === '/framed') {
    const sheets = [at('api', '/a.css'), at('other', '/b.css'), at('page', '/moved'), at('api', '/away')];
    const links = sheets.map((href) => `<link rel=stylesheet href="${href}">`).join('');
    response.setHeader('content-type', 'text/html').end(`${links}<p>page`);
  } else if (/^\/\d{3}/.test(request.url ?? ''))
    response.writeHead(Number(request.url?.slice(1, 4)), { 'content-type': 'text/html' }).end('<p>page');
  else response.setHeader('content-type', 'text/css').end('p { color: red }');
});
let service: Listening;
let gotenberg: Listening;
let stop: () => Promise<void>;
let port: number;

beforeAll(async () => {
  site.listen(0, '127.0.0.1');
  await once(site, 'listening');
  ({ port } = site.address() as AddressInfo);
  const pages = await startWebPages();
  ({ stop } = pages);
  service = await listenAsGateway(pages.serve);
  const resolve = () => Promise.resolve([{ address: '127.0.0.1', family: 4 }]);
  const downloads = { outside: 'open' as const, isAllowedAddress: () => true, resolve };
  const outside = { downloads };
  const where = { port: 0, host: '127.0.0.1', fault: () => undefined };
  gotenberg = await listen(createGotenberg({ url: service.url, token: 't', outside }), where);
});
afterAll(async () => {
  await gotenberg.stop();
  await service.stop();
  await stop();
  site.close();
});
beforeEach(() => void seen.splice(0));

async function send(route: string, fields: Record<string, string>) {
  const body = new FormData();
  for (const [name, value] of Object.entries(fields)) {
    if (name === 'html') body.append('files', new Blob([value]), 'index.html');
    else body.append(name, value);
  }
  const response = await fetch(`${gotenberg.url}/forms/chromium/${route}`, { method: 'POST', body });
  const bytes = Buffer.from(await response.arrayBuffer());
  return {
    status: response.status,
    warning: response.headers.get('warning'),
    text: bytes.toString('latin1'),
  };
}

/** Where a header arrived. */
const receivers = (name: string) => [
  ...new Set(seen.flatMap(({ to, headers }) => (name in headers ? [to] : []))),
];
const SCOPED = JSON.stringify({
  'X-Plain': 'p;q=1',
  'X-Api': 'secret; scope=https?://api\\.test:\\d+/.*',
  'X-Deep': 'v;Scope = ^http://([a-z]+\\.)*api\\.test:[0-9]+/moved',
  'X-None': 'n;scope=https://domain\\.com/.*',
});
const TO_API = ['api.test/a.css', 'api.test/moved-here.css', 'api.test/away'];

it.each(['convert/url', 'screenshot/url'])(
  'headers with a scope go to its addresses alone, resources and redirects included: %s (I-58)',
  async (route) => {
    const { status } = await send(route, { url: `http://page.test:${port}/start`, extraHttpHeaders: SCOPED });
    expect(status).toBe(200);
    expect(seen.map(({ to }) => to)).toEqual(expect.arrayContaining(['page.test/page', 'other.test/b.css']));
    expect(receivers('x-api').toSorted()).toEqual(TO_API.toSorted());
    expect(receivers('x-deep')).toEqual(['api.test/moved-here.css']);
    expect(receivers('x-none')).toEqual([]);
    expect(receivers('x-plain').toSorted()).toEqual(['page.test/moved', 'page.test/page', 'page.test/start']);
    const values = seen.flatMap(({ headers }) => [headers['x-api'] ?? [], headers['x-plain'] ?? []]);
    expect(new Set(values.flat())).toEqual(new Set(['secret', 'p;q=1']));
  },
);

it.each(['convert/html', 'screenshot/html'])(
  'an uploaded page sends headers with a scope, and names those without one: %s (I-58)',
  async (route) => {
    const sheets = ['page.test', 'api.test'].map(
      (host) => `<link rel=stylesheet href="http://${host}:${port}/a.css">`,
    );
    const html = `${sheets.join('')}<p>page`;
    const { status, warning } = await send(route, { html, extraHttpHeaders: SCOPED });
    expect(status).toBe(200);
    expect(seen.map(({ to }) => to).toSorted()).toEqual(['api.test/a.css', 'page.test/a.css']);
    expect(receivers('x-api')).toEqual(['api.test/a.css']);
    expect(receivers('x-plain')).toEqual([]);
    expect(warning).toContain('X-Plain has no scope');
  },
);

it.each(['convert/url', 'screenshot/url'])(
  'cookies go with the page and its resources, to their own domain: %s (I-58)',
  async (route) => {
    const cookies = JSON.stringify([
      { name: 'a', value: '1', domain: `page.test:${port}` },
      { name: 'b', value: '2', domain: 'domain.com' },
    ]);
    const { status } = await send(route, { url: `http://page.test:${port}/start`, cookies });
    expect(status).toBe(200);
    expect(receivers('cookie').toSorted()).toEqual(['page.test/moved', 'page.test/page', 'page.test/start']);
    expect(seen.map(({ headers }) => headers.cookie).filter((cookie) => cookie !== undefined)).toEqual(
      expect.not.arrayContaining([expect.stringContaining('b=2')]),
    );
  },
);

it('headers of a download do not follow a redirect to another origin (I-58)', async () => {
  const downloadFrom = JSON.stringify([
    { url: `http://page.test:${port}/file`, extraHttpHeaders: { 'X-Key': 'k;scope=.*' } },
  ]);
  await send('convert/html', { html: '<p>', downloadFrom });
  expect(seen.map(({ to }) => to)).toEqual(['page.test/file', 'other.test/file-here']);
  expect(receivers('x-key')).toEqual(['page.test/file']);
});

it('resources over http are loaded, and missing ones fail a form that asks for it (I-22, I-58)', async () => {
  const fields = (href: string) => ({
    html: `<link rel=stylesheet href="${href}"><p>page`,
    failOnResourceLoadingFailed: 'true',
  });
  expect((await send('convert/html', fields(`http://page.test:${port}/a.css`))).status).toBe(200);
  const { status, text } = await send('convert/html', fields('http://page.test:9/a.css'));
  expect(status).toBeGreaterThanOrEqual(400);
  expect(text).toContain('http://page.test:9/a.css');
});

it.each([
  ['/404', {}, 409],
  ['/404', { failOnHttpStatusCodes: '[599]' }, 200],
  ['/404', { failOnHttpStatusCodes: '[]' }, 200],
  ['/503', { failOnHttpStatusCodes: '[503]' }, 409],
] as const)('a page that is answered with %s, with %j, is a %i (I-58)', async (path, fields, expected) => {
  const url = `http://page.test:${port}${path}`;
  for (const route of ['convert/url', 'screenshot/url'])
    expect([route, (await send(route, { url, ...fields })).status]).toEqual([route, expected]);
});

it.each([
  [{ failOnResourceHttpStatusCodes: '[404]' }, 409],
  [{ failOnResourceHttpStatusCodes: '[499]' }, 409],
  [{ failOnResourceHttpStatusCodes: '[500,599]' }, 200],
  [{ failOnResourceHttpStatusCodes: '[499]', ignoreResourceHttpStatusDomains: '["page.test"]' }, 200],
  [{ failOnResourceHttpStatusCodes: '[499]', ignoreResourceHttpStatusDomains: '["*.test"]' }, 200],
  [{ failOnResourceHttpStatusCodes: '[499]', ignoreResourceHttpStatusDomains: '["age.test"]' }, 409],
  [{ failOnResourceHttpStatusCodes: '["4xx"]' }, 400],
] as const)('a resource that is answered with 404, with %j, is a %i (I-58)', async (fields, expected) => {
  // The file beside the page is no response of a host.
  const html = `<link rel=stylesheet href="missing.css"><link rel=stylesheet href="http://page.test:${port}/404.css">`;
  expect((await send('convert/html', { html, ...fields })).status).toBe(expected);
});

it('the user agent goes with the page and its resources (I-58)', async () => {
  const { status, warning } = await send('convert/url', {
    url: `http://page.test:${port}/page`,
    userAgent: 'Own/1',
  });
  expect([status, warning]).toEqual([200, null]);
  expect(new Set(seen.map(({ headers }) => headers['user-agent']))).toEqual(new Set(['Own/1']));
});

it('media features apply to one document, beside its media type (I-53, I-58)', async () => {
  const html =
    '<style>p { display: none } @media print and (prefers-reduced-motion: reduce) { p { display: block } }</style>A<p>B';
  const wordsOf = async (fields: Record<string, string>): Promise<string> =>
    pdfText(Buffer.from((await send('convert/html', { html, ...fields })).text, 'latin1')).replace(/\s/g, '');
  const reduced = { emulatedMediaFeatures: '{"prefers-reduced-motion":"reduce"}' };
  expect([await wordsOf(reduced), await wordsOf({}), await wordsOf(reduced)]).toEqual(['AB', 'A', 'AB']);
  expect(await wordsOf({ ...reduced, emulatedMediaType: 'screen' })).toBe('A');
  for (const value of ['foo', '[]', '{"width":"9"}'])
    expect((await send('convert/html', { html, emulatedMediaFeatures: value })).status).toBe(400);
});

it.each([
  ['extraHttpHeaders', '{"foo":"bar;scope;;"}', "invalid scope '' for header 'foo'"],
  ['extraHttpHeaders', '{"foo":"bar;scope="}', "invalid scope '' for header 'foo'"],
  ['extraHttpHeaders', '{"foo":"bar;scope=*."}', "invalid scope regex pattern for header 'foo'"],
  ['extraHttpHeaders', '{"foo":"bar;scope=(?=a)a"}', "invalid scope regex pattern for header 'foo'"],
  ['extraHttpHeaders', `{"foo":"bar;scope=${'a'.repeat(1_001)}"}`, 'longer than'],
  ['extraHttpHeaders', '{"foo":7}', "the value of 'foo' must be a text"],
  ['extraHttpHeaders', '["foo"]', 'must be a JSON object'],
  ['cookies', '[{"name":"a","value":"b"}]', 'cookie 0 must have its name, value and domain set'],
])('an invalid value of %s is a 400 on each route: %s', async (field, value, message) => {
  const url = `http://page.test:${port}/page`;
  for (const route of ['convert/html', 'convert/url', 'screenshot/html', 'screenshot/url']) {
    const answer = await send(route, {
      [field]: value,
      ...(route.endsWith('url') ? { url } : { html: '<p>' }),
    });
    expect([answer.status, answer.text]).toEqual([400, expect.stringContaining(message)]);
  }
  expect(seen).toEqual([]);
});
