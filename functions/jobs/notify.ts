import { createHmac } from 'node:crypto';
import { isPlatenError } from '@platen/core/errors';
import type { Fetcher } from '@platen/print/fetcher';
import { jobJson } from '../shared/jobs/json.ts';
import { log } from '../shared/log.ts';
import type { CallbackAttempt, JobRecord } from '../shared/store/job-record.ts';
import type { JobStore } from '../shared/store/jobs.ts';

/** Calls who wants to know of a job's end. When to call again is the queue's to say. */

/** Read of what the receiver answers; nothing is done with it. */
const MAX_ANSWER_BYTES = 64 * 1024;

/** Which job it is that has ended. */
export interface JobReference {
  tenant: string;
  id: string;
}

export interface Notifying {
  store: JobStore;
  fetcher: Fetcher;
  /** Of a tenant. */
  secret: (tenant: string) => Promise<string>;
  clock?: () => number;
}

/**
 * One call, noted in the job.
 *
 * @param services.last Nobody will call again when this call is not taken
 * @returns whether there is nothing left to call for
 */
export async function notifyReceiver(
  { tenant, id }: JobReference,
  services: Notifying & { last: boolean },
): Promise<boolean> {
  const { store, last, clock = Date.now } = services;
  const job = await store.get(tenant, id);
  if (job === null || job.callback === null || job.callback.state === 'delivered') return true;
  const attempt = await callReceiver(
    job,
    job.callback.url,
    await services.secret(tenant),
    services.fetcher,
    clock(),
  );
  const delivered = attempt.status !== null && attempt.status >= 200 && attempt.status < 300;
  await store.noteAttempt(tenant, id, attempt, delivered ? 'delivered' : last ? 'failed' : 'pending');
  log.info('callback', { job: id, status: attempt.status, error: attempt.error });
  return delivered;
}

/** `t=<seconds>,v1=<hex>`: the HMAC-SHA256 of `<seconds>.<body>` with the tenant's secret. */
export function signature(secret: string, seconds: number, body: string): string {
  const mac = createHmac('sha256', secret).update(`${seconds}.${body}`).digest('hex');
  return `t=${seconds},v1=${mac}`;
}

/**
 * The headers of Standard Webhooks: `webhook-signature` is `v1,` and the HMAC-SHA256, in base64, of `<id>.<seconds>.<body>`.
 *
 * @param secret `whsec_` and the key in base64, of either alphabet
 * @param id the same for calls that come twice
 */
export function standardHeaders(
  secret: string,
  id: string,
  seconds: number,
  body: string,
): Record<string, string> {
  const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64');
  const mac = createHmac('sha256', key).update(`${id}.${seconds}.${body}`).digest('base64');
  return { 'webhook-id': id, 'webhook-timestamp': String(seconds), 'webhook-signature': `v1,${mac}` };
}

async function callReceiver(
  job: JobRecord,
  url: string,
  secret: string,
  fetcher: Fetcher,
  now: number,
): Promise<CallbackAttempt> {
  const { callback: _, ...shown } = jobJson(job, job.basePath);
  const body = JSON.stringify({ type: `job.${job.state}`, job: shown });
  const seconds = Math.floor(now / 1000);
  try {
    const { status } = await fetcher.fetch(url, {
      body: Buffer.from(body),
      headers: {
        'content-type': 'application/json',
        ...standardHeaders(secret, job.id, seconds, body),
        'platen-signature': signature(secret, seconds, body),
        'platen-job': job.id,
      },
      maxBytes: MAX_ANSWER_BYTES,
    });
    return { at: now, status, error: null };
  } catch (error) {
    if (!isPlatenError(error)) throw error;
    return { at: now, status: null, error: error.message };
  }
}
