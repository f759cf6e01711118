import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  DescribeExecutionCommand,
  SFNClient,
  StartExecutionCommand,
  StopExecutionCommand,
} from '@aws-sdk/client-sfn';
import type { S3Client } from '@aws-sdk/client-s3';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { FunctionError, type Payload } from '../../packages/aws-local/src/lambda/index.ts';
import { Access } from '../../packages/aws-local/src/iam/access.ts';
import { silentLogger } from '../../packages/aws-local/src/log.ts';
import { listenForStates } from '../../packages/aws-local/src/states/api.ts';
import { StateMachines } from '../../packages/aws-local/src/states/index.ts';
import { readMachine } from '../../packages/aws-local/src/states/language.ts';
import { tenantOf } from '../../packages/aws-local/src/lambda/trace.ts';

/** Step Functions on a laptop. */

const ARN = 'arn:aws:states:us-east-1:000000000000:stateMachine:machine';
const task = (name: string, more: object = {}) => ({
  Type: 'Task',
  Resource: 'arn:aws:states:::lambda:invoke',
  Parameters: {
    FunctionName: `arn:aws:lambda:us-east-1:0:function:${name}`,
    Payload: { 'of.$': '$.who', step: name },
  },
  ResultPath: null,
  ...more,
});
const RETRY = [{ ErrorEquals: ['States.ALL'], IntervalSeconds: 1, MaxAttempts: 2 }];
const machine = (States: object, StartAt = 'First') => [
  { name: 'machine', arn: ARN, role: null, definition: { StartAt, States } },
];

const parts = (more: object = {}) => ({
  Type: 'Map',
  ItemReader: {
    Resource: 'arn:aws:states:::s3:getObject',
    ReaderConfig: { InputType: 'JSONL' },
    Parameters: { Bucket: 'files', 'Key.$': '$.list' },
  },
  ItemSelector: { 'who.$': '$$.Map.Item.Value' },
  ItemProcessor: {
    ProcessorConfig: { Mode: 'DISTRIBUTED', ExecutionType: 'STANDARD' },
    StartAt: 'Part',
    States: { Part: task('part', { OutputPath: null, End: true }) },
  },
  MaxConcurrency: 2,
  ResultPath: null,
  End: true,
  ...more,
});

let folder: string;
/** All of a test: the last record may still be written when an execution has ended. */
let opened: StateMachines[];
let calls: unknown[];
let sent: unknown[];
/** For which tenant functions were called. */
let tenants: string[];
/** What a function does with an event. */
let act: (payload: { step: string; of: unknown }) => Promise<unknown>;

function machines(lines: readonly unknown[] = []): StateMachines {
  const lambda = {
    invoke: async (_name: string, payload: Payload, { traceId }: { traceId: string }) => {
      tenants.push(tenantOf(traceId));
      const event = JSON.parse(Buffer.concat((await payload.open().toArray()) as Buffer[]).toString()) as {
        step: string;
        of: unknown;
      };
      calls.push(event);
      return { kind: 'buffered' as const, json: Buffer.from(JSON.stringify((await act(event)) ?? null)) };
    },
  };
  const text = lines.map((line) => `${JSON.stringify(line)}\n`).join('');
  const s3 = { send: async () => ({ Body: { transformToString: async () => text } }) } as unknown as S3Client;
  const queues = {
    send: async (url: string, body: string) => {
      if (url === 'gone') throw new Error('There is no such queue.');
      sent.push({ url, body });
      return 'id';
    },
  };
  const all = new StateMachines({
    folder,
    lambda,
    s3,
    queues,
    refusal: () => null,
    mapConcurrency: 3,
    pauseFactor: 0,
    log: silentLogger,
  });
  opened.push(all);
  return all;
}

async function ended(all: StateMachines, name = 'run') {
  while (all.describe(name).status === 'RUNNING') await new Promise((resolve) => setTimeout(resolve, 5));
  return all.describe(name);
}

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'platen-states-'));
  opened = [];
  calls = [];
  sent = [];
  tenants = [];
  act = async () => ({});
});
afterEach(async () => {
  await Promise.all(opened.map(async (machines) => await machines.close()));
  await rm(folder, { recursive: true, force: true });
});

describe('an execution', () => {
  it('chooses each next state by its input', async () => {
    const all = machines();
    all.deploy(
      machine({
        First: {
          Type: 'Choice',
          Choices: [{ Variable: '$.big', BooleanEquals: true, Next: 'Big' }],
          Default: 'Small',
        },
        Big: task('big', { Next: 'Done' }),
        Small: task('small', { Next: 'Done' }),
        Done: { Type: 'Succeed' },
      }),
    );
    await all.start(ARN, 'run', '{"who":"me","big":true}', 0);
    expect(await ended(all)).toMatchObject({ status: 'SUCCEEDED' });
    expect(calls).toEqual([{ of: 'me', step: 'big' }]);
    expect(tenants).toEqual(['']);
  });

  it('calls functions for the tenant that its input names, also those of a map', async () => {
    const all = machines([{}, {}]);
    all.deploy(machine({ First: task('a', { Next: 'Parts' }), Parts: parts() }));
    await all.start(ARN, 'run', '{"who":"me","list":"list","tenant":"acme"}', 0);
    expect(await ended(all)).toMatchObject({ status: 'SUCCEEDED' });
    expect(tenants).toEqual(['acme', 'acme', 'acme']);
  });

  it('retries a step as often as configured, then follows its catch', async () => {
    act = async () => {
      throw new FunctionError('Runtime.ExitError', 'killed');
    };
    const all = machines();
    const Catch = [{ ErrorEquals: ['States.ALL'], ResultPath: '$.error', Next: 'Told' }];
    all.deploy(
      machine({
        First: task('a', { Retry: RETRY, Catch, Next: 'Done' }),
        Told: {
          Type: 'Choice',
          Choices: [{ Variable: '$.error', IsPresent: true, Next: 'Bad' }],
          Default: 'Done',
        },
        Bad: { Type: 'Fail', Error: 'Bad' },
        Done: { Type: 'Succeed' },
      }),
    );
    await all.start(ARN, 'run', '{"who":1}', 0);
    const record = await ended(all);
    expect(record).toMatchObject({ status: 'FAILED', error: 'Bad' });
    expect(record.data).toMatchObject({ error: { Error: 'Runtime.ExitError' } });
    expect(calls).toHaveLength(3);
  });

  it('is one however often it is started, and refuses its name to another', async () => {
    const hang = Promise.withResolvers<object>();
    act = () => hang.promise;
    const all = machines();
    all.deploy(machine({ First: task('a', { End: true }) }));
    const first = await all.start(ARN, 'run', '{"who":1}', 0);
    expect(await all.start(ARN, 'run', '{"who":1}', 1)).toBe(first);
    await expect(all.start(ARN, 'run', '{"who":2}', 1)).rejects.toMatchObject({
      name: 'ExecutionAlreadyExists',
    });
    hang.resolve({});
    await ended(all);
    await expect(all.start(ARN, 'run', '{"who":1}', 1)).rejects.toMatchObject({
      name: 'ExecutionAlreadyExists',
    });
    expect(calls).toHaveLength(1);
  });

  it('continues after a restart where it was, and repeats no finished step', async () => {
    const before = machines();
    const states = machine({ First: task('a', { Next: 'Second' }), Second: task('b', { End: true }) });
    before.deploy(states);
    const hang = Promise.withResolvers<object>();
    act = async ({ step }) => (step === 'b' ? await hang.promise : {});
    await before.start(ARN, 'run', '{"who":1}', 0);
    while (calls.length < 2) await new Promise((resolve) => setTimeout(resolve, 5));
    const closed = before.close();
    hang.resolve({});
    await closed;

    act = async () => ({});
    const after = machines();
    after.deploy(states);
    await after.resume(Date.now());
    expect(await ended(after)).toMatchObject({ status: 'SUCCEEDED' });
    expect(calls).toEqual([
      { of: 1, step: 'a' },
      { of: 1, step: 'b' },
      { of: 1, step: 'b' },
    ]);
  });

  it('starts no further state after it was stopped, now and after a restart', async () => {
    const all = machines();
    const states = machine({ First: task('a', { Next: 'Second' }), Second: task('b', { End: true }) });
    all.deploy(states);
    const hang = Promise.withResolvers<object>();
    act = () => hang.promise;
    await all.start(ARN, 'run', '{"who":1}', 0);
    while (calls.length < 1) await new Promise((resolve) => setTimeout(resolve, 5));
    await all.stop('run', 'Cancelled', null);
    hang.resolve({});
    await all.close();
    const after = machines();
    after.deploy(states);
    await after.resume(Date.now());
    expect(after.describe('run')).toMatchObject({ status: 'ABORTED', error: 'Cancelled' });
    expect(calls).toHaveLength(1);
  });

  it('continues after a restart if the file of another one is cut off', async () => {
    await writeFile(join(folder, 'damaged.json'), '{"name":"dam');
    const all = machines();
    all.deploy(machine({ First: task('a', { End: true }) }));
    await all.resume(Date.now());
    await expect(readFile(join(folder, 'damaged.json'))).rejects.toMatchObject({ code: 'ENOENT' });
  });
});

describe('a state that sends a message', () => {
  const sending = (QueueUrl: string, more: object = {}) => ({
    Type: 'Task',
    Resource: 'arn:aws:states:::sqs:sendMessage',
    Parameters: { QueueUrl, MessageBody: { 'of.$': '$.who' } },
    ResultPath: null,
    End: true,
    ...more,
  });

  it('sends it, and passes its input on unchanged', async () => {
    const all = machines();
    all.deploy(machine({ First: sending('here') }));
    await all.start(ARN, 'run', '{"who":"me"}', 0);
    expect(await ended(all)).toMatchObject({ status: 'SUCCEEDED', data: { who: 'me' } });
    expect(sent).toEqual([{ url: 'here', body: '{"of":"me"}' }]);
  });

  it('fails with an error that can be caught if the queue does not exist', async () => {
    const all = machines();
    const Catch = [{ ErrorEquals: ['States.ALL'], ResultPath: '$.error', Next: 'Done' }];
    all.deploy(machine({ First: sending('gone', { Catch }), Done: { Type: 'Succeed' } }));
    await all.start(ARN, 'run', '{"who":"me"}', 0);
    expect((await ended(all)).data).toMatchObject({ error: { Error: 'Sqs.SqsException' } });
  });
});

describe('a map over the lines of an object', () => {
  it('works on each line once, some at a time', async () => {
    let now = 0;
    let most = 0;
    act = async () => {
      most = Math.max(most, ++now);
      await new Promise((resolve) => setTimeout(resolve, 2));
      now--;
    };
    const lines = Array.from({ length: 9 }, (_, i) => ({ part: i }));
    const all = machines(lines);
    all.deploy(machine({ First: parts() }));
    await all.start(ARN, 'run', '{"list":"x"}', 0);
    expect(await ended(all)).toMatchObject({ status: 'SUCCEEDED' });
    expect(calls.map((call) => (call as { of: unknown }).of)).toEqual(lines);
    expect(most).toBe(2);
  });

  it('continues after a restart with the unfinished lines only', async () => {
    const lines = Array.from({ length: 6 }, (_, i) => i);
    const states = machine({ First: parts({ MaxConcurrency: 1 }) });
    const before = machines(lines);
    before.deploy(states);
    const hang = Promise.withResolvers<object>();
    act = async ({ of }) => (of === 3 ? await hang.promise : {});
    await before.start(ARN, 'run', '{"list":"x"}', 0);
    while (calls.length < 4) await new Promise((resolve) => setTimeout(resolve, 5));
    const closed = before.close();
    hang.resolve({});
    await closed;
    act = async () => ({});
    const after = machines(lines);
    after.deploy(states);
    await after.resume(Date.now());
    expect(await ended(after)).toMatchObject({ status: 'SUCCEEDED' });
    expect(calls.map((call) => (call as { of: unknown }).of)).toEqual([0, 1, 2, 3, 3, 4, 5]);
  });

  it('works on each line again when it is entered again, also after a restart', async () => {
    const lines = [0, 1];
    const states = machine({
      First: parts({ MaxConcurrency: 1, End: undefined, Next: 'Look' }),
      Look: task('look', { ResultPath: '$.seen', Next: 'More' }),
      More: {
        Type: 'Choice',
        Choices: [{ Variable: '$.seen.Payload.more', BooleanEquals: true, Next: 'First' }],
        Default: 'Done',
      },
      Done: { Type: 'Succeed' },
    });
    const before = machines(lines);
    before.deploy(states);
    const hang = Promise.withResolvers<object>();
    act = async ({ step, of }) => {
      if (step === 'look') return { more: true };
      return of === 1 && calls.length > 3 ? await hang.promise : {};
    };
    await before.start(ARN, 'run', '{"who":"me","list":"x"}', 0);
    while (calls.length < 5) await new Promise((resolve) => setTimeout(resolve, 5));
    const closed = before.close();
    hang.resolve({});
    await closed;
    act = async () => ({ more: false });
    const after = machines(lines);
    after.deploy(states);
    await after.resume(Date.now());
    expect(await ended(after)).toMatchObject({ status: 'SUCCEEDED' });
    expect(calls.map((call) => (call as { of: unknown }).of)).toEqual([0, 1, 'me', 0, 1, 1, 'me']);
  });

  it('fails with more failures than it tolerates, and not with fewer', async () => {
    act = async ({ of }) => {
      if (of === 1) throw new FunctionError('Boom', 'boom');
    };
    for (const [tolerated, status] of [
      [10, 'FAILED'],
      [50, 'SUCCEEDED'],
    ] as const) {
      const all = machines([0, 1, 2]);
      all.deploy(machine({ First: parts({ ToleratedFailurePercentage: tolerated }) }));
      await all.start(ARN, `run${tolerated}`, '{"list":"x"}', 0);
      expect(await ended(all, `run${tolerated}`)).toMatchObject({ status });
    }
  });
});

describe('data of more than 256 KB', () => {
  const long = 'x'.repeat(300_000);
  const Catch = [{ ErrorEquals: ['States.ALL'], Next: 'Caught' }];

  it('from a function ends an execution, with any catch', async () => {
    act = async () => long;
    const all = machines();
    all.deploy(
      machine({ First: task('a', { Catch, Retry: RETRY, End: true }), Caught: { Type: 'Succeed' } }),
    );
    await all.start(ARN, 'run', '{"who":1}', 0);
    expect(await ended(all)).toMatchObject({ status: 'FAILED', error: 'States.DataLimitExceeded' });
    expect(calls).toHaveLength(1);
  });

  it('from all items of a map together ends it too, including errors of failed items', async () => {
    act = async () => {
      throw new FunctionError('Boom', 'x'.repeat(20_000));
    };
    const all = machines(Array.from({ length: 20 }, (_, index) => index));
    const First = parts({ ToleratedFailurePercentage: 100, Catch });
    all.deploy(machine({ First, Caught: { Type: 'Succeed' } }));
    await all.start(ARN, 'run', '{"list":"x"}', 0);
    expect(await ended(all)).toMatchObject({ status: 'FAILED', error: 'States.DataLimitExceeded' });
  });
});

describe('a definition that does not run here', () => {
  it.each([
    ['a state of another kind', { First: { Type: 'Wait', Seconds: 1, End: true } }],
    ['a field that is not known', { First: task('a', { TimeoutSeconds: 3, End: true }) }],
    ['another service', { First: task('a', { Resource: 'arn:aws:states:::sns:publish', End: true }) }],
    [
      'parameters of another service',
      { First: task('a', { Resource: 'arn:aws:states:::sqs:sendMessage', End: true }) },
    ],
    ['a function of the language', { First: task('a', { ResultPath: '$.a[0]', End: true }) }],
    ['a way to nowhere', { First: task('a', { Next: 'Nowhere' }) }],
    ['a state without a way on', { First: task('a') }],
  ])('is refused: %s', (_, States) => {
    expect(() => readMachine('machine', { StartAt: 'First', States })).toThrow(/machine/);
  });
});

describe('the API', () => {
  const KEYS = { accessKeyId: 'key', secretAccessKey: 'secret' };

  it('starts, describes and stops executions for a client with the right keys', async () => {
    const all = machines();
    all.deploy(machine({ First: task('a', { End: true }) }));
    const hang = Promise.withResolvers<object>();
    act = () => hang.promise;
    const api = await listenForStates(new Access(KEYS));
    api.serve(all);
    const client = (secretAccessKey: string) =>
      new SFNClient({
        region: 'us-east-1',
        endpoint: api.endpoint,
        credentials: { ...KEYS, secretAccessKey },
        maxAttempts: 1,
      });
    const sfn = client('secret');
    try {
      const start = new StartExecutionCommand({ stateMachineArn: ARN, name: 'run', input: '{"who":1}' });
      const { executionArn = '' } = await sfn.send(start);
      expect(executionArn).toBe('arn:aws:states:us-east-1:000000000000:execution:machine:run');
      expect(await sfn.send(new DescribeExecutionCommand({ executionArn }))).toMatchObject({
        status: 'RUNNING',
      });
      await sfn.send(new StopExecutionCommand({ executionArn, error: 'Enough' }));
      expect(await sfn.send(new DescribeExecutionCommand({ executionArn }))).toMatchObject({
        status: 'ABORTED',
        error: 'Enough',
      });
      await expect(
        sfn.send(new DescribeExecutionCommand({ executionArn: `${executionArn}x` })),
      ).rejects.toMatchObject({ name: 'ExecutionDoesNotExist' });
      await expect(client('guessed').send(start)).rejects.toMatchObject({ name: 'AccessDeniedException' });
    } finally {
      hang.resolve({});
      api.close();
      await all.close();
    }
  });
});
