import { existsSync, readFileSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { FunctionSpec } from '../../packages/aws-local/src/assembly/index.ts';
import {
  bundleRuntime,
  invokeWithJson,
  Lambda,
  type Launcher,
  newTraceId,
} from '../../packages/aws-local/src/lambda/index.ts';
import { plainLauncher } from '../../packages/aws-local/src/lambda/launcher.ts';
import { processesWith } from './processes.ts';

/**
 * The ways in which an execution environment ends, each with an event that arrives meanwhile: an event that the
 * function has not seen goes to another environment, and one that it has seen never does.
 */

/** Answers with its process, and ends itself as the event says. */
const CODE = `
import { appendFileSync } from 'node:fs';
const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
export async function handler({ note, exitAfter, exit, hang }) {
  if (note) appendFileSync(note, process.pid + ' ');
  if (exit) process.exit(3);
  if (exitAfter !== undefined) setTimeout(() => process.exit(0), exitAfter);
  if (hang) await sleep(60_000);
  return { pid: process.pid };
}`;

let folder: string;
let runFolder: string;
let lambda: Lambda;
let spec: FunctionSpec;

/** While it is closed, the resources of an environment that ends are not removed. */
let door = Promise.withResolvers<void>();
let removals = 0;
let launches = 0;

const slowly: Launcher = {
  initLimit: (of) => plainLauncher.initLimit(of),
  launch: async (of, settings, api) => {
    launches++;
    const launched = await plainLauncher.launch(of, settings, api);
    return {
      ...launched,
      remove: async () => {
        removals++;
        await door.promise;
        await launched.remove();
      },
    };
  },
};

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'platen-ends-'));
  await bundleRuntime(join(folder, 'runtime.mjs'));
  await mkdir(join(folder, 'code'));
  await writeFile(join(folder, 'code/index.mjs'), CODE);
});

afterAll(async () => {
  await rm(folder, { recursive: true, force: true });
});

async function serve({
  idleMs = 60_000,
  timeoutMs = 20_000,
}: { idleMs?: number; timeoutMs?: number } = {}): Promise<void> {
  runFolder = await mkdtemp(join(folder, 'run-'));
  door = Promise.withResolvers();
  [removals, launches] = [0, 0];
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
      launcher: slowly,
    },
    { concurrency: 2, waiting: 10, idleMs },
    (_spec, _stream, source) => void source.resume(),
  );
  spec = {
    name: 'ends',
    label: 'ends',
    code: join(folder, 'code'),
    handler: 'index.handler',
    memoryMb: 256,
    ephemeralMb: 512,
    timeoutMs,
    environment: {},
    layers: [],
    reservedConcurrency: null,
    concurrency: 1,
    role: null,
  };
  lambda.deploy(new Map([['ends', spec]]));
}

afterEach(async () => {
  door.resolve();
  await lambda.stop();
  await expect.poll(() => processesWith(runFolder)).toEqual([]);
});

const never = new AbortController().signal;
const invoke = async (event: object = {}): Promise<number> =>
  ((await invokeWithJson(lambda, 'ends', event, never)) as { pid: number }).pid;

describe('an event goes to another environment', () => {
  it('if the one that was idle is being ended because it was idle for long', async () => {
    await serve({ idleMs: 50 });
    const first = await invoke();
    await expect.poll(() => removals).toBe(1);
    expect(await invoke()).not.toBe(first);
  });

  it.for([
    ['ends itself right after its answer, as one that is worn', 0],
    ['crashes while it is idle', 50],
  ] as const)('if the one that was used last %s', async ([, exitAfter]) => {
    await serve();
    const first = await invoke({ exitAfter });
    await expect.poll(() => removals).toBe(1);
    expect(await invoke()).not.toBe(first);
    expect(launches).toBe(2);
  });

  it.for([1, 2])('if %i idle ones were killed a moment ago, whoever has noticed', async (count) => {
    await serve();
    door.resolve();
    const killed = new Set<number>();
    while (killed.size < count) for (const pid of await Promise.all([invoke(), invoke()])) killed.add(pid);
    for (const pid of killed) process.kill(pid, 'SIGKILL');
    expect(killed).not.toContain(await invoke());
  });

  it('if its functions are replaced, and those that were idle end', async () => {
    await serve();
    const first = await invoke();
    lambda.deploy(new Map([['ends', { ...spec, memoryMb: 128 }]]));
    await expect.poll(() => removals).toBe(1);
    expect(await invoke()).not.toBe(first);
  });
});

describe('an event fails, and no other environment gets it', () => {
  it('if its function ends the environment, even as the first that it does', async () => {
    await serve();
    door.resolve();
    const note = join(runFolder, 'seen');
    for (let n = 1; n <= 5; n++) {
      await expect(invoke({ note, exit: true })).rejects.toMatchObject({ type: 'Runtime.ExitError' });
      expect(readFileSync(note, 'utf8').trim().split(' ')).toHaveLength(n);
    }
  });

  it('if its function exceeds its time', async () => {
    await serve({ timeoutMs: 300 });
    door.resolve();
    const note = join(runFolder, 'seen');
    await expect(invoke({ note, hang: true })).rejects.toMatchObject({ type: 'Sandbox.Timedout' });
    expect(readFileSync(note, 'utf8').trim().split(' ')).toHaveLength(1);
  });

  it('if three environments in turn do not receive it', async () => {
    await serve();
    door.resolve();
    const open = () => new Readable({ read: (): void => void 0 }).destroy(new Error('The body is gone.'));
    const undelivered = lambda.invoke('ends', { length: 10, open }, { traceId: newTraceId() });
    await expect(undelivered).rejects.toMatchObject({ type: 'Runtime.ExitError' });
    expect(launches).toBe(3);
    expect(await invoke()).toBeGreaterThan(0);
  });
});

describe('a service that stops', () => {
  it('fails running, waiting and later events, starts no environment, and makes no folder again', async () => {
    await serve();
    door.resolve();
    const running = [1, 2, 3, 4].map(() => invoke({ hang: true }));
    const outcomes = Promise.allSettled(running);
    await expect.poll(() => processesWith(runFolder).length).toBe(2);
    const before = launches;
    const stopped = lambda.stop();
    await expect(invoke()).rejects.toMatchObject({ type: 'Sandbox.Stopped' });
    await stopped;
    for (const outcome of await outcomes)
      expect(outcome).toMatchObject({ reason: { type: 'Sandbox.Stopped' } });
    expect(await readdir(runFolder)).toEqual([]);
    await rm(runFolder, { recursive: true });
    lambda.deploy(new Map([['ends', { ...spec, memoryMb: 128 }]]));
    await expect(invoke()).rejects.toMatchObject({ type: 'Sandbox.Stopped' });
    expect(launches).toBe(before);
    expect(existsSync(runFolder)).toBe(false);
  });

  it('ends an environment that is just starting', async () => {
    await serve();
    door.resolve();
    const outcome = Promise.allSettled([invoke()]);
    await lambda.stop();
    expect(await outcome).toMatchObject([{ reason: { type: 'Sandbox.Stopped' } }]);
    expect(launches).toBe(0);
    expect(await readdir(runFolder)).toEqual([]);
  });
});
