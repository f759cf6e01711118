import { DeleteItemCommand, PutItemCommand, UpdateItemCommand } from '@aws-sdk/client-dynamodb';
import { PlatenError } from '@platen/core/errors';
import { dynamoClient, isNamed, storageCall } from '../storage/dynamodb.ts';
import type { ReadItem } from '../item-reader.ts';
import { deleteItem, type Item, readItem, removeTenantItems, tenantItems } from '../storage/items.ts';
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
    for await (const page of tenantItems(this.table, tenant, query)) {
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

  /**
   * Deletes a template's item.
   *
   * @param revision the one that it must have; absent for any
   * @returns the item as it was; undefined if there was none, null if it has another revision
   */
  async remove(tenant: string, id: string, revision?: string | null): Promise<Item | undefined | null> {
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
      return (await storageCall(() => dynamoClient().send(command), REFUSED)).Attributes;
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
    for await (const page of tenantItems(this.table, tenant, { prefix: versionsPrefix(id) }))
      found.push(...page.map(readVersion));
    return found;
  }

  async removeVersion(tenant: string, id: string, version: number, mark: string): Promise<void> {
    await deleteItem(this.table, versionKey(tenant, id, version, mark));
  }

  /** Deletes all items of versions of a template. @returns their number */
  async removeVersions(tenant: string, id: string): Promise<number> {
    return await removeTenantItems(this.table, tenant, versionsPrefix(id));
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
