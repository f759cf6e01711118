import { PutItemCommand, UpdateItemCommand } from '@aws-sdk/client-dynamodb';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { setLogLevel } from '../../functions/shared/log.ts';
import { dynamoClient } from '../../functions/shared/store/storage/dynamodb.ts';
import { newFileId, newTemplateId } from '../../functions/shared/store/storage/ids.ts';
import { ObjectStore } from '../../functions/shared/store/storage/objects.ts';
import { sweepTemplateFiles } from '../../functions/templates/sweep-files.ts';
import { fileKey, templateKey, templatePrefix } from '../../functions/shared/store/templates/keys.ts';
import type { VersionWrite } from '../../functions/shared/store/templates/versions.ts';
import { type NewTemplate, TemplateStore } from '../../functions/shared/store/templates.ts';
import { type EmbeddedStorage, startEmbeddedStorage } from './embedded.ts';
import { failingBefore } from './faults.ts';

/** Versions of templates. */

let storage: EmbeddedStorage;
let store: TemplateStore;
let objects: ObjectStore;
beforeAll(async () => {
  storage = await startEmbeddedStorage();
  store = new TemplateStore(storage);
  objects = new ObjectStore(storage.bucket);
  setLogLevel('silent');
});
afterAll(() => storage.stop());

let tenants = 0;
const newTenant = (): string => `versions-${(tenants += 1)}`;
const html = (text: string) => ({
  bytes: Buffer.from(text),
  filename: 'a.html',
  contentType: 'text/html; charset=utf-8',
});
const draft = (text: string): NewTemplate => ({
  name: 'n',
  format: 'html',
  description: null,
  templatingEngine: 'jinja2',
  options: {},
  templateFile: html(text),
  headerFile: html('head'),
  footerFile: null,
});
const style = (text: string) => ({
  bytes: Buffer.from(text),
  filename: null,
  contentType: 'text/css',
  format: 'css' as const,
  description: null,
});
const how = (more: Partial<VersionWrite> = {}): VersionWrite => ({
  publish: true,
  note: null,
  by: null,
  expects: null,
  ...more,
});
const write = (tenant: string, id: string, text: string, more: Partial<VersionWrite> = {}) =>
  store.change(tenant, id, how(more), () => Promise.resolve({ name: text, templateFile: html(text) }));
const textOf = async (tenant: string, id: string, version: number | 'latest' | null = null) =>
  (await store.loadForRendering(tenant, id, version)).file.text;
const code = (expected: string) => expect.objectContaining({ code: expected });

async function keys(tenant: string, id: string): Promise<string[]> {
  const all: string[] = [];
  for await (const page of objects.list(templatePrefix(tenant, id))) all.push(...page.map(({ key }) => key));
  return all;
}

describe('versions of a template', () => {
  it('stay the same through every change, publication and withdrawal', async () => {
    const tenant = newTenant();
    const { id } = await store.add(tenant, draft('one'), { note: 'the first', by: 'Ada' });
    await store.addStyle(tenant, id, style('s2'));
    const third = await write(tenant, id, 'three', { note: 'why' });
    expect(third).toMatchObject({ version: 3, published: 3, latest: 3, note: 'why' });
    const [added] = third.styleFiles;
    await store.removeFile(tenant, 'style', added?.id ?? '');
    const draftVersion = await write(tenant, id, 'five', { publish: false });
    expect(draftVersion).toMatchObject({ version: 5, published: 4, latest: 5, name: 'five' });
    const seen = async () => ({
      published: await textOf(tenant, id),
      texts: await Promise.all([1, 2, 3, 4, 5].map((version) => textOf(tenant, id, version))),
      styles: await Promise.all(
        [1, 2, 3, 4, 5].map(async (version) =>
          (await store.loadForRendering(tenant, id, version)).styles.map(({ text }) => text),
        ),
      ),
    });
    const texts = ['one', 'one', 'three', 'three', 'five'];
    const styles = [[], ['s2'], ['s2'], [], []];
    expect(await seen()).toEqual({ published: 'three', texts, styles });
    for (const [version, text] of [
      [1, 'one'],
      [5, 'five'],
      [2, 'one'],
      [4, 'three'],
    ] as const) {
      expect(await store.publish(tenant, id, version, { expects: null, by: null })).toMatchObject({
        version,
        published: version,
      });
      expect(await seen()).toEqual({ published: text, texts, styles });
    }
    expect(await store.listVersions(tenant, id)).toMatchObject([
      { version: 5, published: false, changes: ['name', 'template_file'] },
      { version: 4, published: true, changes: ['style_files'] },
      { version: 3, published: false, note: 'why' },
      { version: 2, published: false, changes: ['style_files'] },
      { version: 1, published: false, note: 'the first', changes: [] },
    ]);
    await store.remove(tenant, id);
    expect(await keys(tenant, id)).toEqual([]);
    await expect(store.get(tenant, id, 1)).rejects.toEqual(code('not_found'));
  });

  it('are as many as are kept, the newest ones, and always the published one; the sweep takes the rest', async () => {
    const tenant = newTenant();
    const few = new TemplateStore({ ...storage, keptVersions: 3 });
    const { id } = await few.add(tenant, draft('1'));
    for (const n of ['2', '3', '4', '5', '6']) {
      await few.change(tenant, id, how({ publish: n === '2' }), () =>
        Promise.resolve({ templateFile: html(n) }),
      );
    }
    const versions = (await few.listVersions(tenant, id)).map(({ version }) => version);
    expect(versions).toEqual([6, 5, 2]);
    await expect(few.get(tenant, id, 3)).rejects.toEqual(code('not_found'));
    await sweepTemplateFiles(storage, { now: Date.now() + 7_200_000 });
    expect(await Promise.all(versions.map((version) => textOf(tenant, id, version)))).toEqual([
      '6',
      '5',
      '2',
    ]);
    // The files of version 2, those that are kept of drafts 5 and 6, and the header.
    expect(await keys(tenant, id)).toHaveLength(4);
  });

  it('do not exist for another tenant', async () => {
    const [owner, otherTenant] = [newTenant(), newTenant()];
    const { id } = await store.add(owner, draft('secret'));
    await write(owner, id, 'two');
    for (const attempt of [
      () => store.get(otherTenant, id, 1),
      () => store.listVersions(otherTenant, id),
      () => store.publish(otherTenant, id, 1, { expects: null, by: null }),
      () => write(otherTenant, id, 'x'),
    ])
      await expect(attempt()).rejects.toEqual(code('not_found'));
    expect(await textOf(owner, id)).toBe('two');
  });
});

describe('many at once', () => {
  it('writers get every number once, readers whole versions only', async () => {
    const tenant = newTenant();
    const { id } = await store.add(tenant, draft('v'));
    const stop = new AbortController();
    const readers = Array.from({ length: 4 }, async () => {
      while (!stop.signal.aborted) {
        const loaded = await store.loadForRendering(tenant, id);
        expect(loaded.file.text === 'v' || loaded.file.text === loaded.name).toBe(true);
        await new Promise((resolve) => setTimeout(resolve, 20));
      }
    });
    // On a slow machine one is told that there are too many, has written nothing and tries again.
    const untilWritten = async (n: number): Promise<{ text: string; version: number }> => {
      const [text, more] = [`t${n}`, { publish: n % 3 > 0 }];
      for (;;) {
        const made = await write(tenant, id, text, more).catch((error: unknown) => {
          expect(error).toEqual(code('conflict'));
          return null;
        });
        if (made !== null) return { text, version: made.version };
      }
    };
    const written = await Promise.all(Array.from({ length: 24 }, async (_, n) => await untilWritten(n)));
    stop.abort();
    await Promise.all(readers);
    expect(written.map(({ version }) => version).toSorted((a, b) => a - b)).toEqual(
      Array.from({ length: 24 }, (_, n) => n + 2),
    );
    for (const { text, version } of written) {
      const { file, name } = await store.loadForRendering(tenant, id, version);
      expect([file.text, name]).toEqual([text, text]);
    }
  });

  it('one of many who expect the same version writes, and the others get an error', async () => {
    const tenant = newTenant();
    const { id } = await store.add(tenant, draft('v'));
    const expects = (version: number) => version === 1;
    const outcomes = await Promise.allSettled(
      Array.from({ length: 8 }, (_, n) => write(tenant, id, `t${n}`, { expects })),
    );
    const refused = outcomes.filter((outcome) => outcome.status === 'rejected');
    expect(refused.map(({ reason }) => (reason as { code: string }).code)).toEqual(
      Array.from({ length: 7 }, () => 'version_conflict'),
    );
    expect(await store.get(tenant, id)).toMatchObject({ latest: 2 });
    await expect(store.remove(tenant, id, expects)).rejects.toEqual(code('version_conflict'));
    await expect(store.publish(tenant, id, 1, { expects, by: null })).rejects.toEqual(
      code('version_conflict'),
    );
    await store.remove(tenant, id, (version) => version === 2);
  });
});

describe('killed between any two writes', () => {
  const actions: Record<string, (tenant: string, id: string) => Promise<unknown>> = {
    'of a published version': (tenant, id) => write(tenant, id, 'new'),
    'of a draft': (tenant, id) => write(tenant, id, 'new', { publish: false }),
    'of a roll-back': (tenant, id) => store.publish(tenant, id, 1, { expects: null, by: null }),
    'of publishing a draft': (tenant, id) => store.publish(tenant, id, 'latest', { expects: null, by: null }),
    'of a deletion': (tenant, id) => store.remove(tenant, id),
  };
  it.each(Object.entries(actions))(
    '%s: no partial result is visible, and no file is left over',
    async (name, act) => {
      let n = 1;
      for (let died = true; died; n += 1) {
        const tenant = newTenant();
        const { id } = await store.add(tenant, draft('one'));
        await write(tenant, id, 'two');
        await write(tenant, id, 'three', { publish: false });
        died = await failingBefore(n, () => act(tenant, id));
        const shown: Record<number, string> = { 1: 'one', 2: 'two', 3: 'three', 4: 'new' };
        const check = async (): Promise<void> => {
          const template = await store.get(tenant, id).catch(() => null);
          if (template === null) return;
          expect(await textOf(tenant, id)).toBe(shown[template.version]);
          for (const { version } of await store.listVersions(tenant, id))
            expect(await textOf(tenant, id, version)).toBe(shown[version]);
        };
        await check();
        await sweepTemplateFiles(storage, { now: Date.now() + 7_200_000 });
        await check();
        const isThere = await store.get(tenant, id).catch(() => null);
        if (isThere === null) expect(await keys(tenant, id)).toEqual([]);
        else {
          const ids = new Set((await keys(tenant, id)).map((key) => key.split('/').at(-1)));
          // The header, and the template file of each version.
          expect(ids.size).toBe(1 + isThere.latest);
          // The next write is not disturbed by what was left.
          expect((await write(tenant, id, 'next')).version).toBe(isThere.latest + 1);
        }
      }
      expect(n, name).toBeGreaterThan(2);
    },
  );
});

describe('templates of releases before versions', () => {
  /** A template as those releases store it. */
  async function legacy(tenant: string): Promise<string> {
    const id = newTemplateId();
    const file = newFileId(id);
    await objects.put(fileKey(tenant, file), Buffer.from('old'), 'text/html; charset=utf-8');
    await dynamoClient().send(
      new PutItemCommand({
        TableName: storage.table,
        Item: {
          ...templateKey(tenant, id),
          name: { S: 'old' },
          format: { S: 'html' },
          templating_engine: { S: 'jinja2' },
          options: { M: { paper_format: { S: 'A5' }, landscape: { BOOL: true } } },
          template_file: {
            M: { id: { S: file }, content_type: { S: 'text/html; charset=utf-8' }, size: { N: '3' } },
          },
          style_files: { M: {} },
          image_files: { M: {} },
          file_order: { M: {} },
          next_position: { N: '0' },
          created: { S: '2026-01-02T03:04:05.678Z' },
        },
      }),
    );
    return id;
  }

  /** Adds a stylesheet the way those releases do. */
  async function addAsBefore(tenant: string, id: string): Promise<string> {
    const file = newFileId(id);
    await objects.put(fileKey(tenant, file), Buffer.from('theirs'), 'text/css');
    await dynamoClient().send(
      new UpdateItemCommand({
        TableName: storage.table,
        Key: templateKey(tenant, id),
        UpdateExpression:
          'SET #map.#id = :file, file_order.#id = next_position, next_position = next_position + :one',
        ConditionExpression: 'attribute_exists(pk) AND (size(#map) < :max OR attribute_exists(#map.#id))',
        ExpressionAttributeNames: { '#map': 'style_files', '#id': file },
        ExpressionAttributeValues: {
          ':file': {
            M: {
              format: { S: 'css' },
              size: { N: '6' },
              added: { S: new Date().toISOString() },
              content_type: { S: 'text/css' },
            },
          },
          ':one': { N: '1' },
          ':max': { N: '100' },
        },
      }),
    );
    return file;
  }

  /** Deletes what those releases' sweep would: files that the template's own item does not name. */
  async function sweepAsBefore(tenant: string, id: string): Promise<void> {
    const { templateFile, headerFile, styleFiles } = await store.get(tenant, id);
    const named = [templateFile, headerFile, ...styleFiles].map((file) => file?.id);
    const theirs = /^tenants\/([^/]+)\/templates\/([^/]+)\/([^/]+)$/;
    const found = (await keys(tenant, id)).filter((key) => {
      const file = theirs.exec(key)?.[3];
      return file !== undefined && !named.includes(file);
    });
    await objects.delete(found);
  }

  it('are read, changed and reset', async () => {
    const tenant = newTenant();
    const id = await legacy(tenant);
    const options = { paper_format: 'A5', landscape: true };
    const facts = { name: 'old', version: 1, latest: 1, published: 1, options };
    expect(await store.get(tenant, id)).toMatchObject(facts);
    expect(await store.listVersions(tenant, id)).toEqual([
      {
        version: 1,
        note: null,
        changes: [],
        written: '2026-01-02T03:04:05.678Z',
        by: null,
        isDraft: false,
        published: true,
      },
    ]);
    expect(await write(tenant, id, 'new')).toMatchObject({ version: 2, options });
    expect((await store.get(tenant, id, 1)).options).toEqual(options);
    await sweepAsBefore(tenant, id);
    expect([await textOf(tenant, id), await textOf(tenant, id, 1)]).toEqual(['new', 'old']);
    await store.publish(tenant, id, 1, { expects: null, by: null });
    await sweepAsBefore(tenant, id);
    expect([await textOf(tenant, id), await textOf(tenant, id, 2)]).toEqual(['old', 'new']);
    expect(await objects.exists(fileKey(tenant, (await store.get(tenant, id)).templateFile.id))).toBe(true);
  });

  it('are changed by several at once, each with a number of its own', async () => {
    const tenant = newTenant();
    const id = await legacy(tenant);
    const made = await Promise.all(['a', 'b', 'c'].map((text) => write(tenant, id, text)));
    expect(made.map(({ version }) => version).sort()).toEqual([2, 3, 4]);
    for (const { version, name } of made) expect(await textOf(tenant, id, version)).toBe(name);
  });

  it('are not lost sight of when such a release writes at the same time', async () => {
    const tenant = newTenant();
    for (const id of [await legacy(tenant), (await store.add(tenant, draft('one'))).id]) {
      await addAsBefore(tenant, id);
      let calls = 0;
      const changed = await store.change(tenant, id, how(), async () => {
        // It comes between the reading and the writing of the item.
        if ((calls += 1) === 1) await addAsBefore(tenant, id);
        return { name: 'new' };
      });
      expect([calls, changed.styleFiles.length]).toEqual([2, 2]);
      expect((await store.loadForRendering(tenant, id)).styles.map(({ text }) => text)).toEqual([
        'theirs',
        'theirs',
      ]);
      await addAsBefore(tenant, id);
      expect((await store.get(tenant, id)).styleFiles).toHaveLength(3);
    }
  });
});
