import { ListObjectsV2Command } from '@aws-sdk/client-s3';
import { PutItemCommand, UpdateItemCommand } from '@aws-sdk/client-dynamodb';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { dynamoClient } from '../../functions/shared/store/storage/dynamodb.ts';
import { s3Client } from '../../functions/shared/store/storage/objects.ts';
import { newFileId } from '../../functions/shared/store/storage/ids.ts';
import { firstHead } from '../../functions/shared/store/templates/item.ts';
import { TemplateItems } from '../../functions/shared/store/templates/items.ts';
import { templateKey } from '../../functions/shared/store/templates/keys.ts';
import {
  type NewImage,
  type NewStyle,
  type NewTemplate,
  TemplateStore,
} from '../../functions/shared/store/templates.ts';
import { type EmbeddedStorage, startEmbeddedStorage } from './embedded.ts';
import { answerLost, failing, intercepting } from './faults.ts';

let storage: EmbeddedStorage;
let store: TemplateStore;
beforeAll(async () => {
  storage = await startEmbeddedStorage();
  store = new TemplateStore(storage);
});
afterAll(() => storage.stop());

/** A tenant of its own for every test. */
let tenants = 0;
const newTenant = (): string => `tenant-${(tenants += 1)}`;

const html = (text: string) => ({
  bytes: Buffer.from(text),
  filename: 'a.html',
  contentType: 'text/html; charset=utf-8',
});
const draft = (name = 'Invoice'): NewTemplate => ({
  name,
  format: 'html',
  description: null,
  templatingEngine: 'jinja2',
  options: { scale: 0.5, landscape: true, page_range: '1-' },
  templateFile: html(`<p>${name}</p>`),
  headerFile: html('head'),
  footerFile: null,
});
const style = (text: string): NewStyle => ({
  bytes: Buffer.from(text),
  filename: `${text}.css`,
  contentType: 'text/css; charset=utf-8',
  format: 'css',
  description: null,
});
const image = (uri: string, description: string | null = null): NewImage => ({
  bytes: Buffer.from(uri),
  filename: null,
  contentType: 'image/png',
  format: 'png',
  description,
  uri,
});
const code = (expected: string) => expect.objectContaining({ code: expected });

/** A template whose item names style files; they themselves are not there. */
async function withStyles(tenant: string, count: number): Promise<string> {
  const template = await store.add(tenant, draft());
  const { bytes: _, ...file } = style('s');
  const styleFiles = Array.from({ length: count }, (__, n) => ({
    ...file,
    id: newFileId(template.id),
    size: n,
    added: template.created,
  }));
  await new TemplateItems(storage.table).put(tenant, firstHead({ ...template, styleFiles }, 'a', null));
  return template.id;
}

async function objectsOf(tenant: string): Promise<string[]> {
  const command = new ListObjectsV2Command({ Bucket: storage.bucket, Prefix: `tenants/${tenant}/` });
  return ((await s3Client().send(command)).Contents ?? []).map(({ Key }) => Key ?? '');
}

describe('templates in the storage', () => {
  it('an added template is read unchanged', async () => {
    const tenant = newTenant();
    const added = await store.add(tenant, draft());
    expect(await store.get(tenant, added.id)).toEqual(added);
    expect(added).toMatchObject({
      name: 'Invoice',
      options: { scale: 0.5, landscape: true, page_range: '1-' },
      footerFile: null,
    });
    const { file } = await store.findFile(tenant, 'template', added.headerFile?.id ?? '');
    expect((await store.readFile(tenant, file)).toString()).toBe('head');
    expect((await store.findFile(tenant, 'template', added.id)).file).toEqual(added.templateFile);
  });

  it('the list is newest first, of this tenant alone, and no longer than asked for, over several pages', async () => {
    const tenant = newTenant();
    const other = newTenant();
    await store.add(other, draft('another'));
    // More than the 1 MB that DynamoDB gives at a time.
    const long = 'x'.repeat(30_000);
    for (let n = 0; n < 40; n += 1) await store.add(tenant, { ...draft(`n${n}`), description: long });
    const names = (await store.list(tenant, null)).map(({ name }) => name);
    expect(names).toEqual(Array.from({ length: 40 }, (_, n) => `n${39 - n}`));
    expect((await store.list(tenant, 38)).map(({ name }) => name)).toEqual(names.slice(0, 38));
    expect(await store.list(tenant, 1)).toHaveLength(1);
    expect(await store.list(newTenant(), null)).toEqual([]);
  });

  it('12 style files and 12 images added at once are all there, and can all be deleted at once', async () => {
    const tenant = newTenant();
    const { id } = await store.add(tenant, draft());
    const numbers = Array.from({ length: 12 }, (_, n) => n);
    await Promise.all(
      numbers.flatMap((n) => [
        store.addStyle(tenant, id, style(`s${n}`)),
        store.addImage(tenant, id, image(`i${n}`)),
      ]),
    );
    const full = await store.get(tenant, id);
    expect(new Set(full.styleFiles.map(({ filename }) => filename))).toEqual(
      new Set(numbers.map((n) => `s${n}.css`)),
    );
    expect(new Set(full.imageFiles.map(({ uri }) => uri))).toEqual(new Set(numbers.map((n) => `i${n}`)));
    expect(await objectsOf(tenant)).toHaveLength(26);

    await Promise.all(full.styleFiles.map((file) => store.removeFile(tenant, 'style', file.id)));
    expect(await store.get(tenant, id)).toMatchObject({ styleFiles: [], imageFiles: full.imageFiles });
  });

  it('style files keep the order in which they were added, also around one that was deleted (I-11)', async () => {
    const tenant = newTenant();
    const { id } = await store.add(tenant, draft());
    const names = Array.from({ length: 12 }, (_, n) => `s${n}`);
    for (const name of names) await store.addStyle(tenant, id, style(name));
    const { styleFiles } = await store.get(tenant, id);
    expect(styleFiles.map(({ filename }) => filename)).toEqual(names.map((name) => `${name}.css`));
    await store.removeFile(tenant, 'style', styleFiles[3]?.id ?? '');
    await store.addStyle(tenant, id, style('last'));
    expect((await store.loadForRendering(tenant, id)).styles.map(({ text }) => text)).toEqual([
      ...names.filter((name) => name !== 's3'),
      'last',
    ]);
  });

  it('deleting a template deletes all its files (I-12)', async () => {
    const tenant = newTenant();
    const { id } = await store.add(tenant, draft());
    await store.addStyle(tenant, id, style('s'));
    await store.addImage(tenant, id, image('i'));
    expect(await objectsOf(tenant)).toHaveLength(4);
    await store.remove(tenant, id);
    expect(await objectsOf(tenant)).toEqual([]);
    await expect(store.get(tenant, id)).rejects.toEqual(code('not_found'));
    await expect(store.remove(tenant, id)).rejects.toEqual(code('not_found'));
    await expect(store.addStyle(tenant, id, style('s'))).rejects.toEqual(code('not_found'));
    expect(await objectsOf(tenant)).toEqual([]);
  });

  it("another tenant's ids do not exist (I-2)", async () => {
    const [owner, otherTenant] = [newTenant(), newTenant()];
    const template = await store.add(owner, draft());
    const added = await store.addStyle(owner, template.id, style('s'));
    const attempts = [
      () => store.get(otherTenant, template.id),
      () => store.remove(otherTenant, template.id),
      () => store.addStyle(otherTenant, template.id, style('x')),
      () => store.addImage(otherTenant, template.id, image('x')),
      () => store.removeFile(otherTenant, 'style', added.id),
      () => store.findFile(otherTenant, 'style', added.id),
      () => store.findFile(otherTenant, 'template', template.id),
      () => store.loadForRendering(otherTenant, template.id),
    ];
    for (const attempt of attempts) await expect(attempt()).rejects.toEqual(code('not_found'));
    expect((await store.get(owner, template.id)).styleFiles).toEqual([added]);
    expect(await objectsOf(otherTenant)).toEqual([]);
  });

  it('a file id is of one kind only, and a deletion under the wrong kind deletes nothing', async () => {
    const tenant = newTenant();
    const template = await store.add(tenant, draft());
    const picture = await store.addImage(tenant, template.id, image('logo'));
    await expect(store.findFile(tenant, 'style', picture.id)).rejects.toEqual(code('not_found'));
    await expect(store.findFile(tenant, 'image', template.templateFile.id)).rejects.toEqual(
      code('not_found'),
    );
    await expect(store.findFile(tenant, 'style', template.id)).rejects.toEqual(code('not_found'));
    await expect(store.removeFile(tenant, 'style', picture.id)).rejects.toEqual(code('not_found'));
    await expect(store.removeFile(tenant, 'image', template.templateFile.id)).rejects.toEqual(
      code('not_found'),
    );
    expect((await store.readFile(tenant, picture)).toString()).toBe('logo');
  });

  it('the 101st style file is refused, and nothing of it is left', async () => {
    const tenant = newTenant();
    const id = await withStyles(tenant, 97);
    await Promise.all(
      Array.from({ length: 7 }, (_, n) => store.addStyle(tenant, id, style(`s${n}`)).catch(() => null)),
    );
    await expect(store.addStyle(tenant, id, style('one more'))).rejects.toEqual(code('template_too_large'));
    expect((await store.get(tenant, id)).styleFiles).toHaveLength(100);
    expect(await objectsOf(tenant)).toHaveLength(2 + 3);
  });

  it('data that would not fit into the item is refused, and none of it remains', async () => {
    const tenant = newTenant();
    const { id } = await store.add(tenant, draft());
    const long = '€'.repeat(20_000);
    let added = 0;
    const refused = async (): Promise<unknown> => {
      for (;;) {
        try {
          await store.addImage(tenant, id, image(`i${added}`, long));
          added += 1;
        } catch (error) {
          return error;
        }
      }
    };
    expect(await refused()).toEqual(code('template_too_large'));
    expect(added).toBeGreaterThan(4);
    expect((await store.get(tenant, id)).imageFiles).toHaveLength(added);
    expect(await objectsOf(tenant)).toHaveLength(added + 2);
    const immense = { ...draft(), description: 'x'.repeat(420_000) };
    await expect(store.add(tenant, immense)).rejects.toEqual(code('template_too_large'));
    expect(await objectsOf(tenant)).toHaveLength(added + 2);
  });
});

describe('a failure halfway leaves no partial result', () => {
  it('a template whose second file cannot be written is not there, nor is its first file', async () => {
    const tenant = newTenant();
    let puts = 0;
    const secondFails = async (command: string, send: () => Promise<unknown>) =>
      command === 'PutObjectCommand' && (puts += 1) === 2 ? failing(command)(command, send) : await send();
    const adding = intercepting('s3', secondFails, () => store.add(tenant, draft()));
    await expect(adding).rejects.toEqual(code('storage_unavailable'));
    expect(await store.list(tenant, null)).toEqual([]);
    expect(await objectsOf(tenant)).toEqual([]);
  });

  it('an item that cannot be written leaves nothing visible', async () => {
    const tenant = newTenant();
    const adding = intercepting('dynamo', failing('PutItemCommand'), () => store.add(tenant, draft()));
    await expect(adding).rejects.toEqual(code('storage_unavailable'));
    expect(await store.list(tenant, null)).toEqual([]);
  });

  it('an item that was written though its answer was lost keeps its files', async () => {
    const tenant = newTenant();
    let puts = 0;
    // The first item is that of its history.
    const lost = async (command: string, send: () => Promise<unknown>) => {
      if (command === 'PutItemCommand') puts += 1;
      return await (puts === 2 ? answerLost('PutItemCommand')(command, send) : send());
    };
    const adding = intercepting('dynamo', lost, () => store.add(tenant, draft()));
    await expect(adding).rejects.toEqual(code('storage_unavailable'));
    const [template] = await store.list(tenant, null);
    expect((await store.loadForRendering(tenant, template?.id ?? '')).header?.text).toBe('head');

    const attaching = intercepting('dynamo', answerLost('UpdateItemCommand'), () =>
      store.addStyle(tenant, template?.id ?? '', style('kept')),
    );
    await expect(attaching).rejects.toEqual(code('storage_unavailable'));
    expect((await store.loadForRendering(tenant, template?.id ?? '')).styles.map(({ text }) => text)).toEqual(
      ['kept'],
    );
  });

  it('a write that the SDK sends twice counts once, also when it fills the last place', async () => {
    const tenant = newTenant();
    const id = await withStyles(tenant, 99);
    const twice = async (command: string, send: () => Promise<unknown>) => {
      if (command === 'UpdateItemCommand') await send();
      return await send();
    };
    await intercepting('dynamo', twice, () => store.addStyle(tenant, id, style('last')), 'finalizeRequest');
    const { styleFiles, latest } = await store.get(tenant, id);
    expect([styleFiles.length, styleFiles.at(-1)?.filename, latest]).toEqual([100, 'last.css', 2]);
  });

  it('a deletion that got half-way is finished by the next one', async () => {
    const tenant = newTenant();
    const { id } = await store.add(tenant, draft());
    const removing = intercepting('s3', failing('DeleteObjectsCommand'), () => store.remove(tenant, id));
    await expect(removing).rejects.toEqual(code('storage_unavailable'));
    await expect(store.get(tenant, id)).rejects.toEqual(code('not_found'));
    expect(await objectsOf(tenant)).toHaveLength(2);
    await store.remove(tenant, id);
    expect(await objectsOf(tenant)).toEqual([]);
    await expect(store.remove(tenant, id)).rejects.toEqual(code('not_found'));
  });

  it('a template deleted while a file is being added to it stays deleted, and the file is deleted too', async () => {
    const tenant = newTenant();
    const { id } = await store.add(tenant, draft());
    const deletedMeanwhile = async (command: string, send: () => Promise<unknown>) => {
      if (command === 'UpdateItemCommand') await store.remove(tenant, id);
      return await send();
    };
    const adding = intercepting('dynamo', deletedMeanwhile, () => store.addImage(tenant, id, image('late')));
    await expect(adding).rejects.toEqual(code('not_found'));
    expect(await objectsOf(tenant)).toEqual([]);
    expect(await store.list(tenant, null)).toEqual([]);
  });
});

describe('loading a template for a rendering', () => {
  it('returns options, texts, styles and images, and reads an image when it is asked for', async () => {
    const tenant = newTenant();
    const { id } = await store.add(tenant, { ...draft(), footerFile: html('\ufefffoot') });
    await store.addImage(tenant, id, image('logo'));
    await store.addImage(tenant, id, { ...image('logo'), bytes: Buffer.from('the newer logo') });
    await store.addImage(tenant, id, image('pictures.front'));
    const loaded = await store.loadForRendering(tenant, id);
    expect(loaded).toMatchObject({
      id,
      name: 'Invoice',
      format: 'html',
      templatingEngine: 'jinja2',
      options: { scale: 0.5, landscape: true, page_range: '1-' },
      file: { text: '<p>Invoice</p>' },
      header: { text: 'head' },
      footer: { text: 'foot' },
      styles: [],
    });
    expect([...loaded.images.keys()]).toEqual(['logo', 'pictures.front']);
    expect((await loaded.images.get('logo')?.bytes())?.toString()).toBe('the newer logo');
  });

  it('takes files from memory the second time, and the item from DynamoDB every time', async () => {
    const tenant = newTenant();
    const caching = new TemplateStore({ ...storage, cacheBytes: 1_000_000 });
    const { id } = await caching.add(tenant, draft());
    await caching.loadForRendering(tenant, id);
    const commands: string[] = [];
    const record = async (command: string, send: () => Promise<unknown>) => {
      commands.push(command);
      return await send();
    };
    await intercepting('dynamo', record, () =>
      intercepting('s3', record, () => caching.loadForRendering(tenant, id)),
    );
    expect(commands).toEqual(['GetItemCommand']);
    await store.remove(tenant, id);
    await expect(caching.loadForRendering(tenant, id)).rejects.toEqual(code('not_found'));
  });

  it('reports a lost file as a fault of the storage and not as a template that does not exist', async () => {
    const tenant = newTenant();
    const { id, templateFile } = await store.add(tenant, draft());
    const lost = async (command: string, send: () => Promise<unknown>) =>
      command === 'GetObjectCommand'
        ? Promise.reject(Object.assign(new Error('x'), { name: 'NoSuchKey' }))
        : await send();
    const lose = <T>(work: () => Promise<T>) => intercepting('s3', lost, work);
    await expect(lose(() => store.loadForRendering(tenant, id))).rejects.toMatchObject({
      name: 'CorruptRecordError',
    });
    await expect(lose(() => store.openFile(tenant, templateFile))).rejects.toMatchObject({
      name: 'CorruptRecordError',
    });
    await store.remove(tenant, id);
    await expect(store.openFile(tenant, templateFile)).rejects.toEqual(code('not_found'));
  });

  it('answers 503 for every operation if the storage does not answer', async () => {
    const tenant = newTenant();
    const { id } = await store.add(tenant, draft());
    const down = async (): Promise<never> => failing('x')('x', () => Promise.resolve()) as Promise<never>;
    const works: (() => Promise<unknown>)[] = [
      () => store.get(tenant, id),
      () => store.list(tenant, null),
      () => store.remove(tenant, id),
      () => store.addStyle(tenant, id, style('s')),
      () => store.removeFile(tenant, 'style', `${id}-${'0'.repeat(16)}`),
    ];
    for (const work of works) {
      await expect(intercepting('dynamo', down, work)).rejects.toEqual(code('storage_unavailable'));
    }
    await expect(intercepting('s3', down, () => store.loadForRendering(tenant, id))).rejects.toEqual(
      code('storage_unavailable'),
    );
  });
});

describe('a damaged record', () => {
  async function damaged(tenant: string): Promise<string> {
    const { id } = await store.add(tenant, draft());
    await dynamoClient().send(
      new UpdateItemCommand({
        TableName: storage.table,
        Key: templateKey(tenant, id),
        UpdateExpression: 'REMOVE template_file',
      }),
    );
    return id;
  }

  it('is an error that names it, never "not found", and can be deleted with its files', async () => {
    const tenant = newTenant();
    const id = await damaged(tenant);
    for (const work of [
      () => store.get(tenant, id),
      () => store.list(tenant, null),
      () => store.loadForRendering(tenant, id),
    ]) {
      await expect(work()).rejects.toMatchObject({
        name: 'CorruptRecordError',
        message: expect.stringContaining(`TEMPLATE#${id} is damaged`),
      });
    }
    await store.remove(tenant, id);
    expect(await objectsOf(tenant)).toEqual([]);
  });

  it('is not reported as damaged if a newer release wrote it: the request can be retried', async () => {
    const tenant = newTenant();
    const { id } = await store.add(tenant, draft());
    const setForm = async (form: string): Promise<void> => {
      const command = new UpdateItemCommand({
        TableName: storage.table,
        Key: templateKey(tenant, id),
        UpdateExpression: 'SET #schema = :form',
        ExpressionAttributeNames: { '#schema': 'schema' },
        ExpressionAttributeValues: { ':form': { N: form } },
      });
      await dynamoClient().send(command);
    };
    await setForm('2');
    await expect(store.get(tenant, id)).rejects.toMatchObject({ code: 'storage_unavailable' });
    await setForm('1');
    expect(await store.get(tenant, id)).toMatchObject({ id });
  });

  it('is reported as damaged, too, if it has an unknown shape', async () => {
    const tenant = newTenant();
    const { id } = await store.add(tenant, draft());
    await dynamoClient().send(
      new PutItemCommand({ TableName: storage.table, Item: templateKey(tenant, id) }),
    );
    await expect(store.get(tenant, id)).rejects.toMatchObject({ name: 'CorruptRecordError' });
  });
});
