import type { JobJson } from '@platen/contract/resources';
import type { JobRecord } from '../store/jobs/record.ts';

/** Returns a job as the API shows it. @param base the prefix before `/v1` in the addresses of the reader */
export function jobJson(job: JobRecord, base: string): JobJson {
  const time = (value: number | null): string | null =>
    value === null ? null : new Date(value).toISOString();
  return {
    id: job.id,
    operation: job.operation,
    template_id: job.templateId,
    by: job.by,
    state: job.state,
    created: new Date(job.createdAt).toISOString(),
    started: time(job.startedAt),
    finished: time(job.finishedAt),
    expires: new Date(job.expiresAt).toISOString(),
    total: job.total,
    done: job.done,
    failed: job.failed,
    errors: job.failures.map(({ record, code, detail, errors }) => ({
      record,
      code,
      message: detail,
      ...(errors.length > 0 ? { errors } : {}),
    })),
    problem: job.problem,
    result: job.state === 'succeeded' ? `${jobPath(job.id, base)}/result` : null,
    callback: job.callback && {
      url: job.callback.url,
      state: job.callback.state,
      attempts: job.callback.attempts.map(({ at, status, error }) => ({
        at: new Date(at).toISOString(),
        status,
        error,
      })),
    },
  };
}

/** Returns the address of a job on the requested host. @param base the prefix before `/v1` in it */
export function jobPath(id: string, base: string): string {
  return `${base}/v1/jobs/${id}`;
}
