import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { workOnMessages } from '../../functions/jobs/messages.ts';
import { notifyReceiver, signature } from '../../functions/jobs/notify.ts';
import { ByteReader } from '../../functions/render/byte-reader.ts';
import { MAX_CALLS } from '../../packages/contract/src/callbacks.ts';
import { createFetcher } from '../../packages/print/src/fetcher/index.ts';
import { setLogLevel } from '../../functions/shared/log.ts';
import { newJobId } from '../../functions/shared/store/storage/ids.ts';
import type { JobRecord } from '../../functions/shared/store/jobs/record.ts';
import { JobStore } from '../../functions/shared/store/jobs.ts';
import { type EmbeddedStorage, startEmbeddedStorage } from '../store/embedded.ts';

/** One call of a receiver. When there is another one, the queue is told. */

const hits: string[] = [];
const receiver = createServer((request, response) => {
  request.resume();
  hits.push(`${request.method} ${request.url}`);
  const headers = request.url === '/moved' ? { location: '/elsewhere' } : {};
  response.writeHead(request.url === '/moved' ? 307 : 200, headers).end('thank you');
});
let storage: EmbeddedStorage;
let store: JobStore;
let base: string;

beforeAll(async () => {
  setLogLevel('silent');
  storage = await startEmbeddedStorage();
  store = new JobStore({ table: storage.table, bucket: storage.bucket, lifetime: 1_000_000 });
  receiver.listen(0, '127.0.0.1');
  await once(receiver, 'listening');
  base = `http://localhost:${(receiver.address() as AddressInfo).port}`;
});
afterAll(async () => {
  receiver.close();
  await storage.stop();
});

function createJob(path: string): Promise<JobRecord> {
  return store.create({
    id: newJobId(),
    tenant: 'acme',
    operation: 'renderNow',
    group: 'render',
    batch: false,
    callbackUrl: `${base}${path}`,
    basePath: '/live',
    templateId: null,
    by: null,
  });
}

async function call(path: string, isAllowedAddress?: (address: string) => boolean, last = false) {
  const { id, tenant } = await createJob(path);
  const fetcher = createFetcher({ outside: 'open', ...(isAllowedAddress ? { isAllowedAddress } : {}) });
  const services = { store, fetcher, secret: async () => 'secret', last };
  const done = await notifyReceiver({ tenant, id }, services);
  return {
    done,
    callback: (await store.get(tenant, id))?.callback,
    again: () => notifyReceiver({ tenant, id }, services),
  };
}

describe('a receiver', () => {
  it('on this machine is not called, though its name gave no hint (I-22)', async () => {
    const { done, callback } = await call('/private');
    expect(done).toBe(false);
    expect(callback).toMatchObject({ state: 'pending', attempts: [{ status: null }] });
    expect(callback?.attempts[0]?.error).toContain('not public');
    expect(hits).not.toContain('POST /private');
  });

  it('has not accepted the call if it redirects it, and no other host is called', async () => {
    const { done, callback } = await call('/moved', () => true);
    expect(done).toBe(false);
    expect(callback?.attempts).toMatchObject([{ status: 307 }]);
    expect(hits).not.toContain('POST /elsewhere');
  });

  it('is not called again after it has accepted the call', async () => {
    const { done, callback, again } = await call('/good', () => true);
    expect(done).toBe(true);
    expect(callback).toMatchObject({ state: 'delivered', attempts: [{ status: 200, error: null }] });
    expect(await again()).toBe(true);
    expect(hits.filter((hit) => hit === 'POST /good')).toHaveLength(1);
  });

  it('is given up if it has not accepted the last call, and the job records it', async () => {
    const { done, callback } = await call('/moved', () => true, true);
    expect(done).toBe(false);
    expect(callback).toMatchObject({ state: 'failed', attempts: [{ status: 307 }] });
  });
});

describe('messages of the queue', () => {
  const message = (id: string, body: string, receives = 1) => ({
    messageId: id,
    receiptHandle: `receipt of ${id}`,
    body,
    attributes: { ApproximateReceiveCount: String(receives) },
  });

  async function work(paths: readonly string[], receives = 1, postponing?: () => Promise<void>) {
    const postponed: [string, number][] = [];
    const jobs = await Promise.all(paths.map((path) => createJob(path)));
    const messages = jobs.map(({ tenant, id }, i) =>
      message(String(i), JSON.stringify({ tenant, id }), receives),
    );
    const services = {
      store,
      fetcher: createFetcher({ outside: 'open', isAllowedAddress: () => true }),
      secret: async () => 'secret',
      postpone: async (receipt: string, seconds: number) => {
        postponed.push([receipt, seconds]);
        await postponing?.();
      },
    };
    const left = await workOnMessages([...messages, message('odd', 'not JSON', receives)], services);
    return { left: left.batchItemFailures.map(({ itemIdentifier }) => itemIdentifier), postponed, jobs };
  }

  it('are done if the receiver accepted the call; each of the others is retried by itself', async () => {
    const { left, postponed } = await work(['/good', '/moved']);
    expect(left).toEqual(['1', 'odd']);
    expect(postponed).toEqual([['receipt of 1', 10]]);
  });

  it('are retried after growing pauses, and immediately after the last call, which marks it as failed', async () => {
    const pauses: (number | undefined)[] = [];
    for (let call = 1; call <= MAX_CALLS; call += 1) {
      const { postponed, jobs } = await work(['/moved'], call);
      pauses.push(postponed[0]?.[1]);
      const state = (await store.get('acme', jobs[0]?.id ?? ''))?.callback?.state;
      expect(state).toBe(call === MAX_CALLS ? 'failed' : 'pending');
    }
    expect(pauses).toEqual([10, 40, 160, 640, 2560, 3600, 3600, 3600, 0]);
  });

  it('are retried too if the queue does not answer', async () => {
    const { left } = await work(['/moved'], 1, async () => {
      throw new Error('no way to the queue');
    });
    expect(left).toEqual(['0', 'odd']);
  });
});

it('the signature is the HMAC-SHA256 of time and body, as any other program computes it', () => {
  // printf '%s' '1795262400.{"a":1}' | openssl dgst -sha256 -hmac secret
  expect(signature('secret', 1_795_262_400, '{"a":1}')).toBe(
    't=1795262400,v1=fb0c249f3cb698b71b78fc02a33be75071124f64c8f8cb1544735b519c649c17',
  );
});

describe('documents of a part', () => {
  const reader = (...chunks: string[]) =>
    new ByteReader(Readable.from(chunks.map((chunk) => Buffer.from(chunk))));
  const take = async (from: ByteReader, size: number): Promise<string> => {
    const pieces: Buffer[] = [];
    for await (const piece of from.take(size)) pieces.push(piece);
    return Buffer.concat(pieces).toString();
  };

  it('are read one after the other, wherever the pieces they come in are cut', async () => {
    const from = reader('ab', 'c', 'defgh', 'i');
    expect([await take(from, 1), await take(from, 3), await take(from, 0), await take(from, 5)]).toEqual([
      'a',
      'bcd',
      '',
      'efghi',
    ]);
  });

  it('are an error if they are cut off', async () => {
    await expect(take(reader('abc'), 4)).rejects.toThrow('too early');
  });
});
