import { createHash, randomBytes } from 'node:crypto';
import {
  type AttributeValue,
  type DynamoDBClient,
  GetItemCommand,
  paginateScan,
  PutItemCommand,
  UpdateItemCommand,
} from '@aws-sdk/client-dynamodb';
import { marshall, unmarshall } from '@aws-sdk/util-dynamodb';
import { type Scope, SCOPES } from '@platen/contract/route';
import { TENANT } from '@platen/contract/sign-in';
import { PlatenError } from '@platen/core/errors';
import { isNamed, storageCall } from '../shared/store/storage/dynamodb.ts';
import { USAGE_PARTITIONS } from '../shared/store/usage.ts';

/**
 * Tokens (I-2). The table stores only the SHA-256 of a token, as the key of its item: a reader of the table cannot use
 * any of them. A token is 256 random bits or a text that the operator chose, so a slow hash would protect nothing more.
 */

export interface TokenRecord {
  /** The first 12 hex digits of the hash, which identify a token in lists and logs without revealing it. */
  id: string;
  tenant: string;
  /** The purpose of the token; null if none was given. */
  name: string | null;
  /** Id of the token that created this one; null if it was created on the command line. */
  createdBy: string | null;
  scopes: Scope[];
  /** ISO 8601 in UTC, like the other times. */
  createdAt: string;
  /** null if the token does not expire. */
  expiresAt: string | null;
  revokedAt: string | null;
  /** Requests per minute and per calendar month; null for no limit. */
  rate: number | null;
  quota: number | null;
}

export interface NewToken {
  tenant: string;
  name?: string | undefined;
  createdBy?: string | undefined;
  /** Defaults to DEFAULT_SCOPES. */
  scopes?: readonly Scope[] | undefined;
  expiresAt?: Date | undefined;
  /** Requests per minute of all limited tokens of the tenant together; absent for no limit. */
  rate?: number | undefined;
  /** The same per calendar month in UTC. */
  quota?: number | undefined;
  /** A token that the operator chose; generated if absent. */
  token?: string | undefined;
}

export const DEFAULT_SCOPES: readonly Scope[] = SCOPES.filter((scope) => scope !== 'admin');

/** The shortest token that an operator may choose: on a laptop that may be "test". */
const MIN_TOKEN_LENGTH = 1;
const MAX_TOKEN_LENGTH = 512;
const TOKEN_BYTES = 32;
const ID_DIGITS = 12;

/** The table of tokens. Every method throws PlatenError `storage_unavailable` when DynamoDB fails. */
export class TokenStore {
  private readonly client: DynamoDBClient;
  private readonly table: string;

  constructor(client: DynamoDBClient, table: string) {
    this.client = client;
    this.table = table;
  }

  /**
   * Creates a token that is valid from now on.
   *
   * @returns the token itself, which cannot be read again later
   * @throws PlatenError `invalid_field` for an invalid tenant, expiry or token
   */
  async mint(wanted: NewToken, now: Date = new Date()): Promise<{ token: string; record: TokenRecord }> {
    const token = wanted.token ?? `plt_${randomBytes(TOKEN_BYTES).toString('base64url')}`;
    refuseBad(wanted, token, now);
    const hash = hashOf(token);
    const record: TokenRecord = {
      id: hash.slice(0, ID_DIGITS),
      tenant: wanted.tenant,
      name: wanted.name ?? null,
      createdBy: wanted.createdBy ?? null,
      scopes: [...(wanted.scopes ?? DEFAULT_SCOPES)],
      createdAt: now.toISOString(),
      expiresAt: wanted.expiresAt?.toISOString() ?? null,
      revokedAt: null,
      rate: wanted.rate ?? null,
      quota: wanted.quota ?? null,
    };
    await storageCall(() =>
      this.client.send(new PutItemCommand({ TableName: this.table, Item: toItem(hash, record) })),
    );
    return { token, record };
  }

  /** Returns the record of a token, valid or not; null if it was never created. */
  async find(token: string): Promise<TokenRecord | null> {
    if (token.length > MAX_TOKEN_LENGTH) return null;
    const Key = { pk: { S: hashOf(token) } };
    // Strongly consistent, so that a token works as soon as it was returned.
    const { Item } = await storageCall(() =>
      this.client.send(new GetItemCommand({ TableName: this.table, Key, ConsistentRead: true })),
    );
    return Item ? fromItem(Item) : null;
  }

  /** Lists all tokens, or those of one tenant, oldest first. It scans the whole table (decision 0067). */
  async list(tenant?: string): Promise<TokenRecord[]> {
    // The request counters are stored in the same table (store/usage.ts).
    const wanted =
      tenant === undefined
        ? { FilterExpression: 'NOT begins_with(pk, :value)', value: USAGE_PARTITIONS }
        : { FilterExpression: 'tenant = :value', value: tenant };
    const records = await storageCall(async () => {
      const found: TokenRecord[] = [];
      const pages = paginateScan(
        { client: this.client },
        {
          TableName: this.table,
          ConsistentRead: true,
          FilterExpression: wanted.FilterExpression,
          ExpressionAttributeValues: { ':value': { S: wanted.value } },
        },
      );
      for await (const { Items = [] } of pages) found.push(...Items.map(fromItem));
      return found;
    });
    return records.toSorted((a, b) => a.createdAt.localeCompare(b.createdAt));
  }

  /**
   * Revokes a token by its id. The gateway may accept it for some more minutes because it caches callers.
   *
   * @param tenant the tenant that must own the token; any tenant if absent
   * @returns the token as it is now, unchanged if it was revoked before; null if there is none with this id
   */
  async revoke(id: string, now: Date = new Date(), tenant?: string): Promise<TokenRecord | null> {
    const pk = await this.hashOfId(id, tenant);
    if (pk === null) return null;
    try {
      const { Attributes } = await storageCall(
        () =>
          this.client.send(
            new UpdateItemCommand({
              TableName: this.table,
              Key: { pk: { S: pk } },
              UpdateExpression: 'SET revoked_at = if_not_exists(revoked_at, :now)',
              ConditionExpression: 'attribute_exists(pk)',
              ExpressionAttributeValues: { ':now': { S: now.toISOString() } },
              ReturnValues: 'ALL_NEW',
            }),
          ),
        ['ConditionalCheckFailedException'],
      );
      return Attributes ? fromItem(Attributes) : null;
    } catch (error) {
      // The item expired and was deleted in between.
      if (isNamed(error, 'ConditionalCheckFailedException')) return null;
      throw error;
    }
  }

  private async hashOfId(id: string, tenant?: string): Promise<string | null> {
    if (!/^[0-9a-f]{12}$/.test(id)) return null;
    return storageCall(async () => {
      const pages = paginateScan(
        { client: this.client },
        {
          TableName: this.table,
          ProjectionExpression: 'pk',
          // Two tenants may have tokens with the same id, which is 48 bits of the hash.
          FilterExpression:
            tenant === undefined ? 'begins_with(pk, :id)' : 'begins_with(pk, :id) AND tenant = :tenant',
          ExpressionAttributeValues: {
            ':id': { S: id },
            ...(tenant === undefined ? {} : { ':tenant': { S: tenant } }),
          },
        },
      );
      for await (const { Items = [] } of pages) {
        const pk = Items[0]?.['pk']?.S;
        if (pk !== undefined) return pk;
      }
      return null;
    });
  }
}

/** Returns why a token is invalid at a moment; null if it is valid. */
export function tokenFault(record: TokenRecord | null, now: Date): 'unknown' | 'revoked' | 'expired' | null {
  if (!record) return 'unknown';
  if (record.revokedAt !== null) return 'revoked';
  return record.expiresAt !== null && Date.parse(record.expiresAt) <= now.getTime() ? 'expired' : null;
}

function refuseBad({ tenant, expiresAt, rate, quota }: NewToken, token: string, now: Date): void {
  if (!TENANT.test(tenant)) {
    throw new PlatenError(
      'invalid_field',
      `The tenant "${tenant}" must be 1 to 64 letters, digits, dots, hyphens and underscores, a letter or digit first.`,
    );
  }
  if (expiresAt && !(expiresAt.getTime() > now.getTime())) {
    throw new PlatenError('invalid_field', 'The token would expire immediately.');
  }
  for (const [name, limit] of Object.entries({ rate, quota })) {
    if (limit === undefined || (Number.isSafeInteger(limit) && limit >= 1)) continue;
    throw new PlatenError('invalid_field', `The ${name} must be a whole number of requests, 1 or more.`);
  }
  // The characters that HTTP allows in a header, except the space, which would end the token.
  if (!/^[\x21-\x7e]*$/.test(token) || token.length < MIN_TOKEN_LENGTH || token.length > MAX_TOKEN_LENGTH) {
    throw new PlatenError(
      'invalid_field',
      `A token must be ${MIN_TOKEN_LENGTH} to ${MAX_TOKEN_LENGTH} ASCII characters without spaces.`,
    );
  }
}

function hashOf(token: string): string {
  return createHash('sha256').update(token).digest('hex');
}

function toItem(hash: string, record: TokenRecord): Record<string, AttributeValue> {
  const { id, tenant, name, createdBy, scopes, createdAt, expiresAt, rate, quota } = record;
  return marshall(
    {
      pk: hash,
      id,
      tenant,
      name: name ?? undefined,
      created_by: createdBy ?? undefined,
      scopes,
      created_at: createdAt,
      expires_at: expiresAt ?? undefined,
      rate: rate ?? undefined,
      quota: quota ?? undefined,
      // DynamoDB's time to live: whole seconds, rounded up so that no item is deleted too early.
      expires_at_epoch: expiresAt === null ? undefined : Math.ceil(Date.parse(expiresAt) / 1000),
    },
    { removeUndefinedValues: true },
  );
}

function fromItem(item: Record<string, AttributeValue>): TokenRecord {
  const { id, tenant, name, created_by, scopes, created_at, expires_at, revoked_at, rate, quota } =
    unmarshall(item) as {
      id: string;
      tenant: string;
      name?: string;
      created_by?: string;
      scopes: Scope[];
      created_at: string;
      expires_at?: string;
      revoked_at?: string;
      rate?: number;
      quota?: number;
    };
  return {
    id,
    tenant,
    name: name ?? null,
    createdBy: created_by ?? null,
    scopes,
    createdAt: created_at,
    expiresAt: expires_at ?? null,
    revokedAt: revoked_at ?? null,
    rate: rate ?? null,
    quota: quota ?? null,
  };
}
