import aslValidator from 'asl-validator';
import { describe, expect, it } from 'vitest';
import { jobDefinition } from '../../lib/job-definition.ts';
import { readMachine } from '../../local/states/language.ts';
import { synthesize, resources } from '../stacks/support.ts';

/** The state machine of jobs: the language it is written in, and what it says. */

const arn = (name: string) => `arn:aws:lambda:us-east-1:000000000000:function:${name}`;
const definition = jobDefinition({
  functions: {
    render: arn('render'),
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

  it('tell it how many parts to render side by side', () => {
    expect(JSON.stringify(machines({ jobConcurrency: '33' })[0]?.['DefinitionString'])).toContain(
      '\\"MaxConcurrency\\":33',
    );
  });
});
