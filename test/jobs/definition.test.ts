import aslValidator from 'asl-validator';
import { describe, expect, it } from 'vitest';
import { givenUp } from '../../functions/shared/jobs/given-up.ts';
import { jobDefinition } from '../../lib/job-definition.ts';
import { PlatenError } from '../../packages/core/src/errors.ts';
import { StateError } from '../../packages/aws-local/src/states/data.ts';
import { runFlow } from '../../packages/aws-local/src/states/interpreter.ts';
import { readMachine } from '../../packages/aws-local/src/states/language.ts';
import { synthesize, resources } from '../stacks/support.ts';

/** The state machine of jobs: the language it is written in, and what it says. */

const arn = (name: string) => `arn:aws:lambda:us-east-1:000000000000:function:${name}`;
const definition = jobDefinition({
  partition: 'aws',
  functions: {
    render: arn('render'),
    batch: arn('batch'),
    images: arn('images'),
    pdf: arn('pdf'),
    jobs: arn('jobs'),
  },
  webhooks: 'https://sqs.us-east-1.amazonaws.com/000000000000/webhooks',
  bucket: 'files',
  concurrency: 7,
}) as { States: Record<string, Record<string, unknown>> };

describe('the state machine', () => {
  it('is valid by the language’s validator', () => {
    const { isValid, errors } = aslValidator(structuredClone(definition), {
      checkPaths: true,
      checkArn: true,
    });
    expect(errors).toEqual([]);
    expect(isValid).toBe(true);
  });

  it('is in the part of the language that runs on a laptop', () => {
    expect(() => readMachine('jobs', definition)).not.toThrow();
  });

  it('retries every step, and settles the job after every error', () => {
    const tasks = Object.entries(definition.States).filter(([, { Type }]) => Type === 'Task');
    expect(tasks.length).toBeGreaterThan(7);
    for (const [name, { Retry }] of tasks) {
      expect(JSON.stringify(Retry), name).toContain('States.ALL');
    }
    for (const name of [
      'RunRender',
      'RunImages',
      'RunPdf',
      'Prepare',
      'Parts',
      'Assemble',
      'Ranges',
      'Join',
    ]) {
      expect(definition.States[name]?.['Catch'], name).toEqual([
        { ErrorEquals: ['States.ALL'], ResultPath: '$.error', Next: 'SettleGivenUp' },
      ]);
    }
  });

  it('renders parts in parallel up to the limit, and continues with the others after a failure', () => {
    expect(definition.States['Parts']).toMatchObject({
      MaxConcurrency: 7,
      ToleratedFailurePercentage: 100,
      ItemReader: { ReaderConfig: { InputType: 'JSONL' } },
      ItemProcessor: { ProcessorConfig: { Mode: 'DISTRIBUTED', ExecutionType: 'STANDARD' } },
    });
  });

  it('sends a message with the job whose receiver is to be called, and nothing else', () => {
    expect(definition.States['Notify']).toMatchObject({
      Resource: 'arn:aws:states:::sqs:sendMessage',
      Parameters: {
        QueueUrl: 'https://sqs.us-east-1.amazonaws.com/000000000000/webhooks',
        MessageBody: { 'tenant.$': '$.tenant', 'id.$': '$.id' },
      },
      Next: 'Outcome',
    });
  });

  it('passes no data from part to part, because their sum is limited to 256 KB', () => {
    const parts = definition.States['Parts'] as { ItemProcessor: { States: { Part: object } } };
    expect(parts.ItemProcessor.States.Part).toMatchObject({ OutputPath: null, ResultPath: null });
    expect(parts).toMatchObject({ ResultPath: null });
  });
});

/** Runs the definition on a laptop's interpreter, against a function that does what the test says. */
async function runParts(
  count: number,
  invoke: (step: { step: string; part?: number; range?: number; error?: { Error: string } }) => unknown,
  readList: () => void = () => {},
): Promise<unknown> {
  return await runFlow(
    readMachine('jobs', definition),
    { state: 'Prepare', data: INPUT },
    {
      actions: {
        invoke: async (_function, payload) =>
          invoke(payload as { step: string; part?: number }) ?? { next: 'settle' },
        send: async () => undefined,
        readLines: async () => {
          readList();
          return Array.from({ length: count }, (_, part) => String(part));
        },
      },
      memory: {
        entered: async () => {},
        itemsDone: async () => new Map(),
        itemDone: async () => {},
        mapDone: async () => {},
      },
      signal: new AbortController().signal,
      mapConcurrency: 2,
      pauseFactor: 0,
    },
  );
}
const INPUT = {
  tenant: 'acme',
  id: 'x',
  group: 'render',
  batch: true,
  parts: 'jobs/acme/x/parts.jsonl',
  ranges: 'jobs/acme/x/ranges.jsonl',
  callback: false,
};

describe('the list of parts', () => {
  const unreadable = new StateError('States.ItemReaderFailed', 'connect ECONNREFUSED');

  it('is read again if the storage is not available, and each part is rendered once', async () => {
    const steps: string[] = [];
    let reads = 0;
    const readList = (): void => {
      if (reads++ < 3) throw unreadable;
    };
    await runParts(2, ({ step }) => void steps.push(step), readList);
    expect(steps).toEqual(['prepare', 'part', 'part', 'assemble', 'settle']);
  });

  it('that stays unreadable is an error that names the storage', async () => {
    const errors: unknown[] = [];
    const running = runParts(
      2,
      ({ error }) => void errors.push(error?.Error),
      () => {
        throw unreadable;
      },
    );
    await expect(running).rejects.toThrow('A step failed each time it was tried.');
    expect(errors).toEqual([undefined, 'States.ItemReaderFailed']);
    const { code } = givenUp(
      { Error: 'States.ItemReaderFailed' },
      () => new PlatenError('internal_error', ''),
    );
    expect(code).toBe('storage_unavailable');
  });
});

describe('a part', () => {
  it('without capacity waits, however often it is throttled', async () => {
    const done: unknown[] = [];
    let refused = 0;
    await runParts(1, ({ step, part }) => {
      if (step === 'part' && refused++ < 300)
        throw new StateError('Lambda.TooManyRequestsException', 'Rate Exceeded');
      done.push([step, part]);
    });
    expect(done).toEqual([
      ['prepare', undefined],
      ['part', 0],
      ['assemble', undefined],
      ['settle', undefined],
    ]);
  });

  it('is called with the error of its last attempt, so that its records can have it', async () => {
    const told: unknown[] = [];
    await runParts(3, ({ step, part, error }) => {
      if (step === 'part' && part === 1 && !error) throw new StateError('Sandbox.Timedout', 'too long');
      if (error) told.push([part, error.Error]);
    });
    expect(told).toEqual([[1, 'Sandbox.Timedout']]);
  });

  it('does not fail if its failure cannot be recorded, because errors of many parts would exceed 256 KB', async () => {
    const steps: string[] = [];
    await runParts(40, ({ step }) => {
      steps.push(step);
      if (step === 'part') throw new StateError('Lambda.Unknown', 'x'.repeat(10_000));
    });
    expect(steps.slice(-2)).toEqual(['assemble', 'settle']);
  });
});

describe('what is left after the parts', () => {
  it('is more parts, then ranges, as the answer of the step says', async () => {
    const steps: unknown[] = [];
    const answers = ['parts', 'parts', 'ranges'];
    await runParts(2, ({ step, part, range }) => {
      steps.push([step, part ?? range].filter((word) => word !== undefined).join(' '));
      return step === 'assemble' ? { next: answers.shift() } : {};
    });
    const round = ['part 0', 'part 1', 'assemble'];
    expect(steps).toEqual(['prepare', ...round, ...round, ...round, 'range 0', 'range 1', 'join', 'settle']);
  });

  it('is given up with the first range that cannot be written', async () => {
    const told: unknown[] = [];
    const running = runParts(3, ({ step, range, error }) => {
      if (step === 'range' && range === 1) throw new StateError('storage_unavailable', 'not now');
      if (step === 'join' || step === 'settle') told.push([step, error?.Error]);
      return step === 'assemble' ? { next: 'ranges' } : {};
    });
    await expect(running).rejects.toThrow('A step failed each time it was tried.');
    expect(told).toEqual([['settle', 'States.ExceedToleratedFailureThreshold']]);
  });
});

describe('the stacks', () => {
  const machines = (switches = {}) =>
    resources<Record<string, unknown>>(synthesize(switches).api, 'AWS::StepFunctions::StateMachine').map(
      ([, { Properties }]) => Properties,
    );

  it('deploy it once, traced, with its own log of everything but the data', () => {
    const all = machines();
    expect(all).toHaveLength(1);
    expect(all[0]).toMatchObject({
      StateMachineName: 'platen-jobs',
      StateMachineType: 'STANDARD',
      TracingConfiguration: { Enabled: true },
      LoggingConfiguration: { Level: 'ALL', IncludeExecutionData: false },
    });
  });

  it('let it start, read, stop and redrive its own parts, and no part of another machine', () => {
    const statements = resources<{ PolicyDocument: { Statement: { Action: unknown; Resource: unknown }[] } }>(
      synthesize().api,
      'AWS::IAM::Policy',
    )
      .filter(([id]) => id.startsWith('JobsMachineRole'))
      .flatMap(([, { Properties }]) => Properties.PolicyDocument.Statement)
      .filter(({ Action }) => JSON.stringify(Action).includes('states:'));
    expect(statements.map(({ Action }) => Action)).toEqual([
      'states:StartExecution',
      ['states:DescribeExecution', 'states:RedriveExecution', 'states:StopExecution'],
    ]);
    for (const { Resource } of statements) expect(JSON.stringify(Resource)).toContain(':platen-jobs');
  });

  it('retry a throttled part without an end: throttling is not a fault of the part', () => {
    const parts = definition.States['Parts'] as { ItemProcessor: { States: { Part: { Retry: unknown[] } } } };
    expect(parts.ItemProcessor.States.Part.Retry[0]).toMatchObject({
      ErrorEquals: expect.arrayContaining(['Lambda.TooManyRequestsException']),
      MaxAttempts: 99_999_999,
    });
  });

  it('set how many parts are rendered in parallel', () => {
    expect(JSON.stringify(machines({ jobConcurrency: '33' })[0]?.['DefinitionString'])).toContain(
      '\\"MaxConcurrency\\":33',
    );
  });
});
