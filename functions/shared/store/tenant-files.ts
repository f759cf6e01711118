import { createHash } from 'node:crypto';
import { type AttributeValue, PutItemCommand } from '@aws-sdk/client-dynamodb';
import { marshall, unmarshall } from '@aws-sdk/util-dynamodb';
import { PlatenError } from '@platen/core/errors';
import * as z from 'zod';
import { ByteCache } from '@platen/core/byte-cache';
import { dynamoClient, storageCall } from './storage/dynamodb.ts';
import type { ReadItem } from './item-reader.ts';
import { deleteItem, queryPages, readItem } from './storage/items.ts';
import { newWriteToken } from './storage/write-token.ts';
import { ObjectStore } from './storage/objects.ts';
import { Revisions } from './tenant-files/revisions.ts';
import {
  type TenantFileKind,
  tenantFileItemKey,
  tenantFileKey,
  tenantFilesPrefix,
  tenantRevisionKey,
} from './tenant-files/keys.ts';
import { CorruptRecordError } from './templates/record.ts';

/**
 * Files that belong to a tenant and not to one template, by name: partials and fonts. Each has an item in the
 * table of templates, and its bytes in S3 under a mark of their own: only the item determines the content of
 * a name. The sweep (sweep.ts) deletes bytes that no item names.
 */

/** The properties of a file. */
export interface TenantFile {
  name: string;
  /** Identifies its bytes. */
  mark: string;
  contentType: string;
  /** Bytes. */
  size: number;
  /** SHA-256 of its bytes, hexadecimal. */
  hash: string;
  /** ISO 8601, UTC. */
  written: string;
  /** Further properties of files of that kind. */
  details: Readonly<Record<string, unknown>>;
}

const fileItem = z.object({
  name: z.string(),
  mark: z.string(),
  content_type: z.string(),
  size: z.number().int().min(0),
  hash: z.string(),
  written: z.iso.datetime(),
  details: z.record(z.string(), z.unknown()),
});

export interface TenantFilesConfig {
  table: string;
  bucket: string;
  /** Bytes of files kept in memory; 0 (the default) keeps none. */
  cacheBytes?: number;
  /** Reads the item that shows whether files have changed, perhaps together with others. */
  read?: ReadItem;
}

/** A tenant's files, and their revision. */
interface KeptList {
  revision: string;
  /** Milliseconds since the epoch. */
  listed: number;
  files: readonly TenantFile[];
}

/** How long a list is cached, ms: releases before revisions change files without updating them. */
const LIST_AGE_MS = 60_000;
/** Tenants whose lists are kept. */
const KEPT_LISTS = 100;

/** Every method throws PlatenError `storage_unavailable` when the storage fails. */
export class TenantFiles {
  readonly kind: TenantFileKind;
  readonly #table: string;
  readonly #objects: ObjectStore;
  readonly #cache: ByteCache;
  readonly #revisions: Revisions;
  /** By tenant, the most recently used last. */
  readonly #lists = new Map<string, KeptList>();

  constructor(kind: TenantFileKind, { table, bucket, cacheBytes = 0, read }: TenantFilesConfig) {
    this.kind = kind;
    this.#table = table;
    this.#objects = new ObjectStore(bucket);
    this.#cache = new ByteCache(cacheBytes);
    this.#revisions = new Revisions(table, (tenant) => tenantRevisionKey(tenant, kind), read);
  }

  /** Stores a file, and replaces one of the same name, whose bytes the sweep deletes. */
  async put(
    tenant: string,
    name: string,
    file: { bytes: Uint8Array; contentType: string; details?: TenantFile['details'] },
  ): Promise<TenantFile> {
    const { bytes, contentType, details = {} } = file;
    const kept: TenantFile = {
      name,
      mark: newWriteToken(),
      contentType,
      size: bytes.byteLength,
      hash: createHash('sha256').update(bytes).digest('hex'),
      written: new Date().toISOString(),
      details,
    };
    await this.#objects.put(this.keyOf(tenant, kept), bytes, contentType);
    const { contentType: content_type, ...fields } = kept;
    const Item = {
      ...tenantFileItemKey(tenant, this.kind, name),
      ...marshall({ ...fields, content_type } satisfies z.input<typeof fileItem>),
    };
    const write = new PutItemCommand({ TableName: this.#table, Item });
    await this.#revisions.change(tenant, () => storageCall(() => dynamoClient().send(write)));
    return kept;
  }

  /** Returns a file's record, strongly consistent. @throws PlatenError `not_found` */
  async get(tenant: string, name: string): Promise<TenantFile> {
    const item = await readItem(this.#table, tenantFileItemKey(tenant, this.kind, name));
    if (item === undefined) throw this.#missing(name);
    return fromItem(item);
  }

  /**
   * Returns a tenant's files by name, in order; all of them when `limit` is null.
   *
   * @param after the name that comes before them
   */
  async list(
    tenant: string,
    limit: number | null = null,
    after: string | null = null,
  ): Promise<TenantFile[]> {
    const files: TenantFile[] = [];
    const pages = queryPages({
      TableName: this.#table,
      KeyConditionExpression: 'pk = :pk AND begins_with(sk, :sk)',
      ExpressionAttributeValues: tenantFilesPrefix(tenant, this.kind),
      ConsistentRead: true,
      Limit: limit ?? undefined,
      ExclusiveStartKey: after === null ? undefined : tenantFileItemKey(tenant, this.kind, after),
    });
    for await (const items of pages) {
      files.push(...items.map(fromItem));
      if (limit !== null && files.length >= limit) return files.slice(0, limit);
    }
    return files;
  }

  /** Returns all of a tenant's current files. If they are unchanged, only one small item is read. */
  async current(tenant: string): Promise<readonly TenantFile[]> {
    const revision = await this.#revisions.now(tenant);
    const kept = this.#lists.get(tenant);
    this.#lists.delete(tenant);
    const now = Date.now();
    if (kept !== undefined && kept.revision === revision && now - kept.listed < LIST_AGE_MS) {
      this.#lists.set(tenant, kept);
      return kept.files;
    }
    const files = await this.list(tenant);
    if (revision === null) return files;
    this.#lists.set(tenant, { revision, listed: now, files });
    for (const [oldest] of this.#lists) {
      if (this.#lists.size <= KEPT_LISTS) break;
      this.#lists.delete(oldest);
    }
    return files;
  }

  /** Returns a file's bytes, and caches them. @throws PlatenError `not_found` when it was deleted meanwhile */
  async read(tenant: string, file: Pick<TenantFile, 'name' | 'mark'>): Promise<Buffer> {
    const key = this.keyOf(tenant, file);
    return await this.#cache.get(key, async () => {
      const bytes = await this.#objects.read(key);
      if (bytes === null) throw this.#missing(file.name);
      return bytes;
    });
  }

  /** Returns the key of a file's bytes in S3. */
  keyOf(tenant: string, file: Pick<TenantFile, 'name' | 'mark'>): string {
    return tenantFileKey(tenant, this.kind, file);
  }

  /** @throws PlatenError `not_found` */
  async remove(tenant: string, name: string): Promise<void> {
    const file = await this.get(tenant, name);
    const Key = tenantFileItemKey(tenant, this.kind, name);
    await this.#revisions.change(tenant, () => deleteItem(this.#table, Key));
    await this.#objects.delete([this.keyOf(tenant, file)]);
  }

  #missing(name: string): PlatenError {
    const what = this.kind === 'partials' ? 'partial' : 'font';
    return new PlatenError('not_found', `There is no ${what} "${name.slice(0, 100)}".`);
  }
}

function fromItem(item: Record<string, AttributeValue>): TenantFile {
  const result = fileItem.safeParse(unmarshall(item));
  if (!result.success)
    throw new CorruptRecordError(
      `The item ${item['sk']?.S ?? ''} is damaged: ${z.prettifyError(result.error)}`,
    );
  const { content_type: contentType, ...fields } = result.data;
  return { ...fields, contentType };
}
