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
