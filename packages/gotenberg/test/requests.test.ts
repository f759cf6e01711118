import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, request as send } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { withAssets, withMarkdown } from '../src/html.ts';
import { createGotenberg, type GotenbergOptions, listen, type Listening } from '../src/index.ts';
import { packed, pdfNamed } from '../src/result.ts';

/** Requests to Gotenberg's routes (I-58) that fail before any document is made. */

const MAX_BYTES = 1024 * 1024;
/** The requests that the fake service has received. */
let asked: string[] = [];
/** A fake service that accepts one token. */
const service = createServer((incoming, outgoing) => {
  asked.push(`${incoming.method} ${incoming.url}`);
  incoming.resume();
  const known = incoming.headers.authorization === 'good';
  outgoing.writeHead(known ? 200 : 401, { 'content-type': 'application/json' });
  outgoing.end(
    JSON.stringify(known ? { tenant: 'local' } : { status: 401, code: 'invalid_token', detail: 'No' }),
  );
});
const faults: unknown[] = [];
let gotenberg: Listening;

beforeAll(async () => {
  service.listen(0, '127.0.0.1');
  await once(service, 'listening');
  const fault = (error: unknown): void => void faults.push(error);
  const answer = createGotenberg({ url: serviceUrl(), token: 'good', maxBytes: MAX_BYTES });
  gotenberg = await listen(answer, { port: 0, host: '127.0.0.1', fault });
});
beforeEach(() => {
  asked = [];
});
afterAll(async () => {
  await gotenberg.stop();
  service.close();
  expect(faults).toEqual([]);
});

/**
 * Returns a body that is sent in chunks without a declared length; `pulled` returns the number of bytes read
 * from it.
 */
function endless(total: number): { body: ReadableStream<Uint8Array>; pulled: () => number } {
  let pulled = 0;
  const head = '--b\r\nContent-Disposition: form-data; name="files"; filename="index.html"\r\n\r\n';
  const body = new ReadableStream<Uint8Array>(
    {
      start: (controller) => controller.enqueue(new TextEncoder().encode(head)),
      pull: (controller) => {
        if (pulled >= total) controller.close();
        else controller.enqueue(new Uint8Array(64 * 1024).fill(32));
        pulled += 64 * 1024;
      },
    },
    { highWaterMark: 0 },
  );
  return { body, pulled: () => pulled };
}

const html = '/forms/chromium/convert/html';
const multipart = { 'content-type': 'multipart/form-data; boundary=b' };
const post = (authorization: string, body: ReadableStream<Uint8Array>) => ({
  method: 'POST',
  headers: { ...multipart, authorization },
  body,
  duplex: 'half' as const,
});

describe('a request', () => {
  it('with a token that was valid a moment ago is served without asking again', async () => {
    const answer = createGotenberg({ url: serviceUrl(), token: 'good' });
    const version = async (): Promise<number> =>
      (await answer(new Request('http://localhost/version'))).status;
    expect([await version(), await version(), asked]).toEqual([200, 200, ['GET /v1/token']]);
  });

  it('for the metrics returns the load at that moment, unless they are disabled', async () => {
    const load = () => ({ chromium: { waiting: 3, ended: 1 }, libreoffice: { waiting: 0, ended: 2 } });
    const metrics = async (options: Partial<GotenbergOptions>) => {
      const answer = createGotenberg({ url: serviceUrl(), token: 'good', ...options });
      return await answer(new Request('http://localhost/prometheus/metrics'));
    };
    const response = await metrics({ load });
    expect((await response.text()).split('\n').filter((line) => /^[^#]/.test(line))).toEqual([
      'gotenberg_chromium_requests_queue_size 3',
      'gotenberg_chromium_restarts_count 1',
      'gotenberg_libreoffice_requests_queue_size 0',
      'gotenberg_libreoffice_restarts_count 2',
    ]);
    expect((await metrics({ load, disabled: ['prometheus'] })).status).toBe(404);
    expect((await metrics({})).status).toBe(404);
    expect((await metrics({ load, token: null })).status).toBe(401);
  });

  it('with an unknown token is refused before its body is read', async () => {
    const { body, pulled } = endless(64 * MAX_BYTES);
    const answer = createGotenberg({ url: serviceUrl(), token: null });
    const response = await answer(new Request(`http://localhost${html}`, post('made up', body)));
    expect([response.status, asked]).toEqual([401, ['GET /v1/token']]);
    expect(pulled()).toBeLessThan(MAX_BYTES);
  });

  it('without a length is read up to the limit', async () => {
    const { body, pulled } = endless(64 * MAX_BYTES);
    const answer = createGotenberg({ url: serviceUrl(), token: null, maxBytes: MAX_BYTES });
    const response = await answer(new Request(`http://localhost${html}`, post('good', body)));
    expect(response.status).toBe(413);
    expect(pulled()).toBeLessThan(2 * MAX_BYTES);
  });

  it.each([
    ['made up', 401],
    ['good', 413],
  ])('gets its answer while it is being sent: token %s, %i', async (token, status) => {
    const sending = send(`${gotenberg.url}${html}`, {
      method: 'POST',
      headers: { ...multipart, authorization: token },
    });
    const answered = once(sending, 'response') as Promise<[IncomingMessage]>;
    sending.write('--b\r\nContent-Disposition: form-data; name="files"; filename="index.html"\r\n\r\n');
    // The request is never ended, so that only the server can end it.
    sending.write(Buffer.alloc(4 * MAX_BYTES, 32));
    sending.on('error', () => undefined);
    const [response] = await answered;
    expect(response.statusCode).toBe(status);
    expect(response.headers.connection).toBe('close');
    expect(await text(response)).not.toBe('');
    sending.destroy();
  });

  it('with a body that is not a form is refused with 415', async () => {
    const headers = { authorization: 'good', 'content-type': 'application/json' };
    expect((await fetch(`${gotenberg.url}${html}`, { method: 'POST', headers, body: '{}' })).status).toBe(
      415,
    );
  });

  it.each([
    // A host in the path must not make the request count as local.
    ['POST', '//localhost/forms/pdfengines/merge', 'evil.example', 404],
    ['POST', '/forms/pdfengines/merge', 'evil.example', 401],
    ['POST', '/forms/pdfengines/merge', 'evil.example@localhost', 400],
    ['GET', '//', 'localhost', 404],
    ['GET', 'http://localhost/health', 'localhost', 400],
    ['GET', '/health', '[', 400],
    ['GET', '/health', 'localhost', 200],
  ])('%s %s for the host %s is %i', async (method, target, host, status) => {
    const sending = send(gotenberg.url, { method, path: target, headers: { ...multipart, host } });
    sending.end(method === 'POST' ? '--b--\r\n' : undefined);
    const [response] = (await once(sending, 'response')) as [IncomingMessage];
    response.resume();
    expect(response.statusCode).toBe(status);
  });
});

describe('files that are named again and again', () => {
  const named = (name: string, content: string) => ({ name, content: new File([content], name) });
  const much = 'x'.repeat(1024 * 1024);

  it.each([
    ['in attributes', '<img src="a.svg">'.repeat(100), [named('a.svg', much)]],
    ['in styles', `<style>${'a{b:url(a.svg)}'.repeat(100)}</style>`, [named('a.svg', much)]],
    [
      'in style sheets that name one another',
      '<link href="9.css">',
      Array.from({ length: 10 }, (_, index) => named(`${index}.css`, `url(${index - 1}.css)`.repeat(20))),
    ],
  ])('%s are refused before they fill the memory', async (_, page, files) => {
    await expect(withAssets(page, files)).rejects.toMatchObject({ name: 'RequestError', status: 413 });
  });

  it('in markdown are refused, too', async () => {
    const page = '{{ toHTML "a.md" }}'.repeat(100);
    await expect(withMarkdown(page, [named('a.md', much)])).rejects.toMatchObject({ status: 413 });
  });

  it('are embedded if they are named a few times', async () => {
    const page = await withAssets('<img src="a.svg">'.repeat(3), [named('a.svg', 'abc')]);
    expect(page.match(/data:image\/svg\+xml;base64,YWJj/g)).toHaveLength(3);
  });

  it('are shown as pages in frames', async () => {
    const page = await withAssets('<iframe src="a.html"></iframe>', [named('a.html', 'abc')]);
    expect(page).toContain('<iframe src="data:text/html;base64,YWJj">');
  });
});

it('names every document of a ZIP once, and as a file may be named everywhere', async () => {
  const names = ['a.pdf', 'A.pdf', 'a_1.pdf', 'a.pdf', 'b.pdf', '.git.pdf', 'con.pdf'];
  const zip = await packed(names.map((name) => pdfNamed(name, new Uint8Array([37]))));
  expect(await namesIn(zip.bytes)).toEqual([
    'a.pdf',
    'A_2.pdf',
    'a_1.pdf',
    'a_3.pdf',
    'b.pdf',
    'git.pdf',
    'con_.pdf',
  ]);
});

/** Returns the entry names of a ZIP, read with another implementation. */
async function namesIn(zip: Uint8Array): Promise<string[]> {
  const folder = mkdtempSync(path.join(tmpdir(), 'platen-zip-'));
  writeFileSync(path.join(folder, 'a.zip'), zip);
  const { stdout } = await promisify(execFile)('unzip', ['-Z1', path.join(folder, 'a.zip')]);
  rmSync(folder, { recursive: true });
  return stdout.trim().split('\n');
}

function serviceUrl(): string {
  return `http://127.0.0.1:${(service.address() as AddressInfo).port}`;
}
