import { randomUUID } from 'node:crypto';
import { UpdateItemCommand } from '@aws-sdk/client-dynamodb';
import { dynamoClient, storageCall } from '../storage/dynamodb.ts';
import type { ReadItem } from '../item-reader.ts';
import { type Item, readItem } from '../storage/items.ts';

/**
 * Longest duration of a write, ms, above the lifetime of any function that writes. An older one has died,
 * before or after it wrote.
 */
const LONGEST_WRITE_MS = 2 * 60 * 1000;

/**
 * Detects with one small item whether any of several items has changed, so that they need not be read again.
 * A write is announced in that item, done, and ended in it. While one is running caches are not used; one
 * that died counts as a change, as it may have written.
 *
 * Every method throws PlatenError `storage_unavailable`.
 */
export class Revisions {
  readonly #table: string;
  readonly #keyOf: (tenant: string) => Item;
  readonly #read: ReadItem;

  /** @param keyOf returns the key of a tenant's revision item */
  constructor(table: string, keyOf: (tenant: string) => Item, read?: ReadItem) {
    this.#table = table;
    this.#keyOf = keyOf;
    this.#read = read ?? (async (key) => await readItem(table, key));
  }

  /** Runs a write that changes the items of the revision. */
  async change<T>(tenant: string, write: () => Promise<T>): Promise<T> {
    const mark = `${Date.now()}-${randomUUID()}`;
    await this.#update(tenant, 'ADD writing :marks', { ':marks': { SS: [mark] } });
    const written = await write();
    await this.#update(tenant, 'SET revision = :mark DELETE writing :marks', {
      ':mark': { S: mark },
      ':marks': { SS: [mark] },
    });
    return written;
  }

  /** Returns an identifier of the current state, which is equal as long as nothing changes; null during a change. */
  async now(tenant: string): Promise<string | null> {
    const item = await this.#read(this.#keyOf(tenant));
    const writing = item?.['writing']?.SS ?? [];
    const since = Date.now() - LONGEST_WRITE_MS;
    if (writing.some((mark) => Number.parseInt(mark, 10) > since)) return null;
    return [item?.['revision']?.S ?? '', ...writing.toSorted()].join(' ');
  }

  async #update(tenant: string, UpdateExpression: string, ExpressionAttributeValues: Item): Promise<void> {
    const Key = this.#keyOf(tenant);
    const order = { TableName: this.#table, Key, UpdateExpression, ExpressionAttributeValues };
    await storageCall(() => dynamoClient().send(new UpdateItemCommand(order)));
  }
}
