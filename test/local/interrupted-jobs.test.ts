import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { ROOT } from '../../bin/service.ts';
import { newJobId } from '../../functions/shared/store/storage/ids.ts';
import { JobStore } from '../../functions/shared/store/jobs.ts';
import { Sealer } from '../../functions/shared/store/storage/sealing.ts';
import { readState } from '../../packages/aws-local/src/state.ts';
import { ensureAssembly } from '../../packages/aws-local/src/synth.ts';
import { until } from '../chrome/processes.ts';
import { filesOf, storedBy } from '../support/marks.ts';

/** Jobs whose acceptance or end was interrupted by a kill of the whole service are settled at its next start, once. */

interface Job {
  id: string;
  state: string;
  problem: { code: string; detail: string } | null;
  callback: { state: string; attempts: unknown[] } | null;
}

let dataDir: string;
let receiver: Server;
/** The calls of webhooks: type and job. */
const called: [type: string, id: string][] = [];
let child: ChildProcess | undefined;
let url: string;
let token: string;

async function start(): Promise<void> {
  const started = spawn(join(ROOT, 'node_modules/.bin/node'), ['bin/serve.ts'], {
    cwd: ROOT,
    env: { ...process.env, PLATEN_DATA_DIR: dataDir, PLATEN_PORT: '0', PLATEN_CALLBACK_ADDRESSES: 'any' },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  child = started;
  let output = '';
  for (const stream of [started.stdout, started.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => (output += text));
  }
  // It looks for interrupted jobs after it is ready: until then, it may start what a test stores.
  await until(
    () => output.includes('caught up') || started.exitCode !== null,
    () => output,
  );
  url = /http:\/\/[^\s]+/.exec(output)?.[0] ?? expect.unreachable(output);
  token = /token +(\S+)/.exec(output)?.[1] ?? expect.unreachable(output);
}

async function end(signal: NodeJS.Signals): Promise<void> {
  if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
  const exited = once(child, 'exit');
  child.kill(signal);
  await exited;
}

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'platen-interrupted-'));
  receiver = createServer((request, response) => {
    let body = '';
    request.on('data', (chunk: Buffer) => (body += chunk.toString()));
    request.on('end', () => {
      const { type, job } = JSON.parse(body) as { type: string; job: { id: string } };
      called.push([type, job.id]);
      response.end();
    });
  });
  await new Promise<void>((resolve) => {
    receiver.listen(0, '127.0.0.1', resolve);
  });
  await ensureAssembly({ root: ROOT });
  await start();
});

afterAll(async () => {
  await end('SIGTERM');
  receiver.close();
  await rm(dataDir, { recursive: true, force: true });
});

const callbackUrl = (): string => `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/`;

async function request(method: string, path: string, body?: FormData) {
  return await fetch(url + path, {
    method,
    headers: { authorization: token, prefer: 'respond-async' },
    ...(body === undefined ? {} : { body }),
  });
}

function rendering(text: string): FormData {
  const body = new FormData();
  body.append('file_data', new Blob([`<p>${text}`]), 'a.html');
  body.append('render_data', '{}');
  body.append('callback_url', callbackUrl());
  return body;
}

const jobs = async (): Promise<Job[]> => (await (await request('GET', '/v1/jobs')).json()) as Job[];
const isEnded = ({ state }: Job): boolean => state !== 'queued' && state !== 'running';
const deliveries = (id: string): string[] => called.filter(([, of]) => of === id).map(([type]) => type);

/** Files of jobs besides results and reports. */
async function workLeft(): Promise<string[]> {
  const left: string[] = [];
  for await (const [place] of storedBy(dataDir)) {
    if (place.startsWith('jobs/') && !/\/(result-[^/]+|report\.json)$/.test(place)) left.push(place);
  }
  return left;
}

/** Builds what a function leaves that dies between the steps in which it accepts or cancels a job. */
async function interrupted() {
  const state = (await readState(dataDir)) ?? expect.unreachable('no state');
  const { endpoints, credentials } = state.storage;
  Object.assign(process.env, {
    AWS_REGION: 'eu-central-1',
    AWS_ACCESS_KEY_ID: credentials.accessKeyId,
    AWS_SECRET_ACCESS_KEY: credentials.secretAccessKey,
    AWS_ENDPOINT_URL_S3: endpoints.s3,
    AWS_ENDPOINT_URL_DYNAMODB: endpoints.dynamodb,
  });
  const [secret = ''] = readdirSync(join(dataDir, 'secrets'));
  const store = new JobStore({
    table: state.outputs['JobsTable'] ?? '',
    bucket: state.outputs['FilesBucket'] ?? '',
    lifetime: 1_000_000,
    sealer: new Sealer(async () => readFileSync(join(dataDir, 'secrets', secret), 'utf8')),
  });
  const create = async () => {
    const job = {
      tenant: 'local',
      operation: 'renderNow',
      group: 'render',
      batch: false,
      basePath: '',
      templateId: null,
      by: null,
    } as const;
    return await store.create({ ...job, id: newJobId(), callbackUrl: callbackUrl() });
  };
  const form = new Response(rendering('stored'));
  const stored = {
    resource: '/v1/render/{format}',
    path: '/v1/render/html',
    httpMethod: 'POST',
    headers: { 'content-type': form.headers.get('content-type') ?? '' },
    pathParameters: { format: 'html' },
    multiValueQueryStringParameters: null,
    requestId: 'a-request',
    tenant: 'local',
    scopes: 'render',
  };
  const body = Buffer.from(await form.arrayBuffer());

  const withoutRequest = await create();
  const half = await create();
  await store.files.putSealed('local', half.id, 'request', Buffer.from(JSON.stringify(stored)));
  const complete = await create();
  await store.files.putRequest(complete.id, stored, body);
  const cancelled = await create();
  await store.files.putRequest(cancelled.id, stored, body);
  await store.settle('local', cancelled.id, 'cancelled');
  return { failing: [withoutRequest.id, half.id], complete: complete.id, cancelled: cancelled.id };
}

it('a job that was stored, in part or completely, and not started when the service was killed', async () => {
  const { failing, complete, cancelled } = await interrupted();
  expect((await jobs()).filter((job) => !isEnded(job))).toHaveLength(3);
  await end('SIGKILL');
  await start();
  await expect.poll(async () => (await jobs()).every(isEnded)).toBe(true);
  const all = new Map((await jobs()).map((job) => [job.id, job]));
  for (const id of failing) {
    expect(all.get(id)).toMatchObject({ state: 'failed', problem: { code: 'storage_unavailable' } });
    expect(all.get(id)?.problem?.detail).toContain('Send it again');
  }
  expect(all.get(complete)).toMatchObject({ state: 'succeeded' });
  expect(await (await request('GET', `/v1/jobs/${complete}/result`)).text()).toBe('<p>stored');
  expect(all.get(cancelled)).toMatchObject({ state: 'cancelled' });
  await expect.poll(() => called.length).toBe(3);

  // Another start has nothing to do, and calls nobody again.
  await end('SIGKILL');
  await start();
  await expect.poll(workLeft).toEqual([]);
  for (const id of failing) expect(deliveries(id)).toEqual(['job.failed']);
  expect(deliveries(complete)).toEqual(['job.succeeded']);
  expect(deliveries(cancelled)).toEqual([]);
});

it('jobs in every state of acceptance when the service is killed while it accepts many', async () => {
  const answered: string[] = [];
  for (const delay of [0, 40]) {
    const sent = Array.from({ length: 8 }, async (_, n) => {
      const response = await request('POST', '/v1/render/html', rendering(`job ${n}`)).catch(() => null);
      const job = response?.status === 202 ? ((await response.json().catch(() => null)) as Job | null) : null;
      if (job !== null) answered.push(job.id);
    });
    await Promise.race(sent);
    await sleep(delay);
    await end('SIGKILL');
    await Promise.allSettled(sent);
    await start();
  }
  await expect.poll(async () => (await jobs()).every(isEnded)).toBe(true);
  const all = await jobs();
  // What was acknowledged is done.
  for (const id of answered)
    expect(
      all.find((job) => job.id === id),
      id,
    ).toMatchObject({ state: 'succeeded' });
  // A call that was cut off is made again when its message becomes visible, after minutes.
  const queued = (): string =>
    [...filesOf(join(dataDir, 'queues'))].map(([, bytes]) => bytes.toString()).join('\n');
  const forgotten = async (): Promise<string[]> => {
    const waiting = (await jobs()).filter(
      ({ state, callback }) => state !== 'cancelled' && callback?.state === 'pending',
    );
    const messages = queued();
    return waiting.map(({ id }) => id).filter((id) => !messages.includes(id));
  };
  await expect.poll(forgotten).toEqual([]);
  for (const { id, state, callback } of await jobs()) {
    if (callback?.state !== 'delivered') continue;
    expect(new Set(deliveries(id))).toEqual(new Set([`job.${state}`]));
  }
  await expect.poll(workLeft).toEqual([]);
});
