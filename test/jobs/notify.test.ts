import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { notifyReceiver, signature } from '../../functions/jobs/notify.ts';
import { ByteReader } from '../../functions/render/byte-reader.ts';
import { createFetcher } from '../../functions/shared/fetcher/index.ts';
import { setLogLevel } from '../../functions/shared/log.ts';
import { newJobId } from '../../functions/shared/store/ids.ts';
import { JobStore } from '../../functions/shared/store/jobs.ts';
import { type EmbeddedStorage, startEmbeddedStorage } from '../store/embedded.ts';

/** One call of a receiver. When there is another one, the state machine says. */

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

async function call(path: string, isAllowedAddress?: (address: string) => boolean) {
  const { id, tenant } = await store.create({
    id: newJobId(),
    tenant: 'acme',
    operation: 'renderNow',
    group: 'render',
    batch: false,
    callbackUrl: `${base}${path}`,
  });
  const fetcher = createFetcher({ outside: 'open', ...(isAllowedAddress ? { isAllowedAddress } : {}) });
  const event = { step: 'notify' as const, job: { tenant, id } };
  const services = { store, fetcher, secret: async () => 'secret' };
  const outcome = await notifyReceiver(event, services).then(
    () => 'delivered',
    (error: unknown) => (error as Error).name,
  );
  return {
    outcome,
    callback: (await store.get(tenant, id))?.callback,
    again: () => notifyReceiver(event, services),
  };
}

describe('a receiver', () => {
  it('on this machine is not called, though its name gave no hint (decision 22)', async () => {
    const { outcome, callback } = await call('/private');
    expect(outcome).toBe('NotDelivered');
    expect(callback).toMatchObject({ state: 'pending', attempts: [{ status: null }] });
    expect(callback?.attempts[0]?.error).toContain('not public');
    expect(hits).not.toContain('POST /private');
  });

  it('that sends the call elsewhere has not taken it, and nobody else is called', async () => {
    const { outcome, callback } = await call('/moved', () => true);
    expect(outcome).toBe('NotDelivered');
    expect(callback?.attempts).toMatchObject([{ status: 307 }]);
    expect(hits).not.toContain('POST /elsewhere');
  });

  it('that has taken the call is not called again', async () => {
    const { outcome, callback, again } = await call('/good', () => true);
    expect(outcome).toBe('delivered');
    expect(callback).toMatchObject({ state: 'delivered', attempts: [{ status: 200, error: null }] });
    await again();
    expect(hits.filter((hit) => hit === 'POST /good')).toHaveLength(1);
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

  it('that are cut off are an error', async () => {
    await expect(take(reader('abc'), 4)).rejects.toThrow('too early');
  });
});
