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
import { PlatenError } from '@platen/core/errors';
import { isNamed, storageCall } from '../shared/store/dynamodb.ts';
import { USAGE_PARTITIONS } from '../shared/store/usage.ts';

/**
 * Tokens (I-2). Only the SHA-256 of one is stored, as the key of its item: who reads the table can use none of
 * them. A token is 256 bits of chance or what an operator chose, so a slow hash would protect nothing more.
 */

export interface TokenRecord {
  /** The first 12 hex digits of the hash: names a token in lists and logs without giving it away. */
  id: string;
  tenant: string;
  /** What it is for; null: nobody said. */
  name: string | null;
  /** Id of the token that it was made with; null: made on the command line. */
  createdBy: string | null;
  scopes: Scope[];
  /** ISO 8601, UTC, as are the others. */
  createdAt: string;
  /** null: it does not expire. */
  expiresAt: string | null;
  revokedAt: string | null;
  /** Requests in a minute, and in a calendar month; null: as many as one likes. */
  rate: number | null;
  quota: number | null;
}

export interface NewToken {
  tenant: string;
  name?: string | undefined;
  createdBy?: string | undefined;
  /** DEFAULT_SCOPES when absent. */
  scopes?: readonly Scope[] | undefined;
  expiresAt?: Date | undefined;
  /** Requests in a minute, all tokens of the tenant that have a limit taken together; no limit when absent. */
  rate?: number | undefined;
  /** The same for a calendar month, UTC. */
  quota?: number | undefined;
  /** One that an operator chose; made up when absent. */
  token?: string | undefined;
}

export const DEFAULT_SCOPES: readonly Scope[] = SCOPES.filter((scope) => scope !== 'admin');

/** Of a token that an operator chooses: on a laptop that may be "test". */
const MIN_TOKEN_LENGTH = 1;
const MAX_TOKEN_LENGTH = 512;
const TOKEN_BYTES = 32;
const ID_DIGITS = 12;
/** Part of keys in S3 and DynamoDB. */
const TENANT = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/;

/** Every method throws PlatenError `storage_unavailable` when DynamoDB does not do its part. */
export class TokenStore {
  private readonly client: DynamoDBClient;
  private readonly table: string;

  constructor(client: DynamoDBClient, table: string) {
    this.client = client;
    this.table = table;
  }

  /**
   * Makes a token valid from now on.
   *
   * @returns the token itself, which nobody can find out again later
   * @throws PlatenError `invalid_field` for a tenant, an expiry or a token that cannot be
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

  /** What is known of a token, whether or not it is still good; null for one that was never made. */
  async find(token: string): Promise<TokenRecord | null> {
    if (token.length > MAX_TOKEN_LENGTH) return null;
    const Key = { pk: { S: hashOf(token) } };
    // Strongly consistent: a token works as soon as it has been shown to somebody.
    const { Item } = await storageCall(() =>
      this.client.send(new GetItemCommand({ TableName: this.table, Key, ConsistentRead: true })),
    );
    return Item ? fromItem(Item) : null;
  }

  /** All tokens, or those of one tenant; oldest first. The whole table is read for it (decision 0067). */
  async list(tenant?: string): Promise<TokenRecord[]> {
    // The counters of requests are kept beside the tokens (store/usage.ts).
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
   * Ends a token by its id. The gateway may take it for some minutes more, as it remembers who called.
   *
   * @param tenant whose token it has to be; anybody's when absent
   * @returns the token as it is now; null when there is none with this id. One that is revoked stays so.
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
      // It expired and was deleted in between.
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
          // Two tenants may have tokens of one id: these are 48 bits of the hash.
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

/** Why a token is not good at a moment; null when it is. */
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
  // What HTTP lets into a header, without the space that would end it.
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
      // DynamoDB's time to live: whole seconds, rounded up so that nothing goes too early.
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
