import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { newUploadId } from '../../functions/shared/store/storage/ids.ts';
import { ObjectStore } from '../../functions/shared/store/storage/objects.ts';
import { uploadKey, UploadStore } from '../../functions/shared/store/uploads.ts';
import { type EmbeddedStorage, startEmbeddedStorage } from './embedded.ts';

/** Uploads over the real protocol of S3. */

let storage: EmbeddedStorage;
let objects: ObjectStore;
let uploads: UploadStore;
beforeAll(async () => {
  storage = await startEmbeddedStorage();
  objects = new ObjectStore(storage.bucket);
  uploads = new UploadStore({ bucket: storage.bucket });
});
afterAll(() => storage.stop());

it('a file that changed after its size was checked is not read', async () => {
  const [tenant, id] = [randomUUID(), newUploadId()];
  await objects.put(uploadKey(tenant, id), Buffer.from('small'), 'text/plain');
  const found = await uploads.find(tenant, id);
  expect(found.size).toBe(5);
  expect((await found.read()).toString()).toBe('small');
  // The form that was signed for it can be used again while it is good.
  await objects.put(uploadKey(tenant, id), Buffer.alloc(1_000_000), 'text/plain');
  await expect(found.read()).rejects.toMatchObject({ code: 'upload_not_found' });
  expect((await (await uploads.find(tenant, id)).read()).length).toBe(1_000_000);
});

it('is its tenant’s alone', async () => {
  const [tenant, id] = [randomUUID(), newUploadId()];
  await objects.put(uploadKey(tenant, id), Buffer.from('x'), 'text/plain');
  for (const other of [randomUUID(), `${tenant}/..`, `${tenant}%2f..`, '']) {
    await expect(uploads.find(other, id)).rejects.toMatchObject({ code: 'upload_not_found' });
  }
  for (const wrong of ['', '../x', `${id}/file`, `${id}x`, id.toUpperCase()]) {
    await expect(uploads.find(tenant, wrong)).rejects.toMatchObject({ code: 'upload_not_found' });
  }
});
