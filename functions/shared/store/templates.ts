import type { Readable } from 'node:stream';
import { isPlatenError, PlatenError } from '@platen/core/errors';
import { log } from '../log.ts';
import { ByteCache } from './byte-cache.ts';
import { isTemplateId, newFileId, newTemplateId, templateIdOfFile } from './ids.ts';
import { ObjectStore } from './objects.ts';
import { assembleForRendering, type TemplateForRendering } from './rendering.ts';
import { MAX_IMAGE_FILES, MAX_STYLE_FILES } from '../template-files/checks.ts';
import { type AttachedKind, TemplateItems } from './template-items.ts';
import { fileKey, templatePrefix } from './template-keys.ts';
import {
  CorruptRecordError,
  fileIds,
  type ImageFile,
  type StoredFile,
  type StyleFile,
  type TemplateRecord,
} from './template-record.ts';

/**
 * Templates and their files (architecture.md, "Storage"): one DynamoDB item per template with its style and image
 * files as maps inside; bytes in S3. An object is written before the item refers to it and deleted after no item
 * does, so that whatever is visible is whole; what a crash leaves behind is swept (sweep.ts).
 */

export interface TemplateStoreConfig {
  table: string;
  bucket: string;
  /** Bytes of files kept in memory; 0 (the default) keeps none. */
  cacheBytes?: number;
}

/** Bytes to be stored, and what is to be known of them. */
export interface NewFile {
  bytes: Uint8Array;
  filename: string | null;
  contentType: string;
}

export type NewTemplate = Pick<
  TemplateRecord,
  'name' | 'format' | 'description' | 'templatingEngine' | 'options'
> & { templateFile: NewFile; headerFile: NewFile | null; footerFile: NewFile | null };

export type NewStyle = NewFile & Pick<StyleFile, 'format' | 'description'>;
export type NewImage = NewFile & Pick<ImageFile, 'format' | 'description' | 'uri'>;

/** What a kind of file ids stands for. `template` is the template's own file, its header or its footer. */
interface FileOf {
  template: StoredFile;
  style: StyleFile;
  image: ImageFile;
}
export type FileKind = keyof FileOf;

const FILES_OF: { readonly [K in FileKind]: (template: TemplateRecord) => readonly FileOf[K][] } = {
  template: ({ templateFile, headerFile, footerFile }) =>
    [templateFile, headerFile, footerFile].filter((file) => file !== null),
  style: ({ styleFiles }) => styleFiles,
  image: ({ imageFiles }) => imageFiles,
};
const KIND_NAMES: Readonly<Record<FileKind, string>> = {
  template: 'template file',
  style: 'stylesheet',
  image: 'image',
};
const TOO_MANY: Readonly<Record<AttachedKind, string>> = {
  style: `A template may have ${MAX_STYLE_FILES} style files; this one has them already.`,
  image: `A template may have ${MAX_IMAGE_FILES} image files; this one has them already.`,
};

/**
 * Every method throws PlatenError `storage_unavailable` when the storage does not answer, and CorruptRecordError when
 * what it answers is damaged. Another tenant's id is answered as one that does not exist: `not_found` (I-2).
 */
export class TemplateStore {
  private readonly items: TemplateItems;
  private readonly objects: ObjectStore;
  private readonly cache: ByteCache;

  constructor(config: TemplateStoreConfig) {
    this.items = new TemplateItems(config.table);
    this.objects = new ObjectStore(config.bucket);
    this.cache = new ByteCache(config.cacheBytes ?? 0);
  }

  /**
   * Stores a template. When this fails, no template is visible.
   *
   * @throws PlatenError `template_too_large`
   */
  async add(tenant: string, draft: NewTemplate): Promise<TemplateRecord> {
    const id = newTemplateId();
    const uploads: Upload[] = [];
    const upload = ({ bytes, filename, contentType }: NewFile): StoredFile => {
      const file = { id: newFileId(id), filename, contentType, size: bytes.byteLength };
      uploads.push({ file, bytes });
      return file;
    };
    const template: TemplateRecord = {
      ...draft,
      id,
      templateFile: upload(draft.templateFile),
      headerFile: draft.headerFile && upload(draft.headerFile),
      footerFile: draft.footerFile && upload(draft.footerFile),
      styleFiles: [],
      imageFiles: [],
      created: new Date().toISOString(),
    };
    await this.store(tenant, uploads, async () => {
      await this.items.put(tenant, template);
    });
    return template;
  }

  /** @throws PlatenError `not_found` */
  async get(tenant: string, id: string): Promise<TemplateRecord> {
    const template = isTemplateId(id) ? await this.items.get(tenant, id) : null;
    return template ?? notFound('template', id);
  }

  /** The tenant's templates, newest first; all of them when `limit` is null. */
  async list(tenant: string, limit: number | null): Promise<TemplateRecord[]> {
    return await this.items.list(tenant, limit);
  }

  /**
   * Deletes a template and all its files, also one whose record is damaged. When this returns, nothing is left.
   * After an attempt that got half-way, another one finishes the work.
   *
   * @throws PlatenError `not_found`
   */
  async remove(tenant: string, id: string): Promise<void> {
    if (!isTemplateId(id)) notFound('template', id);
    const hadItem = await this.items.remove(tenant, id);
    let files = 0;
    // By what is there, not by what the item said: a file that is being added right now goes as well.
    for await (const page of this.objects.list(templatePrefix(tenant, id))) {
      files += page.length;
      await this.objects.delete(page.map(({ key }) => key));
    }
    if (!hadItem && files === 0) notFound('template', id);
  }

  /** @throws PlatenError `not_found`, `template_too_large` */
  async addStyle(tenant: string, templateId: string, { bytes, ...style }: NewStyle): Promise<StyleFile> {
    return await this.attach('style', tenant, templateId, bytes, style);
  }

  /** @throws PlatenError `not_found`, `template_too_large` */
  async addImage(tenant: string, templateId: string, { bytes, ...image }: NewImage): Promise<ImageFile> {
    return await this.attach('image', tenant, templateId, bytes, image);
  }

  /**
   * Deletes a style or image file. When this returns, it is gone from the template and from the storage.
   * After an attempt that got half-way, another one finishes the work.
   *
   * @throws PlatenError `not_found`
   */
  async removeFile(tenant: string, kind: AttachedKind, id: string): Promise<void> {
    const templateId = templateIdOfFile(id) ?? notFound(KIND_NAMES[kind], id);
    const detached = await this.items.detach(tenant, templateId, kind, id);
    if (!detached && !(await this.isLeftOver(tenant, templateId, id))) notFound(KIND_NAMES[kind], id);
    await this.objects.delete([fileKey(tenant, id)]);
  }

  /**
   * Looks a file up by its id; of the kind `template`, the template's id stands for its template file (I-10).
   *
   * @throws PlatenError `not_found`
   */
  async findFile<K extends FileKind>(
    tenant: string,
    kind: K,
    id: string,
  ): Promise<{ template: TemplateRecord; file: FileOf[K] }> {
    const byTemplate = kind === 'template' && isTemplateId(id);
    const templateId = byTemplate ? id : templateIdOfFile(id);
    const template = templateId === null ? null : await this.items.get(tenant, templateId);
    const file = template && FILES_OF[kind](template).find((candidate) => byTemplate || candidate.id === id);
    if (!template || !file) return notFound(KIND_NAMES[kind], id);
    return { template, file };
  }

  /**
   * A file's bytes as a stream, which has to be read or destroyed.
   *
   * @throws PlatenError `not_found` when it was deleted meanwhile
   */
  async openFile(tenant: string, file: StoredFile): Promise<Readable> {
    return (await this.objects.open(fileKey(tenant, file.id))) ?? (await this.explainMissing(tenant, file));
  }

  /**
   * A file's bytes, kept in memory for the next time.
   *
   * @throws PlatenError `not_found` when it was deleted meanwhile
   */
  async readFile(tenant: string, file: StoredFile): Promise<Buffer> {
    const key = fileKey(tenant, file.id);
    return await this.cache.get(
      key,
      async () => (await this.objects.read(key)) ?? (await this.explainMissing(tenant, file)),
    );
  }

  /**
   * All a rendering needs, as of now: one strongly consistent read; files come from memory when they were needed
   * before. Images are read when they are asked for.
   *
   * @throws PlatenError `not_found`
   */
  async loadForRendering(tenant: string, id: string): Promise<TemplateForRendering> {
    const template = await this.get(tenant, id);
    return await assembleForRendering(template, (file) => this.readFile(tenant, file));
  }

  private async attach<F extends StyleFile | ImageFile>(
    kind: AttachedKind,
    tenant: string,
    templateId: string,
    bytes: Uint8Array,
    fields: Omit<F, 'id' | 'size' | 'added'>,
  ): Promise<F> {
    // Looked at before anything is written, so that a wrong id costs no upload.
    await this.get(tenant, templateId);
    const id = newFileId(templateId);
    const file = { ...fields, id, size: bytes.byteLength, added: new Date().toISOString() } as F;
    await this.store(tenant, [{ file, bytes }], async () => {
      const outcome = await this.items.attach(tenant, templateId, kind, file);
      if (outcome === 'no template') notFound('template', templateId);
      if (outcome === 'too many') throw new PlatenError('template_too_large', TOO_MANY[kind]);
    });
    return file;
  }

  /** Writes objects, then what refers to them. When that is refused, the objects are taken back at once. */
  private async store(tenant: string, uploads: readonly Upload[], refer: () => Promise<void>): Promise<void> {
    const puts = await Promise.allSettled(
      uploads.map(({ file, bytes }) => this.objects.put(fileKey(tenant, file.id), bytes, file.contentType)),
    );
    const failed = puts.find((put) => put.status === 'rejected');
    try {
      if (failed) throw failed.reason;
      await refer();
    } catch (error) {
      // Without an answer the item may have been written after all, and then its files have to stay.
      const isRefused = (isPlatenError(error) && error.code !== 'storage_unavailable') || isCorrupt(error);
      if (failed || isRefused) await this.discard(uploads.map(({ file }) => fileKey(tenant, file.id)));
      throw error;
    }
  }

  /** The object is there, but no template refers to it any more. */
  private async isLeftOver(tenant: string, templateId: string, fileId: string): Promise<boolean> {
    const template = await this.items.get(tenant, templateId);
    if (template && fileIds(template).includes(fileId)) return false;
    return await this.objects.exists(fileKey(tenant, fileId));
  }

  private async discard(keys: readonly string[]): Promise<void> {
    try {
      await this.objects.delete(keys);
    } catch (error) {
      // The caller has a better error to report, and the sweep will find them.
      log.warn('files left for the sweep', { keys, error });
    }
  }

  /** A file its item refers to is not there: it was deleted since the item was read, or it is lost. */
  private async explainMissing(tenant: string, file: StoredFile): Promise<never> {
    const template = await this.items.get(tenant, templateIdOfFile(file.id) ?? '');
    if (!template || !fileIds(template).includes(file.id)) return notFound('file', file.id);
    throw new CorruptRecordError(`The template ${template.id} refers to the file ${file.id}, which is lost.`);
  }
}

interface Upload {
  file: StoredFile;
  bytes: Uint8Array;
}

function notFound(what: string, id: string): never {
  throw new PlatenError('not_found', `There is no ${what} with the id "${id.slice(0, 100)}".`);
}

function isCorrupt(error: unknown): boolean {
  return error instanceof CorruptRecordError;
}
