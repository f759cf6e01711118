import * as z from 'zod';
import { AssemblyError } from '../assembly/index.ts';

/**
 * The supported part of the Amazon States Language. Anything else is refused when the stacks are read,
 * because a state machine must behave here as on AWS.
 */

const path = z.string().regex(/^\$\$?(\.[A-Za-z_]\w*)*$/, 'is not a path of names');

const choice = z.strictObject({
  Variable: path,
  StringEquals: z.string().optional(),
  BooleanEquals: z.boolean().optional(),
  IsPresent: z.boolean().optional(),
  Next: z.string(),
});

const retrier = z.strictObject({
  ErrorEquals: z.array(z.string()).min(1),
  IntervalSeconds: z.number().int().min(1).default(1),
  BackoffRate: z.number().min(1).default(2),
  MaxDelaySeconds: z.number().int().min(1).optional(),
  MaxAttempts: z.number().int().min(0).default(3),
  JitterStrategy: z.enum(['FULL', 'NONE']).default('NONE'),
});

const catcher = z.strictObject({
  ErrorEquals: z.array(z.string()).min(1),
  ResultPath: path.nullable().default('$'),
  Next: z.string(),
});

const comment = { Comment: z.string().optional() };
const after = { Next: z.string().optional(), End: z.literal(true).optional() };
const failing = { Retry: z.array(retrier).default([]), Catch: z.array(catcher).default([]) };

const invoking = z.templateLiteral(['arn:', z.string(), ':states:::lambda:invoke']);
const sending = z.templateLiteral(['arn:', z.string(), ':states:::sqs:sendMessage']);

const anyTask = z.strictObject({
  Type: z.literal('Task'),
  Resource: z.union([invoking, sending]),
  Parameters: z.union([
    z.strictObject({ FunctionName: z.string(), Payload: z.unknown() }),
    z.strictObject({ QueueUrl: z.string(), MessageBody: z.record(z.string(), z.unknown()) }),
  ]),
  ResultPath: path.nullable().default('$'),
  OutputPath: z.null().optional(),
  ...failing,
  ...after,
  ...comment,
});

const task = anyTask.refine(
  ({ Resource, Parameters }) => sending.safeParse(Resource).success === 'QueueUrl' in Parameters,
  'The parameters are those of another service.',
);

const pass = z.strictObject({
  Type: z.literal('Pass'),
  OutputPath: z.null().optional(),
  ...after,
  ...comment,
});
const choices = z.strictObject({
  Type: z.literal('Choice'),
  Choices: z.array(choice).min(1),
  Default: z.string().optional(),
  ...comment,
});
const succeed = z.strictObject({ Type: z.literal('Succeed'), ...comment });
const fail = z.strictObject({
  Type: z.literal('Fail'),
  Error: z.string().optional(),
  Cause: z.string().optional(),
  ...comment,
});

/** The processing of each item of a map. */
const itemProcessor = z.strictObject({
  ProcessorConfig: z.strictObject({
    Mode: z.literal('DISTRIBUTED'),
    ExecutionType: z.enum(['STANDARD', 'EXPRESS']),
  }),
  StartAt: z.string(),
  // Nested maps are not needed.
  States: z.record(z.string(), z.discriminatedUnion('Type', [task, pass, choices, succeed, fail])),
});

const map = z.strictObject({
  Type: z.literal('Map'),
  ItemReader: z.strictObject({
    Resource: z.templateLiteral(['arn:', z.string(), ':states:::s3:getObject']),
    ReaderConfig: z.strictObject({ InputType: z.literal('JSONL') }),
    Parameters: z.record(z.string(), z.unknown()),
  }),
  ItemSelector: z.record(z.string(), z.unknown()).optional(),
  ItemProcessor: itemProcessor,
  MaxConcurrency: z.number().int().min(0).default(0),
  ToleratedFailurePercentage: z.number().min(0).max(100).default(0),
  // The results of all items are discarded.
  ResultPath: z.null(),
  ...failing,
  ...after,
  ...comment,
});

const machine = z.strictObject({
  Comment: z.string().optional(),
  StartAt: z.string(),
  States: z.record(z.string(), z.discriminatedUnion('Type', [task, map, pass, choices, succeed, fail])),
});

export type Machine = z.infer<typeof machine>;
export type State = Machine['States'][string];
export type TaskState = z.infer<typeof task>;
export type MapState = z.infer<typeof map>;
export type ChoiceState = z.infer<typeof choices>;
export type Retrier = z.infer<typeof retrier>;
/** A machine, or the processing of a map's items. */
export type Flow = { StartAt: string; States: Readonly<Record<string, State>> };

/** @throws AssemblyError for unsupported content, and for transitions to missing states */
export function readMachine(name: string, definition: unknown): Machine {
  const parsed = machine.safeParse(definition);
  if (!parsed.success) {
    const faults = parsed.error.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`);
    throw new AssemblyError(
      `The state machine ${name} cannot run here, where the language is known in part:\n${faults.join('\n')}`,
    );
  }
  checkWays(name, parsed.data);
  return parsed.data;
}

function checkWays(name: string, flow: Flow): void {
  const known = (target: string): void => {
    if (!Object.hasOwn(flow.States, target)) {
      throw new AssemblyError(`The state machine ${name} leads to ${target}, which it does not have.`);
    }
  };
  known(flow.StartAt);
  for (const [id, state] of Object.entries(flow.States)) {
    if (state.Type === 'Choice') {
      for (const { Next } of state.Choices) known(Next);
      if (state.Default !== undefined) known(state.Default);
    }
    if (state.Type === 'Task' || state.Type === 'Map' || state.Type === 'Pass') {
      if ((state.Next === undefined) === (state.End === undefined)) {
        throw new AssemblyError(`The state ${id} of ${name} needs either Next or End.`);
      }
      if (state.Next !== undefined) known(state.Next);
    }
    if (state.Type === 'Task' || state.Type === 'Map') for (const { Next } of state.Catch) known(Next);
    if (state.Type === 'Map') checkWays(name, state.ItemProcessor);
  }
}
