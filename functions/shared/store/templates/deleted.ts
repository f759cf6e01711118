import { DeleteItemCommand, PutItemCommand } from '@aws-sdk/client-dynamodb';
import { marshall } from '@aws-sdk/util-dynamodb';
import { PlatenError } from '@platen/core/errors';
import { dynamoClient, storageCall } from '../storage/dynamodb.ts';
import { inGroups } from '../storage/in-groups.ts';
import { isTemplateId } from '../storage/ids.ts';
import { type Item, readItem, removeItem, tenantItems } from '../storage/items.ts';
import { newWriteToken } from '../storage/write-token.ts';
import { notFound } from './drafts.ts';
import type { HistoryPlace } from './history.ts';
import { readHead, type TemplateHead } from './item.ts';
import { accepted, REFUSED, sized } from './items.ts';
import { DELETED_PREFIX, deletedKey, idOfDeleted, templateKey } from './keys.ts';
import { fileIds, keptIds, type TemplateRecord } from './record.ts';
import { demand, type VersionStorage, type VersionWrite } from './versions.ts';

/**
 * Deleted templates that can come back (decision 0124). Deleting moves the template's own item to another key, where no
 * reader of templates looks, not even one of an earlier release; its versions and files stay. The item's history leads
 * to the entry of the deletion, which has the time and the caller.
 */

/** Days for which deleted templates can come back by default. */
const DELETED_DAYS = 30;
const DAY_MS = 24 * 60 * 60 * 1000;
/** Reads that run in parallel. */
const READS_AT_ONCE = 8;

/** A deleted template, and until when it can come back. */
export interface DeletedTemplate {
  id: string;
  template: TemplateRecord;
  /** ISO 8601, UTC. */
  at: string;
  /** Name of the caller who deleted it; null if it is not known. */
  by: string | null;
  /** ISO 8601, UTC. */
  expires: string;
}

/** A deleted template's item with its state. */
interface Found extends DeletedTemplate {
  item: Item;
  head: TemplateHead;
  place: HistoryPlace;
}

/** Every method throws PlatenError `storage_unavailable` when DynamoDB fails, and CorruptRecordError for a damaged item. */
export class DeletedTemplates {
  /** For which templates can come back; with 0, none can. */
  readonly days: number;
  private readonly table: string;
  private readonly items: VersionStorage['items'];
  private readonly history: VersionStorage['history'];
  private readonly files: VersionStorage['files'];

  constructor(
    { table, deletedDays = DELETED_DAYS }: { table: string; deletedDays?: number },
    { items, history, files }: Pick<VersionStorage, 'items' | 'history' | 'files'>,
  ) {
    this.days = deletedDays;
    this.table = table;
    this.items = items;
    this.history = history;
    this.files = files;
  }

  /**
   * Makes a template a deleted one.
   *
   * @returns false if there is none
   * @throws PlatenError `version_conflict`
   */
  async move(
    tenant: string,
    id: string,
    { expects, by }: Pick<VersionWrite, 'expects' | 'by'>,
  ): Promise<boolean> {
    for (let seen = false; ; seen = true) {
      const item = await readItem(this.table, templateKey(tenant, id));
      // If it was there a moment ago, another request has deleted it.
      if (item === undefined) return seen;
      const { template, revision, history } = readHead(item);
      demand(expects, template.latest);
      const facts = { action: 'deleted', version: template.version, by } as const;
      const place = await this.history.put(tenant, id, history, facts);
      await this.put(tenant, id, item, place);
      const removed = await this.items.remove(tenant, id, revision);
      if (removed !== null) {
        // Samples may have been added since it was read: they do not change the revision.
        if (removed !== undefined) await this.put(tenant, id, removed, place);
        return true;
      }
      await this.history.forget(tenant, id, place);
    }
  }

  /**
   * Makes a deleted template a template again, with its versions, files and samples.
   *
   * @param by name of the caller
   * @throws PlatenError `not_found`, also if its files are lost; `conflict` if a template has its id
   */
  async restore(tenant: string, id: string, by: string | null, now: number = Date.now()): Promise<void> {
    const found = isTemplateId(id) ? await this.find(tenant, id, now) : null;
    if (found === null) return notFound('deleted template', id);
    // Releases that delete at once remove the files of templates that they do not find.
    const there = await this.files.listAll(tenant, id);
    const needed = [...fileIds(found.template), ...keptIds(found.template)];
    if (!needed.every((file) => there.has(file))) return notFound('deleted template', id);
    const facts = { action: 'restored', version: found.template.version, by } as const;
    const history = await this.history.put(tenant, id, found.place, facts);
    const revision = newWriteToken();
    const Item = {
      ...found.item,
      ...templateKey(tenant, id),
      history: { M: marshall(history) },
      // A deletion that is still on its way deletes the revision that it has read, not this one.
      revision: { S: revision },
    };
    const command = new PutItemCommand({
      TableName: this.table,
      Item,
      ConditionExpression: 'attribute_not_exists(pk)',
    });
    if (!(await accepted(() => sized(() => dynamoClient().send(command), REFUSED)))) {
      // An earlier attempt of the SDK may have succeeded without its answer arriving.
      const live = await readItem(this.table, templateKey(tenant, id));
      if (live?.['revision']?.S !== revision) {
        await this.history.forget(tenant, id, history);
        throw new PlatenError('conflict', `There is a template with the id "${id}".`);
      }
    }
    await this.removeMoved(tenant, id, found.place);
  }

  /**
   * Returns a tenant's deleted templates that can come back, those that were added last first.
   *
   * @param after the id of the one that comes before them
   */
  async list(
    tenant: string,
    limit: number,
    after: string | null,
    now: number = Date.now(),
  ): Promise<DeletedTemplate[]> {
    const found: DeletedTemplate[] = [];
    const query = { prefix: DELETED_PREFIX, after: after === null ? null : deletedKey(tenant, after) };
    for await (const page of tenantItems(this.table, tenant, query)) {
      const states = await inGroups(page, READS_AT_ONCE, async (item) => {
        const id = idOfDeleted(item);
        // A deletion that crashed leaves an item beside the template, which is not deleted then.
        const isLive = (await readItem(this.table, templateKey(tenant, id))) !== undefined;
        return isLive ? null : await this.stateOf(tenant, id, item, now);
      });
      found.push(...states.filter((state) => state !== null));
      if (found.length >= limit) break;
    }
    return found.slice(0, limit);
  }

  /** Returns a deleted template; null if there is none, or its time is over. */
  async find(tenant: string, id: string, now: number): Promise<Found | null> {
    const item = await readItem(this.table, deletedKey(tenant, id));
    return item === undefined ? null : await this.stateOf(tenant, id, item, now);
  }

  /** Deletes the item of a deleted template. @returns whether there was one */
  async remove(tenant: string, id: string): Promise<boolean> {
    return await removeItem(this.table, deletedKey(tenant, id));
  }

  private async stateOf(tenant: string, id: string, item: Item, now: number): Promise<Found | null> {
    const head = readHead({ ...item, ...templateKey(tenant, id) });
    const entry = head.history && (await this.history.entry(tenant, id, head.history));
    if (entry?.action !== 'deleted' || head.history === null) return null;
    const end = Date.parse(entry.at) + this.days * DAY_MS;
    if (end <= now) return null;
    const { at, by } = entry;
    const expires = new Date(end).toISOString();
    return { id, template: head.template, at, by, expires, item, head, place: head.history };
  }

  /** Stores the item of a deletion, unless a later one has stored its own. */
  private async put(tenant: string, id: string, item: Item, place: HistoryPlace): Promise<void> {
    const command = new PutItemCommand({
      TableName: this.table,
      Item: { ...item, ...deletedKey(tenant, id), history: { M: marshall(place) } },
      ConditionExpression: 'attribute_not_exists(pk) OR #history.#number <= :number',
      ExpressionAttributeNames: { '#history': 'history', '#number': 'number' },
      ExpressionAttributeValues: { ':number': { N: String(place.number) } },
    });
    await accepted(() => sized(() => dynamoClient().send(command), REFUSED));
  }

  /** Deletes the item of one deletion. */
  private async removeMoved(tenant: string, id: string, { mark }: HistoryPlace): Promise<void> {
    const command = new DeleteItemCommand({
      TableName: this.table,
      Key: deletedKey(tenant, id),
      ConditionExpression: '#history.mark = :mark',
      ExpressionAttributeNames: { '#history': 'history' },
      ExpressionAttributeValues: { ':mark': { S: mark } },
    });
    await accepted(() => storageCall(() => dynamoClient().send(command), REFUSED));
  }
}
