import { marshall, unmarshall } from '@aws-sdk/util-dynamodb';
import type { ProblemJson } from '@platen/contract/resources';
import type { Item } from '../storage/items.ts';
import type { JobRecord, RecordFailure } from './record.ts';

/** Jobs as items of DynamoDB. */

/** Returns the key of a job's item. */
export function jobKey(tenant: string, id: string): Item {
  return { pk: { S: `TENANT#${tenant}` }, sk: { S: `JOB#${id}` } };
}

/** Returns the key of an item that counts parts of a batch. */
export function progressKey(tenant: string, id: string, item: number): Item {
  return { pk: { S: `TENANT#${tenant}` }, sk: { S: `PROGRESS#${id}#${item}` } };
}

/** Returns the item of a new job, without its key. */
export function toItem(job: JobRecord): Item {
  return marshall(
    {
      id: job.id,
      tenant: job.tenant,
      operation: job.operation,
      group: job.group,
      batch: job.batch,
      state: job.state,
      created_at: job.createdAt,
      expires_at: job.expiresAt,
      // DynamoDB's time to live: whole seconds, rounded up so that no item is deleted too early.
      expires_at_epoch: Math.ceil(job.expiresAt / 1000),
      total: job.total ?? undefined,
      done: job.done,
      failed: job.failed,
      callback: job.callback ?? undefined,
      base_path: job.basePath,
      template_id: job.templateId ?? undefined,
      by: job.by ?? undefined,
    },
    { removeUndefinedValues: true },
  );
}

export function fromItem(item: Item): JobRecord {
  const value = unmarshall(item) as Partial<JobRecord> & {
    created_at: number;
    started_at?: number;
    finished_at?: number;
    expires_at: number;
    failures?: string;
    problem?: string;
    base_path?: string;
    template_id?: string;
  };
  return {
    id: String(value.id),
    tenant: String(value.tenant),
    operation: String(value.operation),
    group: value.group ?? 'service',
    batch: value.batch === true,
    state: value.state ?? 'failed',
    createdAt: value.created_at,
    startedAt: value.started_at ?? null,
    finishedAt: value.finished_at ?? null,
    expiresAt: value.expires_at,
    total: value.total ?? null,
    done: value.done ?? 0,
    failed: value.failed ?? 0,
    bytes: 0,
    failures: value.failures === undefined ? [] : (JSON.parse(value.failures) as RecordFailure[]),
    problem: value.problem === undefined ? null : (JSON.parse(value.problem) as ProblemJson),
    result: value.result ?? null,
    callback: value.callback ?? null,
    // A job of an earlier release has none.
    basePath: value.base_path ?? '',
    templateId: value.template_id ?? null,
    by: value.by ?? null,
  };
}
