import { createHash } from 'node:crypto';
import { isPlatenError, PlatenError } from '@platen/core/errors';
import type { ImportJson } from '@platen/contract/resources';
import { tenantPartials } from '../../shared/store/tenant-files/partials.ts';
import type { PartialLibrary } from '@platen/templating/partials';
import type { StoredFile, TemplateRecord } from '../../shared/store/templates/record.ts';
import { demand, type VersionWrite } from '../../shared/store/templates/versions.ts';
import type { TenantFile, TenantFiles } from '../../shared/store/tenant-files.ts';
import { readCatalogue } from '../catalogues.ts';
import { checkFont, putFont } from '../fonts.ts';
import { checkPartial, putPartial } from '../partials.ts';
import { checkDistinct } from '../names.ts';
import { checkSample, sampleName } from '../samples.ts';
import { localeOf, putTranslation } from '../translations.ts';
import { type ArchiveStores, foundOrNull } from './export.ts';
import { type Prepared, prepareFolder } from './folder.ts';
import { invalid, type SentArchive, type SentFolder } from './read.ts';

/** Imports templates of a ZIP: new templates, and new versions of existing ones. */

type Result = ImportJson['templates'][number]['result'];

/** Most times a folder is validated again because other requests change its template at the same time. */
const ATTEMPTS = 5;

/**
 * Imports a ZIP. Everything is validated before anything is written. Then each template is written whole, in one version,
 * and unchanged ones are left alone, so that sending the same ZIP again completes an import that failed midway.
 *
 * @throws PlatenError `archive_invalid`, `version_conflict`, `conflict`, and the errors of adding each item
 */
export async function importArchive(
  stores: ArchiveStores,
  tenant: string,
  archive: SentArchive,
  how: VersionWrite,
): Promise<ImportJson> {
  if (how.expects !== null && archive.templates.length !== 1)
    throw invalid(`contains ${archive.templates.length} templates, but If-Match requires exactly one`);
  const work = new Import(stores, tenant, archive, how);
  await work.check();
  return await work.write();
}

class Import {
  readonly #stores: ArchiveStores;
  readonly #tenant: string;
  readonly #archive: SentArchive;
  readonly #how: VersionWrite;
  readonly #library: PartialLibrary;
  readonly #folders: { sent: SentFolder; base: TemplateRecord | null; prepared: Prepared }[] = [];

  constructor(stores: ArchiveStores, tenant: string, archive: SentArchive, how: VersionWrite) {
    this.#stores = stores;
    this.#tenant = tenant;
    this.#archive = archive;
    this.#how = how;
    this.#library = withSent(tenantPartials(stores.partials, tenant), archive.partials);
  }

  async check(): Promise<void> {
    const { partials, fonts, translations, templates } = this.#archive;
    await this.#checkNames();
    for (const [name, bytes] of partials) await checkPartial(name, bytes);
    for (const [name, bytes] of fonts) checkFont(name, bytes);
    for (const [locale, bytes] of translations) {
      localeOf({ locale });
      await readCatalogue(bytes);
    }
    const bases = await this.#bases(templates);
    for (const sent of templates) {
      for (const [name, text] of sent.samples) {
        sampleName(name);
        checkSample(text);
      }
      const base = bases.get(sent) ?? null;
      const prepared = await this.#prepareExpected(sent, base);
      this.#folders.push({ sent, base, prepared });
    }
  }

  /** Two names of one file are refused before anything is written, as `putPartial` and `putFont` would refuse the second. */
  async #checkNames(): Promise<void> {
    for (const kind of ['partials', 'fonts'] as const) {
      const sent = this.#archive[kind];
      if (sent.size === 0) continue;
      const names = (await this.#stores[kind].list(this.#tenant)).map(({ name }) => name);
      for (const name of sent.keys()) {
        checkDistinct(name, names, 'file_data');
        names.push(name);
      }
    }
  }

  async write(): Promise<ImportJson> {
    const { partials, fonts, translations } = this.#archive;
    const done: ImportJson = { templates: [], partials: [], fonts: [], translations: [] };
    done.partials = await this.#writeFiles(this.#stores.partials, partials, putPartial);
    done.fonts = await this.#writeFiles(this.#stores.fonts, fonts, putFont);
    for (const [locale, bytes] of translations)
      done.translations.push({ name: locale, result: await this.#writeTranslation(locale, bytes) });
    for (const { sent, base, prepared } of this.#folders) {
      const { template, result } = await this.#writeTemplate(sent, base, prepared);
      const isSampled = await this.#writeSamples(template, sent);
      const ids = Array.from(folderPaths(sent, template), ([path, { id }]) => [path, id] as const);
      done.templates.push({
        folder: sent.folder,
        id: template.id,
        name: template.name,
        version: template.latest,
        result: result === 'unchanged' && isSampled ? 'changed' : result,
        files: Object.fromEntries(ids),
      });
    }
    return done;
  }

  /**
   * Returns the existing templates of the folders, matched by id, else by name. If several templates have one
   * name, the first folder belongs to the oldest one, and so on.
   */
  async #bases(folders: readonly SentFolder[]): Promise<Map<SentFolder, TemplateRecord>> {
    const { templates } = this.#stores;
    const bases = new Map<SentFolder, TemplateRecord>();
    const taken = new Set<string>();
    const take = async (sent: SentFolder, id: string): Promise<void> => {
      const base = taken.has(id) ? null : await foundOrNull(() => templates.get(this.#tenant, id, 'latest'));
      if (base === null) return;
      taken.add(id);
      bases.set(sent, base);
    };
    for (const sent of folders) if (sent.origin !== null) await take(sent, sent.origin.id);
    const others = folders.filter((sent) => !bases.has(sent));
    if (others.length === 0) return bases;
    const all = (await templates.list(this.#tenant, null)).toReversed();
    for (const sent of others) {
      const same = all.find(({ id, name }) => !taken.has(id) && name === sent.manifest.name);
      if (same) await take(sent, same.id);
    }
    return bases;
  }

  /** An unchanged template is not a conflict, regardless of its version; any other error may result from one. */
  async #prepareExpected(sent: SentFolder, base: TemplateRecord | null): Promise<Prepared> {
    const demandVersion = (): void => {
      if (base !== null) return demand(this.#how.expects, base.latest);
      if (this.#how.expects !== null)
        throw new PlatenError('version_conflict', 'If-Match does not match: there is no such template.');
    };
    try {
      const prepared = await this.#prepare(sent, base);
      if (prepared.edit !== null || base === null) demandVersion();
      return prepared;
    } catch (error) {
      demandVersion();
      throw error;
    }
  }

  async #prepare(sent: SentFolder, base: TemplateRecord | null): Promise<Prepared> {
    const read = async (file: StoredFile): Promise<Buffer> =>
      await this.#stores.templates.readFile(this.#tenant, file);
    return await prepareFolder(sent, base, this.#library, read);
  }

  async #writeTemplate(
    sent: SentFolder,
    first: TemplateRecord | null,
    prepared: Prepared,
  ): Promise<{ template: TemplateRecord; result: Result }> {
    const { templates } = this.#stores;
    const [tenant, how] = [this.#tenant, this.#how];
    if (first === null)
      return { template: await templates.add(tenant, prepared.draft, how), result: 'added' };
    let base = first;
    let edit = await this.#withFonts(base, prepared);
    for (let attempt = 1; ; attempt += 1) {
      const seen = base.latest;
      const expects = (version: number): boolean => version === seen;
      try {
        if (edit !== null) {
          const wanted = edit;
          const template = await templates.change(
            tenant,
            base.id,
            { ...how, expects },
            async () => await Promise.resolve(wanted),
          );
          return { template, result: 'changed' };
        }
        if (!how.publish || base.published === base.latest) return { template: base, result: 'unchanged' };
        const template = await templates.publish(tenant, base.id, base.latest, { ...how, expects: null });
        return { template, result: 'published' };
      } catch (error) {
        const isOvertaken = isPlatenError(error) && error.code === 'version_conflict' && how.expects === null;
        if (!isOvertaken || attempt === ATTEMPTS) throw error;
        base = await templates.get(tenant, base.id, 'latest');
        edit = await this.#withFonts(base, await this.#prepare(sent, base));
      }
    }
  }

  /** If the tenant's fonts have changed, the version is written again. */
  async #withFonts(base: TemplateRecord, { edit }: Prepared): Promise<Prepared['edit']> {
    if (edit !== null) return edit;
    return (await this.#stores.templates.hasCurrentFonts(this.#tenant, base)) ? null : {};
  }

  /** @returns whether any sample has changed */
  async #writeSamples(template: TemplateRecord, { samples }: SentFolder): Promise<boolean> {
    const store = this.#stores.templates.samples;
    let isChanged = false;
    for (const name of Object.keys(template.samples)) {
      if (samples.has(name)) continue;
      await store.remove(this.#tenant, template.id, name);
      isChanged = true;
    }
    for (const [name, text] of samples) {
      const isThere = Object.hasOwn(template.samples, name);
      if (isThere && (await store.get(this.#tenant, template.id, name)) === text) continue;
      await store.put(this.#tenant, template.id, name, text);
      isChanged = true;
    }
    return isChanged;
  }

  async #writeFiles(
    files: TenantFiles,
    sent: ReadonlyMap<string, Buffer>,
    put: (files: TenantFiles, tenant: string, name: string, bytes: Buffer) => Promise<TenantFile>,
  ): Promise<{ name: string; result: Result }[]> {
    if (sent.size === 0) return [];
    const hashes = new Map((await files.list(this.#tenant)).map(({ name, hash }) => [name, hash]));
    const done: { name: string; result: Result }[] = [];
    for (const [name, bytes] of sent) {
      const [before, now] = [hashes.get(name), hashOf(bytes)];
      if (before !== now) await put(files, this.#tenant, name, bytes);
      done.push({ name, result: before === undefined ? 'added' : before === now ? 'unchanged' : 'changed' });
    }
    return done;
  }

  async #writeTranslation(locale: string, bytes: Buffer): Promise<Result> {
    const { translations } = this.#stores;
    const tag = localeOf({ locale });
    const before = await foundOrNull(() => translations.file(this.#tenant, tag));
    if (before?.equals(bytes)) return 'unchanged';
    await putTranslation(translations, this.#tenant, tag, bytes);
    return before === null ? 'added' : 'changed';
  }
}

/** Returns the files of a template by their paths in the folder that was sent. */
function folderPaths({ manifest }: SentFolder, template: TemplateRecord): Map<string, StoredFile> {
  const { file, header, footer, styles = [], images = [] } = manifest;
  const paths = new Map<string, StoredFile>([[file, template.templateFile]]);
  if (header !== undefined && template.headerFile) paths.set(header, template.headerFile);
  if (footer !== undefined && template.footerFile) paths.set(footer, template.footerFile);
  const attached = [...template.styleFiles, ...template.imageFiles];
  for (const [index, given] of [...styles, ...images].entries()) {
    const stored = attached[index];
    if (stored) paths.set(given.file, stored);
  }
  return paths;
}

/** Partials in the ZIP replace the existing ones. */
function withSent(library: PartialLibrary, sent: ReadonlyMap<string, Buffer>): PartialLibrary {
  return {
    names: async () => [...new Set([...(await library.names()), ...sent.keys()])],
    find: async (name) => {
      const bytes = sent.get(name);
      if (bytes === undefined) return await library.find(name);
      return { name, hash: hashOf(bytes), contentType: await checkPartial(name, bytes), bytes };
    },
  };
}

function hashOf(bytes: Buffer): string {
  return createHash('sha256').update(bytes).digest('hex');
}
