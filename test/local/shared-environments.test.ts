import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import type { FunctionSpec } from '../../packages/aws-local/src/assembly/index.ts';
import { bundleRuntime, Lambda, newTraceId } from '../../packages/aws-local/src/lambda/index.ts';
import { jsonPayload } from '../../packages/aws-local/src/lambda/payload.ts';
import { processesWith } from './processes.ts';

/**
 * Environments that handle several events at a time, as on Lambda Managed Instances (Lambda Developer Guide, "Node.js
 * runtime for Lambda Managed Instances", and "Using the Lambda runtime API for custom runtimes").
 */

/** Waits until a file exists or the caller leaves, and tells what it knows of its event. */
const CODE = `
import { existsSync, writeFileSync } from 'node:fs';
const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
let working = 0;
export async function handler({ note, until, exit }, context) {
  working++;
  let most = working;
  if (note) writeFileSync(note, String(process.pid));
  while (until && !existsSync(until) && !context.abandoned.aborted) {
    most = Math.max(most, working);
    await sleep(5);
  }
  if (exit) process.exit(3);
  working--;
  return {
    pid: process.pid,
    most,
    id: context.awsRequestId,
    storedId: awslambda.InvokeStore.getRequestId(),
    trace: awslambda.InvokeStore.getXRayTraceId(),
    variable: process.env._X_AMZN_TRACE_ID,
    maximum: process.env.AWS_LAMBDA_MAX_CONCURRENCY,
    abandoned: context.abandoned.aborted,
  };
}`;

interface Told {
  pid: number;
  /** The most events in work while this one was. */
  most: number;
  id: string;
  storedId: string;
  trace: string;
  variable?: string;
  maximum?: string;
  abandoned: boolean;
}

let folder: string;
let runFolder: string;
let lambda: Lambda;
let spec: FunctionSpec;
let events = 0;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'platen-shared-'));
  await bundleRuntime(join(folder, 'runtime.mjs'));
  await mkdir(join(folder, 'code'));
  await writeFile(join(folder, 'code/index.mjs'), CODE);
});

afterAll(async () => {
  await rm(folder, { recursive: true, force: true });
});

afterEach(async () => {
  await lambda.stop();
  await expect.poll(() => processesWith(runFolder)).toEqual([]);
});

interface Settings {
  ofFunction?: number;
  ofService?: number;
  places?: number;
  environments?: number;
  timeoutMs?: number;
  idleMs?: number;
  isShortOfMemory?: () => boolean;
}

async function serve({
  ofFunction = 3,
  ofService = 3,
  places = 5,
  environments,
  timeoutMs = 20_000,
  idleMs = 60_000,
  isShortOfMemory,
}: Settings = {}): Promise<void> {
  runFolder = await mkdtemp(join(folder, 'run-'));
  const nowhere = 'http://127.0.0.1:9';
  lambda = new Lambda(
    {
      runtime: join(folder, 'runtime.mjs'),
      tmpRoot: runFolder,
      layerRoot: () => undefined,
      credentials: () => ({ accessKeyId: 'key', secretAccessKey: 'secret' }),
      endpoints: {
        s3: nowhere,
        dynamodb: nowhere,
        lambda: nowhere,
        sfn: nowhere,
        sqs: nowhere,
        secrets: nowhere,
      },
      variables: {},
      eventsAtATime: ofService,
    },
    { concurrency: places, environments, waiting: 50, idleMs, isShortOfMemory },
    (_spec, _stream, source) => void source.resume(),
  );
  spec = {
    name: 'shared',
    label: 'shared',
    code: join(folder, 'code'),
    handler: 'index.handler',
    memoryMb: 256,
    ephemeralMb: 512,
    timeoutMs,
    environment: {},
    layers: [],
    reservedConcurrency: null,
    concurrency: ofFunction,
    role: null,
  };
  lambda.deploy(new Map([['shared', spec]]));
}

/** An event in work, until it is let go. */
function begin({ tenant, exit = false }: { tenant?: string; exit?: boolean } = {}) {
  const [note, until] = [join(runFolder, `note-${++events}`), join(runFolder, `until-${events}`)];
  const leaving = new AbortController();
  const traceId = newTraceId(tenant);
  const payload = jsonPayload({ note, until, exit });
  const told = lambda.invoke('shared', payload, { traceId, signal: leaving.signal }).then((result): Told => {
    if (result.kind !== 'buffered') throw new Error('The function does not stream.');
    return JSON.parse(result.json.toString()) as Told;
  });
  // A test may look at it late.
  told.catch(() => undefined);
  return {
    traceId,
    told,
    hasBegun: () => existsSync(note),
    letGo: async () => await writeFile(until, ''),
    leave: () => leaving.abort(),
  };
}

type Event = ReturnType<typeof begin>;

async function inWork(count: number, given: Parameters<typeof begin>[0] = {}): Promise<Event[]> {
  const begun = Array.from({ length: count }, () => begin(given));
  await expect.poll(() => begun.every(({ hasBegun }) => hasBegun())).toBe(true);
  return begun;
}

async function oneInWork(given: Parameters<typeof begin>[0] = {}): Promise<Event> {
  const [event] = await inWork(1, given);
  return event ?? expect.unreachable();
}

async function finish(begun: readonly Event[]): Promise<Told[]> {
  for (const { letGo } of begun) await letGo();
  return await Promise.all(begun.map(({ told }) => told));
}

it('one process works on as many events as its function can, each with its own context', async () => {
  await serve();
  const begun = await inWork(3);
  const told = await finish(begun);
  expect(new Set(told.map(({ pid }) => pid)).size).toBe(1);
  expect(told.map(({ most }) => most)).toEqual([3, 3, 3]);
  expect(told.map(({ trace }) => trace)).toEqual(begun.map(({ traceId }) => traceId));
  expect(told.map(({ storedId }) => storedId)).toEqual(told.map(({ id }) => id));
  expect(new Set(told.map(({ id }) => id)).size).toBe(3);
  // The variable could only be that of one event.
  for (const { variable, maximum } of told) expect({ variable, maximum }).toEqual({ maximum: '3' });
});

it('a further event gets a second process, and the busiest one gets the next', async () => {
  await serve({ places: 6 });
  const first = await inWork(3);
  const further = await oneInWork();
  await finish(first.slice(0, 1));
  await expect.poll(() => lambda.load()).toMatchObject([{ environments: 2, working: 3 }]);
  const next = await oneInWork();
  const [a, b, c, d, e] = await finish([...first, further, next]);
  expect(new Set([a, b, c, e].map((told) => told?.pid)).size).toBe(1);
  expect(d?.pid).not.toBe(a?.pid);
});

it.for([
  ['its function handles one', { ofFunction: 1 }],
  ['the service gives it one', { ofService: 1 }],
] as const)('a process gets one event at a time if %s', async ([, settings]) => {
  await serve({ ...settings, places: 2 });
  const told = await finish(await inWork(2));
  expect(new Set(told.map(({ pid }) => pid)).size).toBe(2);
  for (const { most, maximum, trace, variable } of told)
    expect([most, maximum, variable]).toEqual([1, undefined, trace]);
});

it('events wait for places in turns of their tenants, whatever the processes could do', async () => {
  await serve({ ofFunction: 10, ofService: 10, places: 2 });
  const many = Array.from({ length: 4 }, () => begin({ tenant: 'many' }));
  await expect.poll(() => many.filter(({ hasBegun }) => hasBegun()).length).toBe(2);
  const few = await oneInWork({ tenant: 'few' });
  expect(many.filter(({ hasBegun }) => hasBegun())).toHaveLength(2);
  const told = await finish([...many, few]);
  expect(new Set(told.map(({ pid }) => pid)).size).toBe(1);
  expect(Math.max(...told.map(({ most }) => most))).toBe(3);
});

it('a function that handles one event at a time gets as many processes as are allowed, and the reserve', async () => {
  await serve({ ofFunction: 1, places: 5, environments: 2 });
  const many = Array.from({ length: 4 }, () => begin({ tenant: 'many' }));
  await expect.poll(() => many.filter(({ hasBegun }) => hasBegun()).length).toBe(2);
  const few = await oneInWork({ tenant: 'few' });
  expect(lambda.load()).toMatchObject([{ environments: 3, working: 3, waiting: 2 }]);
  await finish([...many, few]);
});

it('only the event is notified whose caller has left', async () => {
  await serve();
  const begun = await inWork(3);
  begun[1]?.leave();
  expect(await begun[1]?.told).toMatchObject({ abandoned: true });
  const [first, , third] = await finish(begun);
  expect([first?.abandoned, third?.abandoned]).toEqual([false, false]);
});

it('an event that exceeds its time fails alone; its process takes no further one, and ends with the last', async () => {
  await serve({ timeoutMs: 1_500 });
  const late = await oneInWork();
  await new Promise((resolve) => setTimeout(resolve, 900));
  const other = await oneInWork();
  await expect(late.told).rejects.toMatchObject({ type: 'Sandbox.Timedout' });
  const next = await oneInWork();
  const [first, second] = await finish([other, next]);
  expect(second?.pid).not.toBe(first?.pid);
  await expect.poll(() => processesWith(runFolder)).toHaveLength(1);
});

it('all events fail of a process that ends, and the next ones get another', async () => {
  await serve();
  const begun = await inWork(2);
  const ending = await oneInWork({ exit: true });
  await ending.letGo();
  for (const { told } of [...begun, ending])
    await expect(told).rejects.toMatchObject({ type: 'Runtime.ExitError' });
  const told = await finish(await inWork(3));
  expect(new Set(told.map(({ pid }) => pid)).size).toBe(1);
});

it('a process ends when it has had no event for the idle time, and not before', async () => {
  await serve({ idleMs: 400 });
  const long = await oneInWork();
  await finish(await inWork(2));
  await new Promise((resolve) => setTimeout(resolve, 800));
  expect(lambda.load()).toMatchObject([{ environments: 1, working: 1, ended: 0 }]);
  await finish([long]);
  await expect.poll(() => lambda.load()).toMatchObject([{ environments: 0, working: 0, ended: 1 }]);
});

it('while memory runs out, a function works on one event, and begins the next ones when there is memory', async () => {
  let isShort = true;
  await serve({ isShortOfMemory: () => isShort });
  const first = await oneInWork();
  const held = [begin(), begin()];
  await new Promise((resolve) => setTimeout(resolve, 900));
  expect(lambda.load()).toMatchObject([{ environments: 1, working: 1, waiting: 2 }]);
  await finish([first]);
  const begun = () => held.filter(({ hasBegun }) => hasBegun()).length;
  await expect.poll(begun).toBe(1);
  await new Promise((resolve) => setTimeout(resolve, 900));
  expect(begun()).toBe(1);
  isShort = false;
  await expect.poll(begun).toBe(2);
  await finish(held);
});

it('replaced functions finish their events', async () => {
  await serve();
  const before = await inWork(2);
  lambda.deploy(new Map([['shared', { ...spec, memoryMb: 128 }]]));
  const after = await inWork(1);
  const [a, b, c] = await finish([...before, ...after]);
  expect(b?.pid).toBe(a?.pid);
  expect(c?.pid).not.toBe(a?.pid);
  await expect.poll(() => processesWith(runFolder)).toHaveLength(1);
});
