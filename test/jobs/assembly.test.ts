import { execFileSync } from 'node:child_process';
import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { settleJob } from '../../functions/jobs/settle.ts';
import { MAX_ARCHIVE_BYTES } from '../../functions/render/job/gathered.ts';
import { batchSteps } from '../../functions/render/job/steps.ts';
import type { RenderDependencies } from '../../functions/render/dependencies.ts';
import { createGroup } from '../../functions/shared/http/index.ts';
import type { JobEvent } from '../../functions/shared/jobs/events.ts';
import type { JobServices } from '../../functions/shared/jobs/config.ts';
import { createWorker } from '../../functions/shared/jobs/worker.ts';
import { PARTS_FILE, RANGES_FILE } from '../../functions/shared/store/jobs/record.ts';
import type { JobStore } from '../../functions/shared/store/jobs.ts';
import type { EmbeddedStorage } from '../store/embedded.ts';
import { ONLY_AS_JOB, startEmbeddedJobs } from './embedded-jobs.ts';
import { bodyText, CONTEXT, gatewayEvent, multipart } from '../support/gateway-event.ts';

/**
 * The result of a batch whose documents are rendered: in one step if they are few, otherwise by ranges, in any order and
 * with steps that run twice. The documents are written as parts write them, without rendering.
 */

const MB = 2 ** 20;
/** Smaller than those of the service, but as large as pieces of an upload have to be. */
const LIMITS = { bytes: 6 * MB, documents: 50_000, fewestBytes: 6 * MB };

let storage: EmbeddedStorage;
let store: JobStore;
let jobs: JobServices;
const folder = mkdtempSync(join(tmpdir(), 'platen-assembly-'));
const dependencies = {
  maxJobRecords: 1_000_000,
  images: { displayable: () => [] },
  tenantFonts: { current: async () => [] },
} as unknown as RenderDependencies;
const operations = ONLY_AS_JOB;

beforeAll(async () => {
  ({ storage, store, jobs } = await startEmbeddedJobs());
});
afterAll(async () => {
  await storage.stop();
  rmSync(folder, { recursive: true, force: true });
});

type Document = Buffer | { name: string; bytes: Buffer } | 'failed';

/** Accepts a batch and prepares it. @returns a function that does a step of it */
async function batch(format: string, count: number, fields: Readonly<Record<string, string>> = {}) {
  const tenant = randomUUID();
  const form = multipart([
    { name: 'file_data', content: '<p>{{ n }}</p>', filename: 'letter.html' },
    { name: 'template_data', content: '{"name":"Letter","format":"html"}' },
    { name: 'render_data', content: JSON.stringify(Array.from({ length: count }, (_, n) => ({ n }))) },
    ...Object.entries(fields).map(([name, content]) => ({ name, content })),
  ]);
  const headers = { ...form.headers, Prefer: 'respond-async' };
  const event = gatewayEvent({
    method: 'POST',
    path: `/v1/render/${format}/batch`,
    tenant,
    ...form,
    headers,
  });
  const accepted = await createGroup('render', operations, { jobs })(event, CONTEXT);
  const { id } = JSON.parse(bodyText(accepted)) as { id: string };
  const work = createWorker(operations, { jobs }, batchSteps(dependencies, LIMITS));
  const step = async (name: JobEvent['step'], more: Partial<JobEvent> = {}): Promise<string> =>
    (await work({ step: name, job: { tenant, id }, ...more }, CONTEXT)).next;
  await step('prepare');
  return { tenant, id, step };
}

/** Stores the outcomes of consecutive records of a part. */
async function rendered(
  { tenant, id }: { tenant: string; id: string },
  { part, from, first }: { part: number; from: number; first: number },
  documents: readonly Document[],
): Promise<void> {
  const file = `parts/${part}-${randomUUID()}`;
  const sealed: Buffer[] = [];
  const records: object[] = [];
  for (const [at, document] of documents.entries()) {
    if (document === 'failed') {
      const failure = { record: first + at, code: 'template_render', detail: 'Unfit.', errors: [] };
      records.push({ failure });
      continue;
    }
    const [bytes, name] = Buffer.isBuffer(document) ? [document] : [document.bytes, document.name];
    const one = await store.files.seal(tenant, id, `${file}#${at}`, bytes);
    sealed.push(one);
    records.push({ size: one.length, ...(name === undefined ? {} : { name }) });
  }
  await store.files.putStream(tenant, id, file, Readable.from(sealed, { objectMode: false }));
  const outcomes = { file, records, report: null, found: null, warnings: ['a warning'] };
  await store.files.putSealed(
    tenant,
    id,
    `parts/${part}-${from}.json`,
    Buffer.from(JSON.stringify(outcomes)),
  );
}

/** Stores the outcomes of all records in parts of 25, as `prepare` divides them. */
async function allRendered(job: { tenant: string; id: string }, documents: readonly Document[]) {
  for (let first = 0; first < documents.length; first += 25) {
    await rendered(job, { part: first / 25, from: 0, first }, documents.slice(first, first + 25));
  }
}

const lines = async ({ tenant, id }: { tenant: string; id: string }, file: string): Promise<unknown[]> =>
  ((await store.files.read(tenant, id, file))?.toString() ?? '')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as unknown);

const sha = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex');

const READ = `
import sys, zipfile, hashlib
with zipfile.ZipFile(sys.argv[1]) as file:
    for entry in file.infolist():
        print(entry.filename, entry.compress_type, hashlib.sha256(file.read(entry)).hexdigest(), sep='\\t')
`;

/** Returns the result of a job as Python reads it, after Info-ZIP has tested it, and its bytes. */
async function result({ tenant, id }: { tenant: string; id: string }) {
  const job = await store.get(tenant, id);
  const { file = '', size = 0, headers = {} } = job?.result ?? {};
  const stream = (await store.files.open(tenant, id, file)) ?? expect.unreachable('no result');
  const bytes = await buffer(stream);
  expect(bytes).toHaveLength(size);
  expect(headers).toMatchObject({
    'content-type': 'application/zip',
    'content-length': String(size),
    warning: '299 platen "a warning"',
  });
  const path = join(folder, 'result.zip');
  writeFileSync(path, bytes);
  expect(execFileSync('unzip', ['-tq', path], { encoding: 'utf8' })).toContain('No errors detected');
  const listed = execFileSync('/usr/bin/python3', ['-c', READ, path], { encoding: 'utf8' });
  const entries = listed
    .trim()
    .split('\n')
    .map((line) => line.split('\t'));
  const names = entries.map(([name]) => name);
  return {
    job,
    names,
    methods: entries.map(([, method]) => method),
    hashes: entries.map(([, , hash]) => hash),
    path,
  };
}

describe('a ZIP of few documents', () => {
  it('is made in one step, which names each document once and lists what failed', async () => {
    const job = await batch('pdf', 4, { on_error: 'skip' });
    const named = (text: string): Document => ({ name: 'Same', bytes: Buffer.from(text) });
    await allRendered(job, [named('one'), 'failed', named('two'), Buffer.from('three')]);
    expect(await job.step('assemble')).toBe('settle');
    const { job: record, names, path } = await result(job);
    expect(names).toEqual(['Same.pdf', 'Same-2.pdf', 'Letter-4.pdf', 'errors.json']);
    expect(record).toMatchObject({ done: 3, failed: 1, failures: [{ record: 1 }] });
    const listed = execFileSync('unzip', ['-p', path, 'errors.json'], { encoding: 'utf8' });
    const failure = { record: 1, code: 'template_render', detail: 'Unfit.', errors: [] };
    expect(listed).toBe(JSON.stringify([failure], null, 2));
  });

  it('has an empty list if nothing failed and records may be left out, and none otherwise', async () => {
    for (const [on_error, names] of [
      ['skip', ['Letter-1.pdf', 'errors.json']],
      ['fail', ['Letter-1.pdf']],
    ] as const) {
      const job = await batch('pdf', 1, { on_error });
      await allRendered(job, [Buffer.from('one')]);
      await job.step('assemble');
      const { names: found, path } = await result(job);
      expect(found).toEqual(names);
      if (on_error === 'skip')
        expect(execFileSync('unzip', ['-p', path, 'errors.json'], { encoding: 'utf8' })).toBe('[]');
    }
  });
});

describe('a ZIP of many documents', () => {
  /** Two ranges: 25 documents of 6 MB, and three small ones. */
  const large = (bytes: (size: number) => Buffer): Document[] => [
    ...Array.from({ length: 24 }, () => bytes(0.25 * MB)),
    { name: 'Same', bytes: bytes(0.5 * MB) },
    { name: 'Same', bytes: bytes(1_000) },
    'failed',
    bytes(2_000),
  ];
  const contents = (documents: readonly Document[]): string[] =>
    documents.flatMap((document) =>
      document === 'failed' ? [] : [sha(Buffer.isBuffer(document) ? document : document.bytes)],
    );

  it('is written by ranges and joined, although steps run twice and in any order', async () => {
    const job = await batch('pdf', 28, { on_error: 'skip' });
    const documents = large(randomBytes);
    await allRendered(job, documents);
    expect(await job.step('assemble')).toBe('ranges');
    expect(await job.step('assemble')).toBe('ranges');
    const ranges = (await lines(job, RANGES_FILE)) as { range: number }[];
    expect(ranges).toEqual([{ range: 0 }, { range: 1 }]);
    expect(await store.get(job.tenant, job.id)).toMatchObject({ state: 'running', result: null });
    for (const range of [ranges[1], ranges[0], ranges[1]])
      await job.step('range', { range: range ?? { range: 0 } });
    await job.step('join');
    // A step that begins after the result is stored has no effect.
    await job.step('range', { range: { range: 0 } });
    await job.step('join');
    const { job: record, names, hashes } = await result(job);
    const numbered = Array.from({ length: 24 }, (_, n) => `Letter-${String(n + 1).padStart(2, '0')}.pdf`);
    expect(names).toEqual([...numbered, 'Same.pdf', 'Same-2.pdf', 'Letter-28.pdf', 'errors.json']);
    expect(hashes.slice(0, -1)).toEqual(contents(documents));
    expect(record).toMatchObject({ done: 27, failed: 1 });

    await settleJob({ step: 'settle', job }, store);
    expect(await store.get(job.tenant, job.id)).toMatchObject({ state: 'succeeded' });
    expect(await lines(job, RANGES_FILE)).toEqual([]);
  });

  it('has a range uncompressed that would otherwise be too small for a piece of an upload', async () => {
    const job = await batch('html', 28, { on_error: 'skip' });
    const documents = large((size) => Buffer.alloc(size, 'a'));
    await allRendered(job, documents);
    await job.step('assemble');
    for (const range of [0, 1]) await job.step('range', { range: { range } });
    await job.step('join');
    const { methods, hashes } = await result(job);
    expect(hashes.slice(0, -1)).toEqual(contents(documents));
    expect(methods.map(Number)).toEqual([...Array<number>(25).fill(0), 0, 0, 8]);
  });

  it('is not made without one of its ranges', async () => {
    const job = await batch('pdf', 28, { on_error: 'skip' });
    await allRendered(job, large(Buffer.alloc));
    await job.step('assemble');
    await job.step('range', { range: { range: 1 } });
    await expect(job.step('join')).rejects.toThrow('Something went wrong on our side.');
    expect(await store.get(job.tenant, job.id)).toMatchObject({ result: null, problem: null });
  });

  it('of more bytes than a file can have fails before all parts are rendered', async () => {
    const job = await batch('pdf', 50, { on_error: 'skip' });
    const record = (await store.get(job.tenant, job.id)) ?? expect.unreachable('no job');
    await store.countPart(record, 0, { done: 25, failed: 0, bytes: MAX_ARCHIVE_BYTES + 1 });
    await job.step('part', { part: { part: 1, first: 25, count: 25 } });
    expect(await store.get(job.tenant, job.id)).toMatchObject({ problem: { code: 'answer_too_large' } });
    expect(await job.step('assemble')).toBe('settle');
  });
});

describe('a part that was stopped before its end', () => {
  it('is rendered further before anything is made', async () => {
    const job = await batch('pdf', 30, { on_error: 'skip' });
    const documents = Array.from({ length: 30 }, (_, n) => Buffer.from(`document ${n}`));
    await rendered(job, { part: 0, from: 0, first: 0 }, documents.slice(0, 10));
    await rendered(job, { part: 1, from: 0, first: 25 }, documents.slice(25));
    expect(await job.step('assemble')).toBe('parts');
    expect(await lines(job, PARTS_FILE)).toEqual([{ part: 0, first: 0, count: 25 }]);
    await rendered(job, { part: 0, from: 10, first: 10 }, documents.slice(10, 25));
    expect(await job.step('assemble')).toBe('settle');
    const { hashes } = await result(job);
    expect(hashes.slice(0, -1)).toEqual(documents.map(sha));
  });

  it('is left if the batch has failed already', async () => {
    const job = await batch('pdf', 30, { on_error: 'fail' });
    await rendered(job, { part: 0, from: 0, first: 0 }, Array<Document>(10).fill('failed'));
    expect(await job.step('assemble')).toBe('settle');
    expect(await store.get(job.tenant, job.id)).toMatchObject({ problem: { code: 'batch_failed' } });
  });
});

describe('one PDF', () => {
  it('of more records than one function can combine is refused', async () => {
    const job = await batch('pdf', 100_001, { combine: 'pdf' });
    expect(await store.get(job.tenant, job.id)).toMatchObject({
      problem: { code: 'batch_too_large', errors: [{ allowed: 100_000 }] },
    });
  });
});
