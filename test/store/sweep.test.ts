import { PutObjectCommand } from '@aws-sdk/client-s3';
import { UpdateItemCommand } from '@aws-sdk/client-dynamodb';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { setLogLevel } from '../../functions/shared/log.ts';
import { dynamoClient } from '../../functions/shared/store/storage/dynamodb.ts';
import { ObjectStore, s3Client } from '../../functions/shared/store/storage/objects.ts';
import { sweepTemplateFiles } from '../../functions/templates/sweep-files.ts';
import { templateKey } from '../../functions/shared/store/templates/keys.ts';
import { TemplateStore } from '../../functions/shared/store/templates.ts';
import { FIELDS, file } from './drafts.ts';
import { type EmbeddedStorage, startEmbeddedStorage } from './embedded.ts';
import { failing, intercepting } from './faults.ts';

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

const HOUR = 60 * 60 * 1000;
const inTwoHours = (): number => Date.now() + 2 * HOUR;
const addTemplate = (tenant: string) =>
  store.add(tenant, {
    ...FIELDS,
    templateFile: file('body'),
    headerFile: file('header'),
    footerFile: null,
  });

async function keys(): Promise<string[]> {
  const all: string[] = [];
  for await (const page of objects.list('')) all.push(...page.map(({ key }) => key));
  return all;
}

/** Files without a template, as a crash leaves them. */
async function leaveFiles(tenant: string): Promise<void> {
  let puts = 0;
  // The first item is that of its history.
  const second = async (command: string, send: () => Promise<unknown>): Promise<unknown> => {
    if (command === 'PutItemCommand') puts += 1;
    return await (puts === 2 ? failing('PutItemCommand')(command, send) : send());
  };
  const adding = intercepting('dynamo', second, () => addTemplate(tenant));
  await expect(adding).rejects.toMatchObject({ code: 'storage_unavailable' });
}

beforeEach(async () => {
  await objects.delete(await keys());
});

describe('the sweep (I-12)', () => {
  it('deletes files no template refers to, once they are older than an hour, and no others', async () => {
    const kept = await addTemplate('a');
    await leaveFiles('a');
    await leaveFiles('b/ü');
    const upload = 'tenants/a/uploads/x/file';
    await s3Client().send(new PutObjectCommand({ Bucket: storage.bucket, Key: upload, Body: 'x' }));
    expect(await keys()).toHaveLength(7);

    expect(await sweepTemplateFiles(storage, { now: Date.now() + HOUR / 2 })).toMatchObject({
      files: 7,
      deleted: 0,
    });
    expect(await keys()).toHaveLength(7);

    expect(await sweepTemplateFiles(storage, { now: inTwoHours() })).toEqual({
      files: 7,
      deleted: 4,
      versions: 0,
      failed: 0,
      complete: true,
    });
    expect((await store.loadForRendering('a', kept.id)).header?.text).toBe('header');
    expect(await keys()).toHaveLength(3);
    expect(await keys()).toContain(upload);
  });

  it('deletes unused files of an existing template', async () => {
    const { id } = await addTemplate('a');
    const adding = intercepting('dynamo', failing('UpdateItemCommand'), () =>
      store.addStyle('a', id, { ...file('lost'), format: 'css', description: null }),
    );
    await expect(adding).rejects.toMatchObject({ code: 'storage_unavailable' });
    const style = await store.addStyle('a', id, { ...file('kept'), format: 'css', description: null });
    expect(await sweepTemplateFiles(storage, { now: inTwoHours() })).toMatchObject({ deleted: 1 });
    expect((await store.readFile('a', style)).toString()).toBe('kept');
  });

  it('leaves the files of a damaged record alone', async () => {
    const { id } = await addTemplate('a');
    await dynamoClient().send(
      new UpdateItemCommand({
        TableName: storage.table,
        Key: templateKey('a', id),
        UpdateExpression: 'REMOVE template_file',
      }),
    );
    await leaveFiles('b');
    expect(await sweepTemplateFiles(storage, { now: inTwoHours() })).toMatchObject({ deleted: 2, failed: 1 });
    expect(await keys()).toHaveLength(2);
  });

  it('continues where it had to stop', async () => {
    const put = async (n: number) => {
      const Key = `tenants/t/templates/${String(n).padStart(26, '0')}/x`;
      await s3Client().send(new PutObjectCommand({ Bucket: storage.bucket, Key, Body: 'x' }));
    };
    for (let n = 0; n < 1010; n += 10) await Promise.all(Array.from({ length: 10 }, (_, i) => put(n + i)));
    const options = { now: inTwoHours(), deadline: Date.now() - 1 };
    expect(await sweepTemplateFiles(storage, options)).toEqual({
      files: 1000,
      deleted: 1000,
      versions: 0,
      failed: 0,
      complete: false,
    });
    // One of the first page comes back: it is for the round after this one.
    await put(0);
    expect(await sweepTemplateFiles(storage, { now: inTwoHours() })).toEqual({
      files: 10,
      deleted: 10,
      versions: 0,
      failed: 0,
      complete: true,
    });
    expect(await sweepTemplateFiles(storage, { now: inTwoHours() })).toEqual({
      files: 1,
      deleted: 1,
      versions: 0,
      failed: 0,
      complete: true,
    });
  });
});
