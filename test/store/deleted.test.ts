import { PutItemCommand } from '@aws-sdk/client-dynamodb';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { setLogLevel } from '../../functions/shared/log.ts';
import { dynamoClient } from '../../functions/shared/store/storage/dynamodb.ts';
import { ObjectStore } from '../../functions/shared/store/storage/objects.ts';
import { queryPages } from '../../functions/shared/store/storage/items.ts';
import { templateKey } from '../../functions/shared/store/templates/keys.ts';
import { TemplateStore } from '../../functions/shared/store/templates.ts';
import { sweepTemplateFiles } from '../../functions/templates/sweep-files.ts';
import { FIELDS, file } from './drafts.ts';
import { type EmbeddedStorage, startEmbeddedStorage } from './embedded.ts';
import { answerLost, failing, failingBefore, intercepting } from './faults.ts';

/** Deleted templates: nobody sees them, they come back whole within 30 days, and are gone after that. */

const DAY = 24 * 60 * 60 * 1000;
const BY_ADA = { expects: null, by: 'Ada' };

let storage: EmbeddedStorage;
let store: TemplateStore;
let tenants = 0;
beforeAll(async () => {
  storage = await startEmbeddedStorage();
  store = new TemplateStore(storage);
  setLogLevel('silent');
});
afterAll(() => storage.stop());

const newTenant = (): string => `t${(tenants += 1)}`;

/** A template with three versions, of which the second is published, an image and a sample. */
async function add(tenant: string): Promise<string> {
  const files = { templateFile: file('one'), headerFile: file('head'), footerFile: null };
  const { id } = await store.add(tenant, { ...FIELDS, ...files }, { note: null, by: 'Ada' });
  const image = { ...file('png'), format: 'png' as const, description: null, uri: 'logo' };
  await store.addImage(tenant, id, image);
  await write(tenant, id, 'three', false);
  await store.samples.put(tenant, id, 'short', '{"a":1}');
  return id;
}

async function write(tenant: string, id: string, text: string, publish = true): Promise<void> {
  const how = { publish, note: null, by: 'Grace', expects: null };
  await store.change(tenant, id, how, () => Promise.resolve({ templateFile: file(text) }));
}

/** Everything that callers can see of a template. */
async function seen(tenant: string, id: string): Promise<unknown> {
  const texts = [];
  for (const version of [1, 2, 3]) {
    const { file: own, header, images } = await store.loadForRendering(tenant, id, version);
    texts.push([own.text, header?.text, [...images.keys()]]);
  }
  const [template, versions] = [await store.get(tenant, id), await store.listVersions(tenant, id)];
  return { template, versions, texts, sample: await store.samples.get(tenant, id, 'short') };
}

async function itemsOf(tenant: string): Promise<string[]> {
  const found: string[] = [];
  const query = {
    TableName: storage.table,
    KeyConditionExpression: 'pk = :pk',
    ExpressionAttributeValues: { ':pk': { S: `TENANT#${tenant}` } },
  };
  for await (const page of queryPages(query)) found.push(...page.map(({ sk }) => sk?.S ?? ''));
  return found;
}

async function objectsOf(tenant: string): Promise<string[]> {
  const found: string[] = [];
  for await (const page of new ObjectStore(storage.bucket).list(`tenants/${tenant}/`))
    found.push(...page.map(({ key }) => key));
  return found;
}

const sweep = async (days: number): Promise<unknown> =>
  await sweepTemplateFiles(storage, { now: Date.now() + days * DAY });
const deletedOf = async (tenant: string, after: string | null = null, limit = 100): Promise<string[]> =>
  (await store.deleted.list(tenant, limit, after)).map(({ id }) => id);
const notFound = expect.objectContaining({ code: 'not_found' }) as unknown;

it('a deleted template is not there, and comes back as it was', async () => {
  const tenant = newTenant();
  const id = await add(tenant);
  const before = await seen(tenant, id);
  const { imageFiles, templateFile } = await store.get(tenant, id);
  await store.delete(tenant, id, BY_ADA);

  expect(await store.list(tenant, null)).toEqual([]);
  for (const look of [
    () => store.get(tenant, id),
    () => store.get(tenant, id, 1),
    () => store.listVersions(tenant, id),
    () => store.listHistory(tenant, id, { limit: 10, after: null }),
    () => store.findFile(tenant, 'image', imageFiles[0]?.id ?? ''),
    () => store.findFile(tenant, 'template', templateFile.id, 1),
    () => store.loadForRendering(tenant, id),
    () => store.samples.get(tenant, id, 'short'),
    () => write(tenant, id, 'late'),
    () => store.publish(tenant, id, 1, BY_ADA),
    () => store.delete(tenant, id, BY_ADA),
  ])
    await expect(look()).rejects.toEqual(notFound);

  const [deleted, ...others] = await store.deleted.list(tenant, 100, null);
  expect(others).toEqual([]);
  expect(deleted).toMatchObject({ id, by: 'Ada', template: { name: 'n' } });
  expect(Date.parse(deleted?.expires ?? '') - Date.parse(deleted?.at ?? '')).toBe(30 * DAY);
  await sweep(29);
  await store.deleted.restore(tenant, id, 'Grace');
  expect(await seen(tenant, id)).toEqual(before);
  expect(await deletedOf(tenant)).toEqual([]);
  await sweep(60);
  expect(await seen(tenant, id)).toEqual(before);
  expect(
    (await store.listHistory(tenant, id, { limit: 2, after: null })).map(({ action, by }) => [action, by]),
  ).toEqual([
    ['restored', 'Grace'],
    ['deleted', 'Ada'],
  ]);
  // It can be changed, and deleted again.
  await write(tenant, id, 'four');
  await store.delete(tenant, id, BY_ADA);
  expect(await deletedOf(tenant)).toEqual([id]);
});

it('after 30 days it does not come back, and the sweep removes all of it', async () => {
  const tenant = newTenant();
  const id = await add(tenant);
  await store.delete(tenant, id, BY_ADA);
  const later = Date.now() + 30 * DAY + 1_000;
  expect(await store.deleted.list(tenant, 100, null, later)).toEqual([]);
  await expect(store.deleted.restore(tenant, id, null, later)).rejects.toEqual(notFound);
  await sweep(31);
  expect(await objectsOf(tenant)).toEqual([]);
  expect(await itemsOf(tenant)).toEqual([]);
});

it('removing it leaves nothing at once, whether it was deleted before or not', async () => {
  const tenant = newTenant();
  const ids = [await add(tenant), await add(tenant)];
  await store.delete(tenant, ids[0] ?? '', BY_ADA);
  for (const id of ids) await store.remove(tenant, id);
  expect(await objectsOf(tenant)).toEqual([]);
  expect(await itemsOf(tenant)).toEqual([]);
  for (const id of ids) await expect(store.remove(tenant, id)).rejects.toEqual(notFound);
});

it('a deployment may remove at once whatever is deleted', async () => {
  const tenant = newTenant();
  const id = await add(tenant);
  const strict = new TemplateStore({ ...storage, deletedDays: 0 });
  const expects = (version: number): boolean => version === 2;
  await expect(strict.delete(tenant, id, { expects, by: null })).rejects.toMatchObject({
    code: 'version_conflict',
  });
  await strict.delete(tenant, id, BY_ADA);
  expect([await objectsOf(tenant), await itemsOf(tenant)]).toEqual([[], []]);
});

it('another tenant neither sees it, nor restores it, nor removes it', async () => {
  const [tenant, stranger] = [newTenant(), newTenant()];
  const id = await add(tenant);
  await store.delete(tenant, id, BY_ADA);
  expect(await deletedOf(stranger)).toEqual([]);
  await expect(store.deleted.restore(stranger, id, null)).rejects.toEqual(notFound);
  await expect(store.remove(stranger, id)).rejects.toEqual(notFound);
  await store.deleted.restore(tenant, id, null);
  expect(await store.get(tenant, id)).toMatchObject({ id });
});

it('is listed in pages, in the order in which templates are', async () => {
  const tenant = newTenant();
  const ids = [await add(tenant), await add(tenant), await add(tenant)].toReversed();
  for (const id of ids) await store.delete(tenant, id, BY_ADA);
  const first = await deletedOf(tenant, null, 2);
  expect([...first, ...(await deletedOf(tenant, first.at(-1) ?? null, 2))]).toEqual(ids);
});

it('is deleted only in the version that the caller expects', async () => {
  const tenant = newTenant();
  const id = await add(tenant);
  const expects = (version: number): boolean => version === 3;
  let isDisturbed = false;
  const disturbed = async (command: string, send: () => Promise<unknown>): Promise<unknown> => {
    if (command === 'DeleteItemCommand' && !isDisturbed) {
      isDisturbed = true;
      await write(tenant, id, 'between');
    }
    return await send();
  };
  const deleting = intercepting('dynamo', disturbed, () => store.delete(tenant, id, { expects, by: null }));
  await expect(deleting).rejects.toMatchObject({ code: 'version_conflict' });
  expect(await store.get(tenant, id)).toMatchObject({ latest: 4 });
  // What the deletion had written already is no deleted template.
  expect(await deletedOf(tenant)).toEqual([]);
});

it('has what was written while it was deleted', async () => {
  const tenant = newTenant();
  const id = await add(tenant);
  let count = 0;
  // The first deletes the item that was read, the second its entry in the history, the third the item as it is then.
  const between = async (command: string, send: () => Promise<unknown>): Promise<unknown> => {
    if (command === 'DeleteItemCommand' && (count += 1) === 1) await write(tenant, id, 'between');
    if (command === 'DeleteItemCommand' && count === 3) await store.samples.put(tenant, id, 'late', '{}');
    return await send();
  };
  await intercepting('dynamo', between, () => store.delete(tenant, id, BY_ADA));
  await store.deleted.restore(tenant, id, null);
  const { latest, samples } = await store.get(tenant, id);
  expect([latest, Object.keys(samples).toSorted()]).toEqual([4, ['late', 'short']]);
  expect((await store.loadForRendering(tenant, id)).file.text).toBe('between');
});

it('deleted and restored by many at once, it is there or among the deleted, whole', async () => {
  const tenant = newTenant();
  const id = await add(tenant);
  for (let round = 0; round < 8; round += 1) {
    const work = [0, 1, 2].flatMap(() => [
      store.delete(tenant, id, BY_ADA).catch(() => null),
      store.deleted.restore(tenant, id, null).catch(() => null),
    ]);
    await Promise.all(work);
    const live = await store.list(tenant, null);
    expect(live.length + (await deletedOf(tenant)).length).toBe(1);
    if (live.length === 0) await store.deleted.restore(tenant, id, null);
    await seen(tenant, id);
  }
});

it('a template whose id is there again is not replaced', async () => {
  const tenant = newTenant();
  const id = await add(tenant);
  await store.delete(tenant, id, BY_ADA);
  const [found] = await store.deleted.list(tenant, 1, null);
  if (found === undefined) throw new Error('not deleted');
  const other = { ...templateKey(tenant, id), name: { S: 'restored from a backup' } };
  await dynamoClient().send(new PutItemCommand({ TableName: storage.table, Item: other }));
  await expect(store.deleted.restore(tenant, id, null)).rejects.toMatchObject({ code: 'conflict' });
});

it('killed before any write of a deletion or a restoration, it is whole, there or among the deleted', async () => {
  for (const act of ['delete', 'restore'] as const) {
    for (let n = 1; ; n += 1) {
      const tenant = newTenant();
      const id = await add(tenant);
      if (act === 'restore') await store.delete(tenant, id, BY_ADA);
      const isKilled = await failingBefore(n, async () =>
        act === 'delete'
          ? await store.delete(tenant, id, BY_ADA)
          : await store.deleted.restore(tenant, id, null),
      );
      await sweep(1);
      const live = await store.list(tenant, null);
      expect([live.length, (await deletedOf(tenant)).length].toSorted(), `${act} ${n}`).toEqual([0, 1]);
      if (live.length === 0) await store.deleted.restore(tenant, id, null);
      await seen(tenant, id);
      await store.remove(tenant, id);
      expect([await itemsOf(tenant), await objectsOf(tenant)]).toEqual([[], []]);
      if (!isKilled) break;
    }
  }
});

it('a write that the SDK repeats because its answer was lost counts once', async () => {
  const tenant = newTenant();
  const id = await add(tenant);
  const twice = async (_: string, send: () => Promise<unknown>): Promise<unknown> => {
    await send();
    return await send();
  };
  await intercepting('dynamo', twice, () => store.delete(tenant, id, BY_ADA), 'finalizeRequest');
  expect(await deletedOf(tenant)).toEqual([id]);
  await intercepting('dynamo', twice, () => store.deleted.restore(tenant, id, null), 'finalizeRequest');
  await seen(tenant, id);
});

it('a deletion whose answer was lost is repeated with the same result', async () => {
  const tenant = newTenant();
  const id = await add(tenant);
  const lost = intercepting('dynamo', answerLost('DeleteItemCommand'), () =>
    store.delete(tenant, id, BY_ADA),
  );
  await expect(lost).rejects.toMatchObject({ code: 'storage_unavailable' });
  await expect(store.delete(tenant, id, BY_ADA)).rejects.toEqual(notFound);
  await store.deleted.restore(tenant, id, null);
  await seen(tenant, id);
});

it('is not restored without files that an earlier release has removed', async () => {
  const tenant = newTenant();
  const id = await add(tenant);
  const { templateFile } = await store.get(tenant, id);
  await store.delete(tenant, id, BY_ADA);
  const objects = new ObjectStore(storage.bucket);
  await objects.delete((await objectsOf(tenant)).filter((key) => key.endsWith(templateFile.id)));
  await expect(store.deleted.restore(tenant, id, null)).rejects.toEqual(notFound);
});

it('a damaged template is removed', async () => {
  const tenant = newTenant();
  const id = await add(tenant);
  const damaged = { ...templateKey(tenant, id), name: { N: '1' } };
  await dynamoClient().send(new PutItemCommand({ TableName: storage.table, Item: damaged }));
  await store.delete(tenant, id, BY_ADA);
  expect([await objectsOf(tenant), await itemsOf(tenant)]).toEqual([[], []]);
});

it('is not deleted if its item cannot be moved', async () => {
  const tenant = newTenant();
  const id = await add(tenant);
  const failed = intercepting('dynamo', failing('PutItemCommand'), () => store.delete(tenant, id, BY_ADA));
  await expect(failed).rejects.toMatchObject({ code: 'storage_unavailable' });
  await seen(tenant, id);
});
