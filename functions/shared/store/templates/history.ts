import { marshall, unmarshall } from '@aws-sdk/util-dynamodb';
import { PutItemCommand } from '@aws-sdk/client-dynamodb';
import * as z from 'zod';
import { TEMPLATE_ACTIONS, type TemplateAction } from '@platen/contract/templates';
import { log } from '../../log.ts';
import { dynamoClient, storageCall } from '../storage/dynamodb.ts';
import { type Item, queryPages, readItem, removeItem, removeTenantItems } from '../storage/items.ts';
import { newWriteToken } from '../storage/write-token.ts';
import { historyKey, historyPrefix } from './keys.ts';
import { CorruptRecordError } from './record.ts';

/**
 * The history of templates (decision 0123): an item for each change, written before the write that decides. The
 * template's own item names the last one, and each names the one before it, so that an item of a write that failed is
 * in no history.
 */

/** The place of an entry in a history. */
export interface HistoryPlace {
  /** 1 for the first entry, then one more each. */
  number: number;
  /** Of the write that made it. */
  mark: string;
}

/** What happened to a template. */
export interface HistoryFacts {
  action: TemplateAction;
  /** The version that was written or published; else the published one. */
  version: number;
  /** Name of the caller; null if it is not known. */
  by: string | null;
}

export interface HistoryEntry extends HistoryFacts, HistoryPlace {
  /** When it happened: ISO 8601, UTC. */
  at: string;
}

const CURSOR = /^([1-9]\d{0,9})-([0-9a-f]{20})$/;

const entryItem = z.object({
  number: z.number().int().min(1),
  mark: z.string(),
  /** The mark of the entry before. */
  previous: z.string().optional(),
  action: z.enum(TEMPLATE_ACTIONS),
  version: z.number().int().min(1),
  by: z.string().optional(),
  at: z.iso.datetime(),
});
type EntryItem = z.output<typeof entryItem>;

/** Returns the name of an entry in addresses. */
export function nameOfEntry({ number, mark }: HistoryPlace): string {
  return `${number}-${mark}`;
}

/** Returns the place that `nameOfEntry` named; null for another text. */
export function placeNamed(name: string): HistoryPlace | null {
  const [, number, mark] = CURSOR.exec(name) ?? [];
  return number === undefined || mark === undefined ? null : { number: Number(number), mark };
}

/** Every method throws PlatenError `storage_unavailable` when DynamoDB fails. */
export class TemplateHistory {
  private readonly table: string;

  constructor(table: string) {
    this.table = table;
  }

  /** Writes the entry after `last`. @returns its place, which the template's item has to name */
  async put(
    tenant: string,
    id: string,
    last: HistoryPlace | null,
    { action, version, by }: HistoryFacts,
  ): Promise<HistoryPlace> {
    const place = { number: (last?.number ?? 0) + 1, mark: newWriteToken() };
    const at = new Date().toISOString();
    const entry: EntryItem = { ...place, previous: last?.mark, action, version, by: by ?? undefined, at };
    const Item = { ...historyKey(tenant, id, place), ...marshall(entry, { removeUndefinedValues: true }) };
    await storageCall(() => dynamoClient().send(new PutItemCommand({ TableName: this.table, Item })));
    return place;
  }

  /** Removes an entry whose write came to nothing. If that fails, it stays, and is in no history. */
  async forget(tenant: string, id: string, place: HistoryPlace): Promise<void> {
    try {
      await removeItem(this.table, historyKey(tenant, id, place));
    } catch (error) {
      log.warn('an entry of no history was left', { template: id, number: place.number, error });
    }
  }

  /**
   * Returns entries of a template's history, newest first.
   *
   * @param last the place that the template's item names
   * @param after the entry before them in the list; null for the newest
   * @throws CorruptRecordError if an entry is lost
   */
  async list(
    tenant: string,
    id: string,
    last: HistoryPlace | null,
    { limit, after }: { limit: number; after: HistoryPlace | null },
  ): Promise<HistoryEntry[]> {
    const newest = after === null ? last : await this.before(tenant, id, after);
    const found: HistoryEntry[] = [];
    if (newest === null) return found;
    let next = newest;
    const from = historyPrefix(id);
    const query = {
      TableName: this.table,
      KeyConditionExpression: 'pk = :pk AND sk BETWEEN :from AND :to',
      ExpressionAttributeValues: {
        ':pk': { S: `TENANT#${tenant}` },
        ':from': { S: from },
        ':to': historyKey(tenant, id, newest)['sk'] ?? { S: from },
      },
      ScanIndexForward: false,
      ConsistentRead: true,
      Limit: limit,
    };
    for await (const page of queryPages(query)) {
      for (const entry of page.map(readEntry)) {
        // An entry of a write that failed has a number that another entry has as well.
        if (entry.number !== next.number || entry.mark !== next.mark) continue;
        found.push(presented(entry));
        const before = previousOf(entry);
        if (before === null || found.length === limit) return found;
        next = before;
      }
    }
    throw new CorruptRecordError(`The entry ${next.number} of the history of the template ${id} is lost.`);
  }

  /** Returns one entry; null if there is none. */
  async entry(tenant: string, id: string, place: HistoryPlace): Promise<HistoryEntry | null> {
    const item = await readItem(this.table, historyKey(tenant, id, place));
    return item === undefined ? null : presented(readEntry(item));
  }

  /** Deletes all entries of a template. */
  async removeAll(tenant: string, id: string): Promise<void> {
    await removeTenantItems(this.table, tenant, historyPrefix(id));
  }

  /** Returns the place before an entry; null if it was the first one, or there is no such entry. */
  private async before(tenant: string, id: string, place: HistoryPlace): Promise<HistoryPlace | null> {
    const item = await readItem(this.table, historyKey(tenant, id, place));
    return item === undefined ? null : previousOf(readEntry(item));
  }
}

function previousOf({ number, previous }: EntryItem): HistoryPlace | null {
  return previous === undefined ? null : { number: number - 1, mark: previous };
}

function presented({ number, mark, action, version, by, at }: EntryItem): HistoryEntry {
  return { number, mark, action, version, by: by ?? null, at };
}

/** @throws CorruptRecordError */
function readEntry(item: Item): EntryItem {
  const result = entryItem.safeParse(unmarshall(item));
  if (result.success) return result.data;
  throw new CorruptRecordError(
    `The entry ${item['sk']?.S ?? ''} of a history is damaged: ${z.prettifyError(result.error)}`,
  );
}
