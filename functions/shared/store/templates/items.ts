import { DeleteItemCommand, PutItemCommand, QueryCommand, UpdateItemCommand } from '@aws-sdk/client-dynamodb';
import { PlatenError } from '@platen/core/errors';
import { dynamoClient, isNamed, storageCall } from '../storage/dynamodb.ts';
import type { ReadItem } from '../item-reader.ts';
import { type Item, readItem } from '../storage/items.ts';
import {
  headAttributes,
  readHead,
  readVersion,
  type StoredVersion,
  type TemplateHead,
  versionAttributes,
} from './item.ts';
import { templateKey, versionKey, versionsPrefix } from './keys.ts';
import type { TemplateRecord } from './record.ts';

/** The items of a tenant to be read. */
interface ItemQuery {
  /** The prefix of their sort keys. */
  prefix: string;
  /** Number of items of a page. */
  limit?: number | null;
  /** Key of the item after which the page begins. */
  after?: Item | null;
  keysOnly?: boolean;
}

/** DynamoDB's error for a write whose condition is false. */
export const REFUSED = ['ConditionalCheckFailedException'];

/**
 * The templates' items in DynamoDB. The SDK may retry a write that has succeeded already. If the first success makes
 * the condition of the second one false, the method's comment says how it detects that.  Every method throws
 * PlatenError `storage_unavailable` when DynamoDB fails, and CorruptRecordError for an invalid item.
 */
export class TemplateItems {
  private readonly table: string;
  private readonly getItem: ReadItem;

  /** @param read strongly consistent */
  constructor(table: string, read?: ReadItem) {
    this.table = table;
    this.getItem = read ?? (async (key) => await readItem(table, key));
  }

  /** Adds a template. @throws PlatenError `template_too_large`: nothing was written */
  async put(tenant: string, head: TemplateHead): Promise<void> {
    const { attributes } = headAttributes(head);
    const Item = { ...templateKey(tenant, head.template.id), ...attributes, samples: { M: {} } };
    // This write has no condition, because ids are never reused.
    await sized(() => dynamoClient().send(new PutItemCommand({ TableName: this.table, Item })));
  }

  /** Returns a template, strongly consistent; null when there is no such template. */
  async get(tenant: string, id: string): Promise<TemplateHead | null> {
    const item = await this.getItem(templateKey(tenant, id));
    return item ? readHead(item) : null;
  }

  /**
   * Returns a tenant's templates, newest first; all of them when `limit` is null.
   *
   * @param after the id of the template that comes before them; it may be deleted
   * @param isWanted selects templates; all are read until there are enough
   */
  async list(
    tenant: string,
    limit: number | null,
    after: string | null = null,
    isWanted?: (template: TemplateRecord) => boolean,
  ): Promise<TemplateHead[]> {
    const wanted = limit ?? Infinity;
    const heads: TemplateHead[] = [];
    const query = {
      prefix: 'TEMPLATE#',
      limit: isWanted ? null : limit,
      after: after === null ? null : templateKey(tenant, after),
    };
    for await (const page of this.query(tenant, query)) {
      heads.push(...page.map(readHead).filter(({ template }) => isWanted?.(template) ?? true));
      if (heads.length >= wanted) break;
    }
    return heads.slice(0, wanted);
  }

  /**
   * Replaces the content of a template's item, if nobody has changed it since it was read.
   *
   * @returns false if somebody has, or the template is deleted; also if the SDK's first attempt had succeeded: the item
   * then has the revision of `next`.
   * @throws PlatenError `template_too_large`: nothing was written
   */
  async replace(tenant: string, seen: TemplateHead, next: TemplateHead): Promise<boolean> {
    const { attributes, absent } = headAttributes(next);
    const names = Object.fromEntries(
      [...Object.keys(attributes), ...absent].map((name, index) => [name, `#a${index}`]),
    );
    const assigned = Object.keys(attributes).map((name, index) => `${names[name]} = :v${index}`);
    const removed = absent.map((name) => names[name]);
    const { template, revision, nextPosition } = seen;
    const values = Object.values(attributes).map((value, index) => [`:v${index}`, value] as const);
    const command = new UpdateItemCommand({
      TableName: this.table,
      Key: templateKey(tenant, template.id),
      UpdateExpression:
        `SET ${assigned.join(', ')}` + (removed.length > 0 ? ` REMOVE ${removed.join(', ')}` : ''),
      // Releases before versions change the last three, and do not know the revision.
      ConditionExpression: [
        'attribute_exists(pk)',
        revision === null ? 'attribute_not_exists(revision)' : 'revision = :revision',
        'next_position = :position',
        'size(style_files) = :styles',
        'size(image_files) = :images',
      ].join(' AND '),
      ExpressionAttributeNames: Object.fromEntries(
        Object.entries(names).map(([name, alias]) => [alias, name]),
      ),
      ExpressionAttributeValues: {
        ...Object.fromEntries(values),
        ...(revision === null ? {} : { ':revision': { S: revision } }),
        ':position': { N: String(nextPosition) },
        ':styles': { N: String(template.styleFiles.length) },
        ':images': { N: String(template.imageFiles.length) },
      },
    });
    return await accepted(() => sized(() => dynamoClient().send(command), REFUSED));
  }

  /** @returns whether the item existed; null if its revision is not `revision` */
  async remove(tenant: string, id: string, revision?: string | null): Promise<boolean | null> {
    const condition: { ConditionExpression?: string; ExpressionAttributeValues?: Item } =
      revision === undefined
        ? {}
        : revision === null
          ? { ConditionExpression: 'attribute_not_exists(revision)' }
          : {
              ConditionExpression: 'attribute_not_exists(pk) OR revision = :revision',
              ExpressionAttributeValues: { ':revision': { S: revision } },
            };
    const command = new DeleteItemCommand({
      TableName: this.table,
      Key: templateKey(tenant, id),
      ReturnValues: 'ALL_OLD',
      ...condition,
    });
    try {
      const { Attributes } = await storageCall(() => dynamoClient().send(command), REFUSED);
      return Attributes !== undefined;
    } catch (error) {
      if (!REFUSED.some((name) => isNamed(error, name))) throw error;
      return null;
    }
  }

  /** Writes a version's item; one with its mark is the same version. @throws PlatenError `template_too_large` */
  async putVersion(tenant: string, id: string, version: StoredVersion): Promise<void> {
    const Item = {
      ...versionKey(tenant, id, version.facts.version, version.mark),
      ...versionAttributes(version),
    };
    await sized(() => dynamoClient().send(new PutItemCommand({ TableName: this.table, Item })));
  }

  /** Returns a version's item, strongly consistent; null when there is none. */
  async getVersion(tenant: string, id: string, version: number, mark: string): Promise<StoredVersion | null> {
    const item = await this.getItem(versionKey(tenant, id, version, mark));
    return item ? readVersion(item) : null;
  }

  /** Returns all items of a template's current and former versions, newest first. */
  async versions(tenant: string, id: string): Promise<StoredVersion[]> {
    const found: StoredVersion[] = [];
    for await (const page of this.query(tenant, { prefix: versionsPrefix(id) }))
      found.push(...page.map(readVersion));
    return found;
  }

  async removeVersion(tenant: string, id: string, version: number, mark: string): Promise<void> {
    await this.deleteItem(versionKey(tenant, id, version, mark));
  }

  /** Deletes all items of versions of a template. @returns their number */
  async removeVersions(tenant: string, id: string): Promise<number> {
    let count = 0;
    const query = { prefix: versionsPrefix(id), keysOnly: true };
    for await (const page of this.query(tenant, query)) {
      for (const { pk, sk } of page) if (pk && sk) await this.deleteItem({ pk, sk });
      count += page.length;
    }
    return count;
  }

  private async deleteItem(key: Item): Promise<void> {
    await storageCall(() => dynamoClient().send(new DeleteItemCommand({ TableName: this.table, Key: key })));
  }

  /** Returns the items of a tenant whose sort keys begin with a prefix, the last one first. */
  private async *query(
    tenant: string,
    { prefix, limit = null, after = null, keysOnly = false }: ItemQuery,
  ): AsyncGenerator<Item[]> {
    let start: Item | undefined = after ?? undefined;
    do {
      const command = new QueryCommand({
        TableName: this.table,
        KeyConditionExpression: 'pk = :pk AND begins_with(sk, :sk)',
        ExpressionAttributeValues: { ':pk': { S: `TENANT#${tenant}` }, ':sk': { S: prefix } },
        ScanIndexForward: false,
        ConsistentRead: true,
        ...(keysOnly ? { ProjectionExpression: 'pk, sk' } : {}),
        ...(limit === null ? {} : { Limit: limit }),
        ...(start === undefined ? {} : { ExclusiveStartKey: start }),
      });
      const page = await storageCall(() => dynamoClient().send(command));
      yield page.Items ?? [];
      start = page.LastEvaluatedKey;
    } while (start !== undefined);
  }
}

/** Runs a write with a condition. @returns false if the condition was false */
export async function accepted(write: () => Promise<unknown>): Promise<boolean> {
  try {
    await write();
    return true;
  } catch (error) {
    if (!REFUSED.some((name) => isNamed(error, name))) throw error;
    return false;
  }
}

/** Runs a write. DynamoDB refuses one that would make the item larger than 400 KB. */
export async function sized<T>(write: () => Promise<T>, expected: readonly string[] = []): Promise<T> {
  try {
    return await storageCall(write, expected);
  } catch (error) {
    const cause = error instanceof Error ? error.cause : undefined;
    if (!isNamed(cause, 'ValidationException') || !cause.message.startsWith('Item size')) throw error;
    throw new PlatenError(
      'template_too_large',
      'The template has too many files, or descriptions that are too long: together they must fit into 400 KB.',
      { cause },
    );
  }
}
