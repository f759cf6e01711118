import { SFNClient, StartExecutionCommand, StopExecutionCommand } from '@aws-sdk/client-sfn';
import type { FunctionGroup } from '@platen/contract/route';
import { PlatenError } from '@platen/core/errors';
import { isNamed } from '../store/dynamodb.ts';
import { traced } from '../spans.ts';

/** What a job's work is started with. */
export interface JobStart {
  tenant: string;
  id: string;
  group: FunctionGroup;
  batch: boolean;
  /** Key in S3 of the list of parts of a batch. */
  parts: string;
  /** Somebody wants to be called at its end. */
  callback: boolean;
}

/** Has the work of jobs done, some time, whatever crashes meanwhile. */
export interface JobRunner {
  /** Once however often it is told. @throws PlatenError `storage_unavailable` when the work cannot be started now */
  start(job: JobStart): Promise<void>;
  /** What is under way comes to its end, nothing new is begun. @throws PlatenError `storage_unavailable` */
  stop(id: string): Promise<void>;
}

const CONNECTION_TIMEOUT_MS = 2_000;
const REQUEST_TIMEOUT_MS = 3_000;

/**
 * AWS Step Functions as the runner: one execution for each job, named by its id, so that starting it twice is starting
 * it once.
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
      // The same name with the same input is the same execution; one that has ended already is no fault either.
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
