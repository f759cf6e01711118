import { randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import type { FunctionGroup } from '@platen/contract/route';
import { ERRORS } from '@platen/contract/errors';
import { isPlatenError, PlatenError, storageFault } from '@platen/core/errors';
import type { JobServices } from './config.ts';
import type { JobEvent, JobStep, StepAnswer } from './events.ts';
import { log, withLogFields } from '../log.ts';
import { measure, measuredFields, withMeasures } from '../measures.ts';
import { type JobRecord, type RecordFailure, REPORT_FILE } from '../store/jobs/record.ts';
import type { JobStore } from '../store/jobs.ts';
import { eventOf } from './defer.ts';
import { caller, type InvocationContext } from '../http/event.ts';
import { notOffered } from '../http/group.ts';
import { operationOf, type Operations } from '../http/operation.ts';
import { perform, withRequest } from '../http/perform.ts';
import type { GroupServices, ReceivedRequest } from '../http/received.ts';
import { findRoute } from '../http/routing.ts';
import { scratchDirectory } from '../http/scratch.ts';
import { problemBody } from '../http/problem.ts';
import type { PlatenRequest } from '../http/request.ts';

/** The work of jobs, as the state machine requests it. */

/** Does a step for the state machine, which retries it after an error and finally gives it up. */
export type Work = (event: JobEvent, context: InvocationContext) => Promise<StepAnswer>;

/** One step of the work on a batch. */
export type BatchStep = (request: PlatenRequest, work: BatchWork) => Promise<StepAnswer['next'] | undefined>;

export interface BatchWork {
  job: JobRecord;
  store: JobStore;
  event: JobEvent;
}

/** A job that cannot succeed, with its results so far. */
export class JobFailure extends PlatenError {
  readonly progress: { done: number; failed: number; failures: readonly RecordFailure[] };

  constructor(error: PlatenError, progress: JobFailure['progress']) {
    super(error.code, error.message, { faults: error.faults });
    this.progress = progress;
  }
}

/** The answer of a step after which nothing is left to do. */
const OVER: StepAnswer = { next: 'settle' };

/** The reason for retrying a step. Its name is the error's code, which the state machine passes on. */
class StepError extends Error {
  override readonly name: string;

  constructor(thrown: unknown) {
    const error = storageFault(thrown) ?? thrown;
    super(isPlatenError(error) ? error.message : 'Something went wrong on our side.', { cause: error });
    this.name = isPlatenError(error) ? error.code : 'internal_error';
  }
}

/**
 * Does a group's jobs: `run` answers the request as its operation would have, and stores the answer; the
 * other steps are those of a batch. A step may run twice, even concurrently: it writes the same again.
 */
export function createWorker<G extends FunctionGroup>(
  operations: Operations<G>,
  services: GroupServices & { jobs: JobServices | null },
  steps: Partial<Record<JobStep, BatchStep>> = {},
): Work {
  return (event, context) => {
    const { tenant, id } = event.job;
    return withLogFields({ job: id, step: event.step, tenant }, () =>
      withMeasures(async () => {
        const { jobs } = services;
        if (jobs === null) throw new Error('this deployment has no jobs');
        const started = Date.now();
        const { store } = jobs;
        const job = await store.begin(tenant, id);
        // The job was cancelled, has failed or is done: the remaining steps have nothing to do.
        if (job === null || job.problem !== null || job.result !== null) return OVER;
        try {
          // The first step of a job's work; the other steps follow it.
          if (event.step === 'run' || event.step === 'prepare')
            measure('queue_ms', Math.max(0, started - job.createdAt));
          const next = await work(operations, steps, { job, store, event }, { context, services });
          log.info('job step', {
            ms: Date.now() - started,
            ...measuredFields(services.metrics ?? null),
          });
          return { next: next ?? 'settle' };
        } catch (error) {
          await noteOrThrow(error, job, store);
        } finally {
          // The job may have been cancelled meanwhile, and its files deleted before this step wrote its own.
          await store.removeWork(tenant, id);
        }
        return OVER;
      }).catch((error: unknown) => {
        throw new StepError(error);
      }),
    );
  };
}

async function work(
  operations: object,
  steps: Partial<Record<JobStep, BatchStep>>,
  batch: BatchWork,
  invocation: Pick<ReceivedRequest, 'context' | 'services'>,
): Promise<StepAnswer['next'] | undefined> {
  const { job, store, event } = batch;
  const stored = await store.files.request(job.tenant, job.id);
  if (stored === null) throw incomplete();
  const { pins = {}, ...content } = stored.request;
  const request = eventOf(content, stored.body);
  const route = await findRoute(request, invocation.services);
  const who = caller(request, Date.now());
  if (who === null) throw new Error('a job without a tenant');
  const received: ReceivedRequest = { ...invocation, route, event: request, who, isJob: true, pins };
  const step = steps[event.step];
  if (step) {
    await using scratch = scratchDirectory();
    return await withRequest(received, scratch.path, async (read) => await step(read, batch));
  }
  if (event.step !== 'run') throw new Error(`there is no step ${event.step}`);
  const operation = operationOf(operations, route);
  if (!operation) throw notOffered(route);
  const reply = await perform(received, operation);
  try {
    const body = reply.body instanceof Readable ? reply.body : Readable.from([Buffer.from(reply.body ?? '')]);
    const file = `result-${randomUUID()}`;
    const size = await store.files.putStream(job.tenant, job.id, file, body, reply.headers);
    if (reply.report) {
      const report = Buffer.from(JSON.stringify(reply.report, null, 2));
      await store.files.put(job.tenant, job.id, REPORT_FILE, report);
    }
    const headers = { ...reply.headers, 'content-length': String(size) };
    await store.noteResult(job.tenant, job.id, { result: { file, size, headers }, done: 1 });
  } finally {
    await reply.close?.();
  }
}

/** Returns the error of a job whose function died before it had stored the request. */
function incomplete(): PlatenError {
  const message =
    'The request was not stored completely, because the service was interrupted. Send it again.';
  return new PlatenError('storage_unavailable', message);
}

/** Stores an error that the caller must fix as the job's problem; throws a temporary one, to be retried. */
async function noteOrThrow(error: unknown, job: JobRecord, store: JobStore): Promise<void> {
  const status = isPlatenError(error) ? ERRORS[error.code].status : 500;
  if (status === 500 || status === 502 || status === 503) {
    log.error('job step failed', { error });
    throw error;
  }
  const progress = error instanceof JobFailure ? error.progress : undefined;
  await store.noteProblem(job.tenant, job.id, problemBody(error, job.id), progress);
}
