import { createHash, randomBytes } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { cp, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readAssembly } from '../../packages/aws-local/src/assembly/index.ts';
import { readState } from '../../packages/aws-local/src/state.ts';
import { isRunning, processesWith } from './processes.ts';
import { call, json, serveFixture, type ServedFixture } from './served-fixture.ts';

/** Execution environments, seen through the gateway with the relaxed limits of a laptop. */

const MB = 1024 * 1024;

let fixture: ServedFixture;
let url: string;
let folder: string;
let runFolder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'platen-lambda-'));
  fixture = await serveFixture({
    strict: false,
    variables: { SCHEDULE_NOTE: join(folder, 'schedules'), EXTRA: 'from the service' },
  });
  ({ url } = fixture);
  runFolder = (await readState(fixture.dataDir))?.runFolder ?? '';
});

afterAll(async () => {
  await fixture.stop();
  await rm(folder, { recursive: true, force: true });
});

const leftFrom = async (prefix: string) =>
  (await readdir(runFolder)).filter((name) => name.startsWith(prefix));

const probe = async (what: string) => json(await call(`${url}/v1/probe/${what}`));

describe('an execution environment', () => {
  it('has the variables Lambda sets, those of the stacks, and none of the service', async () => {
    process.env['PLATEN_SECRET_OF_THE_TEST'] = 'not for functions';
    const environment = (await call(`${url}/v1/single/environment`)).body.toString();
    const variables = JSON.parse(environment) as Record<string, string>;
    delete process.env['PLATEN_SECRET_OF_THE_TEST'];
    expect(environment).not.toContain('not for functions');
    expect(variables['HOME']).toBeUndefined();
    expect(variables).toMatchObject({
      AWS_LAMBDA_FUNCTION_NAME: 'fixture-api-single',
      AWS_LAMBDA_FUNCTION_MEMORY_SIZE: '256',
      AWS_EXECUTION_ENV: 'AWS_Lambda_nodejs24.x',
      NODE_OPTIONS: '--max-old-space-size=256 --max-semi-space-size=4',
      TZ: ':UTC',
      _HANDLER: 'index.handler',
      EXTRA: 'from the service',
    });
    expect(variables['_X_AMZN_TRACE_ID']).toMatch(/^Root=1-[0-9a-f]{8}-[0-9a-f]{24}/);
    expect(variables['LAMBDA_TASK_ROOT']).toBe(variables['cwd']);

    expect(await probe('environment')).toMatchObject({
      THINGS_TABLE: 'fixture-storage-Things',
      FILES_BUCKET: 'fixture-storage-files',
      FILES_ARN: 'arn:aws:s3:::fixture-storage-files/tenants/*',
      PLATEN_LOG_LEVEL: 'info',
    });
  });

  it('has its layers under one root, later ones over earlier ones, and finds their packages', async () => {
    expect(await probe('layers')).toEqual({
      greeting: 'from a layer',
      which: 'second',
      first: 'only in the first',
      opt: ['bin', 'nodejs'],
    });
  });

  it('gives the function its name, its request and the time left', async () => {
    const context = await probe('context');
    expect(context).toMatchObject({
      functionName: 'fixture-api-probe',
      memoryLimitInMB: '256',
      invokedFunctionArn: 'arn:aws:lambda:us-east-1:000000000000:function:fixture-api-probe',
    });
    expect(context['awsRequestId']).toMatch(/^[0-9a-f-]{36}$/);
    expect(Number(context['remaining'])).toBeGreaterThan(5_000);
    expect(Number(context['remaining'])).toBeLessThanOrEqual(20_000);
  });

  it('is used again, and keeps what the function keeps in memory', async () => {
    const first = await probe('count');
    const second = await probe('count');
    expect(second['pid']).toBe(first['pid']);
    expect(second['invocations']).toBe(Number(first['invocations']) + 1);
  });

  it('is waited for if it has answered: none is started for the next request of one client', async () => {
    const pids = new Set<unknown>();
    for (let n = 0; n < 10; n += 1) pids.add((await probe('busy-after-answer'))['pid']);
    expect(pids.size).toBe(1);
  });

  it('has its own /tmp, which is removed with it', async () => {
    const { path, pid } = (await probe('scratch')) as { path: string; pid: number };
    expect(path.startsWith(runFolder)).toBe(true);
    expect(existsSync(path)).toBe(true);
    // On a busy machine there may be more than one environment, and any of them may take the request to exit.
    const exit = async () => {
      await call(`${url}/v1/probe/exit`);
      return isRunning(pid);
    };
    await expect.poll(exit).toBe(false);
    await expect.poll(() => existsSync(dirname(path))).toBe(false);
  });

  it('is ended with all its descendants, including detached ones, if it exceeds its deadline', async () => {
    const note = join(folder, 'children');
    const answer = await call(`${url}/v1/brief/hang-with-children?note=${note}`);
    expect(answer.status).toBe(502);
    expect(fixture.notes.at(-1)).toContain('Sandbox.Timedout: Task timed out after 2.00 seconds');
    const pids = readFileSync(note, 'utf8').trim().split(' ').map(Number);
    expect(pids).toHaveLength(2);
    await expect.poll(() => pids.filter(isRunning)).toEqual([]);
    await expect.poll(() => processesWith(`${runFolder}/brief`)).toEqual([]);
    await expect.poll(() => leftFrom('brief')).toEqual([]);
  });

  it('is notified when the client of its current event disconnects', async () => {
    const note = join(folder, 'abandoned');
    const asking = new AbortController();
    const asked = fetch(`${url}/v1/probe/until-abandoned?note=${note}`, { signal: asking.signal });
    await expect.poll(() => existsSync(note)).toBe(true);
    asking.abort();
    await expect(asked).rejects.toThrow(/abort/i);
    await expect.poll(() => readFileSync(note, 'utf8'), { timeout: 10_000 }).toBe('begun, abandoned');
    expect(await probe('context')).toMatchObject({ given: false });
  });

  it('has its lines shown with its name, those in JSON as text', async () => {
    await probe('log');
    await expect.poll(() => fixture.output.join('')).toContain('probe: a plain line');
  });
});

describe('relaxed limits', () => {
  it('accept an upload that is too large for AWS, byte for byte, and log it', async () => {
    const body = randomBytes(40 * MB);
    const answer = await call(`${url}/v1/probe/echo`, { method: 'POST', body });
    expect(json(answer)['body']).toMatchObject({
      length: body.length,
      hash: createHash('sha256').update(body).digest('hex'),
    });
    expect(fixture.notes.join('\n')).toMatch(/40\.0 MB reach the function probe here, but not on AWS/);
    await expect.poll(() => leftFrom('body-')).toEqual([]);
  });

  it('still refuse a body that is too large for the memory of the function', async () => {
    // 256 MB of memory: a quarter of it.
    const answer = await call(`${url}/v1/probe/echo`, { method: 'POST', body: Buffer.alloc(65 * MB) });
    expect(answer.status).toBe(413);
  });
});

describe('new stacks', () => {
  it('are deployed without dropping a request, and unchanged functions stay warm', async () => {
    const before = json(await call(`${url}/v1/single/count`));
    const next = await mkdtemp(join(tmpdir(), 'platen-fixture-next-'));
    await cp(fixture.assembly, next, { recursive: true });
    const assembly = await readAssembly(next);
    for (const { name, code } of assembly.functions.values()) {
      if (name !== 'fixture-api-streams') continue;
      const head = 'globalThis.awslambda.HttpResponseStream.from(stream, { statusCode: 200 })';
      await writeFile(
        join(code ?? '', 'index.mjs'),
        `export const handler = globalThis.awslambda.streamifyResponse(async (_event, stream) => {
          const out = ${head}; out.write('new code'); out.end();
        });`,
      );
    }
    const running = Array.from({ length: 4 }, () => call(`${url}/v1/streams/slowly?ms=800`));
    await expect.poll(() => processesWith(`${runFolder}/streams`).length).toBeGreaterThan(0);
    await fixture.service.deploy(next);
    expect((await call(`${url}/v1/streams/slowly`)).body.toString()).toBe('new code');
    for (const answer of await Promise.all(running)) expect(answer.body.toString()).toBe('first\nsecond\n');

    await fixture.service.deploy(next);
    const after = json(await call(`${url}/v1/single/count`));
    expect(after['pid']).not.toBe(before['pid']);
    await fixture.service.deploy(next);
    expect(json(await call(`${url}/v1/single/count`))).toMatchObject({ pid: after['pid'], invocations: 2 });
    await rm(next, { recursive: true });
  });
});
