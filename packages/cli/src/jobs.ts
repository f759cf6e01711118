import { setTimeout as sleep } from 'node:timers/promises';
import { ApiError } from './client.ts';
import type { Context } from './command.ts';
import { type Form, save } from './files.ts';
import { createProgress } from './progress.ts';

/** Work that takes long is a job of the service: handed in, watched, its result downloaded. */

export interface Job {
  id: string;
  state: 'queued' | 'running' | 'succeeded' | 'failed' | 'cancelled';
  created: string;
  finished: string | null;
  total: number | null;
  done: number;
  failed: number;
  errors: { message: string; record: number }[];
  /** Of a job that failed: what the request would have been answered with. */
  problem: { detail: string } | null;
}

/** First and longest time between two looks at a job. */
const MIN_POLL_MS = 250;
const MAX_POLL_MS = 3_000;
/** Looks that may fail one after the other, which a laptop that changes its network does. */
const PATIENCE = 60;
const MISS_MS = 1_000;
/** Errors of records that are shown; the result lists them all. */
const SHOWN_ERRORS = 10;

export interface LongWork {
  path: string;
  form: Form;
  output: string | undefined;
  /** False: say which job it is and leave it to itself. */
  wait: boolean;
}

/**
 * Posts a form as a job, waits for it and saves its result. A service without jobs does the work while it is waited
 * for: then its answer is the result.
 */
export async function doLongWork({ path, form, output, wait }: LongWork, context: Context): Promise<void> {
  const { client, say, signal } = context;
  const response = await post(path, form.body, context);
  if (response.status !== 202) {
    await save(response, output, say);
    return;
  }
  const { id } = (await response.json()) as Job;
  if (!wait) {
    context.print(id);
    return;
  }
  try {
    await waitFor(id, context);
  } catch (error) {
    if (signal.aborted) say(`The job goes on: platen jobs get ${id}; platen jobs cancel ${id}`);
    throw error;
  }
  await save(await client.call('GET', `/jobs/${id}/result`, { signal }), output, say);
}

async function post(path: string, body: FormData, { client, signal }: Context): Promise<Response> {
  try {
    return await client.call('POST', path, { body, signal, headers: { prefer: 'respond-async' } });
  } catch (error) {
    if (!(error instanceof ApiError) || error.status !== 501) throw error;
    return await client.call('POST', path, { body, signal });
  }
}

/** @throws ApiError when the job does not succeed */
async function waitFor(id: string, context: Context): Promise<void> {
  const job = await ended(id, context);
  const errors = errorLines(job);
  if (job.state !== 'succeeded') {
    const reason = job.problem?.detail ?? `The job ${id} is ${job.state}.`;
    throw new ApiError(200, `job_${job.state}`, [reason, ...errors].join('\n'));
  }
  errors.forEach(context.say);
}

/** Watches a job, showing how far it is, until it has ended. */
async function ended(id: string, { client, signal }: Context): Promise<Job> {
  const progress = createProgress(process.stderr);
  let misses = 0;
  let delay = MIN_POLL_MS;
  try {
    for (;;) {
      try {
        const job = await client.json<Job>('GET', `/jobs/${id}`, { signal });
        misses = 0;
        progress.show(job.state, job);
        if (job.state !== 'queued' && job.state !== 'running') return job;
      } catch (error) {
        misses += 1;
        const mayPass = error instanceof ApiError && (error.status === 0 || error.status >= 500);
        if (!mayPass || misses >= PATIENCE) throw error;
      }
      await sleep(misses > 0 ? MISS_MS : delay, undefined, { signal });
      delay = Math.min(delay * 1.5, MAX_POLL_MS);
    }
  } finally {
    progress.end();
  }
}

/** What went wrong, for people. */
export function errorLines({ errors }: Job): string[] {
  const lines = errors.slice(0, SHOWN_ERRORS).map(({ message, record }) => `  record ${record}: ${message}`);
  if (errors.length > SHOWN_ERRORS) lines.push(`  and ${errors.length - SHOWN_ERRORS} more`);
  return lines;
}
