import { ACCOUNT, REGION } from '../assembly/index.ts';
import type { RequiredRight } from './policy.ts';

/** The rights that requests to DynamoDB need. */

/** `{ S: 'text' }` */
type Attribute = Readonly<Record<string, unknown>>;
type Item = Readonly<Record<string, Attribute>>;

interface Order {
  TableName?: string;
  IndexName?: string;
  Key?: Item;
  Item?: Item;
  KeyConditionExpression?: string;
  ExpressionAttributeNames?: Readonly<Record<string, string>>;
  ExpressionAttributeValues?: Item;
  RequestItems?: Readonly<Record<string, unknown>>;
  TransactItems?: readonly Readonly<Record<string, Order>>[];
}

/** Returns the name of a table's partition key; undefined for a table outside the stacks. */
type PartitionKey = (table: string) => string | undefined;

/** Actions on items, which conditions may restrict by partition key. */
const ON_ITEMS = new Set(['GetItem', 'PutItem', 'UpdateItem', 'DeleteItem', 'Query']);
const ON_TABLES = new Set(['Scan', 'DescribeTable', 'CreateTable', 'DeleteTable', 'UpdateTable']);

/**
 * @param target the header `X-Amz-Target`
 * @returns null for a request whose needs are unknown
 */
export function rightsForDynamo(
  target: string,
  body: Buffer,
  partitionKey: PartitionKey,
): RequiredRight[] | null {
  const operation = /^DynamoDB_\d+\.(\w+)$/.exec(target)?.[1] ?? '';
  let order: Order;
  try {
    order = JSON.parse(body.toString('utf8')) as Order;
  } catch {
    return null;
  }
  const one = (action: string, on: Order): RequiredRight => needed(action, on, partitionKey);
  if (ON_ITEMS.has(operation)) return [one(operation, order)];
  if (ON_TABLES.has(operation)) return [{ action: `dynamodb:${operation}`, resource: arnOf(order) }];
  if (operation === 'ListTables') return [{ action: 'dynamodb:ListTables', resource: '*' }];
  if (operation === 'BatchGetItem' || operation === 'BatchWriteItem') {
    return Object.entries(order.RequestItems ?? {}).map(([TableName, requests]) => ({
      ...one(operation, { TableName }),
      context: leadingKeys(batched(requests).map((item) => item[partitionKey(TableName) ?? ''])),
    }));
  }
  if (operation === 'TransactWriteItems' || operation === 'TransactGetItems') {
    return (order.TransactItems ?? []).flatMap((item) =>
      Object.entries(item).map(([kind, on]) => one(TRANSACTED[kind] ?? kind, on)),
    );
  }
  return null;
}

/** Members of transactions, by the action that each needs. */
const TRANSACTED: Readonly<Record<string, string>> = {
  Get: 'GetItem',
  Put: 'PutItem',
  Update: 'UpdateItem',
  Delete: 'DeleteItem',
  ConditionCheck: 'ConditionCheckItem',
};

function needed(action: string, order: Order, partitionKey: PartitionKey): RequiredRight {
  const name = partitionKey(order.TableName ?? '') ?? '';
  const item = order.Key ?? order.Item;
  const key = item ? item[name] : queried(order, name);
  return {
    action: `dynamodb:${action}`,
    resource: arnOf(order) + (order.IndexName === undefined ? '' : `/index/${order.IndexName}`),
    context: leadingKeys([key]),
  };
}

/** Returns the keys and items of one table in a batch. */
function batched(requests: unknown): Item[] {
  if (!Array.isArray(requests)) return ((requests as { Keys?: Item[] } | null)?.Keys ?? []).slice();
  return (requests as { PutRequest?: { Item?: Item }; DeleteRequest?: { Key?: Item } }[]).flatMap(
    ({ PutRequest, DeleteRequest }): Item[] => {
      const item = PutRequest?.Item ?? DeleteRequest?.Key;
      return item ? [item] : [];
    },
  );
}

/** Returns the values that a query compares the partition key with. */
function queried(
  { KeyConditionExpression = '', ExpressionAttributeNames = {}, ExpressionAttributeValues = {} }: Order,
  name: string,
): Attribute | undefined {
  const words = KeyConditionExpression.match(/[#:\w.-]+|=/g) ?? [];
  const at = words.findIndex(
    (word, index) => (ExpressionAttributeNames[word] ?? word) === name && words[index + 1] === '=',
  );
  return at < 0 ? undefined : ExpressionAttributeValues[words[at + 2] ?? ''];
}

function leadingKeys(keys: readonly (Attribute | undefined)[]): Readonly<Record<string, readonly string[]>> {
  const texts = keys.flatMap((key) => (key === undefined ? [] : [String(Object.values(key)[0])]));
  return texts.length === 0 ? {} : { 'dynamodb:leadingkeys': texts };
}

function arnOf({ TableName = '' }: Order): string {
  // The table may be named by its ARN.
  return TableName.startsWith('arn:')
    ? TableName
    : `arn:aws:dynamodb:${REGION}:${ACCOUNT}:table/${TableName}`;
}
