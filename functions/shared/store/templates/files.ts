import type { Readable } from 'node:stream';
import { PlatenError } from '@platen/core/errors';
import { log } from '../../log.ts';
import { ByteCache } from '@platen/core/byte-cache';
import { inGroups } from '../storage/in-groups.ts';
import { ObjectStore } from '../storage/objects.ts';
import { fileKey, keptKey, templatePrefix } from './keys.ts';
import { CorruptRecordError, type StoredFile } from './record.ts';

/** Bytes to be stored under their assigned id, or to be copied within S3. */
export type Upload = { file: StoredFile } & ({ bytes: Uint8Array } | { from: string });

/** Copies that run in parallel. */
const COPIES_AT_ONCE = 8;

/**
 * The bytes of template files in S3 (template-keys.ts defines their places). The content of an id never
 * changes, so either copy of a file may be read: both places are searched.
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
    // All writes end before a failure is thrown, so that none is written after the others have been discarded.
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

  /** Returns a file's bytes as a stream, which must be read or destroyed; null when the file is gone. */
  async open(tenant: string, { id }: StoredFile): Promise<Readable | null> {
    return (await this.objects.open(fileKey(tenant, id))) ?? (await this.objects.open(keptKey(tenant, id)));
  }

  /** Returns a file's bytes, and caches them. @param gone throws for a file that no longer exists */
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

  /** Copies files to the place of unpublished versions, before their version becomes unpublished. */
  async keep(tenant: string, ids: readonly string[]): Promise<void> {
    await this.copyAll(tenant, ids, fileKey, keptKey);
  }

  /** Copies files to the place of published versions, before their version is published. */
  async show(tenant: string, ids: readonly string[]): Promise<void> {
    await this.copyAll(tenant, ids, keptKey, fileKey);
  }

  private async copyAll(
    tenant: string,
    ids: readonly string[],
    from: typeof fileKey,
    to: typeof fileKey,
  ): Promise<void> {
    await inGroups(ids, COPIES_AT_ONCE, async (id) => {
      if (await this.objects.copy(from(tenant, id), to(tenant, id))) return;
      if (await this.objects.exists(to(tenant, id))) return;
      throw new CorruptRecordError(`A version refers to the file ${id}, which is lost.`);
    });
  }

  /** Deletes files that nothing refers to. If that fails, the sweep deletes them. */
  async discard(tenant: string, ids: readonly string[]): Promise<void> {
    const keys = ids.flatMap((id) => [fileKey(tenant, id), keptKey(tenant, id)]);
    try {
      await this.objects.delete(keys);
    } catch (error) {
      // The caller has a better error to report.
      log.warn('files left for the sweep', { keys, error });
    }
  }

  /** Returns the ids of all of a template's files. */
  async listAll(tenant: string, templateId: string): Promise<Set<string>> {
    const ids = new Set<string>();
    for await (const page of this.objects.list(templatePrefix(tenant, templateId))) {
      for (const { key } of page) ids.add(key.slice(key.lastIndexOf('/') + 1));
    }
    return ids;
  }

  /** Deletes all of a template's files. @returns their number */
  async removeAll(tenant: string, templateId: string): Promise<number> {
    let count = 0;
    // By the files that exist, not by the item: a file that is being added right now is deleted as well.
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
