import { createHash } from 'node:crypto';
import type { Readable } from 'node:stream';
import {
  type AttributeValue,
  DeleteItemCommand,
  GetItemCommand,
  PutItemCommand,
} from '@aws-sdk/client-dynamodb';
import { marshall, unmarshall } from '@aws-sdk/util-dynamodb';
import { PlatenError } from '@platen/core/errors';
import { dynamoClient, isNamed, storageCall } from '../storage/dynamodb.ts';
import { putStream } from './files.ts';
import { ObjectStore } from '../storage/objects.ts';
import type { Sealer } from '../storage/sealing.ts';

/**
 * Answers to requests with an `Idempotency-Key`: the key is claimed before the work and stores the answer
 * after it, for a day. If the function dies, its claim is released after the function's time limit. Errors
 * are not stored, so the same request may be retried.
 *
 * Every method throws PlatenError `storage_unavailable` when DynamoDB or S3 fails.
 */

/** How long an answer is stored. The bucket deletes its body some time later. */
export const KEY_LIFETIME_MS = 24 * 60 * 60 * 1000;

/** Prefix of the bodies of answers: S3 deletes by age for fixed prefixes only. */
const ANSWERS_PREFIX = 'answers/';

/** An answer that was given before. */
export type KeptAnswer =
  | { kind: 'job'; id: string }
  | { kind: 'document'; status: number; headers: Record<string, string>; body: string };

/** A claimed key. */
export interface Claim {
  key: string;
  tenant: string;
  /** Hash of the request. */
  fingerprint: string;
  /** Identifies this claim among successive claims of one key. */
  lock: string;
}

interface Entry {
  fingerprint: string;
  lock: string;
  /** Milliseconds since the epoch, until when the work may take. */
  locked_until: number;
  expires_at: number;
  answer?: KeptAnswer;
}

export interface IdempotencyStoreConfig {
  table: string;
  bucket: string;
  /** Encrypts fingerprints, so that the fingerprint of a request with a password does not help to guess it. */
  sealer: Sealer;
  clock?: () => number;
}

export class IdempotencyStore {
  readonly #table: string;
  readonly #bucket: string;
  readonly #objects: ObjectStore;
  readonly #sealer: Sealer;
  readonly #now: () => number;

  constructor({ table, bucket, sealer, clock = Date.now }: IdempotencyStoreConfig) {
    this.#table = table;
    this.#bucket = bucket;
    this.#objects = new ObjectStore(bucket);
    this.#sealer = sealer;
    this.#now = clock;
  }

  /**
   * Claims a key for a request, or returns its stored answer.
   *
   * @param milliseconds most time of the work
   * @throws PlatenError `idempotency_key_reused`, `request_in_progress`
   */
  async claim(wanted: Claim, milliseconds: number): Promise<KeptAnswer | null> {
    const entry: Entry = {
      fingerprint: await this.#sealer.fingerprint(wanted.fingerprint),
      lock: wanted.lock,
      locked_until: this.#now() + milliseconds,
      expires_at: this.#now() + KEY_LIFETIME_MS,
    };
    // Another request may take a released claim between the two steps: the next attempt shows it.
    for (let tries = 0; tries < 3; tries += 1) {
      const known = await this.#get(wanted);
      if (known === null || known.expires_at <= this.#now()) {
        if (await this.#put(wanted, entry, known?.lock ?? null)) return null;
        continue;
      }
      if (known.fingerprint !== entry.fingerprint) throw reused();
      if (known.answer) return known.answer;
      // The SDK retried a write that had succeeded.
      if (known.lock === wanted.lock) return null;
      if (known.locked_until > this.#now()) break;
      if (await this.#put(wanted, entry, known.lock)) return null;
    }
    throw new PlatenError(
      'request_in_progress',
      'A request with this Idempotency-Key is in progress. Wait, then send it again to get its response.',
    );
  }

  /** Stores a document as the answer. @returns the answer to send */
  async keepDocument(
    claim: Claim,
    answer: { status: number; headers: Record<string, string>; body: Readable },
  ): Promise<KeptAnswer> {
    const body = `${ANSWERS_PREFIX}${encodeURIComponent(claim.tenant)}/${claim.lock}`;
    const size = await putStream(this.#bucket, body, answer.body);
    const headers = { ...answer.headers, 'content-length': String(size) };
    const kept: KeptAnswer = { kind: 'document', status: answer.status, headers, body };
    await this.#keep(claim, kept);
    return kept;
  }

  async keepJob(claim: Claim, id: string): Promise<void> {
    await this.#keep(claim, { kind: 'job', id });
  }

  /** Returns the body of an answer; null when it has been deleted. */
  async open(body: string): Promise<Readable | null> {
    return await this.#objects.open(body);
  }

  /** Releases the key after the work failed. */
  async release(claim: Claim): Promise<void> {
    const command = new DeleteItemCommand({
      TableName: this.#table,
      Key: keyOf(claim),
      ConditionExpression: '#lock = :lock',
      ExpressionAttributeNames: { '#lock': 'lock' },
      ExpressionAttributeValues: { ':lock': { S: claim.lock } },
    });
    try {
      await storageCall(() => dynamoClient().send(command), ['ConditionalCheckFailedException']);
    } catch (error) {
      if (!isNamed(error, 'ConditionalCheckFailedException')) throw error;
    }
  }

  async #keep(claim: Claim, answer: KeptAnswer): Promise<void> {
    const now = this.#now();
    const entry = {
      fingerprint: await this.#sealer.fingerprint(claim.fingerprint),
      lock: claim.lock,
      locked_until: now,
      expires_at: now + KEY_LIFETIME_MS,
      answer,
    };
    // If another request has claimed it meanwhile, that answer is kept.
    await this.#put(claim, entry, claim.lock);
  }

  async #get(claim: Claim): Promise<Entry | null> {
    const command = new GetItemCommand({ TableName: this.#table, Key: keyOf(claim), ConsistentRead: true });
    const { Item } = await storageCall(() => dynamoClient().send(command));
    return Item ? (unmarshall(Item) as Entry) : null;
  }

  /** @param before lock that has to be there; null: none @returns whether it was */
  async #put(claim: Claim, entry: Entry, before: string | null): Promise<boolean> {
    const command = new PutItemCommand({
      TableName: this.#table,
      Item: {
        ...keyOf(claim),
        ...marshall({ ...entry, expires_at_epoch: Math.ceil(entry.expires_at / 1000) }),
      },
      ConditionExpression: before === null ? 'attribute_not_exists(pk)' : '#lock = :before',
      ...(before === null
        ? {}
        : {
            ExpressionAttributeNames: { '#lock': 'lock' },
            ExpressionAttributeValues: { ':before': { S: before } },
          }),
    });
    try {
      await storageCall(() => dynamoClient().send(command), ['ConditionalCheckFailedException']);
      return true;
    } catch (error) {
      if (isNamed(error, 'ConditionalCheckFailedException')) return false;
      throw error;
    }
  }
}

/** The caller words the key: its hash has a length and characters that fit. */
function keyOf({ tenant, key }: Claim): Record<string, AttributeValue> {
  const hash = createHash('sha256').update(key).digest('hex');
  return { pk: { S: `TENANT#${tenant}` }, sk: { S: `KEY#${hash}` } };
}

function reused(): PlatenError {
  return new PlatenError(
    'idempotency_key_reused',
    'Another request was sent with this Idempotency-Key. Use a new key for each request, and the same one only to ' +
      'send the same request again.',
  );
}
