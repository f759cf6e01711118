import { afterAll, beforeAll, expect, it } from 'vitest';
import { setLogLevel } from '../../functions/shared/log.ts';
import { newWriteToken } from '../../functions/shared/store/storage/write-token.ts';
import { TemplateItems } from '../../functions/shared/store/templates/items.ts';
import { TemplateStore } from '../../functions/shared/store/templates.ts';
import { sweepTemplateFiles } from '../../functions/templates/sweep-files.ts';
import { FIELDS, file } from './drafts.ts';
import { type EmbeddedStorage, startEmbeddedStorage } from './embedded.ts';
import { failing, intercepting } from './faults.ts';

/** What writes of versions leave when others come before them, and who sees it. */

const HOUR = 60 * 60 * 1000;

let storage: EmbeddedStorage;
let store: TemplateStore;
beforeAll(async () => {
  storage = await startEmbeddedStorage();
  store = new TemplateStore(storage);
  setLogLevel('silent');
});
afterAll(() => storage.stop());

async function add(tenant: string): Promise<string> {
  const files = { templateFile: file('one'), headerFile: null, footerFile: null };
  return (await store.add(tenant, { ...FIELDS, ...files })).id;
}

async function draft(tenant: string, id: string, text: string): Promise<void> {
  const how = { publish: false, note: text, by: null, expects: null };
  await store.change(tenant, id, how, () => Promise.resolve({ templateFile: file(text) }));
}

/** Writes what a draft is written as before the template's own item names it. */
async function leaveDraft(tenant: string, id: string, written: number): Promise<void> {
  const base = await store.get(tenant, id);
  const facts = { version: base.latest + 1, note: 'left', by: null, changes: [], isDraft: true };
  await new TemplateItems(storage.table).putVersion(tenant, id, {
    content: base,
    facts: { ...facts, written: new Date(written).toISOString() },
    mark: newWriteToken(),
  });
}

it('a version of a crashed write is not listed, even if another one got its number', async () => {
  const id = await add('listed');
  await leaveDraft('listed', id, Date.now());
  expect(await store.listVersions('listed', id)).toMatchObject([{ version: 1 }]);
  await draft('listed', id, 'two');
  const listed = await store.listVersions('listed', id);
  expect(listed).toMatchObject([
    { version: 2, note: 'two' },
    { version: 1, note: null },
  ]);
  expect(listed).toHaveLength(2);
  await store.remove('listed', id);
});

it('the sweep leaves a version that may be on its way to its template, and takes it when it is old', async () => {
  const id = await add('swept');
  // A file that nothing refers to has the sweep look at the versions of the template.
  const failed = intercepting('dynamo', failing('PutItemCommand', 'UpdateItemCommand'), () =>
    draft('swept', id, 'lost'),
  );
  await expect(failed).rejects.toMatchObject({ code: 'storage_unavailable' });
  const now = Date.now();
  await leaveDraft('swept', id, now + 2 * HOUR);
  const young = await sweepTemplateFiles(storage, { now: now + 2.5 * HOUR });
  expect(young).toMatchObject({ deleted: 1, versions: 0 });
  const again = intercepting('dynamo', failing('PutItemCommand', 'UpdateItemCommand'), () =>
    draft('swept', id, 'lost'),
  );
  await expect(again).rejects.toMatchObject({ code: 'storage_unavailable' });
  expect(await sweepTemplateFiles(storage, { now: now + 4 * HOUR })).toMatchObject({ versions: 1 });
});

it('a template that is changed while it is deleted is deleted only in the version that was named (I-37)', async () => {
  const id = await add('deleted');
  let isDisturbed = false;
  const removing = intercepting(
    'dynamo',
    async (command, send) => {
      if (command === 'DeleteItemCommand' && !isDisturbed) {
        isDisturbed = true;
        await draft('deleted', id, 'between');
      }
      return await send();
    },
    () => store.remove('deleted', id, (version) => version === 1),
  );
  await expect(removing).rejects.toMatchObject({ code: 'version_conflict' });
  expect(await store.get('deleted', id)).toMatchObject({ latest: 2 });
});
