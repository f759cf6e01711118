import { setTimeout as pause } from 'node:timers/promises';
import { DeleteItemCommand, PutItemCommand } from '@aws-sdk/client-dynamodb';
import { PlatenError } from '@platen/core/errors';
import { log } from '../log.ts';
import { dynamoClient, storageCall } from './dynamodb.ts';
import { accepted, REFUSED } from './template-items.ts';
import { turnKey } from './template-keys.ts';

/** How long others wait for one who has the turn and does not give it back, ms. */
const TURN_MS = 5_000;
const FIRST_PAUSE_MS = 20;
const LONGEST_PAUSE_MS = 1_000;

/**
 * Turns of those who change one template at the same time. They keep writers out of each other's way and protect
 * nothing: one who dies with the turn loses it in time.
 *
 * Every method throws PlatenError `storage_unavailable` when DynamoDB does not do its part.
 */
export class TemplateTurns {
  private readonly table: string;

  constructor(table: string) {
    this.table = table;
  }

  /**
   * Waits until the turn is the owner's.
   *
   * @param deadline milliseconds since the epoch
   * @throws PlatenError `conflict` when the time is over
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
    const until = { N: String(now + TURN_MS) };
    const command = new PutItemCommand({
      TableName: this.table,
      Item: { ...turnKey(tenant, id), owner: { S: owner }, until },
      ConditionExpression: 'attribute_not_exists(pk) OR #until < :now OR #owner = :owner',
      ExpressionAttributeNames: { '#until': 'until', '#owner': 'owner' },
      ExpressionAttributeValues: { ':now': { N: String(now) }, ':owner': { S: owner } },
    });
    return await accepted(() => storageCall(() => dynamoClient().send(command), REFUSED));
  }

  /** Gives the turn back. One that is not given back ends by itself. */
  async end(tenant: string, id: string, owner: string): Promise<void> {
    const command = new DeleteItemCommand({
      TableName: this.table,
      Key: turnKey(tenant, id),
      ConditionExpression: '#owner = :owner',
      ExpressionAttributeNames: { '#owner': 'owner' },
      ExpressionAttributeValues: { ':owner': { S: owner } },
    });
    try {
      await accepted(() => storageCall(() => dynamoClient().send(command), REFUSED));
    } catch (error) {
      log.warn('a turn was not given back', { template: id, error });
    }
  }

  /** Takes away whatever turn there is of a template that is deleted. */
  async remove(tenant: string, id: string): Promise<void> {
    const command = new DeleteItemCommand({ TableName: this.table, Key: turnKey(tenant, id) });
    await storageCall(() => dynamoClient().send(command));
  }
}

export function busy(): PlatenError {
  return new PlatenError('conflict', 'Too many requests are changing the template at once. Try again.');
}
