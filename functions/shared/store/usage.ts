import { type DynamoDBClient, UpdateItemCommand } from '@aws-sdk/client-dynamodb';
import { dynamoClient, isNamed, storageCall } from './storage/dynamodb.ts';

/**
 * Counts a tenant's requests in windows of fixed length, for the limits of tokens. The counters are items of
 * the table of tokens, in separate partitions, and DynamoDB deletes them after their window.
 */

/** Partitions of the counters in the table of tokens. */
export const USAGE_PARTITIONS = 'USAGE#';

/** The limits of a token; null for no limit. */
export interface UsageLimits {
  /** Requests in a minute. */
  rate: number | null;
  /** Requests in a calendar month, UTC. */
  quota: number | null;
}

/** The state of one limit after a request was counted. */
export interface LimitState {
  name: 'minute' | 'month';
  /** Requests that are allowed in a window. */
  allowed: number;
  /** Length of the window, seconds. */
  window: number;
  /** Requests that remain in the window. */
  left: number;
  /** Seconds until the next window begins. */
  resets: number;
  /** Whether the current request exceeded the limit; then it was not counted. */
  exceeded: boolean;
}

interface Window {
  name: LimitState['name'];
  key: string;
  /** Milliseconds since the epoch. */
  start: number;
  end: number;
}

const MINUTE_MS = 60_000;
/** A counter is useless after its window; clocks of functions differ a little. */
const KEPT_SECONDS = 24 * 60 * 60;

/** Counts requests by tenant. */
export class UsageStore {
  readonly #client: DynamoDBClient;
  readonly #table: string;

  /** @param table name of the DynamoDB table of tokens */
  constructor(client: DynamoDBClient, table: string) {
    this.#client = client;
    this.#table = table;
  }

  /**
   * Counts one request. If one limit refuses it, the next one does not count it: a client that is too fast
   * does not use up its month.
   *
   * @returns the state of each checked limit, the one that refused last
   * @throws PlatenError `storage_unavailable`
   */
  async count(tenant: string, { rate, quota }: UsageLimits, now: Date = new Date()): Promise<LimitState[]> {
    const wanted: [Window, number | null][] = [
      [minuteOf(now), rate],
      [monthOf(now), quota],
    ];
    const states: LimitState[] = [];
    for (const [window, allowed] of wanted) {
      if (allowed === null) continue;
      const used = await this.#take(tenant, window, allowed);
      states.push({
        name: window.name,
        allowed,
        window: Math.round((window.end - window.start) / 1000),
        left: used === null ? 0 : allowed - used,
        resets: Math.max(1, Math.ceil((window.end - now.getTime()) / 1000)),
        exceeded: used === null,
      });
      if (used === null) break;
    }
    return states;
  }

  /** @returns the number of requests in the window including this one; null when it would exceed the limit */
  async #take(tenant: string, { key, end }: Window, allowed: number): Promise<number | null> {
    if (allowed === 0) return null;
    const command = new UpdateItemCommand({
      TableName: this.#table,
      Key: { pk: { S: `${USAGE_PARTITIONS}${tenant}#${key}` } },
      UpdateExpression: 'ADD used :one SET expires_at_epoch = :expiry',
      ConditionExpression: 'attribute_not_exists(used) OR used < :allowed',
      ExpressionAttributeValues: {
        ':one': { N: '1' },
        ':allowed': { N: String(allowed) },
        ':expiry': { N: String(Math.ceil(end / 1000) + KEPT_SECONDS) },
      },
      ReturnValues: 'UPDATED_NEW',
    });
    try {
      const { Attributes } = await storageCall(
        () => this.#client.send(command),
        ['ConditionalCheckFailedException'],
      );
      return Number(Attributes?.['used']?.N);
    } catch (error) {
      if (isNamed(error, 'ConditionalCheckFailedException')) return null;
      throw error;
    }
  }
}

function minuteOf(now: Date): Window {
  const start = Math.floor(now.getTime() / MINUTE_MS) * MINUTE_MS;
  return { name: 'minute', key: `minute#${start / MINUTE_MS}`, start, end: start + MINUTE_MS };
}

function monthOf(now: Date): Window {
  const [year, month] = [now.getUTCFullYear(), now.getUTCMonth()];
  return {
    name: 'month',
    key: `month#${now.toISOString().slice(0, 7)}`,
    start: Date.UTC(year, month),
    end: Date.UTC(year, month + 1),
  };
}

/** @param table null: nothing is counted, and tokens with limits are refused */
export function usageStore(table: string | null): UsageStore | null {
  return table === null ? null : new UsageStore(dynamoClient(), table);
}
