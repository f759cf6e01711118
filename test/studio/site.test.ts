import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { serveSite, type Site } from '../../packages/aws-local/src/site.ts';

/** Files beside the API of the local service. */

const FILES = new Map([
  ['index.html', { bytes: Buffer.from('<p>page'), headers: { 'content-type': 'text/html', etag: '"1"' } }],
  ['assets/a.js', { bytes: Buffer.from('1'), headers: { 'content-type': 'text/javascript', etag: '"2"' } }],
]);
const site: Site = { path: '/studio', index: 'index.html', files: () => Promise.resolve(FILES) };
let files: Site['files'];

async function answer(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
  const served = await serveSite({ ...site, files: () => files() }, '/live', incoming, response);
  if (!served) response.writeHead(299).end();
}
const server = createServer((incoming, response) => void answer(incoming, response));
beforeAll(() => new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve)));
beforeEach(() => {
  files = () => site.files();
});
afterAll(() => {
  server.close();
});

/** With the path as it is: `fetch` would tidy it up. */
function get(path: string, options: { method?: string; headers?: Record<string, string> } = {}) {
  const { port } = server.address() as AddressInfo;
  return new Promise<{ status: number; headers: Record<string, unknown>; body: string }>(
    (resolve, reject) => {
      const sent = request({ host: '127.0.0.1', port, path, agent: false, ...options }, (answer) => {
        let body = '';
        answer.setEncoding('utf8').on('data', (chunk: string) => {
          body += chunk;
        });
        answer.on('end', () => resolve({ status: answer.statusCode ?? 0, headers: answer.headers, body }));
      });
      sent.on('error', reject).end();
    },
  );
}

it.each([
  ['/live/studio/', '<p>page'],
  ['/live/studio/?x=1', '<p>page'],
  ['/live/studio/index.html', '<p>page'],
  ['/live/studio/assets/a.js', '1'],
])('answers %s with its file', async (path, body) => {
  expect(await get(path)).toMatchObject({ status: 200, body });
});

it.each([
  '/live/studio/assets',
  '/live/studio/assets/../index.html',
  '/live/studio/../../package.json',
  '/live/studio/%2e%2e/package.json',
  '/live/studio//index.html',
  '/live/studio/constructor',
])('has no file at %s', async (path) => {
  expect((await get(path)).status).toBe(404);
});

it.each(['/', '/studio/', '/live/v1/token', '/live/studios', '/live/studio.html'])(
  'leaves %s to the API',
  async (path) => {
    expect((await get(path)).status).toBe(299);
  },
);

it('sends on to the folder, with the stage', async () => {
  expect(await get('/live/studio')).toMatchObject({ status: 308, headers: { location: '/live/studio/' } });
});

it('answers HEAD without a body, 304 for a cached file, and 405 for other methods than GET and HEAD', async () => {
  const head = await get('/live/studio/', { method: 'HEAD' });
  expect(head).toMatchObject({ status: 200, body: '', headers: { 'content-length': '7' } });
  const known = await get('/live/studio/', { headers: { 'if-none-match': '"1"' } });
  expect(known).toMatchObject({ status: 304, body: '' });
  const posted = await get('/live/studio/', { method: 'POST' });
  expect(posted).toMatchObject({ status: 405, headers: { allow: 'GET, HEAD' } });
});

it('reports as text why there are no files, and serves them once they exist', async () => {
  files = () => Promise.reject(new Error('The Studio cannot be built: <b>why</b>'));
  const refused = await get('/live/studio/');
  expect(refused).toMatchObject({ status: 503, body: 'The Studio cannot be built: <b>why</b>\n' });
  expect(refused.headers['content-type']).toMatch(/^text\/plain/);
  files = () => site.files();
  expect((await get('/live/studio/')).status).toBe(200);
});

it('answers a folder with the file for folders, and a site without the stage in its addresses', async () => {
  const folders = new Map([['routes/index.html', { bytes: Buffer.from('<p>all'), headers: {} }]]);
  const docs: Site = {
    path: '/docs',
    withoutStage: true,
    index: 'index.html',
    files: () => Promise.resolve(folders),
  };
  const served = createServer((incoming, response) => void serveSite(docs, '/live', incoming, response));
  await new Promise<void>((resolve) => void served.listen(0, '127.0.0.1', resolve));
  const { port } = served.address() as AddressInfo;
  const address = `http://127.0.0.1:${port}/docs/`;
  expect(await (await fetch(`${address}routes/`)).text()).toBe('<p>all');
  expect((await fetch(`${address}none/`)).status).toBe(404);
  served.close();
});
