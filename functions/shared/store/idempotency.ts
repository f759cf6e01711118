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
import { dynamoClient, isNamed, storageCall } from './dynamodb.ts';
import { putStream } from './job-files.ts';
import { ObjectStore } from './objects.ts';
import type { Sealer } from './sealing.ts';

/**
 * What requests with an `Idempotency-Key` were answered with: the key is claimed before the work and holds the answer
 * after it, for a day. A claim whose function died is free again when that function's time would have been up. Answers
 * that are errors are not kept: the same request may be tried again.
 *
 * Every method throws PlatenError `storage_unavailable` when DynamoDB or S3 does not do its part.
 */

/** How long an answer is kept. The bucket deletes its body some time later. */
export const KEY_LIFETIME_MS = 24 * 60 * 60 * 1000;

/** Of the bodies of answers: S3 deletes by age for fixed prefixes only. */
const ANSWERS_PREFIX = 'answers/';

/** An answer that was given before. */
export type KeptAnswer =
  | { kind: 'job'; id: string }
  | { kind: 'document'; status: number; headers: Record<string, string>; body: string };

/** A key that is worked on. */
export interface Claim {
  key: string;
  tenant: string;
  /** Of the request. */
  fingerprint: string;
  /** Says which claim it is, among those that were made of one key one after the other. */
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
  /** Of fingerprints: that of a request with a password must not tell the password to who can guess. */
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
   * Claims a key for a request, or gives what it was answered with.
   *
   * @param milliseconds the work takes at most so long
   * @throws PlatenError `idempotency_key_reused`, `request_in_progress`
   */
  async claim(wanted: Claim, milliseconds: number): Promise<KeptAnswer | null> {
    const entry: Entry = {
      fingerprint: await this.#sealer.fingerprint(wanted.fingerprint),
      lock: wanted.lock,
      locked_until: this.#now() + milliseconds,
      expires_at: this.#now() + KEY_LIFETIME_MS,
    };
    // A claim that is free again may be taken by another one between the two steps: then the next look shows it.
    for (let tries = 0; tries < 3; tries += 1) {
      const known = await this.#get(wanted);
      if (known === null || known.expires_at <= this.#now()) {
        if (await this.#put(wanted, entry, known?.lock ?? null)) return null;
        continue;
      }
      if (known.fingerprint !== entry.fingerprint) throw reused();
      if (known.answer) return known.answer;
      // The SDK tried again what had worked already.
      if (known.lock === wanted.lock) return null;
      if (known.locked_until > this.#now()) break;
      if (await this.#put(wanted, entry, known.lock)) return null;
    }
    throw new PlatenError(
      'request_in_progress',
      'A request with this Idempotency-Key is in progress. Wait, then send it again to get its response.',
    );
  }

  /** Keeps a document as the answer. @returns what to answer with */
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

  /** The body of an answer; null when it has been deleted. */
  async open(body: string): Promise<Readable | null> {
    return await this.#objects.open(body);
  }

  /** Frees the key: the work came to nothing. */
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
    // When somebody else has claimed it meanwhile, that one's answer is kept.
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
