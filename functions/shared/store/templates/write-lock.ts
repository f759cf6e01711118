import { setTimeout as pause } from 'node:timers/promises';
import { DeleteItemCommand, PutItemCommand } from '@aws-sdk/client-dynamodb';
import { PlatenError } from '@platen/core/errors';
import { log } from '../../log.ts';
import { dynamoClient, storageCall } from '../storage/dynamodb.ts';
import { deleteItem } from '../storage/items.ts';
import { accepted, REFUSED } from './items.ts';
import { writeLockKey } from './keys.ts';

/** How long others wait for an owner that does not release its lock, ms. */
const LOCK_MS = 5_000;
const FIRST_PAUSE_MS = 20;
const LONGEST_PAUSE_MS = 1_000;

/**
 * The lock of writers that change one template at the same time. It only reduces conflicts: the lock of a dead
 * owner expires.
 *
 * Every method throws PlatenError `storage_unavailable` when DynamoDB fails.
 */
export class TemplateWriteLock {
  private readonly table: string;

  constructor(table: string) {
    this.table = table;
  }

  /**
   * Waits until the lock is the owner's.
   *
   * @param deadline milliseconds since the epoch
   * @throws PlatenError `conflict` when the deadline has passed
   */
  async wait(tenant: string, id: string, owner: string, deadline: number): Promise<true> {
    for (let longest = FIRST_PAUSE_MS; ; longest = Math.min(longest * 2, LONGEST_PAUSE_MS)) {
      if (await this.take(tenant, id, owner)) return true;
      if (Date.now() > deadline) throw busy();
      await pause(Math.random() * longest);
    }
  }

  private async take(tenant: string, id: string, owner: string): Promise<boolean> {
    const now = Date.now();
    const until = { N: String(now + LOCK_MS) };
    const command = new PutItemCommand({
      TableName: this.table,
      Item: { ...writeLockKey(tenant, id), owner: { S: owner }, until },
      ConditionExpression: 'attribute_not_exists(pk) OR #until < :now OR #owner = :owner',
      ExpressionAttributeNames: { '#until': 'until', '#owner': 'owner' },
      ExpressionAttributeValues: { ':now': { N: String(now) }, ':owner': { S: owner } },
    });
    return await accepted(() => storageCall(() => dynamoClient().send(command), REFUSED));
  }

  /** Releases the lock. Without this call it expires by itself. */
  async end(tenant: string, id: string, owner: string): Promise<void> {
    const command = new DeleteItemCommand({
      TableName: this.table,
      Key: writeLockKey(tenant, id),
      ConditionExpression: '#owner = :owner',
      ExpressionAttributeNames: { '#owner': 'owner' },
      ExpressionAttributeValues: { ':owner': { S: owner } },
    });
    try {
      await accepted(() => storageCall(() => dynamoClient().send(command), REFUSED));
    } catch (error) {
      log.warn('a write lock was not released', { template: id, error });
    }
  }

  /** Removes any lock of a template that is deleted. */
  async remove(tenant: string, id: string): Promise<void> {
    await deleteItem(this.table, writeLockKey(tenant, id));
  }
}

export function busy(): PlatenError {
  return new PlatenError('conflict', 'Too many requests are changing the template at once. Try again.');
}
