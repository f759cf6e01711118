import { DeleteItemCommand, QueryCommand, UpdateItemCommand } from '@aws-sdk/client-dynamodb';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { setLogLevel } from '../../functions/shared/log.ts';
import { dynamoClient } from '../../functions/shared/store/storage/dynamodb.ts';
import type { HistoryEntry } from '../../functions/shared/store/templates/history.ts';
import { historyKey, templateKey } from '../../functions/shared/store/templates/keys.ts';
import type { VersionWrite } from '../../functions/shared/store/templates/versions.ts';
import { TemplateStore } from '../../functions/shared/store/templates.ts';
import { FIELDS, file } from './drafts.ts';
import { type EmbeddedStorage, startEmbeddedStorage } from './embedded.ts';
import { failing, intercepting } from './faults.ts';

/** The history of a template: complete, in order, and only of writes that came about. */

const TENANT = 'acme';

let storage: EmbeddedStorage;
let store: TemplateStore;
beforeAll(async () => {
  storage = await startEmbeddedStorage();
  store = new TemplateStore(storage);
  setLogLevel('silent');
});
afterAll(() => storage.stop());

async function add(by: string | null = 'Ada'): Promise<string> {
  const files = { templateFile: file('one'), headerFile: null, footerFile: null };
  return (await store.add(TENANT, { ...FIELDS, ...files }, { note: null, by })).id;
}

async function change(id: string, by: string, more: Partial<VersionWrite> = {}): Promise<void> {
  const how = { publish: true, note: null, expects: null, by, ...more };
  await store.change(TENANT, id, how, () => Promise.resolve({ templateFile: file(by) }));
}

const history = async (
  id: string,
  limit = 1_000,
  after: HistoryEntry | null = null,
): Promise<HistoryEntry[]> => await store.listHistory(TENANT, id, { limit, after });

const told = async (id: string): Promise<string[]> =>
  (await history(id)).map(({ action, version, by }) => `${action} ${version} ${by}`);

async function itemsOf(id: string): Promise<string[]> {
  const query = new QueryCommand({
    TableName: storage.table,
    KeyConditionExpression: 'pk = :pk',
    ExpressionAttributeValues: { ':pk': { S: `TENANT#${TENANT}` } },
  });
  const { Items = [] } = await dynamoClient().send(query);
  return Items.map(({ sk }) => sk?.S ?? '').filter((sk) => sk.includes(id));
}

it('tells who did what to which version, newest first', async () => {
  const id = await add();
  await change(id, 'Grace');
  await change(id, 'Alan', { publish: false });
  await store.publish(TENANT, id, 3, { expects: null, by: 'Edsger' });
  await store.publish(TENANT, id, 1, { expects: null, by: null });
  // Nothing happens to a version that is published already.
  await store.publish(TENANT, id, 1, { expects: null, by: 'nobody' });
  expect(await told(id)).toEqual([
    'published 1 null',
    'published 3 Edsger',
    'drafted 3 Alan',
    'changed 2 Grace',
    'added 1 Ada',
  ]);
  const times = (await history(id)).map(({ at }) => Date.parse(at));
  expect(times).toEqual(times.toSorted((a, b) => b - a));
  expect(await store.listVersions(TENANT, id)).toMatchObject([
    { by: 'Alan' },
    { by: 'Grace' },
    { by: 'Ada' },
  ]);
});

it('is read in pages, and goes on where the page ended although more has happened since', async () => {
  const id = await add();
  for (let n = 2; n <= 7; n += 1) await change(id, `w${n}`);
  const first = await history(id, 3);
  await change(id, 'later');
  const second = await history(id, 3, first.at(-1) ?? null);
  const third = await history(id, 3, second.at(-1) ?? null);
  expect([...first, ...second, ...third].map(({ version }) => version)).toEqual([7, 6, 5, 4, 3, 2, 1]);
  expect(await history(id, 3, third.at(-1) ?? null)).toEqual([]);
});

it('has each of many changes at once, each once', async () => {
  const id = await add();
  const writers = Array.from({ length: 8 }, (_, n) => `w${n}`);
  await Promise.all(writers.map((by) => change(id, by)));
  const entries = await history(id);
  expect(entries.map(({ version }) => version)).toEqual([9, 8, 7, 6, 5, 4, 3, 2, 1]);
  expect(entries.map(({ by }) => by).toSorted()).toEqual(['Ada', ...writers]);
  // It names the writer of each version.
  const versions = await store.listVersions(TENANT, id);
  expect(entries.map(({ by }) => by)).toEqual(versions.map(({ by }) => by));
});

it('does not have a change that failed', async () => {
  const id = await add();
  // Their entries stand before and after that of the next change, since marks are random.
  for (let n = 0; n < 12; n += 1) {
    const lost = intercepting('dynamo', failing('UpdateItemCommand'), () => change(id, 'lost'));
    await expect(lost).rejects.toMatchObject({ code: 'storage_unavailable' });
  }
  expect((await itemsOf(id)).filter((sk) => sk.startsWith('HISTORY#'))).toHaveLength(13);
  expect(await told(id)).toEqual(['added 1 Ada']);
  await change(id, 'Grace');
  expect(await told(id)).toEqual(['changed 2 Grace', 'added 1 Ada']);
});

it('begins with the first change of a template that an earlier release added', async () => {
  const id = await add(null);
  const earlier = new UpdateItemCommand({
    TableName: storage.table,
    Key: templateKey(TENANT, id),
    UpdateExpression: 'REMOVE history',
  });
  await dynamoClient().send(earlier);
  expect(await told(id)).toEqual([]);
  await change(id, 'Grace');
  expect(await told(id)).toEqual(['changed 2 Grace']);
});

it('reports a lost entry instead of a shorter history', async () => {
  const id = await add();
  await change(id, 'Grace');
  await change(id, 'Alan');
  const [, middle] = await history(id);
  if (middle === undefined) throw new Error('no entry');
  const Key = historyKey(TENANT, id, middle);
  await dynamoClient().send(new DeleteItemCommand({ TableName: storage.table, Key }));
  await expect(history(id)).rejects.toMatchObject({ name: 'CorruptRecordError' });
});

it('ends with its template', async () => {
  const id = await add();
  await change(id, 'Grace');
  await store.remove(TENANT, id);
  expect(await itemsOf(id)).toEqual([]);
  await expect(history(id)).rejects.toMatchObject({ code: 'not_found' });
});
