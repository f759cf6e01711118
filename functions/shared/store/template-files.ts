import type { Readable } from 'node:stream';
import { PlatenError } from '@platen/core/errors';
import { log } from '../log.ts';
import { ByteCache } from '@platen/core/byte-cache';
import { ObjectStore } from './objects.ts';
import { fileKey, keptKey, templatePrefix } from './template-keys.ts';
import { CorruptRecordError, type StoredFile } from './template-record.ts';

/** Bytes to be stored under the id they have been given, or to be copied from where they are within S3. */
export type Upload = { file: StoredFile } & ({ bytes: Uint8Array } | { from: string });

/** Copies that are made side by side. */
const COPIES_AT_ONCE = 8;

/**
 * The bytes of templates' files in S3 (template-keys.ts says where). What an id stands for never changes, so it does
 * not matter which copy of a file is read: it is looked for in both places.
 *
 * Every method throws PlatenError `storage_unavailable` when the storage does not answer.
 */
export class TemplateFiles {
  private readonly objects: ObjectStore;
  private readonly cache: ByteCache;

  constructor(bucket: string, cacheBytes: number) {
    this.objects = new ObjectStore(bucket);
    this.cache = new ByteCache(cacheBytes);
  }

  /** Writes files. @param published where releases before versions find them; else among those that are kept */
  async write(tenant: string, uploads: readonly Upload[], published: boolean): Promise<void> {
    const key = published ? fileKey : keptKey;
    // All have ended before a failure is told: none is written after what was written has been discarded.
    const puts = await Promise.allSettled(
      uploads.map(async (upload) => {
        const { id, contentType } = upload.file;
        if ('bytes' in upload) return await this.objects.put(key(tenant, id), upload.bytes, contentType);
        if (!(await this.objects.copy(upload.from, key(tenant, id)))) throw fileDeleted();
      }),
    );
    const failed = puts.find((put) => put.status === 'rejected');
    if (failed) throw failed.reason;
  }

  /** A file's bytes as a stream, which has to be read or destroyed; null when the file is gone. */
  async open(tenant: string, { id }: StoredFile): Promise<Readable | null> {
    return (await this.objects.open(fileKey(tenant, id))) ?? (await this.objects.open(keptKey(tenant, id)));
  }

  /** A file's bytes, kept in memory for the next time. @param gone throws for a file that is not there any more */
  async read(tenant: string, file: StoredFile, fileDeleted: () => Promise<never>): Promise<Buffer> {
    const key = fileKey(tenant, file.id);
    return await this.cache.get(
      key,
      async () =>
        (await this.objects.read(key)) ??
        (await this.objects.read(keptKey(tenant, file.id))) ??
        (await fileDeleted()),
    );
  }

  /** Copies files to where those of versions are that are not published: to be done before none of them is. */
  async keep(tenant: string, ids: readonly string[]): Promise<void> {
    await this.copyAll(tenant, ids, fileKey, keptKey);
  }

  /** Copies files to where those of published versions are: to be done before they are. */
  async show(tenant: string, ids: readonly string[]): Promise<void> {
    await this.copyAll(tenant, ids, keptKey, fileKey);
  }

  private async copyAll(
    tenant: string,
    ids: readonly string[],
    from: typeof fileKey,
    to: typeof fileKey,
  ): Promise<void> {
    for (let start = 0; start < ids.length; start += COPIES_AT_ONCE) {
      await Promise.all(
        ids.slice(start, start + COPIES_AT_ONCE).map(async (id) => {
          if (await this.objects.copy(from(tenant, id), to(tenant, id))) return;
          if (await this.objects.exists(to(tenant, id))) return;
          throw new CorruptRecordError(`A version refers to the file ${id}, which is lost.`);
        }),
      );
    }
  }

  /** Deletes files that nothing refers to. What is left of them when that fails is swept. */
  async discard(tenant: string, ids: readonly string[]): Promise<void> {
    const keys = ids.flatMap((id) => [fileKey(tenant, id), keptKey(tenant, id)]);
    try {
      await this.objects.delete(keys);
    } catch (error) {
      // The caller has a better error to report.
      log.warn('files left for the sweep', { keys, error });
    }
  }

  /** Deletes whatever there is of a template's files. @returns how many there were */
  async removeAll(tenant: string, templateId: string): Promise<number> {
    let count = 0;
    // By what is there, not by what the item said: a file that is being added right now goes as well.
    for await (const page of this.objects.list(templatePrefix(tenant, templateId))) {
      count += page.length;
      await this.objects.delete(page.map(({ key }) => key));
    }
    return count;
  }
}

function fileDeleted(): PlatenError {
  return new PlatenError(
    'conflict',
    'A file of the template was deleted during the request. Please try again.',
  );
}
