import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, expect, it, vi } from 'vitest';
import { MAX_INLINE_BYTES, transferResult } from '../../functions/shared/hand-over/result.ts';
import { throughTransfers } from '../../functions/shared/hand-over/transfers.ts';
import { ObjectStore } from '../../functions/shared/store/storage/objects.ts';
import { type EmbeddedStorage, startEmbeddedStorage } from './embedded.ts';

/** Results of other functions that pass through the bucket, over the real protocol of S3. */

let storage: EmbeddedStorage;
beforeAll(async () => {
  storage = await startEmbeddedStorage();
});
afterAll(() => storage.stop());
afterEach(() => vi.useRealTimers());

const LARGE = MAX_INLINE_BYTES + 1;

/** Hands a large result over as another function does, and returns it with its address. */
async function handOver(fill: number): Promise<{ url: string; bytes: Uint8Array }> {
  return await throughTransfers(storage.bucket, async (transfers) => {
    const url = await transfers.resultUrl();
    const answer = await transferResult(Buffer.alloc(LARGE, fill), url);
    return { url, bytes: await transfers.handedOver(answer) };
  });
}

it('each has an address of its own, also those whose address was signed in advance', async () => {
  const addresses = new Set<string>();
  for (let fill = 1; fill <= 4; fill += 1) {
    const { url, bytes } = await handOver(fill);
    expect(bytes.length).toBe(LARGE);
    expect(bytes.every((byte) => byte === fill)).toBe(true);
    expect((await fetch(url, { method: 'PUT', body: 'late' })).status).toBe(200);
    addresses.add(new URL(url).pathname);
    // The next address is signed meanwhile.
    if (fill % 2 === 0) await wait(50);
  }
  expect(addresses.size).toBe(4);
});

it('an address that was signed long ago is not used, as after a freeze by Lambda', async () => {
  const signedAt = (url: string): string | null => new URL(url).searchParams.get('X-Amz-Date');
  await handOver(1);
  await wait(50);
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 10 * 60_000 });
  const { url } = await throughTransfers(storage.bucket, async (transfers) => ({
    url: await transfers.resultUrl(),
  }));
  const now = new Date().toISOString().slice(0, 15).replace(/[-:]/g, '');
  expect(signedAt(url)?.slice(0, now.length)).toBe(now);
});

it('an object is removed when its result was taken', async () => {
  const { url } = await handOver(5);
  const key = decodeURIComponent(new URL(url).pathname).replace(/^\/[^/]*\/?(?=transfers\/)/, '');
  expect(key).toMatch(/^transfers\/[\w-]+\/result$/);
  expect(await new ObjectStore(storage.bucket).read(key)).toBeNull();
});
