import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { setLogLevel } from '../../functions/shared/log.ts';
import { ObjectStore } from '../../functions/shared/store/storage/objects.ts';
import { sweepTemplateFiles } from '../../functions/templates/sweep-files.ts';
import { type NewTemplate, TemplateStore } from '../../functions/shared/store/templates.ts';
import { TenantFiles } from '../../functions/shared/store/tenant-files.ts';
import { TranslationStore } from '../../functions/shared/store/translations.ts';
import { importArchive } from '../../functions/templates/archive/import.ts';
import type { SentArchive } from '../../functions/templates/archive/read.ts';
import { type EmbeddedStorage, startEmbeddedStorage } from './embedded.ts';
import { failingBefore } from './faults.ts';

/**
 * Killed between any two writes: what is read then is the old state or the new one, each whole; the same once more
 * succeeds; and the sweep leaves only what something refers to. Versions, roll-backs and deletions: versions.test.ts.
 */

let storage: EmbeddedStorage;
let store: TemplateStore;
let partials: TenantFiles;
let fonts: TenantFiles;
let translations: TranslationStore;
beforeAll(async () => {
  storage = await startEmbeddedStorage();
  store = new TemplateStore({
    ...storage,
    findFonts: async (tenant) =>
      (await fonts.list(tenant)).map((file) => {
        const { name, hash, contentType, size } = file;
        return { name, hash, contentType, size, format: 'ttf', faces: [], from: fonts.keyOf(tenant, file) };
      }),
  });
  [partials, fonts] = [new TenantFiles('partials', storage), new TenantFiles('fonts', storage)];
  translations = new TranslationStore(storage);
  setLogLevel('silent');
});
afterAll(() => storage.stop());

const none = () => null;
const bytesOf = (text: string) => Buffer.from(text);
const partial = (text: string) => ({
  name: 'head.html',
  bytes: bytesOf(text),
  contentType: 'text/html',
  hash: createHash('sha256').update(text).digest('hex'),
});
const attached = (text: string) => ({ bytes: bytesOf(text), filename: null, description: null });

/** A template all of whose files have one text. */
function draft(text: string): NewTemplate {
  const file = { bytes: bytesOf(text), filename: null, contentType: 'text/html; charset=utf-8' };
  return {
    name: text,
    format: 'html',
    description: null,
    templatingEngine: 'jinja2',
    options: {},
    templateFile: file,
    headerFile: { ...file },
    footerFile: null,
    partials: [partial(text)],
    styleFiles: [{ ...attached(text), format: 'css', contentType: 'text/css; charset=utf-8' }],
    imageFiles: [{ ...attached(text), format: 'png', uri: 'logo', contentType: 'image/png' }],
  };
}

/** The text of a template, which all its files have. */
async function textOf(tenant: string, id: string, version: number | 'latest'): Promise<string> {
  const template = await store.get(tenant, id, version);
  const { templateFile, headerFile, styleFiles, imageFiles } = template;
  const files = [templateFile, headerFile, ...styleFiles, ...imageFiles, ...Object.values(template.partials)];
  expect(files).toHaveLength(5);
  const texts = await Promise.all(
    files.map(async (file) => (file ? String(await store.readFile(tenant, file)) : '')),
  );
  expect(new Set([template.name, ...texts])).toEqual(new Set([template.name]));
  return template.name;
}

interface Action {
  /** What is there before. */
  prepare?: (tenant: string) => Promise<unknown>;
  act: (tenant: string) => Promise<unknown>;
  /** What is read: as it was, or as it is to be. */
  read: (tenant: string) => Promise<unknown>;
  old: unknown;
  new: unknown;
  /** What may come of the same once more, after the first one was done. */
  again?: unknown;
  /** Writes that it takes; left out: more than one. */
  writes?: number;
}

const only = async (tenant: string): Promise<string> => (await store.list(tenant, null))[0]?.id ?? '';
const listed = async (tenant: string): Promise<string[]> =>
  await Promise.all(
    (await store.list(tenant, null)).map(async ({ id }) => await textOf(tenant, id, 'latest')),
  );
const change = async (tenant: string, publish: boolean): Promise<unknown> =>
  await store.change(tenant, await only(tenant), { publish, note: null, by: null, expects: null }, async () =>
    Promise.resolve(draft('new')),
  );
const shown = async (tenant: string): Promise<unknown> => {
  const id = await only(tenant);
  const { published, latest } = await store.get(tenant, id);
  return [await textOf(tenant, id, published), await textOf(tenant, id, latest)];
};
const oldPartial = (tenant: string) =>
  partials.put(tenant, 'head.html', { bytes: bytesOf('old'), contentType: 'text/html' });
const partialText = async (tenant: string): Promise<string | null> => {
  const file = await partials.get(tenant, 'head.html').catch(none);
  return file && String(await partials.read(tenant, file));
};

const archive = (text: string): SentArchive => ({
  partials: new Map([['head.html', bytesOf(text)]]),
  fonts: new Map(),
  translations: new Map(),
  templates: ['a', 'b'].map((folder) => ({
    folder,
    manifest: { name: folder, format: 'html', file: 'a.html', styles: [{ file: 'a.css' }] },
    files: new Map([
      ['a.html', bytesOf(`{% include "head.html" %}${text}`)],
      ['a.css', bytesOf(text)],
    ]),
    samples: new Map([['s', JSON.stringify(text)]]),
    origin: null,
  })),
});
const imported = async (tenant: string, text: string): Promise<unknown> =>
  await importArchive({ templates: store, partials, fonts, translations }, tenant, archive(text), {
    publish: true,
    note: null,
    by: null,
    expects: null,
  });
/** Of each template the text that its files have. */
const importedTexts = async (tenant: string): Promise<unknown> => {
  const all = await store.list(tenant, null);
  return Promise.all(
    all
      .toSorted((a, b) => (a.name < b.name ? -1 : 1))
      .map(async ({ templateFile, styleFiles: [style] }) => {
        const text = String(await store.readFile(tenant, templateFile)).replace(/^.*%}/, '');
        expect(style && String(await store.readFile(tenant, style))).toBe(text);
        return text;
      }),
  );
};

const font = (tenant: string, text: string) =>
  fonts.put(tenant, 'f.ttf', { bytes: bytesOf(text), contentType: 'font/ttf' });
const fontText = async (tenant: string): Promise<unknown> => {
  const file = await fonts.get(tenant, 'f.ttf').catch(none);
  const listed = (await fonts.list(tenant)).map(({ name }) => name);
  return { listed, text: file && String(await fonts.read(tenant, file)) };
};

const translate = (tenant: string, text: string) =>
  translations.put(tenant, { locale: 'de', messages: 1 }, bytesOf(text), JSON.stringify(text));
const translated = async (tenant: string): Promise<unknown> => {
  const file = await translations.file(tenant, 'de').catch(none);
  const listed = (await translations.list(tenant)).map(({ locale }) => locale);
  const catalogues = (await translations.catalogues(tenant, 'de')).map(({ data }) => data);
  return { listed, file: file && String(file), catalogues };
};
/** Of the published version: its text, and that of the font that it keeps. */
const shownWithFont = async (tenant: string): Promise<unknown> => {
  const id = await only(tenant);
  const { fonts: kept } = await store.get(tenant, id);
  const file = kept['f.ttf'];
  return [await textOf(tenant, id, 'latest'), file && String(await store.readFile(tenant, file))];
};

const ACTIONS: Record<string, Action> = {
  'adding a template': {
    act: (tenant) => store.add(tenant, draft('new')),
    read: listed,
    old: [],
    new: ['new'],
    again: ['new', 'new'],
  },
  'changing and publishing a template': {
    prepare: (tenant) => store.add(tenant, draft('old')),
    act: (tenant) => change(tenant, true),
    read: shown,
    old: ['old', 'old'],
    new: ['new', 'new'],
  },
  'changing a template whose font was replaced': {
    prepare: async (tenant) => {
      await font(tenant, 'old');
      await store.add(tenant, draft('old'));
      await font(tenant, 'new');
    },
    act: (tenant) => change(tenant, true),
    read: shownWithFont,
    old: ['old', 'old'],
    new: ['new', 'new'],
  },
  'writing a draft': {
    prepare: (tenant) => store.add(tenant, draft('old')),
    act: (tenant) => change(tenant, false),
    read: shown,
    old: ['old', 'old'],
    new: ['old', 'new'],
  },
  'publishing a draft': {
    prepare: async (tenant) => {
      await store.add(tenant, draft('old'));
      await change(tenant, false);
    },
    act: async (tenant) => await store.publish(tenant, await only(tenant), 2, { expects: null, by: null }),
    read: shown,
    old: ['old', 'new'],
    new: ['new', 'new'],
  },
  'keeping a sample': {
    prepare: async (tenant) => {
      await store.add(tenant, draft('old'));
      await store.samples.put(tenant, await only(tenant), 's', '"old"');
    },
    act: async (tenant) => await store.samples.put(tenant, await only(tenant), 's', '"new"'),
    read: async (tenant) => await store.samples.get(tenant, await only(tenant), 's'),
    old: '"old"',
    new: '"new"',
  },
  'adding a partial': {
    act: (tenant) => partials.put(tenant, 'head.html', { bytes: bytesOf('new'), contentType: 'text/html' }),
    read: partialText,
    old: null,
    new: 'new',
  },
  'replacing a partial': {
    prepare: oldPartial,
    act: (tenant) => partials.put(tenant, 'head.html', { bytes: bytesOf('new'), contentType: 'text/html' }),
    read: partialText,
    old: 'old',
    new: 'new',
  },
  'deleting a partial': {
    prepare: oldPartial,
    act: (tenant) => partials.remove(tenant, 'head.html').catch(none),
    read: partialText,
    old: 'old',
    new: null,
  },
  'adding a font': {
    act: (tenant) => font(tenant, 'new'),
    read: fontText,
    old: { listed: [], text: null },
    new: { listed: ['f.ttf'], text: 'new' },
  },
  'replacing a font': {
    prepare: (tenant) => font(tenant, 'old'),
    act: (tenant) => font(tenant, 'new'),
    read: fontText,
    old: { listed: ['f.ttf'], text: 'old' },
    new: { listed: ['f.ttf'], text: 'new' },
  },
  'deleting a font': {
    prepare: (tenant) => font(tenant, 'old'),
    act: (tenant) => fonts.remove(tenant, 'f.ttf').catch(none),
    read: fontText,
    old: { listed: ['f.ttf'], text: 'old' },
    new: { listed: [], text: null },
  },
  // File, catalogue and facts of a locale are one item.
  'adding translations': {
    act: (tenant) => translate(tenant, 'new'),
    read: translated,
    old: { listed: [], file: null, catalogues: [] },
    new: { listed: ['de'], file: 'new', catalogues: ['"new"'] },
    writes: 1,
  },
  'replacing translations': {
    prepare: (tenant) => translate(tenant, 'old'),
    act: (tenant) => translate(tenant, 'new'),
    read: translated,
    old: { listed: ['de'], file: 'old', catalogues: ['"old"'] },
    new: { listed: ['de'], file: 'new', catalogues: ['"new"'] },
    writes: 1,
  },
  'deleting translations': {
    prepare: (tenant) => translate(tenant, 'old'),
    act: (tenant) => translations.remove(tenant, 'de').catch(none),
    read: translated,
    old: { listed: ['de'], file: 'old', catalogues: ['"old"'] },
    new: { listed: [], file: null, catalogues: [] },
    writes: 1,
  },
};

describe('killed between any two writes', () => {
  it.each(Object.entries(ACTIONS))('in %s', async (name, action) => {
    const seenBy = new Map<string, unknown>();
    for (let died = true; died;) {
      const n = seenBy.size + 1;
      const tenant = `killed-${name.replaceAll(' ', '-')}-${n}`;
      await action.prepare?.(tenant);
      died = await failingBefore(n, () => action.act(tenant));
      const seen = await action.read(tenant);
      expect([action.old, action.new], `write ${n}`).toContainEqual(seen);
      if (!died) expect(seen).toEqual(action.new);
      seenBy.set(tenant, seen);
    }
    if (action.writes === undefined) expect(seenBy.size).toBeGreaterThan(2);
    else expect(seenBy.size).toBe(action.writes + 1);
    await sweepTemplateFiles(storage, { now: Date.now() + 7_200_000 });
    for (const [tenant, seen] of seenBy) {
      expect(await action.read(tenant), `${tenant} is swept`).toEqual(seen);
      await action.act(tenant);
      const isDone = JSON.stringify(seen) === JSON.stringify(action.new);
      expect(await action.read(tenant)).toEqual(isDone ? (action.again ?? action.new) : action.new);
    }
  });

  it('in an import: each template is complete, and repeating the import completes it', async () => {
    let n = 1;
    for (let died = true; died; n += 1) {
      const tenant = `killed-import-${n}`;
      await imported(tenant, 'old');
      died = await failingBefore(n, () => imported(tenant, 'new'));
      const seen = await importedTexts(tenant);
      expect([
        ['old', 'old'],
        ['new', 'old'],
        ['new', 'new'],
      ]).toContainEqual(seen);
      await imported(tenant, 'new');
      expect(await importedTexts(tenant)).toEqual(['new', 'new']);
      for (const { latest, id } of await store.list(tenant, null)) {
        expect(latest, 'no version is written twice').toBe(2);
        expect(await store.samples.get(tenant, id, 's')).toBe('"new"');
      }
      expect(await partialText(tenant)).toBe('new');
    }
    expect(n).toBeGreaterThan(10);
  });
});

it('after all of it, the sweep leaves only files that an item refers to', async () => {
  await sweepTemplateFiles(storage, { now: Date.now() + 7_200_000 });
  let count = 0;
  for await (const page of new ObjectStore(storage.bucket).list('tenants/killed-deleting-a-partial'))
    count += page.length;
  expect(count).toBe(0);
});
