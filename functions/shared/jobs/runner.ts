import { SFNClient, StartExecutionCommand, StopExecutionCommand } from '@aws-sdk/client-sfn';
import type { FunctionGroup } from '@platen/contract/route';
import { PlatenError } from '@platen/core/errors';
import { isNamed } from '../store/storage/dynamodb.ts';
import { traced } from '../spans.ts';

/** The input of a job's work. */
export interface JobStart {
  tenant: string;
  id: string;
  group: FunctionGroup;
  batch: boolean;
  /** Key in S3 of the list of parts of a batch. */
  parts: string;
  /** Key in S3 of the list of ranges of its ZIP. */
  ranges: string;
  /** Whether a receiver is called at its end. */
  callback: boolean;
}

/** Runs the work of jobs eventually, despite crashes. */
export interface JobRunner {
  /** Starts a job, once for repeated calls. @throws PlatenError `storage_unavailable` when it cannot be started now */
  start(job: JobStart): Promise<void>;
  /** Lets current work end and starts nothing new. @throws PlatenError `storage_unavailable` */
  stop(id: string): Promise<void>;
}

const CONNECTION_TIMEOUT_MS = 2_000;
const REQUEST_TIMEOUT_MS = 3_000;

/**
 * Runs jobs with AWS Step Functions: one execution for each job, named by its id, so that repeated starts
 * have no effect.
 *
 * @param machine ARN of the state machine (lib/job-definition.ts)
 */
export function stepFunctionsRunner(machine: string): JobRunner {
  let client: SFNClient | undefined;
  const sfn = (): SFNClient =>
    (client ??= traced(
      new SFNClient({
        requestHandler: {
          connectionTimeout: CONNECTION_TIMEOUT_MS,
          requestTimeout: REQUEST_TIMEOUT_MS,
          throwOnRequestTimeout: true,
        },
      }),
    ));
  return {
    start: async (job) => {
      const command = new StartExecutionCommand({
        stateMachineArn: machine,
        name: job.id,
        input: JSON.stringify(job),
      });
      // The same name with the same input is the same execution; one that has ended already is no error either.
      await call(() => sfn().send(command), 'ExecutionAlreadyExists');
    },
    stop: async (id) => {
      const executionArn = `${machine.replace(':stateMachine:', ':execution:')}:${id}`;
      await call(
        () => sfn().send(new StopExecutionCommand({ executionArn, error: 'Cancelled' })),
        'ExecutionDoesNotExist',
      );
    },
  };
}

async function call(send: () => Promise<unknown>, expected: string): Promise<void> {
  try {
    await send();
  } catch (cause) {
    if (isNamed(cause, expected)) return;
    throw new PlatenError(
      'storage_unavailable',
      'Jobs cannot be started or stopped right now. Please try again.',
      { cause },
    );
  }
}
