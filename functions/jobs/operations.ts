import type { Route } from '@platen/contract/route';
import { ROUTES } from '@platen/contract/routes';
import { PlatenError } from '@platen/core/errors';
import {
  type Caller,
  demandScope,
  document,
  hasScope,
  json,
  noContent,
  type Operations,
  type Reply,
} from '../shared/http/index.ts';
import { MAX_ANSWER } from '../shared/http/group.ts';
import { checkedCursor, page } from '../shared/http/page.ts';
import { jobJson } from '../shared/jobs/json.ts';
import type { JobRunner } from '../shared/jobs/runner.ts';
import { isJobId } from '../shared/store/storage/ids.ts';
import { ACTIVE, type JobRecord, REPORT_FILE } from '../shared/store/jobs/record.ts';
import type { JobStore } from '../shared/store/jobs.ts';
import { webhookSecret } from './webhook-secrets.ts';
import type { JobsConfig } from './config.ts';
import { createUpload } from './uploads.ts';

/** Jobs in a list by default. */
const DEFAULT_LIMIT = 100;

/** How long the address of a large result is valid for starting the download, in seconds. */
const DOWNLOAD_SECONDS = 15 * 60;

/**
 * Returns the operations of the group. @param maxAnswer most bytes of an answer; a larger result is
 * downloaded from S3
 */
export function jobOperations(
  config: JobsConfig,
  { store, runner }: { store: JobStore; runner: JobRunner | null },
  maxAnswer: number = MAX_ANSWER,
): Operations<'jobs'> {
  /** Returns a job that the caller's scopes could have made. @throws PlatenError `not_found`, `insufficient_scope` */
  const find = async (who: Caller, id: string): Promise<JobRecord> => {
    const job = await store.get(who.tenant, id);
    if (job === null) throw new PlatenError('not_found', `There is no job ${id}.`);
    demandScope(routeOf(job), who);
    return job;
  };

  return {
    createUpload: createUpload(config),

    listJobs: async ({ caller, query, basePath }) => {
      const { limit = DEFAULT_LIMIT, cursor } = query;
      const after = checkedCursor(cursor, isJobId);
      const wanted = (job: JobRecord): boolean => hasScope(routeOf(job), caller);
      // One more than the page shows, to know whether the list continues.
      const found = await store.list(caller.tenant, limit + 1, { wanted, after });
      return page(found, limit, `${basePath}/v1/jobs`, (job) => jobJson(job, basePath));
    },

    getJob: async ({ caller, params, basePath }) =>
      json(jobJson(await find(caller, params['id'] ?? ''), basePath)),

    getJobResult: async ({ caller, params, query }) => {
      const job = await find(caller, params['id'] ?? '');
      // Not by default: a client that receives a small result today need not follow a redirect (decision 0032).
      return await result(job, store, query.redirect === true ? 0 : maxAnswer);
    },

    getJobReport: async ({ caller, tenant, params }) => {
      const job = await find(caller, params['id'] ?? '');
      demandEnd(job);
      const report = await store.files.read(tenant, job.id, REPORT_FILE);
      if (report === null) throw new PlatenError('not_found', `The job ${job.id} has no report.`);
      return json(JSON.parse(report.toString('utf8')));
    },

    cancelJob: async ({ caller, tenant, params }) => {
      const job = await find(caller, params['id'] ?? '');
      // First the state, which stops further work; then the execution is stopped and the files are deleted.
      const cancelled = ACTIVE.includes(job.state) && (await store.settle(tenant, job.id, 'cancelled'));
      await runner?.stop(job.id);
      if (cancelled) await store.removeWork(tenant, job.id);
      else await store.remove(job);
      return noContent();
    },

    getWebhook: async ({ tenant }) => json({ secret: await webhookSecret(config.jobsTable, tenant) }),
  };
}

/** Returns the route that made a job. If the route no longer exists, only administrators may access its jobs. */
function routeOf({ operation }: JobRecord): Pick<Route, 'access'> {
  return ROUTES.find((route) => route.operation === operation) ?? { access: 'admin' };
}

/** @throws PlatenError `job_not_finished` */
function demandEnd({ id, state }: JobRecord): void {
  if (!ACTIVE.includes(state)) return;
  throw new PlatenError('job_not_finished', `The job ${id} is ${state}. Poll it until it has finished.`);
}

/** @param maxAnswer most bytes of an answer; a larger result is a redirect to its download */
async function result(job: JobRecord, { files }: JobStore, maxAnswer: number): Promise<Reply> {
  const { tenant, id, state } = job;
  demandEnd(job);
  if (state !== 'succeeded' || job.result === null) {
    const why = state === 'cancelled' ? 'was cancelled' : `failed: ${job.problem?.detail ?? ''}`;
    throw new PlatenError('job_without_result', `The job ${id} ${why}`.replace(/\.?$/, '.'));
  }
  const { size, headers } = job.result;
  if (size > maxAnswer) {
    const location = await files.downloadUrl(tenant, id, job.result.file, DOWNLOAD_SECONDS);
    return { status: 303, headers: { location, 'cache-control': 'no-store' }, body: null };
  }
  const body = await files.open(tenant, id, job.result.file);
  if (body === null) throw new PlatenError('not_found', `The result of the job ${id} has been deleted.`);
  const reply = document({ body, contentType: headers['content-type'] ?? '', filename: 'result' });
  return { ...reply, headers: { ...reply.headers, ...headers } };
}
