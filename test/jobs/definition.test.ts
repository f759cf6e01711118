import aslValidator from 'asl-validator';
import { describe, expect, it } from 'vitest';
import { jobDefinition } from '../../lib/job-definition.ts';
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

  it('tries every step again, and settles the job whatever happens', () => {
    const tasks = Object.entries(definition.States).filter(([, { Type }]) => Type === 'Task');
    expect(tasks.length).toBeGreaterThan(7);
    for (const [name, { Retry }] of tasks) {
      expect(JSON.stringify(Retry), name).toContain('States.ALL');
    }
    for (const name of ['RunRender', 'RunImages', 'RunPdf', 'Prepare', 'Parts', 'Assemble']) {
      expect(definition.States[name]?.['Catch'], name).toEqual([
        { ErrorEquals: ['States.ALL'], ResultPath: '$.error', Next: 'SettleGivenUp' },
      ]);
    }
  });

  it('renders parts side by side, no more than it is told, and gives up none because of another', () => {
    expect(definition.States['Parts']).toMatchObject({
      MaxConcurrency: 7,
      ToleratedFailurePercentage: 100,
      ItemReader: { ReaderConfig: { InputType: 'JSONL' } },
      ItemProcessor: { ProcessorConfig: { Mode: 'DISTRIBUTED', ExecutionType: 'STANDARD' } },
    });
  });

  it('says whose receiver is to be called, with no more than where the job is to be found', () => {
    expect(definition.States['Notify']).toMatchObject({
      Resource: 'arn:aws:states:::sqs:sendMessage',
      Parameters: {
        QueueUrl: 'https://sqs.us-east-1.amazonaws.com/000000000000/webhooks',
        MessageBody: { 'tenant.$': '$.tenant', 'id.$': '$.id' },
      },
      Next: 'Outcome',
    });
  });

  it('carries nothing from part to part: what all give together may not have more than 256 KB', () => {
    const parts = definition.States['Parts'] as { ItemProcessor: { States: { Part: object } } };
    expect(parts.ItemProcessor.States.Part).toMatchObject({ OutputPath: null, ResultPath: null });
    expect(parts).toMatchObject({ ResultPath: null });
  });
});

/** Runs the definition on a laptop's interpreter, against a function that does what the test says. */
async function runParts(
  count: number,
  invoke: (step: { step: string; part?: number; error?: { Error: string } }) => void,
): Promise<unknown> {
  return await runFlow(
    readMachine('jobs', definition),
    { state: 'Prepare', data: INPUT },
    {
      actions: {
        invoke: async (_function, payload) => invoke(payload as { step: string; part?: number }),
        send: async () => undefined,
        readLines: async () => Array.from({ length: count }, (_, part) => String(part)),
      },
      memory: { entered: async () => {}, itemsDone: async () => new Map(), itemDone: async () => {} },
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
  callback: false,
};

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

  it('whose tries all fail is told why, so that its records can tell it', async () => {
    const told: unknown[] = [];
    await runParts(3, ({ step, part, error }) => {
      if (step === 'part' && part === 1 && !error) throw new StateError('Sandbox.Timedout', 'too long');
      if (error) told.push([part, error.Error]);
    });
    expect(told).toEqual([[1, 'Sandbox.Timedout']]);
  });

  it('whose failure cannot be recorded does not fail, because errors of many parts would exceed 256 KB', async () => {
    const steps: string[] = [];
    await runParts(40, ({ step }) => {
      steps.push(step);
      if (step === 'part') throw new StateError('Lambda.Unknown', 'x'.repeat(10_000));
    });
    expect(steps.slice(-2)).toEqual(['assemble', 'settle']);
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

  it('let it start, look at, stop and redrive its own parts, and nothing of another machine', () => {
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

  it('have a part wait for room without an end: being busy is no fault of the part', () => {
    const parts = definition.States['Parts'] as { ItemProcessor: { States: { Part: { Retry: unknown[] } } } };
    expect(parts.ItemProcessor.States.Part.Retry[0]).toMatchObject({
      ErrorEquals: expect.arrayContaining(['Lambda.TooManyRequestsException']),
      MaxAttempts: 99_999_999,
    });
  });

  it('tell it how many parts to render side by side', () => {
    expect(JSON.stringify(machines({ jobConcurrency: '33' })[0]?.['DefinitionString'])).toContain(
      '\\"MaxConcurrency\\":33',
    );
  });
});
