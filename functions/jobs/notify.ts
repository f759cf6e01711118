import { createHmac } from 'node:crypto';
import { isPlatenError } from '@platen/core/errors';
import type { Fetcher } from '@platen/print/fetcher';
import { jobJson } from '../shared/jobs/json.ts';
import { log } from '../shared/log.ts';
import type { CallbackAttempt, JobRecord } from '../shared/store/jobs/record.ts';
import type { JobStore } from '../shared/store/jobs.ts';

/** Calls the receiver of a job's end. The queue decides when to retry. */

/** Most bytes that are read of the receiver's response, which is ignored. */
const MAX_ANSWER_BYTES = 64 * 1024;

/** Identifies the job that has ended. */
export interface JobReference {
  tenant: string;
  id: string;
}

export interface Notifying {
  store: JobStore;
  fetcher: Fetcher;
  /** Returns the secret of a tenant. */
  secret: (tenant: string) => Promise<string>;
  clock?: () => number;
}

/**
 * Makes one call and records it in the job.
 *
 * @param services.last no retry follows if this call fails
 * @returns whether no further call is needed
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

/** Returns `t=<seconds>,v1=<hex>`: the HMAC-SHA256 of `<seconds>.<body>` with the tenant's secret. */
export function signature(secret: string, seconds: number, body: string): string {
  const mac = createHmac('sha256', secret).update(`${seconds}.${body}`).digest('hex');
  return `t=${seconds},v1=${mac}`;
}

/**
 * Returns the headers of Standard Webhooks: `webhook-signature` is `v1,` and the HMAC-SHA256, in base64, of
 * `<id>.<seconds>.<body>`.
 *
 * @param secret `whsec_` and the key in base64, of either alphabet
 * @param id the same for repeated calls
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
