import {
  paginateScan,
  PutItemCommand,
  QueryCommand,
  UpdateItemCommand,
  type UpdateItemCommandInput,
} from '@aws-sdk/client-dynamodb';
import { marshall } from '@aws-sdk/util-dynamodb';
import type { JobState, ProblemJson } from '@platen/contract/resources';
import { dynamoClient, isNamed, storageCall } from './storage/dynamodb.ts';
import { isJobId } from './storage/ids.ts';
import { deleteItem, type Item, readItem, tenantItems } from './storage/items.ts';
import { JobFiles } from './jobs/files.ts';
import { fromItem, jobKey, progressKey, toItem } from './jobs/items.ts';
import {
  ACTIVE,
  type CallbackAttempt,
  type CallbackState,
  type JobRecord,
  type JobResult,
  MAX_FAILURES,
  type RecordFailure,
  REPORT_FILE,
} from './jobs/record.ts';
import type { Sealer } from './storage/sealing.ts';

/**
 * Jobs (I-36): one item for each in a table of their own, whose items expire, and their files in S3. The
 * progress of a batch is counted in separate items, each for some hundred parts, which record the counted
 * parts: a repeated part counts once, even after a crash.
 *
 * Every method throws PlatenError `storage_unavailable` when DynamoDB or S3 fails.
 */

/** Parts that one progress item counts: small enough to be written often, few enough to be read at once. */
const PARTS_PER_ITEM = 500;

const CONDITION_FAILED = 'ConditionalCheckFailedException';

export interface JobStoreConfig {
  table: string;
  bucket: string;
  /** How long a job and its files are stored after its creation, ms. */
  lifetime: number;
  /** Encrypts the files of jobs, for callers that create or run jobs. */
  sealer?: Sealer;
  clock?: () => number;
}

export class JobStore {
  readonly files: JobFiles;
  readonly #table: string;
  readonly #lifetime: number;
  readonly #now: () => number;

  constructor({ table, bucket, lifetime, sealer, clock = Date.now }: JobStoreConfig) {
    this.files = new JobFiles(bucket, sealer ?? null);
    this.#table = table;
    this.#lifetime = lifetime;
    this.#now = clock;
  }

  /** Stores a new job. */
  async create(
    job: Pick<
      JobRecord,
      'id' | 'tenant' | 'operation' | 'group' | 'batch' | 'basePath' | 'templateId' | 'by'
    > & {
      callbackUrl: string | null;
    },
  ): Promise<JobRecord> {
    const { callbackUrl, ...rest } = job;
    const now = this.#now();
    const record: JobRecord = {
      ...rest,
      state: 'queued',
      createdAt: now,
      startedAt: null,
      finishedAt: null,
      expiresAt: now + this.#lifetime,
      total: job.batch ? null : 1,
      done: 0,
      failed: 0,
      bytes: 0,
      failures: [],
      problem: null,
      result: null,
      callback: callbackUrl === null ? null : { url: callbackUrl, state: 'pending', attempts: [] },
    };
    const Item = { ...jobKey(job.tenant, job.id), ...toItem(record) };
    await storageCall(() => dynamoClient().send(new PutItemCommand({ TableName: this.#table, Item })));
    return record;
  }

  /** Returns a job with its progress, strongly consistent; null when there is none, or it has expired. */
  async get(tenant: string, id: string): Promise<JobRecord | null> {
    if (!isJobId(id)) return null;
    const item = await readItem(this.#table, jobKey(tenant, id));
    if (item === undefined) return null;
    const job = fromItem(item);
    if (job.expiresAt <= this.#now()) return null;
    return await this.#withProgress(job);
  }

  /**
   * Returns a tenant's jobs, newest first.
   *
   * @param which.wanted returns whether a job is listed; all of them when absent
   * @param which.after id of a job, which may be gone; only older ones are listed
   */
  async list(
    tenant: string,
    limit: number,
    {
      wanted = () => true,
      after = null,
    }: { wanted?: (job: JobRecord) => boolean; after?: string | null } = {},
  ): Promise<JobRecord[]> {
    const jobs: JobRecord[] = [];
    const query = { prefix: 'JOB#', limit, after: after === null ? null : jobKey(tenant, after) };
    for await (const items of tenantItems(this.#table, tenant, query)) {
      const found = items.map(fromItem).filter((job) => job.expiresAt > this.#now() && wanted(job));
      const taken = found.slice(0, limit - jobs.length);
      jobs.push(...(await Promise.all(taken.map((job) => this.#withProgress(job)))));
      if (jobs.length >= limit) break;
    }
    return jobs;
  }

  /** Records the start of the work. @returns the job; null when there is nothing left to do */
  async begin(tenant: string, id: string): Promise<JobRecord | null> {
    return await this.#update(
      tenant,
      id,
      'SET #state = :running, started_at = if_not_exists(started_at, :now)',
      { ':running': 'running', ':now': this.#now() },
    );
  }

  async setTotal(tenant: string, id: string, total: number): Promise<void> {
    await this.#update(tenant, id, 'SET #total = :total', { ':total': total }, { '#total': 'total' });
  }

  /** Records the result, before the job is settled. */
  async noteResult(
    tenant: string,
    id: string,
    {
      result,
      done,
      failed = 0,
      failures = [],
    }: {
      result: JobResult;
      done: number;
      failed?: number;
      failures?: readonly RecordFailure[];
    },
  ): Promise<void> {
    await this.#update(
      tenant,
      id,
      'SET #result = :result, done = :done, failed = :failed, failures = :failures',
      {
        ':result': result,
        ':done': done,
        ':failed': failed,
        ':failures': JSON.stringify(failures.slice(0, MAX_FAILURES)),
      },
      { '#result': 'result' },
    );
  }

  /** Records why it cannot succeed, before it is settled. */
  async noteProblem(
    tenant: string,
    id: string,
    problem: ProblemJson,
    progress?: { done: number; failed: number; failures: readonly RecordFailure[] },
  ): Promise<void> {
    const counts = progress && {
      ':done': progress.done,
      ':failed': progress.failed,
      ':failures': JSON.stringify(progress.failures.slice(0, MAX_FAILURES)),
    };
    await this.#update(
      tenant,
      id,
      `SET problem = :problem${counts ? ', done = :done, failed = :failed, failures = :failures' : ''}`,
      { ':problem': JSON.stringify(problem), ...counts },
    );
  }

  /** Ends a job that has not ended. @returns the job in its new state; null when it had ended before */
  async settle(
    tenant: string,
    id: string,
    state: JobState,
    problem?: ProblemJson,
  ): Promise<JobRecord | null> {
    return await this.#update(
      tenant,
      id,
      `SET #state = :state, finished_at = :now${problem ? ', problem = :problem' : ''}`,
      {
        ':state': state,
        ':now': this.#now(),
        ...(problem ? { ':problem': JSON.stringify(problem) } : {}),
      },
    );
  }

  /** Counts a part of a batch, once for repeated calls. */
  async countPart(
    job: Pick<JobRecord, 'tenant' | 'id' | 'expiresAt'>,
    part: number,
    { done, failed, bytes }: { done: number; failed: number; bytes: number },
  ): Promise<void> {
    const command = new UpdateItemCommand({
      TableName: this.#table,
      Key: progressKey(job.tenant, job.id, Math.floor(part / PARTS_PER_ITEM)),
      UpdateExpression:
        'ADD counted :part, done :done, failed :failed, bytes :bytes SET expires_at_epoch = :expires',
      ConditionExpression: 'attribute_not_exists(counted) OR NOT contains(counted, :number)',
      ExpressionAttributeValues: {
        ':part': { NS: [String(part)] },
        ':number': { N: String(part) },
        ':done': { N: String(done) },
        ':failed': { N: String(failed) },
        ':bytes': { N: String(bytes) },
        ':expires': { N: String(Math.ceil(job.expiresAt / 1000)) },
      },
    });
    await this.#conditional(command);
  }

  /** Records one call of the receiver, and the resulting state. */
  async noteAttempt(
    tenant: string,
    id: string,
    attempt: CallbackAttempt,
    state: CallbackState,
  ): Promise<void> {
    const command = this.#command(
      tenant,
      id,
      'SET callback.attempts = list_append(callback.attempts, :attempt), callback.#state = :outcome',
      { ':attempt': [attempt], ':outcome': state },
      { '#state': 'state' },
      'attribute_exists(pk)',
    );
    await this.#conditional(command);
  }

  /**
   * Yields the jobs of all tenants that have work left: those that have not ended, and those that were cancelled,
   * since their work may have written files after that.
   */
  async *unsettled(): AsyncGenerator<JobRecord> {
    const states: readonly JobState[] = [...ACTIVE, 'cancelled'];
    const values = Object.fromEntries(states.map((state) => [`:${state}`, { S: state }]));
    const pages = paginateScan(
      { client: dynamoClient() },
      {
        TableName: this.#table,
        FilterExpression: `begins_with(sk, :job) AND #state IN (${Object.keys(values).join(', ')})`,
        ExpressionAttributeNames: { '#state': 'state' },
        ExpressionAttributeValues: { ...values, ':job': { S: 'JOB#' } },
        ConsistentRead: true,
      },
    );
    for (;;) {
      const { done, value } = await storageCall(() => pages.next());
      if (done === true) return;
      yield* (value.Items ?? []).map(fromItem).filter((job) => job.expiresAt > this.#now());
    }
  }

  /**
   * Deletes what the work of a job has written: all files, without the result of a job that has succeeded and its
   * report. It has no effect on a job that has not ended.
   */
  async removeWork(tenant: string, id: string): Promise<void> {
    const item = await readItem(this.#table, jobKey(tenant, id));
    const job = item === undefined ? null : fromItem(item);
    if (job !== null && ACTIVE.includes(job.state)) return;
    const kept = job?.state === 'succeeded' && job.result !== null ? [job.result.file, REPORT_FILE] : [];
    await this.files.deleteAll(tenant, id, kept);
  }

  /** Deletes a job with its files; a missing one is no error. */
  async remove({ tenant, id }: JobRecord): Promise<void> {
    await this.files.deleteAll(tenant, id);
    await deleteItem(this.#table, jobKey(tenant, id));
  }

  /** Changes a job that has not ended. @returns the changed job; null when there is none, or it has ended */
  async #update(
    tenant: string,
    id: string,
    expression: string,
    values: Record<string, unknown>,
    names: Record<string, string> = {},
  ): Promise<JobRecord | null> {
    const active = Object.fromEntries(ACTIVE.map((state) => [`:${state}`, state]));
    const command = this.#command(
      tenant,
      id,
      expression,
      { ...values, ...active },
      { ...names, '#state': 'state' },
      `#state IN (${ACTIVE.map((state) => `:${state}`).join(', ')})`,
    );
    const item = await this.#conditional(command);
    return item ? await this.#withProgress(fromItem(item)) : null;
  }

  #command(
    tenant: string,
    id: string,
    expression: string,
    values: Record<string, unknown>,
    names: Record<string, string>,
    condition: string,
  ): UpdateItemCommand {
    const input: UpdateItemCommandInput = {
      TableName: this.#table,
      Key: jobKey(tenant, id),
      UpdateExpression: expression,
      ConditionExpression: condition,
      ExpressionAttributeNames: names,
      ExpressionAttributeValues: marshall(values, { removeUndefinedValues: true }),
      ReturnValues: 'ALL_NEW',
    };
    return new UpdateItemCommand(input);
  }

  /** @returns the changed item; null when its condition was false */
  async #conditional(command: UpdateItemCommand): Promise<Item | null> {
    try {
      const { Attributes } = await storageCall(() => dynamoClient().send(command), [CONDITION_FAILED]);
      return Attributes ?? null;
    } catch (error) {
      if (isNamed(error, CONDITION_FAILED)) return null;
      throw error;
    }
  }

  /** The progress of a running batch is that of its parts. */
  async #withProgress(job: JobRecord): Promise<JobRecord> {
    // A finished batch has the final counts itself.
    if (!job.batch || job.total === null || job.done > 0 || job.failed > 0) return job;
    const command = new QueryCommand({
      TableName: this.#table,
      KeyConditionExpression: 'pk = :pk AND begins_with(sk, :sk)',
      ExpressionAttributeValues: {
        ':pk': { S: `TENANT#${job.tenant}` },
        ':sk': { S: `PROGRESS#${job.id}#` },
      },
      ProjectionExpression: 'done, failed, #bytes',
      ExpressionAttributeNames: { '#bytes': 'bytes' },
      ConsistentRead: true,
    });
    const { Items = [] } = await storageCall(() => dynamoClient().send(command));
    const sum = (name: string): number => Items.reduce((all, item) => all + Number(item[name]?.N ?? 0), 0);
    return { ...job, done: sum('done'), failed: sum('failed'), bytes: sum('bytes') };
  }
}
