import { randomUUID } from 'node:crypto';
import { QueryCommand } from '@aws-sdk/client-dynamodb';
import { Readable } from 'node:stream';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { dynamoClient } from '../../functions/shared/store/storage/dynamodb.ts';
import {
  IdempotencyStore,
  KEY_LIFETIME_MS,
  type Claim,
} from '../../functions/shared/store/jobs/idempotency.ts';
import { newJobId } from '../../functions/shared/store/storage/ids.ts';
import type { JobRecord } from '../../functions/shared/store/jobs/record.ts';
import { JobStore } from '../../functions/shared/store/jobs.ts';
import { Sealer } from '../../functions/shared/store/storage/sealing.ts';
import { webhookSecret } from '../../functions/jobs/webhook-secrets.ts';
import { type EmbeddedStorage, startEmbeddedStorage } from '../store/embedded.ts';

/** Jobs and keys over the real protocols of DynamoDB and S3. */

const DAY = 24 * 60 * 60 * 1000;

const sealer = new Sealer(async () => 'the secret of a deployment');

let storage: EmbeddedStorage;
let now: number;
let store: JobStore;
let keys: IdempotencyStore;
beforeAll(async () => {
  storage = await startEmbeddedStorage();
});
afterAll(() => storage.stop());
beforeEach(() => {
  now = Date.parse('2026-11-21T12:00:00Z');
  const clock = () => now;
  const { table, bucket } = storage;
  store = new JobStore({ table, bucket, lifetime: 7 * DAY, sealer, clock });
  keys = new IdempotencyStore({ table, bucket, sealer, clock });
});

const create = async (more: Partial<Parameters<JobStore['create']>[0]> = {}): Promise<JobRecord> =>
  await store.create({
    id: newJobId(),
    tenant: randomUUID(),
    operation: 'renderTemplateBatch',
    group: 'render',
    batch: true,
    callbackUrl: null,
    by: null,
    basePath: '/live',
    templateId: 'a-template',
    ...more,
  });

describe('a job', () => {
  it('is found as it was made, by its tenant alone', async () => {
    const job = await create({ callbackUrl: 'https://example.org/' });
    expect(await store.get(job.tenant, job.id)).toEqual(job);
    expect(job).toMatchObject({ state: 'queued', total: null, callback: { state: 'pending', attempts: [] } });
    expect(await store.get('another', job.id)).toBeNull();
    expect(await store.list('another', 10)).toEqual([]);
  });

  it('does not exist after its expiry, even before it is deleted', async () => {
    const job = await create();
    now += 7 * DAY - 1;
    expect(await store.get(job.tenant, job.id)).not.toBeNull();
    now += 1;
    expect(await store.get(job.tenant, job.id)).toBeNull();
    expect(await store.list(job.tenant, 10)).toEqual([]);
  });

  it('counts each part once, in any order and with repeated reports', async () => {
    const job = await create();
    await store.setTotal(job.tenant, job.id, 30_000);
    const parts = [0, 1, 499, 500, 1_199];
    await Promise.all(
      [...parts, ...parts, ...parts].map((part) =>
        store.countPart(job, part, { done: 20, failed: 5, bytes: 1_000 }),
      ),
    );
    expect(await store.get(job.tenant, job.id)).toMatchObject({
      done: 100,
      failed: 25,
      bytes: 5_000,
      total: 30_000,
    });
    expect((await store.list(job.tenant, 10))[0]).toMatchObject({ done: 100, failed: 25 });
  });

  it('is not changed by late writes after it has ended', async () => {
    const job = await create({ batch: false });
    expect(await store.begin(job.tenant, job.id)).toMatchObject({ state: 'running', startedAt: now });
    expect(await store.settle(job.tenant, job.id, 'cancelled')).toMatchObject({ state: 'cancelled' });
    await store.noteResult(job.tenant, job.id, { result: { file: 'result', size: 1, headers: {} }, done: 1 });
    expect(await store.begin(job.tenant, job.id)).toBeNull();
    expect(await store.settle(job.tenant, job.id, 'succeeded')).toBeNull();
    expect(await store.get(job.tenant, job.id)).toMatchObject({ state: 'cancelled', result: null });
  });

  it('keeps the time at which its work began, however often it begins', async () => {
    const job = await create();
    await store.begin(job.tenant, job.id);
    now += 1000;
    expect(await store.begin(job.tenant, job.id)).toMatchObject({ startedAt: now - 1000 });
  });

  it('is deleted with all its files, and no others', async () => {
    const [job, other] = [await create({ tenant: 'files' }), await create({ tenant: 'files' })];
    for (const { id } of [job, other]) await store.files.put('files', id, 'parts/0', Buffer.from(id));
    await store.remove(job);
    expect(await store.files.read('files', job.id, 'parts/0')).toBeNull();
    expect((await store.files.read('files', other.id, 'parts/0'))?.toString()).toBe(other.id);
    expect(await store.get('files', job.id)).toBeNull();
  });

  it('accepts a result of any length from a stream, and fails with the error of the stream', async () => {
    const job = await create();
    const piece = Buffer.alloc(1024 * 1024, 7);
    async function* stream(fail: boolean) {
      for (let i = 0; i < 40; i += 1) yield piece;
      if (fail) throw new Error('the engine died');
    }
    const size = await store.files.putStream(job.tenant, job.id, 'result', Readable.from(stream(false)));
    expect(size).toBe(40 * piece.length);
    expect((await store.files.read(job.tenant, job.id, 'result'))?.length).toBe(size);
    const broken = store.files.putStream(job.tenant, job.id, 'broken', Readable.from(stream(true)));
    await expect(broken).rejects.toThrow('the engine died');
    expect(await store.files.read(job.tenant, job.id, 'broken')).toBeNull();
  });
});

describe('a key', () => {
  const claimOf = (more: Partial<Claim> = {}): Claim => ({
    key: randomUUID(),
    tenant: 'acme',
    fingerprint: 'request',
    lock: randomUUID(),
    ...more,
  });

  it('keeps a fingerprint of its request that cannot be checked without the secret', async () => {
    const claim = claimOf({ tenant: randomUUID(), fingerprint: 'a hash of a request with a password' });
    await keys.claim(claim, 1_000);
    const { Items = [] } = await dynamoClient().send(
      new QueryCommand({
        TableName: storage.table,
        KeyConditionExpression: 'pk = :pk',
        ExpressionAttributeValues: { ':pk': { S: `TENANT#${claim.tenant}` } },
      }),
    );
    expect(Items[0]?.['fingerprint']?.S).toMatch(/^[0-9a-f]{64}$/);
    expect(JSON.stringify(Items)).not.toContain(claim.fingerprint);
    const elsewhere = new Sealer(async () => 'another secret');
    expect(Items[0]?.['fingerprint']?.S).not.toBe(await elsewhere.fingerprint(claim.fingerprint));
    expect(Items[0]?.['fingerprint']?.S).toBe(await sealer.fingerprint(claim.fingerprint));
  });
  const text = (answer: string) => ({
    status: 200,
    headers: { 'content-type': 'text/plain' },
    body: Readable.from([Buffer.from(answer)]),
  });

  it('is locked while its request runs, and returns the answer after that, for a day', async () => {
    const claim = claimOf();
    expect(await keys.claim(claim, 1000)).toBeNull();
    await expect(keys.claim(claimOf({ key: claim.key }), 1000)).rejects.toMatchObject({
      code: 'request_in_progress',
    });
    await keys.keepDocument(claim, text('hello'));
    const again = await keys.claim(claimOf({ key: claim.key }), 1000);
    expect(again).toMatchObject({ kind: 'document', headers: { 'content-length': '5' } });
    const body = again?.kind === 'document' ? await keys.open(again.body) : null;
    expect(Buffer.concat((await body?.toArray()) as Buffer[]).toString()).toBe('hello');
    now += KEY_LIFETIME_MS;
    expect(await keys.claim(claimOf({ key: claim.key, fingerprint: 'another' }), 1000)).toBeNull();
  });

  it('is refused for another request', async () => {
    const claim = claimOf();
    await keys.claim(claim, 1000);
    await expect(keys.claim(claimOf({ key: claim.key, fingerprint: 'another' }), 1000)).rejects.toMatchObject(
      { code: 'idempotency_key_reused' },
    );
  });

  it('is another one for another tenant', async () => {
    const claim = claimOf();
    await keys.claim(claim, 1000);
    expect(await keys.claim(claimOf({ key: claim.key, tenant: 'other' }), 1000)).toBeNull();
  });

  it('expires at its deadline if its function crashed, and a later response of that function is ignored', async () => {
    const dead = claimOf();
    await keys.claim(dead, 1000);
    now += 1000;
    const next = claimOf({ key: dead.key });
    expect(await keys.claim(next, 1000)).toBeNull();
    await keys.keepJob(next, 'second');
    await keys.keepJob(dead, 'first');
    await keys.release(dead);
    expect(await keys.claim(claimOf({ key: dead.key }), 1000)).toEqual({ kind: 'job', id: 'second' });
  });

  it('is claimed by one of many at once', async () => {
    const key = randomUUID();
    const outcomes = await Promise.allSettled(
      Array.from({ length: 10 }, () => keys.claim(claimOf({ key }), 1000)),
    );
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  });

  it('is free again when it is released', async () => {
    const claim = claimOf();
    await keys.claim(claim, 1000);
    await keys.release(claim);
    expect(await keys.claim(claimOf({ key: claim.key, fingerprint: 'another' }), 1000)).toBeNull();
  });
});

it('the secret of a tenant is made once, and is its own', async () => {
  const secrets = await Promise.all(Array.from({ length: 5 }, () => webhookSecret(storage.table, 'acme')));
  expect(new Set(secrets).size).toBe(1);
  expect(secrets[0]).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
  expect(await webhookSecret(storage.table, 'other')).not.toBe(secrets[0]);
});
