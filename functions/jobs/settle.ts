import { PlatenError } from '@platen/core/errors';
import { problemBody } from '../shared/http/problem.ts';
import type { JobEvent } from '../shared/jobs/events.ts';
import { givenUp } from '../shared/jobs/given-up.ts';
import type { JobStore } from '../shared/store/jobs.ts';

/**
 * Ends a job in the state that its work has recorded. If the work was given up it has recorded nothing, and the state
 * machine passes the reason. The request and what the work has written are deleted, without the result. Settling
 * twice has no further effect.
 */
export async function settleJob({ job: { tenant, id }, error }: JobEvent, store: JobStore): Promise<void> {
  const job = await store.get(tenant, id);
  // Deleted first, so that a job that has ended has no request any more.
  await store.files.deleteRequest(tenant, id);
  if (job === null) return await store.files.deleteAll(tenant, id);
  if (job.result !== null) await store.settle(tenant, id, 'succeeded');
  else if (job.problem !== null) await store.settle(tenant, id, 'failed');
  else await store.settle(tenant, id, 'failed', problemBody(givenUp(error, ofOurs), id));
  // Deleted last, since a step that is still running deletes its own files once the job has ended.
  await store.removeWork(tenant, id);
}

function ofOurs(): PlatenError {
  return new PlatenError(
    'internal_error',
    'Something went wrong in the service, several times. Please try again; if the error persists, report the id of the job.',
  );
}
