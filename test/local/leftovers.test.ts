import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ROOT, startService, type Service } from '../../bin/service.ts';
import { readAssembly } from '../../packages/aws-local/src/assembly/index.ts';
import { silentLogger } from '../../packages/aws-local/src/log.ts';
import { readState } from '../../packages/aws-local/src/state.ts';
import { deleteExpired, Storage, storageClients } from '../../packages/aws-local/src/storage/index.ts';
import { ensureAssembly } from '../../packages/aws-local/src/synth.ts';
import { filesOf, marksIn, newMark as mark, storedBy } from '../support/marks.ts';
import { killIfRunning } from '../support/process-tree.ts';
import { processesWith } from './processes.ts';

/**
 * What callers send, and what is made of it, is kept nowhere but in the places that docs/security.md lists. Each thing
 * that is sent has a mark of its own, and the marks are looked for in everything that the service keeps.
 */

let service: Service;
let dataDir: string;
let receiver: Server;
let log = '';
const called: string[] = [];

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'platen-leftovers-'));
  receiver = createServer((request, response) => {
    request.on('data', (chunk: Buffer) => called.push(chunk.toString()));
    request.on('end', () => response.end());
  });
  await new Promise<void>((resolve) => {
    receiver.listen(0, '127.0.0.1', resolve);
  });
  service = await startService({
    port: 0,
    dataDir,
    throttle: false,
    env: { PLATEN_LOG_LEVEL: 'debug', PLATEN_CALLBACK_ADDRESSES: 'any' },
    // One environment of each function, which is at work while a batch is.
    concurrency: 1,
    pauseFactor: 0.01,
    log: {
      ...silentLogger,
      warn: (message) => void (log += `${message}\n`),
      error: (message, error) => void (log += `${message} ${String(error)}\n`),
      lines: (_, source) => void source.setEncoding('utf8').on('data', (text: string) => (log += text)),
    },
  });
});

afterAll(async () => {
  await service.stop(0);
  receiver.close();
  await rm(dataDir, { recursive: true, force: true });
});

type Fields = Record<string, string | [content: string | Buffer, filename: string]>;

async function send(method: string, path: string, fields?: Fields, headers: Record<string, string> = {}) {
  const body = new FormData();
  for (const [name, value] of Object.entries(fields ?? {})) {
    if (typeof value === 'string') body.append(name, value);
    else body.append(name, new Blob([value[0]]), value[1]);
  }
  const response = await fetch(`${service.url}${path}`, {
    method,
    headers: { authorization: service.token, ...headers },
    ...(fields === undefined ? {} : { body }),
  });
  const bytes = Buffer.from(await response.arrayBuffer());
  return { status: response.status, bytes };
}

type Job = Record<string, unknown> & { id: string; state: string; done: number };
const jobIn = ({ bytes }: { bytes: Buffer }): Job => JSON.parse(bytes.toString()) as Job;

/** Sends a request with marks wherever a caller can send something, as a job. */
async function accepted(path: string, fields: Fields): Promise<string> {
  const of = path.split('/').slice(2).join('-');
  const { port } = receiver.address() as AddressInfo;
  const answer = await send(
    'POST',
    `${path}?note=${mark(`${of}-query`)}`,
    { ...fields, callback_url: `http://127.0.0.1:${port}/${mark(`${of}-callback`)}` },
    {
      prefer: 'respond-async',
      'idempotency-key': mark(`${of}-key`),
      'x-header': mark(`${of}-header`),
      cookie: `a=${mark(`${of}-cookie`)}`,
      'user-agent': mark(`${of}-agent`),
    },
  );
  expect([answer.status, answer.bytes.toString()]).toEqual([202, expect.anything()]);
  return jobIn(answer).id;
}

async function ended(id: string): Promise<Job> {
  for (;;) {
    const job = jobIn(await send('GET', `/v1/jobs/${id}`));
    if (job.state !== 'queued' && job.state !== 'running') return job;
    await sleep(50);
  }
}

const letter = (of: string, text = '{{ name }}'): Fields => ({
  file_data: [`<p>${mark(`${of}-template`)} ${text}`, `${mark(`${of}-file`)}.html`],
  template_data: JSON.stringify({ name: mark(`${of}-name`), format: 'html' }),
});
const records = (of: string, count: number): string => {
  const text = mark(`${of}-record`);
  return JSON.stringify(
    Array.from({ length: count }, (_, number) => ({ name: `${text}-${number}`, number })),
  );
};
/** Takes some time for each record. */
const SLOW = '{% for i in range(60000) %}{% endfor %}{{ name }}';

async function uploaded(content: string): Promise<string> {
  const made = JSON.parse(
    (await send('POST', '/v1/uploads', { name: `${mark('upload-name')}.html` })).bytes.toString(),
  ) as { id: string; url: string; fields: Record<string, string> };
  const body = new FormData();
  for (const [name, value] of Object.entries(made.fields)) body.append(name, value);
  body.append('file', new Blob([content]), 'a.html');
  expect((await fetch(made.url, { method: 'POST', body })).status).toBeLessThan(300);
  return made.id;
}

/** Ends the processes that render, while they do. */
async function killRenderers(): Promise<number> {
  const { runFolder } = (await readState(dataDir)) ?? expect.unreachable('no state');
  const isRender = (pid: number): boolean => {
    try {
      return /AWS_LAMBDA_FUNCTION_NAME=\S*render/i.test(readFileSync(`/proc/${pid}/environ`, 'latin1'));
    } catch (error) {
      // It has ended since the processes were listed.
      if (/^(?:ENOENT|ESRCH)$/.test((error as NodeJS.ErrnoException).code ?? '')) return false;
      throw error;
    }
  };
  return processesWith(runFolder).filter((pid) => isRender(pid) && killIfRunning(pid)).length;
}

/** The jobs that still have a result. */
const succeeded: string[] = [];

/** Requests that are answered at once, valid and not. */
async function sendSynchronous(): Promise<void> {
  const fields = (of: string): Fields => ({
    ...letter(of),
    render_data: JSON.stringify({ name: mark(`${of}-data`) }),
  });
  expect((await send('POST', '/v1/render/html', fields('sync'))).status).toBe(200);
  const pdf = await send('POST', '/v1/render/pdf', {
    ...fields('sync-pdf'),
    render_options: JSON.stringify({ encrypt_password: mark('sync-password') }),
  });
  expect(pdf.status).toBe(200);
  const keyed = { 'idempotency-key': mark('sync-key') };
  expect((await send('POST', '/v1/render/html', fields('sync-keyed'), keyed)).status).toBe(200);
  expect((await send('POST', '/v1/render/html', fields('sync-reused'), keyed)).status).toBe(422);
  const faulty = {
    ...letter('faulty', '{{ 1 / name }}'),
    render_data: JSON.stringify({ name: mark('faulty-data') }),
  };
  expect((await send('POST', '/v1/render/html', faulty)).status).toBe(422);
  const unparsable = { ...letter('unparsable', '{{'), render_data: `{"${mark('unparsable-data')}` };
  expect((await send('POST', '/v1/render/html', unparsable)).status).toBeGreaterThanOrEqual(400);
  const option = { ...letter('option'), render_options: JSON.stringify({ scale: mark('option-value') }) };
  expect((await send('POST', '/v1/render/pdf', option)).status).toBe(422);
  expect((await send('POST', '/v1/pdf/info', { file: [mark('no-pdf'), 'a.pdf'] })).status).toBe(422);
  expect((await send('GET', `/v1/template/${mark('path')}`)).status).toBe(404);
}

async function runJobs(): Promise<void> {
  const one = await accepted('/v1/render/html', {
    ...letter('one'),
    render_data: JSON.stringify({ name: mark('one-data') }),
  });
  const batch = await accepted('/v1/render/html/batch', {
    ...letter('batch'),
    render_data: records('batch', 60),
  });
  const skipping = await accepted('/v1/render/html/batch', {
    ...letter('skipping', '{{ 1 / number }}'),
    render_data: records('skipping', 30),
    on_error: 'skip',
  });
  const combined = await accepted('/v1/render/pdf/batch', {
    ...letter('combined'),
    render_data: records('combined', 2),
    combine: 'pdf',
    render_options: JSON.stringify({ encrypt_password: mark('combined-password') }),
  });
  const csv = await accepted('/v1/render/html/batch', {
    ...letter('csv'),
    render_data: [`name,number\n${mark('csv-record')},1\n`, `${mark('csv-file')}.csv`],
  });
  const barcode = await accepted('/v1/render/html', {
    file_data: `upload:${await uploaded(`<p>${mark('upload-content')} {{ name }}`)}`,
    template_data: JSON.stringify({ name: mark('upload-template'), format: 'html' }),
    render_data: JSON.stringify({ name: mark('upload-data') }),
  });
  for (const id of [one, batch, skipping, combined, csv, barcode]) {
    expect(await ended(id)).toMatchObject({ state: 'succeeded' });
    succeeded.push(id);
  }
  const failing = await accepted('/v1/render/html/batch', {
    ...letter('failing', '{{ 1 / number }}'),
    render_data: records('failing', 30),
  });
  expect(await ended(failing)).toMatchObject({ state: 'failed' });
  const missing = await accepted('/v1/render/html', {
    ...letter('undefined', '{{ 1 / 0 }}'),
    render_data: JSON.stringify({ name: mark('undefined-data') }),
  });
  expect(await ended(missing)).toMatchObject({ state: 'failed' });
}

/** Jobs that end while their work is in progress. */
async function interruptJobs(): Promise<void> {
  const crashed = await accepted('/v1/render/html/batch', {
    ...letter('crashed', SLOW),
    render_data: records('crashed', 100),
  });
  await expect.poll(async () => jobIn(await send('GET', `/v1/jobs/${crashed}`)).done).toBeGreaterThan(0);
  expect(await killRenderers()).toBeGreaterThan(0);
  expect(await ended(crashed)).toMatchObject({ state: 'succeeded', done: 100 });
  succeeded.push(crashed);
  const cancelled = await accepted('/v1/render/html/batch', {
    ...letter('cancelled', SLOW),
    render_data: records('cancelled', 200),
  });
  await expect.poll(async () => jobIn(await send('GET', `/v1/jobs/${cancelled}`)).done).toBeGreaterThan(0);
  expect((await send('DELETE', `/v1/jobs/${cancelled}`)).status).toBe(204);
  const deleted = await accepted('/v1/render/html/batch', {
    ...letter('deleted'),
    render_data: records('deleted', 30),
  });
  await ended(deleted);
  expect((await send('DELETE', `/v1/jobs/${deleted}`)).status).toBe(204);
}

/** The places of what has a mark, with the marks. */
async function placesOf(
  places: AsyncIterable<[string, Buffer]> | Iterable<[string, Buffer]>,
): Promise<Map<string, string[]>> {
  const found = new Map<string, string[]>();
  for await (const [place, bytes] of places) {
    const there = marksIn(bytes);
    if (there.length > 0) found.set(place, there);
  }
  return found;
}

describe('what callers send, and what is made of it', () => {
  /** What may have marks (docs/security.md): results, the state of jobs, stored responses, uploads. */
  const kept = (place: string): boolean =>
    succeeded.some((id) => place.includes(`/${id}/result-`) || place.endsWith(`/${id}/report.json`)) ||
    /^(TENANT#local (JOB#|KEY#)|answers\/|uploads\/)/.test(place);

  it('is kept in the listed places alone, however jobs end', async () => {
    await sendSynchronous();
    await runJobs();
    await interruptJobs();
    // The last webhooks, and work in progress on the cancelled job.
    await expect.poll(() => called.length).toBeGreaterThanOrEqual(succeeded.length + 2);
    const { runFolder } = (await readState(dataDir)) ?? expect.unreachable('no state');
    const notKept = async (): Promise<string[]> => {
      const places: string[] = [];
      for await (const [place] of storedBy(dataDir))
        if (/^(jobs|transfers)\//.test(place) && !kept(place)) places.push(place);
      return places;
    };
    await expect.poll(notKept, { timeout: 30_000 }).toEqual([]);

    const stored = await placesOf(storedBy(dataDir));
    expect([...stored].filter(([place]) => !kept(place))).toEqual([]);
    // The marks can be found: this would otherwise hold for every service.
    expect([...stored.keys()].some((place) => place.includes('/result-'))).toBe(true);
    expect([...stored.values()].flat().filter((text) => /password|-key-|header|cookie/.test(text))).toEqual(
      [],
    );

    const live = new Set([...stored.values()].flat());
    // The storage empties its log a moment after a request, and its files change meanwhile. Those of the tables are
    // compacted at the next start.
    const remains = async (): Promise<string[]> =>
      [...(await placesOf(filesOf(dataDir)))].flatMap(([place, texts]) =>
        place.startsWith('dynamodb/')
          ? []
          : texts
              .filter((text) => !place.startsWith('s3/') || !live.has(text))
              .map((text) => `${place}: ${text}`),
      );
    await expect.poll(remains, { timeout: 30_000 }).toEqual([]);
    expect(marksIn(Buffer.from(log))).toEqual([]);
    // Besides what environments write, the folder has the programs of the service.
    const temporary = async (): Promise<string[]> => [
      ...(await placesOf(filesOf(runFolder, ['layers/', 'runtime.mjs']))).keys(),
    ];
    await expect.poll(temporary, { timeout: 30_000 }).toEqual([]);
  });

  it('is nowhere once it has expired, not even in the files of the storage', async () => {
    const state = (await readState(dataDir)) ?? expect.unreachable('no state');
    const clients = storageClients(state.storage);
    const { directory } = await ensureAssembly({ root: ROOT });
    await deleteExpired(clients, await readAssembly(directory), Date.now() + 60 * 24 * 60 * 60_000);
    expect(await placesOf(storedBy(dataDir))).toEqual(new Map());
    await service.stop(0);
    // The next start compacts the tables.
    await (await Storage.open(dataDir, silentLogger)).close();
    expect(await placesOf(filesOf(dataDir))).toEqual(new Map());
  });
});
