import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { setLogLevel } from '../../functions/shared/log.ts';
import { ObjectStore } from '../../functions/shared/store/storage/objects.ts';
import { type EmbeddedStorage, startEmbeddedStorage } from '../store/embedded.ts';

let storage: EmbeddedStorage;
beforeAll(async () => {
  storage = await startEmbeddedStorage();
});
afterAll(() => storage.stop());

it('the scheduled sweep reads all files, keeps recent ones and logs its result', async () => {
  const objects = new ObjectStore(storage.bucket);
  await objects.put('tenants/t/templates/x/y', Buffer.from('young'), 'text/plain');
  const { handler } = await import('../../functions/templates/sweep.ts');
  setLogLevel('info');
  const write = vi.spyOn(process.stdout, 'write').mockReturnValue(true);
  await handler({}, { getRemainingTimeInMillis: () => 900_000 });
  const lines = write.mock.calls.map(([line]) => JSON.parse(String(line)) as unknown);
  write.mockRestore();
  expect(lines).toEqual([
    expect.objectContaining({
      level: 'info',
      message: 'swept',
      files: 1,
      deleted: 0,
      failed: 0,
      complete: true,
    }),
  ]);
  expect(await objects.exists('tenants/t/templates/x/y')).toBe(true);
});
