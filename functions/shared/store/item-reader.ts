import { setTimeout as wait } from 'node:timers/promises';
import { BatchGetItemCommand } from '@aws-sdk/client-dynamodb';
import { PlatenError } from '@platen/core/errors';
import { dynamoClient, storageCall } from './storage/dynamodb.ts';
import { type Item, nameOfKey, readItem } from './storage/items.ts';

/** Reads the current state of an item; undefined if there is none. */
export type ReadItem = (key: Item) => Promise<Item | undefined>;

/** Most keys of one DynamoDB request. */
const MAX_KEYS = 100;
/** How often items that DynamoDB omits from an answer are requested again. */
const ATTEMPTS = 5;
const FIRST_PAUSE_MS = 50;

/** An item that somebody waits for. */
interface Wanted {
  key: Item;
  item: Promise<Item | undefined>;
  resolve: (item: Item | undefined) => void;
  reject: (error: unknown) => void;
}

/**
 * Returns a reader of items whose answers are strongly consistent. Items that are requested in the same turn
 * of the event loop share one request, so that a second one adds little cost.
 *
 * @param table its keys are `pk` and `sk`, both texts
 * @returns a function that throws PlatenError `storage_unavailable`
 */
export function itemReader(table: string): ReadItem {
  let wanted = new Map<string, Wanted>();
  const flush = (): void => {
    const all = [...wanted.values()];
    wanted = new Map();
    for (let start = 0; start < all.length; start += MAX_KEYS)
      void answer(table, all.slice(start, start + MAX_KEYS));
  };
  return async (key) => {
    const name = nameOfKey(key);
    const known = wanted.get(name);
    if (known) return await known.item;
    if (wanted.size === 0) setImmediate(flush);
    const { promise: item, resolve, reject } = Promise.withResolvers<Item | undefined>();
    wanted.set(name, { key, item, resolve, reject });
    return await item;
  };
}

async function answer(table: string, wanted: readonly Wanted[]): Promise<void> {
  try {
    const [only] = wanted;
    if (only && wanted.length === 1) {
      only.resolve(await readItem(table, only.key));
      return;
    }
    const found = await readItems(
      table,
      wanted.map(({ key }) => key),
    );
    for (const { key, resolve } of wanted) resolve(found.get(nameOfKey(key)));
  } catch (error) {
    for (const { reject } of wanted) reject(error);
  }
}

async function readItems(table: string, keys: readonly Item[]): Promise<Map<string, Item>> {
  const found = new Map<string, Item>();
  let left = [...keys];
  for (let attempt = 0; left.length > 0; attempt += 1) {
    if (attempt === ATTEMPTS)
      throw new PlatenError('storage_unavailable', 'The storage is very busy. Please try again.');
    if (attempt > 0) await wait(FIRST_PAUSE_MS * 2 ** (attempt - 1));
    const command = new BatchGetItemCommand({
      RequestItems: { [table]: { Keys: left, ConsistentRead: true } },
    });
    const { Responses, UnprocessedKeys } = await storageCall(() => dynamoClient().send(command));
    for (const item of Responses?.[table] ?? []) found.set(nameOfKey(item), item);
    left = UnprocessedKeys?.[table]?.Keys ?? [];
  }
  return found;
}
