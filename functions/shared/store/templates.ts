import type { Readable } from 'node:stream';
import { isPlatenError } from '@platen/core/errors';
import { type Finders, RetainedFiles } from './templates/retained-files.ts';
import type { ReadItem } from './item-reader.ts';
import { isTemplateId, newFileId, newTemplateId, templateIdOfFile } from './storage/ids.ts';
import { type AttachedKind, attachedFiles, checkCount } from './templates/attached-files.ts';
import { assembleForRendering, type TemplateForRendering } from './templates/rendering.ts';
import { TemplateFiles, type Upload } from './templates/files.ts';
import { DeletedTemplates } from './templates/deleted.ts';
import { type HistoryEntry, type HistoryPlace, TemplateHistory } from './templates/history.ts';
import { TemplateRemoval } from './templates/removal.ts';
import { firstVersion } from './templates/first-version.ts';
import { firstHead } from './templates/item.ts';
import { TemplateItems } from './templates/items.ts';
import { TemplateSamples } from './templates/samples.ts';
import { newWriteToken } from './storage/write-token.ts';
import { NewFiles } from './templates/new-files.ts';
import {
  type FileKind,
  type FileOf,
  FILES_OF,
  KIND_NAMES,
  MEMBERS,
  type NewImage,
  type NewStyle,
  type NewTemplate,
  notFound,
  type TemplateEdit,
} from './templates/drafts.ts';
import { TemplateWriteLock } from './templates/write-lock.ts';
import {
  CorruptRecordError,
  fileIds,
  keptIds,
  type ImageFile,
  type StoredFile,
  type StyleFile,
  type TemplateRecord,
  type VersionFacts,
} from './templates/record.ts';
import { TemplateVersions, type VersionName, type VersionWrite } from './templates/versions.ts';

/**
 * Templates and their files (docs/architecture.md): one DynamoDB item per template with the data of renderings,
 * one for each further version; bytes in S3. An object is written before an item refers to it and deleted after
 * no item does, so that everything visible is complete; the sweep (sweep.ts) deletes what a crash leaves.
 */

export interface TemplateStoreConfig extends Finders {
  table: string;
  bucket: string;
  /** Bytes of files kept in memory; 0 (the default) keeps none. */
  cacheBytes?: number;
  /** Versions of each template that are kept. */
  keptVersions?: number;
  /** Days for which deleted templates can come back. */
  deletedDays?: number;
  /** Reads the items of templates, perhaps together with others. */
  read?: ReadItem;
}

export type { NewFile, NewPartial } from './templates/new-files.ts';
export type { FileKind, NewImage, NewStyle, NewTemplate, TemplateEdit } from './templates/drafts.ts';

/** A change that is published immediately, regardless of the template's version. */
const AT_ONCE: VersionWrite = { publish: true, note: null, by: null, expects: null };

/**
 * Every method throws PlatenError `storage_unavailable` when the storage does not answer, and
 * CorruptRecordError when a record is damaged. Another tenant's id is answered as one that does not exist:
 * `not_found` (I-2). Methods that change a template throw `version_conflict` if it has another version than
 * the caller expects, and `conflict` after too many concurrent changes.
 */
export class TemplateStore {
  private readonly items: TemplateItems;
  private readonly files: TemplateFiles;
  private readonly writeLock: TemplateWriteLock;
  private readonly versions: TemplateVersions;
  private readonly history: TemplateHistory;
  private readonly removal: TemplateRemoval;
  readonly deleted: DeletedTemplates;
  readonly samples: TemplateSamples;
  private readonly kept: RetainedFiles;

  constructor(config: TemplateStoreConfig) {
    this.items = new TemplateItems(config.table, config.read);
    this.files = new TemplateFiles(config.bucket, config.cacheBytes ?? 0);
    this.writeLock = new TemplateWriteLock(config.table);
    this.history = new TemplateHistory(config.table);
    const { items, files, writeLock, history } = this;
    const parts = { items, files, writeLock, history };
    this.deleted = new DeletedTemplates(config, parts);
    this.versions = new TemplateVersions(parts, config.keptVersions);
    this.removal = new TemplateRemoval(parts, this.deleted);
    this.kept = new RetainedFiles(config, (tenant, file) => this.readFile(tenant, file));
    this.samples = new TemplateSamples(config.table, this.items, this.files);
  }

  /**
   * Stores a template. When this fails, no template is visible.
   *
   * @throws PlatenError `template_too_large`
   */
  async add(
    tenant: string,
    draft: NewTemplate,
    how: Pick<VersionWrite, 'note' | 'by'> = AT_ONCE,
  ): Promise<TemplateRecord> {
    const id = newTemplateId();
    const { template: withoutFonts, uploads, kept } = firstVersion(id, draft, how);
    const { fonts, kept: copies } = await this.kept.fonts(tenant, id, withoutFonts, [...uploads, ...kept]);
    const template = { ...withoutFonts, fonts };
    const all = [...uploads, ...kept, ...copies];
    let history: HistoryPlace;
    try {
      await this.files.write(tenant, uploads, true);
      await this.files.write(tenant, [...kept, ...copies], false);
      history = await this.history.put(tenant, id, null, { action: 'added', version: 1, by: how.by });
    } catch (error) {
      await this.discard(tenant, all);
      throw error;
    }
    try {
      await this.items.put(tenant, firstHead(template, newWriteToken(), history));
    } catch (error) {
      // Without an answer the item may have been written after all, and then its files have to stay.
      if (!isPlatenError(error) || error.code !== 'storage_unavailable') {
        await this.history.forget(tenant, id, history);
        await this.discard(tenant, all);
      }
      throw error;
    }
    return template;
  }

  /** @param version the published one when null @throws PlatenError `not_found` */
  async get(tenant: string, id: string, version: VersionName | null = null): Promise<TemplateRecord> {
    const template = isTemplateId(id) ? await this.versions.load(tenant, id, version) : null;
    return template ?? notFound(version === null ? 'template' : `version ${version} of a template`, id);
  }

  /**
   * Returns the tenant's templates, newest first; all of them when `limit` is null.
   *
   * @param after the id of the template that comes before them
   * @param isWanted selects templates
   */
  async list(
    tenant: string,
    limit: number | null,
    after: string | null = null,
    isWanted?: (template: TemplateRecord) => boolean,
  ): Promise<TemplateRecord[]> {
    return (await this.items.list(tenant, limit, after, isWanted)).map(({ template }) => template);
  }

  /** Returns the properties of a template's versions, newest first. @throws PlatenError `not_found` */
  async listVersions(tenant: string, id: string): Promise<(VersionFacts & { published: boolean })[]> {
    const versions = isTemplateId(id) ? await this.versions.list(tenant, id) : null;
    return versions ?? notFound('template', id);
  }

  /**
   * Returns entries of a template's history, newest first.
   *
   * @param page.after the entry before them in the list
   * @throws PlatenError `not_found`
   */
  async listHistory(
    tenant: string,
    id: string,
    page: { limit: number; after: HistoryPlace | null },
  ): Promise<HistoryEntry[]> {
    const head = isTemplateId(id) ? await this.items.get(tenant, id) : null;
    return head ? await this.history.list(tenant, id, head.history, page) : notFound('template', id);
  }

  /**
   * Writes the next version of a template.
   *
   * @param edit returns the changes to the newest version
   * @throws PlatenError `not_found`, `template_too_large`, and as `edit` does
   */
  async change(
    tenant: string,
    id: string,
    how: VersionWrite,
    edit: (base: TemplateRecord) => Promise<TemplateEdit>,
  ): Promise<TemplateRecord> {
    if (!isTemplateId(id)) notFound('template', id);
    const files = new NewFiles(id);
    return await this.versions.write(tenant, id, how, async (base) => {
      const edited = await edit(base);
      const {
        templateFile,
        headerFile,
        footerFile,
        styleFiles,
        imageFiles,
        partials: used,
        ...fields
      } = edited;
      const { partials, kept } = used
        ? files.partials(used, base.partials)
        : { partials: base.partials, kept: [] };
      const content = {
        ...fields,
        partials,
        ...(templateFile === undefined ? {} : { templateFile: files.stored(templateFile) }),
        ...(headerFile === undefined ? {} : { headerFile: headerFile && files.stored(headerFile) }),
        ...(footerFile === undefined ? {} : { footerFile: footerFile && files.stored(footerFile) }),
        ...(styleFiles && { styleFiles: attachedFiles('style', styleFiles, files) }),
        ...(imageFiles && { imageFiles: attachedFiles('image', imageFiles, files) }),
      };
      const { uploads } = files;
      const whole = { ...base, ...content };
      const { fonts, kept: copies } = await this.kept.fonts(tenant, id, whole, [...uploads, ...kept]);
      return { content: { ...content, fonts }, uploads, kept: [...kept, ...copies] };
    });
  }

  /** Makes a version the one that renderings use. @throws PlatenError `not_found` */
  async publish(
    tenant: string,
    id: string,
    version: VersionName,
    how: Pick<VersionWrite, 'expects' | 'by'>,
  ): Promise<TemplateRecord> {
    if (!isTemplateId(id)) notFound('template', id);
    return await this.versions.publish(
      tenant,
      id,
      version,
      how,
      async (template) => await this.kept.both(tenant, template),
    );
  }

  /**
   * Deletes a template, which can come back for a time. A damaged one cannot, and is removed.
   *
   * @throws PlatenError `not_found`
   */
  async delete(tenant: string, id: string, how: Pick<VersionWrite, 'expects' | 'by'>): Promise<void> {
    await this.removal.delete(tenant, id, how);
  }

  /**
   * Removes a template, deleted or not, with all its versions and files, even if its record is damaged. When this
   * returns, nothing is left. A repeated call completes one that failed midway.
   *
   * @throws PlatenError `not_found`
   */
  async remove(tenant: string, id: string, expects: VersionWrite['expects'] = null): Promise<void> {
    await this.removal.remove(tenant, id, expects);
  }

  /** @throws PlatenError `not_found`, `template_too_large` */
  async addStyle(
    tenant: string,
    templateId: string,
    { bytes, ...style }: NewStyle,
    how: VersionWrite = AT_ONCE,
  ): Promise<StyleFile> {
    return await this.attach('style', tenant, templateId, bytes, style, how);
  }

  /** @throws PlatenError `not_found`, `template_too_large` */
  async addImage(
    tenant: string,
    templateId: string,
    { bytes, ...image }: NewImage,
    how: VersionWrite = AT_ONCE,
  ): Promise<ImageFile> {
    return await this.attach('image', tenant, templateId, bytes, image, how);
  }

  private async attach<F extends StyleFile | ImageFile>(
    kind: AttachedKind,
    tenant: string,
    templateId: string,
    bytes: Uint8Array,
    fields: Omit<F, 'id' | 'size' | 'added'>,
    how: VersionWrite,
  ): Promise<F> {
    if (!isTemplateId(templateId)) notFound('template', templateId);
    const id = newFileId(templateId);
    const file = { ...fields, id, size: bytes.byteLength, added: new Date().toISOString() } as F;
    const member = MEMBERS[kind];
    await this.versions.write(tenant, templateId, how, async (base) => {
      checkCount(kind, base[member].length + 1);
      const uploads = [{ file, bytes }];
      const changed = { ...base, [member]: [...base[member], file] };
      const { kept, ...share } = await this.kept.both(tenant, changed, uploads);
      return { content: { [member]: changed[member], ...share }, uploads, kept };
    });
    return file;
  }

  /**
   * Writes a version without a style or image file. Versions before it keep the file.
   *
   * @throws PlatenError `not_found`
   */
  async removeFile(
    tenant: string,
    kind: AttachedKind,
    id: string,
    how: VersionWrite = AT_ONCE,
  ): Promise<TemplateRecord> {
    const templateId = templateIdOfFile(id) ?? notFound(KIND_NAMES[kind], id);
    const member = MEMBERS[kind];
    try {
      return await this.versions.write(tenant, templateId, how, async (base) => {
        const files: readonly StoredFile[] = base[member];
        const left = files.filter((file) => file.id !== id);
        if (left.length === files.length) return notFound(KIND_NAMES[kind], id);
        const { kept, ...share } = await this.kept.both(tenant, { ...base, [member]: left });
        return { content: { [member]: left, ...share }, uploads: [], kept };
      });
    } catch (error) {
      if (isPlatenError(error) && error.code === 'not_found') notFound(KIND_NAMES[kind], id);
      throw error;
    }
  }

  /** Returns whether the stored fonts of a version are those that it would get now. */
  async hasCurrentFonts(tenant: string, version: TemplateRecord): Promise<boolean> {
    return await this.kept.hasCurrentFonts(tenant, version);
  }

  /**
   * Finds a file by its id; for the kind `template`, the template's id means its template file (I-10).
   *
   * @param version the version to search; the published one when null
   * @throws PlatenError `not_found`
   */
  async findFile<K extends FileKind>(
    tenant: string,
    kind: K,
    id: string,
    version: VersionName | null = null,
  ): Promise<{ template: TemplateRecord; file: FileOf[K] }> {
    const byTemplate = kind === 'template' && isTemplateId(id);
    const templateId = byTemplate ? id : templateIdOfFile(id);
    const template = templateId === null ? null : await this.versions.load(tenant, templateId, version);
    const file = template && FILES_OF[kind](template).find((candidate) => byTemplate || candidate.id === id);
    if (!template || !file) return notFound(KIND_NAMES[kind], id);
    return { template, file };
  }

  /**
   * Returns a file's bytes as a stream, which must be read or destroyed.
   *
   * @throws PlatenError `not_found` when it was deleted meanwhile
   */
  async openFile(tenant: string, file: StoredFile): Promise<Readable> {
    return (await this.files.open(tenant, file)) ?? (await this.explainMissing(tenant, file));
  }

  /**
   * Returns a file's bytes, and caches them.
   *
   * @throws PlatenError `not_found` when it was deleted meanwhile
   */
  async readFile(tenant: string, file: StoredFile): Promise<Buffer> {
    return await this.files.read(tenant, file, () => this.explainMissing(tenant, file));
  }

  /**
   * Returns all data of a rendering in their current state: strongly consistent, with cached files. Images
   * are read when needed.
   *
   * @param version the published one when null
   * @throws PlatenError `not_found`
   */
  async loadForRendering(
    tenant: string,
    id: string,
    version: VersionName | null = null,
  ): Promise<TemplateForRendering> {
    const template = await this.get(tenant, id, version);
    return await assembleForRendering(template, (file) => this.readFile(tenant, file));
  }

  private async discard(tenant: string, uploads: readonly Upload[]): Promise<void> {
    await this.files.discard(
      tenant,
      uploads.map(({ file }) => file.id),
    );
  }

  /** Explains a missing file of an item: it was deleted since the item was read, or it is lost. */
  private async explainMissing(tenant: string, file: StoredFile): Promise<never> {
    const template = (await this.items.get(tenant, templateIdOfFile(file.id) ?? ''))?.template;
    const known = template ? [...fileIds(template), ...keptIds(template)] : [];
    if (!template || !known.includes(file.id)) return notFound('file', file.id);
    throw new CorruptRecordError(`The template ${template.id} refers to the file ${file.id}, which is lost.`);
  }
}
