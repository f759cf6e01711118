import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { setLogLevel } from '../../functions/shared/log.ts';
import { itemReader } from '../../functions/shared/store/item-reader.ts';
import { Revisions } from '../../functions/shared/store/tenant-files/revisions.ts';
import { templateKey } from '../../functions/shared/store/templates/keys.ts';
import { tenantRevisionKey } from '../../functions/shared/store/tenant-files/keys.ts';
import { TenantFiles } from '../../functions/shared/store/tenant-files.ts';
import { type EmbeddedStorage, startEmbeddedStorage } from './embedded.ts';
import { failingBefore, intercepting } from './faults.ts';

/** What a warm function knows of a tenant's files: not read again while nothing changed, and never out of date (I-40). */

let storage: EmbeddedStorage;
beforeAll(async () => {
  storage = await startEmbeddedStorage();
  setLogLevel('silent');
});
afterAll(() => storage.stop());

const files = () => new TenantFiles('fonts', storage);
const bytes = (text: string) => ({ bytes: Buffer.from(text), contentType: 'font/ttf' });
const names = async (store: TenantFiles, tenant: string): Promise<string[]> =>
  (await store.current(tenant)).map(({ name }) => name);

/** Names of the commands that DynamoDB is sent. */
async function commandsOf(work: () => Promise<unknown>): Promise<string[]> {
  const sent: string[] = [];
  await intercepting(
    'dynamo',
    async (command, send) => {
      sent.push(command.replace(/Command$/, ''));
      return await send();
    },
    work,
  );
  return sent;
}

describe('a list of fonts', () => {
  it('is read once, and again as soon as anything has changed, for each tenant', async () => {
    const [warm, other] = [files(), files()];
    await other.put('a', 'one.ttf', bytes('1'));
    expect(await commandsOf(() => warm.current('a'))).toEqual(['GetItem', 'Query']);
    expect(await commandsOf(() => warm.current('a'))).toEqual(['GetItem']);
    expect(await names(warm, 'b')).toEqual([]);
    await other.put('a', 'two.ttf', bytes('2'));
    expect(await names(warm, 'a')).toEqual(['one.ttf', 'two.ttf']);
    const [before] = await warm.current('a');
    await other.put('a', 'one.ttf', bytes('3'));
    const [after] = await warm.current('a');
    expect(after?.mark).not.toBe(before?.mark);
    await other.remove('a', 'one.ttf');
    expect(await names(warm, 'a')).toEqual(['two.ttf']);
    expect(await commandsOf(() => warm.current('b'))).toEqual(['GetItem']);
  });

  it('is correct for a reader before a write that was killed at any point', async () => {
    const revisions = new Revisions(storage.table, (tenant) => tenantRevisionKey(tenant, 'fonts'));
    vi.useFakeTimers({ toFake: ['Date'] });
    try {
      let n = 1;
      for (let died = true; died; n += 1) {
        const [warm, cold, tenant] = [files(), files(), `killed-${n}`];
        await warm.current(tenant);
        const before = await revisions.now(tenant);
        died = await failingBefore(n, () => files().put(tenant, 'one.ttf', bytes('1')));
        const seen = await names(cold, tenant);
        expect(await names(warm, tenant), `at once after write ${n}`).toEqual(seen);
        vi.setSystemTime(Date.now() + 150_000);
        const after = await revisions.now(tenant);
        expect(after, `nobody waits for write ${n}`).not.toBeNull();
        if (seen.length > 0) expect(after).not.toBe(before);
        expect(await names(warm, tenant), `later after write ${n}`).toEqual(seen);
        await files().put(tenant, 'two.ttf', bytes('2'));
        expect(await names(warm, tenant)).toEqual([...seen, 'two.ttf']);
        if (!died) expect(seen).toEqual(['one.ttf']);
      }
      expect(n).toBe(6);
    } finally {
      vi.useRealTimers();
    }
  });

  it('is read again while a write is in progress, and shows it when it is done', async () => {
    const [warm, writer] = [files(), files()];
    await warm.current('c');
    const seen: string[][] = [];
    await intercepting(
      'dynamo',
      async (command, send) => {
        const answer = await send();
        if (!/^(?:Put|Update)/.test(command)) return answer;
        seen.push(await names(warm, 'c'));
        return answer;
      },
      () => writer.put('c', 'one.ttf', bytes('1')),
    );
    expect(seen).toEqual([[], ['one.ttf'], ['one.ttf']]);
  });

  it('is correct after a minute if an earlier release, which does not announce its writes, changed it', async () => {
    vi.useFakeTimers({ toFake: ['Date'] });
    try {
      const warm = files();
      await files().put('d', 'one.ttf', bytes('1'));
      await warm.current('d');
      await intercepting(
        'dynamo',
        async (command, send) => (command.startsWith('Update') ? { output: {}, response: {} } : await send()),
        () => files().put('d', 'two.ttf', bytes('2')),
      );
      vi.setSystemTime(Date.now() + 61_000);
      expect(await names(warm, 'd')).toEqual(['one.ttf', 'two.ttf']);
    } finally {
      vi.useRealTimers();
    }
  });
});

describe('items that are read together', () => {
  it('are read with one request, and missing ones are undefined', async () => {
    const read = itemReader(storage.table);
    const warm = new TenantFiles('fonts', { ...storage, read });
    await files().put('e', 'one.ttf', bytes('1'));
    await warm.current('e');
    const nobody = templateKey('e', 'nobody');
    const commands = await commandsOf(async () => {
      const [list, ...none] = await Promise.all([warm.current('e'), read(nobody), read(nobody)]);
      expect(list.map(({ name }) => name)).toEqual(['one.ttf']);
      expect(none).toEqual([undefined, undefined]);
    });
    expect(commands).toEqual(['BatchGetItem']);
  });

  it('are asked for again when DynamoDB left them out, and all fail when it does', async () => {
    const read = itemReader(storage.table);
    const keys = ['f', 'g'].map((tenant) => templateKey(tenant, 'none'));
    let calls = 0;
    const leavingOut = async (command: string, send: () => Promise<unknown>): Promise<unknown> => {
      calls += 1;
      if (command !== 'BatchGetItemCommand' || calls > 2) return await send();
      return { output: { UnprocessedKeys: { [storage.table]: { Keys: keys } } }, response: {} };
    };
    await intercepting('dynamo', leavingOut, () => Promise.all(keys.map(read)));
    expect(calls).toBe(3);
    const failing = (): Promise<unknown> => Promise.reject(new Error('no'));
    const both = intercepting('dynamo', failing, () => Promise.allSettled(keys.map(read)));
    for (const outcome of await both)
      expect(outcome).toMatchObject({ status: 'rejected', reason: { code: 'storage_unavailable' } });
  });
});
