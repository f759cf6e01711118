import {
  DeleteItemCommand,
  GetItemCommand,
  PutItemCommand,
  QueryCommand,
  UpdateItemCommand,
} from '@aws-sdk/client-dynamodb';
import { PlatenError } from '@platen/core/errors';
import { MAX_IMAGE_FILES, MAX_STYLE_FILES } from '../template-files/checks.ts';
import { dynamoClient, isNamed, storageCall } from './dynamodb.ts';
import {
  fromItem,
  type ImageFile,
  type Item,
  type StyleFile,
  templateKey,
  type TemplateRecord,
  toAttachedValue,
  toItem,
} from './template-record.ts';

/** Files that are added to a template one by one: each kind is a map in the item. */
const ATTACHED = {
  style: { map: 'style_files', max: MAX_STYLE_FILES },
  image: { map: 'image_files', max: MAX_IMAGE_FILES },
} as const;
export type AttachedKind = keyof typeof ATTACHED;

export type AttachOutcome = 'added' | 'no template' | 'too many';

/**
 * The templates' items in DynamoDB. Every write may be tried again by the SDK after it has already happened, so none
 * has a condition that its own first success would break.
 *
 * Every method throws PlatenError `storage_unavailable` when DynamoDB does not do its part, and CorruptRecordError
 * when an item is not what it should be.
 */
export class TemplateItems {
  private readonly table: string;

  constructor(table: string) {
    this.table = table;
  }

  /** @throws PlatenError `template_too_large`: nothing was written */
  async put(tenant: string, template: TemplateRecord): Promise<void> {
    // No condition: ids are never used twice.
    const command = new PutItemCommand({ TableName: this.table, Item: toItem(tenant, template) });
    await sized(() => dynamoClient().send(command));
  }

  /** Strongly consistent; null when there is no such template. */
  async get(tenant: string, id: string): Promise<TemplateRecord | null> {
    const command = new GetItemCommand({
      TableName: this.table,
      Key: templateKey(tenant, id),
      ConsistentRead: true,
    });
    const { Item } = await storageCall(() => dynamoClient().send(command));
    return Item ? fromItem(Item) : null;
  }

  /** A tenant's templates, newest first; all of them when `limit` is null. */
  async list(tenant: string, limit: number | null): Promise<TemplateRecord[]> {
    const wanted = limit ?? Infinity;
    const templates: TemplateRecord[] = [];
    let start: Item | undefined;
    do {
      const command = new QueryCommand({
        TableName: this.table,
        KeyConditionExpression: 'pk = :pk AND begins_with(sk, :sk)',
        ExpressionAttributeValues: { ':pk': { S: `TENANT#${tenant}` }, ':sk': { S: 'TEMPLATE#' } },
        ScanIndexForward: false,
        ConsistentRead: true,
        ...(wanted === Infinity ? {} : { Limit: wanted - templates.length }),
        ...(start === undefined ? {} : { ExclusiveStartKey: start }),
      });
      const page = await storageCall(() => dynamoClient().send(command));
      for (const item of page.Items ?? []) templates.push(fromItem(item));
      start = page.LastEvaluatedKey;
    } while (start !== undefined && templates.length < wanted);
    return templates;
  }

  /** @returns whether there was one */
  async remove(tenant: string, id: string): Promise<boolean> {
    const command = new DeleteItemCommand({
      TableName: this.table,
      Key: templateKey(tenant, id),
      ReturnValues: 'ALL_OLD',
    });
    const { Attributes } = await storageCall(() => dynamoClient().send(command));
    return Attributes !== undefined;
  }

  /**
   * Adds a file's metadata to its template. Adds that happen at once never lose one another: each touches its own
   * path only, and DynamoDB itself counts their positions.
   *
   * @throws PlatenError `template_too_large`: nothing was written
   */
  async attach(
    tenant: string,
    templateId: string,
    kind: AttachedKind,
    file: StyleFile | ImageFile,
  ): Promise<AttachOutcome> {
    const { map, max } = ATTACHED[kind];
    const command = new UpdateItemCommand({
      TableName: this.table,
      Key: templateKey(tenant, templateId),
      UpdateExpression:
        'SET #map.#id = :file, file_order.#id = next_position, next_position = next_position + :one',
      ConditionExpression: 'attribute_exists(pk) AND (size(#map) < :max OR attribute_exists(#map.#id))',
      ExpressionAttributeNames: { '#map': map, '#id': file.id },
      ExpressionAttributeValues: {
        ':file': toAttachedValue(file),
        ':one': { N: '1' },
        ':max': { N: String(max) },
      },
    });
    try {
      await sized(() => dynamoClient().send(command), ['ConditionalCheckFailedException']);
      return 'added';
    } catch (error) {
      if (!isNamed(error, 'ConditionalCheckFailedException')) throw error;
      return (await this.get(tenant, templateId)) ? 'too many' : 'no template';
    }
  }

  /** @returns whether the template had the file */
  async detach(tenant: string, templateId: string, kind: AttachedKind, fileId: string): Promise<boolean> {
    const command = new UpdateItemCommand({
      TableName: this.table,
      Key: templateKey(tenant, templateId),
      UpdateExpression: 'REMOVE #map.#id, file_order.#id',
      ConditionExpression: 'attribute_exists(#map.#id)',
      ExpressionAttributeNames: { '#map': ATTACHED[kind].map, '#id': fileId },
    });
    try {
      await storageCall(() => dynamoClient().send(command), ['ConditionalCheckFailedException']);
      return true;
    } catch (error) {
      if (!isNamed(error, 'ConditionalCheckFailedException')) throw error;
      return false;
    }
  }
}

/** A write that DynamoDB refuses when the item would become larger than 400 KB. */
async function sized<T>(write: () => Promise<T>, expected: readonly string[] = []): Promise<T> {
  try {
    return await storageCall(write, expected);
  } catch (error) {
    const cause = error instanceof Error ? error.cause : undefined;
    if (!isNamed(cause, 'ValidationException') || !cause.message.startsWith('Item size')) throw error;
    throw new PlatenError(
      'template_too_large',
      'The template has too many files or too long descriptions: together they have to fit into 400 KB.',
      { cause },
    );
  }
}
