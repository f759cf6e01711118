import { ERRORS, type ErrorCode } from '../shared/contract/errors.ts';
import { PlatenError } from '../shared/errors.ts';
import { problemBody } from '../shared/http/problem.ts';
import type { JobEvent } from '../shared/jobs/events.ts';
import type { JobStore } from '../shared/store/jobs.ts';

/**
 * Ends a job: what its work has noted says how. Where the work was given up it has noted nothing, and the state machine
 * tells why. Its request, which may hold passwords, goes with its end. Done twice it changes nothing more.
 */
export async function settleJob({ job: { tenant, id }, error }: JobEvent, store: JobStore): Promise<void> {
  const job = await store.get(tenant, id);
  if (job === null) return;
  // First: a job that shows its end has no request any more.
  await store.files.deleteRequest(tenant, id);
  if (job.result !== null) await store.settle(tenant, id, 'succeeded');
  else if (job.problem !== null) await store.settle(tenant, id, 'failed');
  else await store.settle(tenant, id, 'failed', problemBody(givenUp(error), id));
}

/** Errors of Lambda and of the state machine itself that mean that the time was up. */
const TIMEOUTS = new Set(['Sandbox.Timedout', 'States.Timeout', 'States.HeartbeatTimeout']);

function givenUp(error: JobEvent['error']): PlatenError {
  const name = error?.Error ?? '';
  if (TIMEOUTS.has(name)) return new PlatenError('deadline_exceeded', 'The work took too long.');
  if (Object.hasOwn(ERRORS, name) && name !== 'internal_error') {
    return new PlatenError(name as ErrorCode, messageOf(error?.Cause));
  }
  return new PlatenError(
    'internal_error',
    'Something went wrong on our side, several times. Please try again; if it goes on, give us the id of the job.',
  );
}

/** Of an error of ours, which Lambda hands on as JSON. */
function messageOf(cause: string | undefined): string {
  try {
    const { errorMessage } = JSON.parse(cause ?? '') as { errorMessage?: unknown };
    return typeof errorMessage === 'string'
      ? errorMessage
      : 'The work was tried several times, and given up.';
  } catch {
    return 'The work was tried several times, and given up.';
  }
}
