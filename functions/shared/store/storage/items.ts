import {
  type AttributeValue,
  DeleteItemCommand,
  GetItemCommand,
  paginateQuery,
  type QueryCommandInput,
} from '@aws-sdk/client-dynamodb';
import { dynamoClient, storageCall } from './dynamodb.ts';

/** DynamoDB items of a table. All functions throw PlatenError `storage_unavailable`. */

/** An item, or the key of one, with the types that DynamoDB gives its values. */
export type Item = Record<string, AttributeValue>;

/** Returns the current state of an item; undefined if there is none. */
export async function readItem(table: string, key: Item): Promise<Item | undefined> {
  const command = new GetItemCommand({ TableName: table, Key: key, ConsistentRead: true });
  return (await storageCall(() => dynamoClient().send(command))).Item;
}

/** Returns a text that identifies an item of the table, from its key or from the item itself. */
export function nameOfKey({ pk, sk }: Item): string {
  return JSON.stringify([pk?.S, sk?.S]);
}

/** @returns whether there was an item with the key */
export async function removeItem(table: string, key: Item): Promise<boolean> {
  const command = new DeleteItemCommand({ TableName: table, Key: key, ReturnValues: 'ALL_OLD' });
  return (await storageCall(() => dynamoClient().send(command))).Attributes !== undefined;
}

/** Deletes an item, whether there is one or not. */
export async function deleteItem(table: string, key: Item): Promise<void> {
  await storageCall(() => dynamoClient().send(new DeleteItemCommand({ TableName: table, Key: key })));
}

/** The items of a tenant to be read. */
interface TenantQuery {
  /** The prefix of their sort keys. */
  prefix: string;
  /** Number of items of a page; null for as many as fit. */
  limit?: number | null;
  /** Key of the item after which the first page begins; it may be deleted. */
  after?: Item | null;
  keysOnly?: boolean;
}

/** Yields the items of a tenant whose sort keys begin with a prefix, the last one first. */
export function tenantItems(
  table: string,
  tenant: string,
  { prefix, limit = null, after = null, keysOnly = false }: TenantQuery,
): AsyncGenerator<Item[]> {
  return queryPages({
    TableName: table,
    KeyConditionExpression: 'pk = :pk AND begins_with(sk, :sk)',
    ExpressionAttributeValues: { ':pk': { S: `TENANT#${tenant}` }, ':sk': { S: prefix } },
    ScanIndexForward: false,
    ConsistentRead: true,
    ...(keysOnly ? { ProjectionExpression: 'pk, sk' } : {}),
    ...(limit === null ? {} : { Limit: limit }),
    ...(after === null ? {} : { ExclusiveStartKey: after }),
  });
}

/** Deletes the items of a tenant whose sort keys begin with a prefix. @returns their number */
export async function removeTenantItems(table: string, tenant: string, prefix: string): Promise<number> {
  let count = 0;
  for await (const page of tenantItems(table, tenant, { prefix, keysOnly: true })) {
    for (const { pk, sk } of page) if (pk && sk) await deleteItem(table, { pk, sk });
    count += page.length;
  }
  return count;
}

/** Yields the results of a query; pages are requested as needed. */
export async function* queryPages({
  ExclusiveStartKey: startingToken,
  ...query
}: QueryCommandInput): AsyncGenerator<Item[]> {
  const pages = paginateQuery({ client: dynamoClient(), startingToken }, query);
  for (;;) {
    const { done, value } = await storageCall(() => pages.next());
    if (done === true) return;
    yield value.Items ?? [];
  }
}
