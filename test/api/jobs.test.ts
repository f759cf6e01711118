import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import { readdir, readFile } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { Webhook } from 'standardwebhooks';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import {
  addTemplate,
  type Answer,
  call,
  checkPdf,
  endedJob,
  expectStatus,
  form,
  jsonOf,
  mint,
  pathOf,
  pdfText,
  renderNow,
  zipEntries,
  zipEntry,
} from './client.ts';

/** Jobs over HTTP (I-36), by the same functions and the same state machine that run on AWS. */

interface Job {
  id: string;
  state: string;
  started: string | null;
  finished: string | null;
  expires: string;
  total: number | null;
  done: number;
  failed: number;
  errors: { record: number; code: string; message: string }[];
  problem: { code: string; detail: string; errors?: unknown[] } | null;
  result: string | null;
  callback: { state: string; attempts: { status: number | null; error: string | null }[] } | null;
}

const ASYNC = { prefer: 'respond-async' };
const LETTER = '<!doctype html><title>Letter</title><p>Dear {{ name }}, {{ 10 / number }}</p>';

const jobOf = (answer: Answer) => jsonOf(answer) as unknown as Job;
const get = async (id: string) => jobOf(expectStatus(await call('GET', `/v1/jobs/${id}`), 200));

const ended = async (id: string) => (await endedJob(id)) as unknown as Job;

/** Asks for a job and gives it as it was accepted. */
async function ask(path: string, body: FormData | URLSearchParams, headers: object = {}): Promise<Job> {
  const answer = expectStatus(await call('POST', path, { body, headers: { ...ASYNC, ...headers } }), 202);
  const job = jobOf(answer);
  expect(answer.headers.get('location')).toBe(pathOf(`/v1/jobs/${job.id}`));
  expect(answer.headers.get('preference-applied')).toBe('respond-async');
  return job;
}

const people = (count: number) =>
  Array.from({ length: count }, (_, i) => ({ name: `P${i + 1}.`, number: i + 1 }));
const batchForm = (records: unknown, more: Record<string, string> = {}) =>
  new URLSearchParams({ render_data: JSON.stringify(records), ...more });

let template: string;
beforeAll(async () => {
  template = await addTemplate(LETTER, { name: 'Letter' });
});

describe('a single rendering as a job', () => {
  it('is accepted immediately, and its result equals the answer to a request without a job', async () => {
    const accepted = await ask(`/v1/render/pdf/${template}`, batchForm({ name: 'Ada', number: 2 }));
    expect(accepted).toMatchObject({ total: 1, done: 0, result: null, problem: null, callback: null });
    expect(accepted).toMatchObject({ template_id: template });
    const job = await ended(accepted.id);
    expect(job).toMatchObject({ state: 'succeeded', total: 1, done: 1, failed: 0, errors: [] });
    // Behind a stage, as here, an address without it leads nowhere.
    expect(job.result).toBe(pathOf(`/v1/jobs/${job.id}/result`));
    expect(Date.parse(job.expires)).toBeGreaterThan(Date.parse(job.finished ?? ''));

    const result = expectStatus(await call('GET', `/v1/jobs/${job.id}/result`), 200);
    expect(result.headers.get('content-type')).toBe('application/pdf');
    expect(result.headers.get('content-disposition')).toBe('attachment; filename=Letter.pdf');
    expect(result.headers.get('content-length')).toBe(String(result.bytes.length));
    checkPdf(result.bytes);
    expect(pdfText(result.bytes)).toContain('Dear Ada, 5.0');
  });

  it('shows the problem and has no result if it cannot succeed', async () => {
    const job = await ended(
      (await ask(`/v1/render/pdf/${template}`, batchForm({ name: 'Ada', number: 0 }))).id,
    );
    expect(job).toMatchObject({ state: 'failed', problem: { code: 'template_render' }, result: null });
    const result = expectStatus(await call('GET', `/v1/jobs/${job.id}/result`), 409);
    expect(jsonOf(result)).toMatchObject({ code: 'job_without_result' });
    expect(jsonOf(result)['detail']).toContain(job.problem?.detail);
  });

  it('is refused immediately if its request is not valid, and no job is created', async () => {
    const body = batchForm({}, { render_options: '{"scale":7}' });
    const answer = await call('POST', `/v1/render/pdf/${template}`, { body, headers: ASYNC });
    expect(jsonOf(expectStatus(answer, 422))).toMatchObject({ code: 'invalid_option' });
    const url = await call('POST', `/v1/render/pdf/${template}`, {
      body: batchForm({}, { callback_url: 'ftp://example.org/' }),
      headers: ASYNC,
    });
    expect(jsonOf(expectStatus(url, 422))).toMatchObject({ errors: [{ field: 'callback_url' }] });
  });

  it.each([
    ['/v1/render/barcode', JSON.stringify({ data: { data: '4006381333931', barcode_format: 'ean13' } })],
    ['/v1/pdf/merge', null],
  ])('works for %s too', async (path, json) => {
    if (json === null) {
      const pdf = expectStatus(await renderNow('<p>A page'), 200).bytes;
      const body = form({ file1: [pdf, 'a.pdf'], file2: [pdf, 'b.pdf'] });
      expect((await ended((await ask(path, body)).id)).state).toBe('succeeded');
      return;
    }
    const answer = await call('POST', path, {
      body: json,
      headers: { ...ASYNC, 'content-type': 'application/json' },
    });
    expect((await ended(jobOf(expectStatus(answer, 202)).id)).state).toBe('succeeded');
  });
});

const listed = async (): Promise<Job[]> =>
  JSON.parse((await call('GET', '/v1/jobs')).bytes.toString()) as Job[];

describe('a batch as a job', () => {
  it('is split into parts, and returns each record once, in order', async () => {
    const accepted = await ask(`/v1/render/html/batch/${template}`, batchForm(people(60)));
    expect(accepted.total).toBeNull();
    const job = await ended(accepted.id);
    expect(job).toMatchObject({ state: 'succeeded', total: 60, done: 60, failed: 0 });
    const zip = expectStatus(await call('GET', `/v1/jobs/${job.id}/result`), 200);
    expect(zip.headers.get('content-disposition')).toBe('attachment; filename=Letter.zip');
    const names = zipEntries(zip.bytes);
    expect(names).toEqual(people(60).map((_, i) => `Letter-${String(i + 1).padStart(2, '0')}.html`));
    for (const n of [1, 25, 26, 60]) {
      expect(zipEntry(zip.bytes, names[n - 1] ?? '').toString()).toContain(`Dear P${n}.,`);
    }
  });

  it('prints PDFs of records from a CSV file', async () => {
    const csv = `name;number\n${people(30)
      .map(({ name, number }) => `${name};${number}`)
      .join('\n')}`;
    const html = '<p>Dear {{ name }}</p>';
    const body = form({
      file_data: [html, 'letter.html'],
      template_data: '{"name":"Post","format":"html"}',
      render_data: [csv, 'people.csv'],
    });
    const job = await ended((await ask('/v1/render/pdf/batch', body)).id);
    expect(job).toMatchObject({ state: 'succeeded', done: 30 });
    const zip = (await call('GET', `/v1/jobs/${job.id}/result`)).bytes;
    expect(zipEntries(zip)).toHaveLength(30);
    const last = zipEntry(zip, 'Post-30.pdf');
    checkPdf(last);
    expect(pdfText(last)).toContain('Dear P30.');
  });

  const flawed = people(55).map((person, i) => (i === 3 || i === 40 ? { ...person, number: 0 } : person));

  it('is all or nothing: failing records fail the job, and are named (I-17)', async () => {
    const job = await ended((await ask(`/v1/render/html/batch/${template}`, batchForm(flawed))).id);
    expect(job).toMatchObject({ state: 'failed', total: 55, done: 53, failed: 2 });
    expect(job.problem).toMatchObject({ code: 'batch_failed', errors: [{ record: 3 }, { record: 40 }] });
    expect(job.errors).toMatchObject([
      { record: 3, code: 'template_render' },
      { record: 40, code: 'template_render' },
    ]);
  });

  it('with on_error=skip leaves failing records out, and lists them', async () => {
    const body = batchForm(flawed, { on_error: 'skip' });
    const job = await ended((await ask(`/v1/render/html/batch/${template}`, body)).id);
    expect(job).toMatchObject({ state: 'succeeded', done: 53, failed: 2, problem: null });
    const zip = (await call('GET', `/v1/jobs/${job.id}/result`)).bytes;
    expect(zipEntries(zip)).toHaveLength(54);
    expect(zipEntries(zip)).not.toContain('Letter-04.html');
    expect(JSON.parse(zipEntry(zip, 'errors.json').toString())).toMatchObject([
      { record: 3 },
      { record: 40 },
    ]);
  });
});

describe('jobs of a tenant', () => {
  it('are listed, newest first', async () => {
    const first = await ask(`/v1/render/html/${template}`, batchForm({ name: 'x', number: 1 }));
    const second = await ask(`/v1/render/html/${template}`, batchForm({ name: 'y', number: 1 }));
    const ids = (await listed()).map(({ id }) => id);
    expect(ids.indexOf(second.id)).toBeGreaterThanOrEqual(0);
    expect(ids.indexOf(first.id)).toBeGreaterThan(ids.indexOf(second.id));
    const limited = await call('GET', '/v1/jobs?limit=2');
    expect(JSON.parse(limited.bytes.toString())).toHaveLength(2);
    // Page by page (I-55), the list is the whole list.
    const paged: string[] = [];
    for (let next = '/v1/jobs?limit=1'; paged.length < 3;) {
      const page = await call('GET', next);
      paged.push(...(JSON.parse(page.bytes.toString()) as Job[]).map(({ id }) => id));
      const [, address = ''] = /^<([^>]+)>; rel="next"$/.exec(page.headers.get('link') ?? '') ?? [];
      next = address.slice(pathOf('').length);
    }
    expect(paged).toEqual(ids.slice(0, 3));
    expect((await call('GET', '/v1/jobs?cursor=nonsense')).status).toBe(422);
    await Promise.all([ended(first.id), ended(second.id)]);
  });

  it('are not found if they do not exist', async () => {
    for (const id of ['01k00000000000000000000000', 'nonsense']) {
      for (const path of [`/v1/jobs/${id}`, `/v1/jobs/${id}/result`]) {
        expect(jsonOf(expectStatus(await call('GET', path), 404))).toMatchObject({ code: 'not_found' });
      }
      expectStatus(await call('DELETE', `/v1/jobs/${id}`), 404);
    }
  });

  it('are cancelled while they run: no further work is done, and there is no result', async () => {
    const job = await ask(`/v1/render/pdf/batch/${template}`, batchForm(people(500)));
    const early = expectStatus(await call('GET', `/v1/jobs/${job.id}/result`), 409);
    expect(jsonOf(early)).toMatchObject({ code: 'job_not_finished' });
    expectStatus(await call('DELETE', `/v1/jobs/${job.id}`), 204);
    expect(await get(job.id)).toMatchObject({ state: 'cancelled', result: null });
    expect(jsonOf(await call('GET', `/v1/jobs/${job.id}/result`))).toMatchObject({
      code: 'job_without_result',
    });
    expectStatus(await call('DELETE', `/v1/jobs/${job.id}`), 204);
    expectStatus(await call('GET', `/v1/jobs/${job.id}`), 404);
  });

  it('are deleted with their results after they have ended', async () => {
    const job = await ended(
      (await ask(`/v1/render/html/${template}`, batchForm({ name: 'x', number: 1 }))).id,
    );
    expectStatus(await call('DELETE', `/v1/jobs/${job.id}`), 204);
    expectStatus(await call('GET', `/v1/jobs/${job.id}/result`), 404);
  });
});

describe('an Idempotency-Key', () => {
  const key = (name: string) => ({ 'idempotency-key': `${name}-${Date.now()}-${Math.random()}` });
  const document = (name: string) =>
    form({
      file_data: ['{{ name }} {{ range(9999) | random }} {{ range(9999) | random }}', 'a.html'],
      render_data: JSON.stringify({ name }),
    });

  it('returns the same document again if only the boundary of the body differs', async () => {
    const headers = key('document');
    const first = expectStatus(await call('POST', '/v1/render/html', { body: document('A'), headers }), 200);
    const again = expectStatus(await call('POST', '/v1/render/html', { body: document('A'), headers }), 200);
    expect(again.bytes).toEqual(first.bytes);
    expect(again.headers.get('content-disposition')).toBe(first.headers.get('content-disposition'));
    const other = await call('POST', '/v1/render/html', { body: document('A') });
    expect(other.bytes).not.toEqual(first.bytes);
  });

  it('is refused for another request, also for the same one as a job', async () => {
    const headers = key('other');
    expectStatus(await call('POST', '/v1/render/html', { body: document('A'), headers }), 200);
    const other = await call('POST', '/v1/render/html', { body: document('B'), headers });
    expect(jsonOf(expectStatus(other, 422))).toMatchObject({ code: 'idempotency_key_reused' });
    const job = await call('POST', '/v1/render/html', {
      body: document('A'),
      headers: { ...headers, ...ASYNC },
    });
    expectStatus(job, 422);
  });

  it('returns the same job again', async () => {
    const headers = key('job');
    const path = `/v1/render/html/${template}`;
    const first = await ask(path, batchForm({ name: 'x', number: 1 }), headers);
    await ended(first.id);
    const again = await ask(path, batchForm({ name: 'x', number: 1 }), headers);
    expect(again).toMatchObject({ id: first.id, state: 'succeeded' });
  });

  it('lets one of many at once do the work', async () => {
    const headers = key('many');
    const answers = await Promise.all(
      Array.from({ length: 5 }, () => call('POST', '/v1/render/html', { body: document('A'), headers })),
    );
    const good = answers.filter(({ status }) => status === 200);
    expect(good.length).toBeGreaterThan(0);
    expect(new Set(good.map(({ bytes }) => bytes.toString())).size).toBe(1);
    for (const refused of answers.filter(({ status }) => status !== 200)) {
      expect(jsonOf(expectStatus(refused, 409))).toMatchObject({ code: 'request_in_progress' });
    }
  });

  it('can be used again after an error', async () => {
    const headers = key('error');
    const body = () => batchForm({ name: 'x', number: 0 });
    for (let i = 0; i < 2; i += 1) {
      const answer = await call('POST', `/v1/render/html/${template}`, { body: body(), headers });
      expect(jsonOf(expectStatus(answer, 422))).toMatchObject({ code: 'template_render' });
    }
  });
});

describe('a receiver that is called at the end of a job', () => {
  const calls: { body: string; headers: IncomingMessage['headers'] }[] = [];
  let failures = 2;
  const receiver = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      calls.push({ body: Buffer.concat(chunks).toString(), headers: request.headers });
      failures -= 1;
      response.writeHead(failures >= 0 ? 500 : 204).end();
    });
  });
  let url = '';
  beforeAll(async () => {
    receiver.listen(0, '127.0.0.1');
    await once(receiver, 'listening');
    url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/hook`;
  });
  afterAll(() => receiver.close());

  async function called(id: string): Promise<Job> {
    for (;;) {
      const job = await get(id);
      if (job.callback?.state !== 'pending') return job;
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }

  /** What the messages of a queue hold, as the service notes them for its next start. */
  async function messages(queue: string): Promise<unknown[]> {
    const folder = join(inject('service').dataDir, 'queues', queue);
    const files = (await readdir(folder)).filter((file) => file.endsWith('.json'));
    const texts = await Promise.all(
      files.map((file) => readFile(join(folder, file), 'utf8').catch(() => '')),
    );
    return texts
      .filter((text) => text !== '')
      .map((text) => JSON.parse((JSON.parse(text) as { body: string }).body) as unknown);
  }
  const deadLetters = () => messages('platen-api-WebhooksDeadLetters');

  it('is called until it accepts the call, which is signed; the job lists each attempt', async () => {
    const asked = await ask(
      `/v1/render/html/${template}`,
      batchForm({ name: 'x', number: 1 }, { callback_url: url }),
    );
    const job = await called(asked.id);
    expect(job.state).toBe('succeeded');
    expect(job.callback).toMatchObject({ state: 'delivered' });
    expect(job.callback?.attempts.map(({ status }) => status)).toEqual([500, 500, 204]);

    const { secret } = jsonOf(await call('GET', '/v1/webhook')) as { secret: string };
    const [first] = calls;
    const [, t = '', v1] =
      /^t=(\d+),v1=([0-9a-f]{64})$/.exec(String(first?.headers['platen-signature'])) ?? [];
    expect(createHmac('sha256', secret).update(`${t}.${first?.body}`).digest('hex')).toBe(v1);
    // By the public library of Standard Webhooks (I-55), each call under the job's id.
    expect(
      new Webhook(secret).verify(first?.body ?? '', first?.headers as Record<string, string>),
    ).toBeDefined();
    expect(calls.map(({ headers }) => headers['webhook-id'])).toEqual([job.id, job.id, job.id]);
    expect(JSON.parse(first?.body ?? '')).toMatchObject({
      type: 'job.succeeded',
      job: { id: job.id, state: 'succeeded', result: pathOf(`/v1/jobs/${job.id}/result`) },
    });
  });

  it('is given up if it never answers, and the job has still succeeded', async () => {
    const gone = createServer();
    gone.listen(0, '127.0.0.1');
    await once(gone, 'listening');
    const { port } = gone.address() as AddressInfo;
    gone.close();
    const body = batchForm({ name: 'x', number: 1 }, { callback_url: `http://127.0.0.1:${port}/` });
    const job = await called((await ask(`/v1/render/html/${template}`, body)).id);
    expect(job).toMatchObject({ state: 'succeeded', callback: { state: 'failed' } });
    expect(job.callback?.attempts).toHaveLength(9);
    expect(job.callback?.attempts[0]).toMatchObject({ status: null });
    expect(job.callback?.attempts[0]?.error).toContain('cannot be loaded');
    await expect.poll(deadLetters).toContainEqual({ tenant: expect.any(String), id: job.id });
    expect(await messages('platen-api-WebhooksQueue')).not.toContainEqual(
      expect.objectContaining({ id: job.id }),
    );
  });
});

it('jobs of another tenant do not exist', async () => {
  const job = await ended((await ask(`/v1/render/html/${template}`, batchForm({ name: 'x', number: 1 }))).id);
  const headers = { authorization: await mint('--tenant', 'jobs-of-others') };
  for (const [method, path] of [
    ['GET', `/v1/jobs/${job.id}`],
    ['GET', `/v1/jobs/${job.id}/result`],
    ['DELETE', `/v1/jobs/${job.id}`],
  ] as const) {
    expectStatus(await call(method, path, { headers }), 404);
  }
  expect(JSON.parse((await call('GET', '/v1/jobs', { headers })).bytes.toString())).toEqual([]);
  expect(await get(job.id)).toMatchObject({ state: 'succeeded' });
});
