import { isPlatenError, PlatenError } from '@platen/core/errors';
import { log } from '../../log.ts';
import { newWriteToken } from '../storage/write-token.ts';
import { changesBetween } from './changes.ts';
import type { TemplateFiles, Upload } from './files.ts';
import type { HistoryFacts, TemplateHistory } from './history.ts';
import type { TemplateHead } from './item.ts';
import type { TemplateItems } from './items.ts';
import {
  CorruptRecordError,
  fileIds,
  type TemplateContent,
  type TemplateRecord,
  type VersionFacts,
} from './record.ts';
import { busy, type TemplateWriteLock } from './write-lock.ts';

/** A version as a caller names it. */
export type VersionName = number | 'latest';

/** The options of writing a new version. */
export interface VersionWrite {
  /** Whether renderings use it from then on. */
  publish: boolean;
  note: string | null;
  /** Name of the caller; null if it is not known. */
  by: string | null;
  /** Returns whether the template has the version that the caller expects; null for any version. */
  expects: ((version: number) => boolean) | null;
}

/** The changes of a new version. */
export interface Edit {
  content: Partial<TemplateContent>;
  uploads: readonly Upload[];
  /** Its partials and fonts, stored separately because releases before versions do not know them. */
  kept?: readonly Upload[];
}

/** Returns the partials and fonts that a version is published with. */
export type KeptOf = (
  template: TemplateRecord,
) => Promise<Pick<Edit, 'kept'> & Pick<TemplateContent, 'partials' | 'fonts'>>;

/** The storage of versions. */
export interface VersionStorage {
  items: TemplateItems;
  files: TemplateFiles;
  writeLock: TemplateWriteLock;
  history: TemplateHistory;
}

/** Number of versions that are kept by default. */
const KEPT_VERSIONS = 100;

/** How long a write is retried when others are changing the same template, ms. */
const PATIENCE_MS = 40_000;

/**
 * Versions of templates. The write of the template's own item decides: it requires that nobody has changed
 * the item since it was read. Everything that it refers to is written before, under new marks and ids, so
 * that a failed or lost write is invisible and harmless; the sweep deletes its leftovers.
 */
export class TemplateVersions {
  private readonly items: TemplateItems;
  private readonly files: TemplateFiles;
  private readonly writeLock: TemplateWriteLock;
  private readonly history: TemplateHistory;
  private readonly kept: number;

  /** @param kept number of the newest versions that are kept of a template */
  constructor({ items, files, writeLock, history }: VersionStorage, kept: number = KEPT_VERSIONS) {
    this.items = items;
    this.files = files;
    this.writeLock = writeLock;
    this.history = history;
    this.kept = kept;
  }

  /** Returns one version of a template; null when there is no such template, or version. */
  async load(tenant: string, id: string, version: VersionName | null): Promise<TemplateRecord | null> {
    const head = await this.items.get(tenant, id);
    return head && (await this.loadOf(tenant, head, version ?? head.template.published));
  }

  /** Returns the properties of a template's versions, newest first; null when there is no such template. */
  async list(tenant: string, id: string): Promise<(VersionFacts & { published: boolean })[] | null> {
    const [head, stored] = [await this.items.get(tenant, id), await this.items.versions(tenant, id)];
    if (!head) return null;
    const { template, versions } = head;
    const others = stored
      .filter(({ facts, mark }) => versions.get(facts.version) === mark)
      .map(({ facts }) => ({ ...facts, published: false }))
      .filter(({ version }) => version !== template.published);
    return [...others, { ...factsOf(template), published: true }].toSorted((a, b) => b.version - a.version);
  }

  /**
   * Writes the next version of a template.
   *
   * @param edit returns the changes to the newest version; called again when another write came first
   * @throws PlatenError `not_found`, `version_conflict`, `conflict`, `template_too_large`, and as `edit` does
   */
  async write(
    tenant: string,
    id: string,
    how: VersionWrite,
    edit: (base: TemplateRecord) => Promise<Edit>,
  ): Promise<TemplateRecord> {
    const uploaded = new Set<string>();
    try {
      return await this.untilAlone(tenant, id, (head) => this.tryWrite(tenant, head, how, edit, uploaded));
    } catch (error) {
      // Without an answer the item may have been written, so its files have to stay.
      const isRefused = isPlatenError(error)
        ? error.code !== 'storage_unavailable'
        : error instanceof CorruptRecordError;
      if (isRefused && uploaded.size > 0) await this.files.discard(tenant, [...uploaded]);
      throw error;
    }
  }

  /**
   * Makes a version the one that renderings use.
   *
   * @throws PlatenError `not_found`, `version_conflict`, `conflict`
   */
  async publish(
    tenant: string,
    id: string,
    version: VersionName,
    { expects, by }: Pick<VersionWrite, 'expects' | 'by'>,
    keptOf: KeptOf,
  ): Promise<TemplateRecord> {
    return await this.untilAlone(tenant, id, async (head) => {
      const { template } = head;
      demand(expects, template.published);
      const target = await this.loadOf(tenant, head, version);
      if (target === null) throw missing(id, version);
      if (target.version === template.published) return template;
      await this.moveOn(tenant, head, contentOf(target), []);
      let { partials, fonts } = target;
      if (target.isDraft) {
        const current = await keptOf(target);
        await this.files.write(tenant, current.kept ?? [], false);
        ({ partials, fonts } = current);
      }
      const next = {
        ...head,
        template: { ...target, partials, fonts, isDraft: false, published: target.version },
        revision: newWriteToken(),
      };
      return await this.commit(tenant, head, next, { action: 'published', version: target.version, by });
    });
  }

  private async tryWrite(
    tenant: string,
    head: TemplateHead,
    { publish, note, by, expects }: VersionWrite,
    edit: (base: TemplateRecord) => Promise<Edit>,
    uploaded: Set<string>,
  ): Promise<TemplateRecord | null> {
    const { template } = head;
    demand(expects, template.latest);
    const base = await this.loadOf(tenant, head, template.latest);
    if (base === null) return null;
    const { content: edited, uploads, kept = [] } = await edit(base);
    const isNew = ({ file }: Upload): boolean => !uploaded.has(file.id);
    const [toKeep, toUpload] = [kept.filter(isNew), uploads.filter(isNew)];
    for (const { file } of [...toKeep, ...toUpload]) uploaded.add(file.id);
    await this.files.write(tenant, toKeep, false);
    await this.files.write(tenant, toUpload, publish);
    const content: TemplateContent = { ...contentOf(base), ...edited };
    const version = template.latest + 1;
    const changes = changesBetween(base, content);
    const written = new Date().toISOString();
    const facts: VersionFacts = { version, note, changes, written, by, isDraft: !publish };
    const mark = newWriteToken();
    const published = publish ? version : template.published;
    if (publish) await this.moveOn(tenant, head, content, [...uploaded]);
    else await this.items.putVersion(tenant, template.id, { content, facts, mark });
    const next = {
      ...head,
      template: { ...template, ...(publish ? { ...content, ...facts } : {}), published, latest: version },
      versions: this.withoutOldest(new Map([...head.versions, [version, mark]]), published, version),
      revision: mark,
    };
    const action = publish ? 'changed' : 'drafted';
    const committed = await this.commit(tenant, head, next, { action, version, by });
    if (committed !== null) return { ...committed, ...content, ...facts };
    if (!publish) await this.forget(tenant, template.id, version, mark);
    return null;
  }

  /**
   * Stores the published version as an item of its own, before another one replaces it.
   *
   * @param shown ids of files in the place of published versions
   */
  private async moveOn(
    tenant: string,
    { template, versions }: TemplateHead,
    next: TemplateContent,
    shown: readonly string[],
  ): Promise<void> {
    const { id, version } = template;
    const mark = versions.get(version);
    if (mark === undefined) throw new CorruptRecordError(`The template ${id} has no version ${version}.`);
    const [before, after] = [fileIds(template), fileIds(next)];
    await this.files.keep(tenant, without(before, after));
    await this.files.show(tenant, without(without(after, before), shown));
    const content = contentOf(template);
    await this.items.putVersion(tenant, id, { content, facts: factsOf(template), mark });
  }

  /** @returns null if another write came first */
  private async commit(
    tenant: string,
    head: TemplateHead,
    next: TemplateHead,
    happened: HistoryFacts,
  ): Promise<TemplateRecord | null> {
    const { id } = head.template;
    const history = await this.history.put(tenant, id, head.history, happened);
    if (!(await this.items.replace(tenant, head, { ...next, history }))) {
      // An earlier attempt of the SDK may have succeeded without its answer arriving.
      const current = await this.items.get(tenant, id);
      const mark = next.versions.get(next.template.latest);
      const isDone =
        current?.revision === next.revision ||
        (next.template.latest > head.template.latest && current?.versions.get(next.template.latest) === mark);
      if (!isDone) {
        await this.history.forget(tenant, id, history);
        return null;
      }
    }
    for (const [version, mark] of head.versions)
      if (!next.versions.has(version)) await this.forget(tenant, id, version, mark);
    return next.template;
  }

  /** Removes a version's item that nothing refers to. If that fails, the sweep removes it. */
  private async forget(tenant: string, id: string, version: number, mark: string): Promise<void> {
    try {
      await this.items.removeVersion(tenant, id, version, mark);
    } catch (error) {
      log.warn('a version left for the sweep', { template: id, version, error });
    }
  }

  /** Retries a write until no other one interferes; after a conflict it shares a lock with others. */
  private async untilAlone<T>(
    tenant: string,
    id: string,
    attempt: (head: TemplateHead) => Promise<T | null>,
  ): Promise<T> {
    const deadline = Date.now() + PATIENCE_MS;
    const owner = newWriteToken();
    let hasLock = false;
    try {
      for (;;) {
        const head = await this.items.get(tenant, id);
        if (head === null) throw missing(id, null);
        const done = await attempt(head);
        if (done !== null) return done;
        if (hasLock && Date.now() > deadline) throw busy();
        hasLock ||= await this.writeLock.wait(tenant, id, owner, deadline);
      }
    } finally {
      if (hasLock) await this.writeLock.end(tenant, id, owner);
    }
  }

  private async loadOf(
    tenant: string,
    { template, versions }: TemplateHead,
    name: VersionName,
  ): Promise<TemplateRecord | null> {
    const version = name === 'latest' ? template.latest : name;
    if (version === template.published) return template;
    const mark = versions.get(version);
    const stored =
      mark === undefined ? null : await this.items.getVersion(tenant, template.id, version, mark);
    return stored && { ...template, ...stored.content, ...stored.facts };
  }

  /** Returns the newest versions, as many as are kept, and the published one. */
  private withoutOldest(
    versions: ReadonlyMap<number, string>,
    published: number,
    latest: number,
  ): Map<number, string> {
    const newest = [...versions.keys()].toSorted((a, b) => b - a);
    const always = new Set([published, latest]);
    const others = newest.filter((version) => !always.has(version));
    const kept = new Set([...always, ...others.slice(0, Math.max(0, this.kept - always.size))]);
    return new Map([...versions].filter(([version]) => kept.has(version)));
  }
}

/** @throws PlatenError `version_conflict` */
export function demand(expects: VersionWrite['expects'], version: number): void {
  if (expects === null || expects(version)) return;
  throw new PlatenError(
    'version_conflict',
    `If-Match does not match: the template is at version ${version}. Get it again before you change it.`,
  );
}

function missing(id: string, version: VersionName | null): PlatenError {
  const what = version === null ? 'template' : `version ${version} of the template`;
  return new PlatenError('not_found', `There is no ${what} with the id "${id.slice(0, 100)}".`);
}

function contentOf(template: TemplateContent): TemplateContent {
  const { name, format, description, tags, templatingEngine, options, dataSchema } = template;
  const { templateFile, headerFile, footerFile, styleFiles, imageFiles } = template;
  const { partials, fonts } = template;
  const files = { templateFile, headerFile, footerFile, styleFiles, imageFiles, partials, fonts };
  return { name, format, description, tags, templatingEngine, options, dataSchema, ...files };
}

function factsOf({ version, note, changes, written, by, isDraft }: VersionFacts): VersionFacts {
  return { version, note, changes, written, by, isDraft };
}

function without(ids: readonly string[], others: readonly string[]): string[] {
  const left = new Set(others);
  return ids.filter((id) => !left.has(id));
}
