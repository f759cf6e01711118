import { type Job, PlatenError, type PreparedForm } from '@platen/client';
import { ordinalOf } from '@platen/core/ordinal';
import type { Context } from './command.ts';
import { save } from './files.ts';
import { createProgress } from './progress.ts';

/** Runs long work as a job of the service: submits it, watches it and downloads its result. */

/** Maximum record errors on the terminal; the result lists all of them. */
const SHOWN_ERRORS = 10;

export interface JobSubmission {
  path: string;
  form: PreparedForm;
  output: string | undefined;
  /** False: print the job's id and return without waiting. */
  wait: boolean;
}

/**
 * Submits a form as a job, waits for it and saves its result. A service without jobs processes the request at
 * once: then its response is the result.
 */
export async function runAsJob({ path, form, output, wait }: JobSubmission, context: Context): Promise<void> {
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
    if (signal.aborted) say(`The job continues: platen jobs get ${id}; platen jobs cancel ${id}`);
    throw error;
  }
  await save(await client.call('GET', `/jobs/${id}/result`, { signal }), output, say);
}

async function post(path: string, body: FormData, { client, signal }: Context): Promise<Response> {
  try {
    return await client.call('POST', path, { body, signal, headers: { prefer: 'respond-async' } });
  } catch (error) {
    if (!(error instanceof PlatenError) || error.status !== 501) throw error;
    return await client.call('POST', path, { body, signal });
  }
}

/** @throws PlatenError when the job does not succeed */
async function waitFor(id: string, context: Context): Promise<void> {
  const job = await ended(id, context);
  const errors = errorLines(job);
  if (job.state !== 'succeeded') {
    const reason = job.problem?.detail ?? `The job ${id} is ${job.state}.`;
    throw new PlatenError(200, `job_${job.state}`, [reason, ...errors].join('\n'));
  }
  errors.forEach(context.say);
}

/** Watches a job and shows its progress until it has ended. */
async function ended(id: string, { client, signal }: Context): Promise<Job> {
  const progress = createProgress(process.stderr);
  try {
    return await client.job(id).ended({ signal, onProgress: (job) => progress.show(job.state, job) });
  } finally {
    progress.end();
  }
}

/** Returns the errors of a job as lines for people. */
export function errorLines({ errors }: Job): string[] {
  const lines = errors
    .slice(0, SHOWN_ERRORS)
    .map(({ message, record }) => `  ${ordinalOf(record)} record: ${message}`);
  if (errors.length > SHOWN_ERRORS) lines.push(`  and ${errors.length - SHOWN_ERRORS} more`);
  return lines;
}
