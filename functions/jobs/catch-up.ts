import { startOf } from '../shared/jobs/defer.ts';
import type { JobRunner } from '../shared/jobs/runner.ts';
import { log } from '../shared/log.ts';
import type { JobStore } from '../shared/store/jobs.ts';

/**
 * Runs on a schedule (lib/api-stack.ts), and on a laptop at each start. A function that dies while it accepts a job
 * leaves a job that nobody starts; one that dies while it cancels a job leaves files.
 */

/** The event of the schedule. */
export function isCatchUp(event: unknown): boolean {
  return typeof event === 'object' && event !== null && 'step' in event && event.step === 'catch-up';
}

/**
 * Starts each job that has not ended, which has no effect if it has been started before, and deletes the files of
 * cancelled ones. Concurrent and repeated runs are harmless.
 */
export async function catchUp(store: JobStore, runner: JobRunner): Promise<void> {
  let jobs = 0;
  for await (const job of store.unsettled()) {
    if (job.state === 'cancelled') await store.removeWork(job.tenant, job.id);
    else await runner.start(startOf(job, store));
    jobs += 1;
  }
  log.info('caught up', { jobs });
}
