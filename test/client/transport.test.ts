import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { buffer } from 'node:stream/consumers';
import { Webhook } from 'standardwebhooks';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { Platen, PlatenError, verifyWebhook, WebhookError } from '@platen/client';

/** The client against a server that answers as the test says (I-57). */

interface Seen {
  method: string;
  url: string;
  headers: IncomingMessage['headers'];
  body: string;
}

type Answer = (request: Seen, response: ServerResponse) => void;

async function receive(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { method = '', url = '', headers } = request;
  const asked = { method, url, headers, body: (await buffer(request)).toString('latin1') };
  seen.push(asked);
  const answer = answers.length > 1 ? answers.shift() : answers[0];
  answer?.(asked, response);
}

let answers: Answer[] = [];
let seen: Seen[] = [];
let platen: Platen;
let base: string;
const server = createServer((request, response) => {
  void receive(request, response);
});
const folder = mkdtempSync(path.join(tmpdir(), 'platen-client-'));

beforeAll(async () => {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  platen = new Platen({ url: `${base}/live/v1/`, token: 'secret' });
});
beforeEach(() => {
  seen = [];
});
afterAll(() => {
  server.close();
  rmSync(folder, { recursive: true });
});

const problem =
  (status: number, code: string, headers: Record<string, string> = {}): Answer =>
  (_, response) => {
    const body = { status, code, title: 'No', detail: `It is ${code}.`, request_id: 'r-1' };
    response.writeHead(status, { 'content-type': 'application/problem+json', ...headers });
    response.end(JSON.stringify(body));
  };
const json =
  (value: unknown, status = 200, headers: Record<string, string> = {}): Answer =>
  (_, response) =>
    response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(value));
const pdf: Answer = (_, response) =>
  response
    .writeHead(200, {
      'content-type': 'application/pdf',
      'content-disposition': `attachment; filename="x.pdf"; filename*=UTF-8''../B%C3%BCro.pdf`,
      warning: '299 - "unknown option a ignored", 299 - "it said \\"b\\""',
    })
    .end('%PDF-1.7');
const broken: Answer = (_, response) => response.destroy();

describe('a request', () => {
  it('carries the token, to the address with its stage', async () => {
    answers = [json({ tenant: 'local', scopes: [], expires_at: null })];
    expect(await platen.token()).toMatchObject({ tenant: 'local' });
    expect(seen[0]).toMatchObject({
      method: 'GET',
      url: '/live/v1/token',
      headers: { authorization: 'secret' },
    });
  });

  it('is retried after 429, 503 and a broken connection, at the time the service names', async () => {
    answers = [
      problem(429, 'too_many_requests', { 'retry-after': '0' }),
      broken,
      problem(503, 'service_busy'),
      pdf,
    ];
    expect(await platen.render('t1', { name: 'Ada' }).text()).toBe('%PDF-1.7');
    expect(seen).toHaveLength(4);
    expect(new Set(seen.map(({ url }) => url))).toEqual(new Set(['/live/v1/render/pdf/t1']));
  });

  it('keeps its Idempotency-Key when it is sent again as a job', async () => {
    answers = [broken, problem(409, 'request_in_progress'), json({ id: 'j1' }, 202)];
    const job = await platen.render('t1').asJob({ callbackUrl: 'https://example.org/hook' });
    expect(job.id).toBe('j1');
    const keys = seen.map(({ headers }) => headers['idempotency-key']);
    expect(keys[0]).toMatch(/^[\da-f-]{36}$/);
    expect(keys).toEqual([keys[0], keys[0], keys[0]]);
    expect(seen[2]?.headers['prefer']).toBe('respond-async');
    expect(seen[2]?.body).toContain('https://example.org/hook');
  });

  it('is not retried if it must not be repeated and its result is unknown', async () => {
    answers = [broken];
    const data = { name: 'A', format: 'html' } as const;
    const refused = await platen.templates.add(data, { file: 'x' }).catch((error: unknown) => error);
    expect(refused).toMatchObject({ status: 0, code: 'unreachable' });
    expect(seen).toHaveLength(1);
  });

  it('is not retried if it writes another version of a template, and is if it replaces a value', async () => {
    answers = [broken, broken, json({})];
    await expect(platen.templates.change('t1', { file: 'x' })).rejects.toMatchObject({ status: 0 });
    await expect(platen.request('DELETE', '/template/t1')).resolves.toBeDefined();
    expect(seen.map(({ method }) => method)).toEqual(['PUT', 'DELETE', 'DELETE']);
  });

  it.each(['', '.', '..'])('is not sent to another address by the id %j', async (id) => {
    await expect(platen.templates.get(id)).rejects.toThrow(TypeError);
    await expect(platen.jobs.open(id).get()).rejects.toThrow(TypeError);
    expect(seen).toEqual([]);
  });

  it('is not kept waiting for longer than is allowed', async () => {
    answers = [problem(503, 'service_busy', { 'retry-after': '3600' })];
    await expect(platen.token()).rejects.toMatchObject({ code: 'service_busy', retryAfter: 3600 });
    expect(seen).toHaveLength(1);
  });

  it('ends with its signal, also between two attempts', async () => {
    answers = [problem(503, 'service_busy', { 'retry-after': '20' })];
    const stop = new AbortController();
    const asked = platen.token({ signal: stop.signal });
    await expect.poll(() => seen.length).toBe(1);
    stop.abort(new Error('enough'));
    await expect(asked).rejects.toThrow('enough');
  });

  it('throws the error of the problem document if it is refused', async () => {
    const errors = [{ field: 'render_options.scale', message: 'too large' }];
    answers = [
      json({ status: 422, code: 'invalid_option', detail: 'scale is 9', request_id: 'r-2', errors }, 422),
    ];
    const error = await platen
      .render('t1')
      .bytes()
      .catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(PlatenError);
    expect(error).toMatchObject({
      status: 422,
      code: 'invalid_option',
      message: 'scale is 9',
      requestId: 'r-2',
      errors,
    });
  });

  it('throws an error without a known code if a proxy answers it', async () => {
    answers = [(_, response) => response.writeHead(418).end('<html>')];
    await expect(platen.token()).rejects.toMatchObject({ status: 418, code: 'unknown' });
  });
});

describe('a document', () => {
  it('has its name, type and warnings, and is a file when it is complete', async () => {
    answers = [pdf];
    const document = await platen.barcode({ data: 'A', barcode_format: 'code128' });
    expect(document).toMatchObject({
      name: 'Büro.pdf',
      type: 'application/pdf',
      warnings: ['unknown option a ignored', 'it said "b"'],
    });
    const file = await document.toFile(path.join(folder, 'a.pdf'));
    expect(readFileSync(file, 'utf8')).toBe('%PDF-1.7');
  });

  it('leaves no file if its download breaks off', async () => {
    answers = [
      (_, response) => {
        response.writeHead(200, { 'content-length': '100' }).write('half');
        setTimeout(() => response.destroy(), 50);
      },
    ];
    await expect(platen.url('https://example.org').toFile(path.join(folder, 'b.pdf'))).rejects.toThrow(
      /terminated|aborted|closed/,
    );
    expect(readdirSync(folder).filter((name) => name.startsWith('b'))).toEqual([]);
  });

  it('is requested once, and only when it is awaited', async () => {
    answers = [pdf];
    const work = platen.render('t1');
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(seen).toHaveLength(0);
    const [first, second] = await Promise.all([work, work]);
    expect(first).toBe(second);
    expect(seen).toHaveLength(1);
  });
});

it('lists continue where the previous page ended', async () => {
  answers = [
    json([{ id: 'b' }, { id: 'a' }], 200, { link: '</live/v1/template?limit=2&cursor=a>; rel="next"' }),
    json([{ id: '0' }]),
  ];
  const ids: string[] = [];
  for await (const { id } of platen.templates.list({ limit: 2 })) ids.push(id);
  expect(ids).toEqual(['b', 'a', '0']);
  expect(seen.map(({ url }) => url)).toEqual([
    '/live/v1/template?limit=2',
    '/live/v1/template?limit=2&cursor=a',
  ]);
});

it('a file that changes before it is sent is sent as it was, and the process goes on', async () => {
  const file = path.join(folder, 'changing.pdf');
  writeFileSync(file, 'before');
  const pull = (controller: ReadableStreamDefaultController): void => {
    writeFileSync(file, 'after, and longer');
    controller.close();
  };
  const next = new ReadableStream({ pull }, { highWaterMark: 0 });
  answers = [pdf];
  expect(await platen.pdf.merge([{ path: file }, next]).text()).toBe('%PDF-1.7');
  expect(seen[0]?.body).toContain('\r\n\r\nbefore\r\n');
});

it('a folder as a file is an error of the call', async () => {
  answers = [pdf];
  await expect(platen.pdf.merge([{ path: folder }, 'b']).text()).rejects.toThrow(`${folder} is not a file.`);
  expect(seen).toEqual([]);
});

it('a file that is too large for a request is uploaded to the storage, without the token, and sent by reference', async () => {
  const file = path.join(folder, 'large.pdf');
  writeFileSync(file, Buffer.alloc(5 * 1024 * 1024, 'x'));
  const form = { url: `${base}/bucket`, fields: { key: 'k', Policy: 'p' }, reference: 'upload:u1' };
  answers = [json(form), problem(500, 'x'), (_, response) => response.writeHead(204).end(), pdf];
  expect(await platen.pdf.merge(['small', { path: file }]).text()).toBe('%PDF-1.7');
  const [asked, failed, sent, merged] = seen;
  expect(asked?.body).toContain(String(5 * 1024 * 1024));
  expect(asked?.body).toContain('large.pdf');
  for (const storage of [failed, sent]) {
    expect(storage).toMatchObject({ method: 'POST', url: '/bucket' });
    expect(storage?.headers).not.toHaveProperty('authorization');
    expect(storage?.body).toMatch(
      /name="key"\r\n\r\nk\r\n[^]*name="Policy"[^]*name="file"; filename="file"\r\n\r\nx{1000}/,
    );
    expect(Number(storage?.headers['content-length'])).toBe(storage?.body.length);
  }
  expect(merged?.body).toMatch(/name="file0"[^]*small[^]*name="file1"\r\n\r\nupload:u1\r\n/);
});

describe('a job', () => {
  const job = (state: string, finished: string | null, more: object = {}) =>
    json({ id: 'j1', state, finished, done: 1, total: 2, problem: null, ...more });

  it('is watched until it has ended, and its result opened', async () => {
    answers = [json({ id: 'j1' }, 202), job('running', null), broken, job('succeeded', 'now'), pdf];
    const states: string[] = [];
    const onProgress = ({ state }: { state: string }): void => void states.push(state);
    const result = await platen
      .batch('t1', [{ n: 1 }])
      .asJob()
      .wait({ onProgress });
    expect(await result.text()).toBe('%PDF-1.7');
    expect(states).toEqual(['running', 'succeeded']);
    expect(seen.at(-1)?.url).toBe('/live/v1/jobs/j1/result');
  });

  it('throws the problem of the equivalent request if it failed', async () => {
    answers = [
      job('failed', 'now', {
        problem: { status: 422, code: 'batch_failed', detail: 'Record 3 has no name.' },
      }),
    ];
    await expect(platen.jobs.open('j1').wait()).rejects.toMatchObject({ code: 'batch_failed', status: 422 });
  });
});

describe('a webhook', () => {
  const secret = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;
  const body = '{"type":"job.succeeded","job":{"id":"j1"}}';
  const now = 1_795_262_400;
  const headers = {
    'webhook-id': 'j1',
    'webhook-timestamp': String(now),
    'webhook-signature': `v1a,x ${new Webhook(secret).sign('j1', new Date(now * 1000), body)}`,
  };

  it('signed as the public library of Standard Webhooks does is believed', async () => {
    expect(await verifyWebhook(secret, headers, body, { now })).toMatchObject({ job: { id: 'j1' } });
    expect(
      await verifyWebhook(secret, new Headers(headers), new TextEncoder().encode(body), { now }),
    ).toBeDefined();
  });

  it.each([
    ['another body', headers, `${body} `, now],
    ['another id', { ...headers, 'webhook-id': 'j2' }, body, now],
    ['an old one', headers, body, now + 301],
    ['one of the future', headers, body, now - 301],
    ['one without signature', { ...headers, 'webhook-signature': undefined }, body, now],
    ['a signature that is no base64', { ...headers, 'webhook-signature': 'v1,A' }, body, now],
    ['a signature that is none', { ...headers, 'webhook-signature': 'v1,???' }, body, now],
  ])('with %s is not', async (_, given, text, at) => {
    await expect(verifyWebhook(secret, given, text, { now: at })).rejects.toThrow(WebhookError);
  });

  it.each(['', 'whsec_', 'whsec_!!!!', 'whsec_A', 'AAAAA'])('are not checked with %j', async (none) => {
    await expect(verifyWebhook(none, headers, body, { now })).rejects.toThrow(WebhookError);
  });
});
