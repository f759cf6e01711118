import { type AttributeValue, PutItemCommand } from '@aws-sdk/client-dynamodb';
import { marshall, unmarshall } from '@aws-sdk/util-dynamodb';
import { PlatenError } from '@platen/core/errors';
import { dynamoClient, storageCall } from './storage/dynamodb.ts';
import { queryPages, readItem, removeItem } from './storage/items.ts';
import type { Sealer } from './storage/sealing.ts';

/**
 * Keys that tenants sign with, and certificates that they trust (I-45): one item each in the table of
 * templates, in a partition of its own. The secret part of a key is encrypted with the deployment's secret,
 * and only decrypted to sign; certificates are not secret.
 */

export const KEY_KINDS = ['pkcs12', 'kms', 'anchor'] as const;
export type KeyKind = (typeof KEY_KINDS)[number];

export interface StoredKey {
  kind: KeyKind;
  /** DER; the key's own first, then its issuers upwards. */
  certificates: Uint8Array[];
  /** The private key as PKCS #8 for `pkcs12`, the key's id for `kms`, null for `anchor`. */
  secret: Uint8Array | null;
}

export interface KeyStoreConfig {
  table: string;
  sealer: Sealer;
}

/** Every method throws PlatenError `storage_unavailable` when the storage fails. */
export class KeyStore {
  readonly #table: string;
  readonly #sealer: Sealer;

  constructor({ table, sealer }: KeyStoreConfig) {
    this.#table = table;
    this.#sealer = sealer;
  }

  /** Stores a key, and replaces one of the same name. */
  async put(tenant: string, name: string, { kind, certificates, secret }: StoredKey): Promise<void> {
    const sealed = secret === null ? null : await this.#sealer.seal(placeOf(tenant, name), secret);
    const item = marshall({ kind, certificates, sealed });
    const command = new PutItemCommand({ TableName: this.#table, Item: { ...item, ...keyOf(tenant, name) } });
    await storageCall(() => dynamoClient().send(command));
  }

  /** Returns a key without its secret. @throws PlatenError `not_found` */
  async describe(tenant: string, name: string): Promise<Omit<StoredKey, 'secret'>> {
    const { kind, certificates } = await this.#item(tenant, name);
    return { kind, certificates };
  }

  /** Returns a key with its secret. @throws PlatenError `not_found` */
  async open(tenant: string, name: string): Promise<StoredKey> {
    const { kind, certificates, sealed } = await this.#item(tenant, name);
    const secret =
      sealed === null ? null : await this.#sealer.open(placeOf(tenant, name), Buffer.from(sealed));
    return { kind, certificates, secret };
  }

  /** @throws PlatenError `not_found` */
  async remove(tenant: string, name: string): Promise<void> {
    if (!(await removeItem(this.#table, keyOf(tenant, name)))) throw unknown(name);
  }

  /** Returns the certificates that a tenant trusts, as DER. */
  async anchors(tenant: string): Promise<Uint8Array[]> {
    const query = {
      TableName: this.#table,
      KeyConditionExpression: 'pk = :pk',
      ExpressionAttributeValues: { ':pk': { S: partitionOf(tenant) } },
      ConsistentRead: true,
    };
    const found: Uint8Array[] = [];
    for await (const items of queryPages(query)) {
      for (const { kind, certificates } of items.map(fromItem))
        if (kind === 'anchor') found.push(...certificates);
    }
    return found;
  }

  async #item(tenant: string, name: string): Promise<KeyItem> {
    const item = await readItem(this.#table, keyOf(tenant, name));
    if (item === undefined) throw unknown(name);
    return fromItem(item);
  }
}

interface KeyItem extends Omit<StoredKey, 'secret'> {
  sealed: Uint8Array | null;
}

function fromItem(item: Record<string, AttributeValue>): KeyItem {
  return unmarshall(item) as KeyItem;
}

function partitionOf(tenant: string): string {
  return `KEYS#${tenant}`;
}

function keyOf(tenant: string, name: string): Record<'pk' | 'sk', AttributeValue> {
  return { pk: { S: partitionOf(tenant) }, sk: { S: name } };
}

/** Binds the encrypted secret to its place, so that it cannot be moved to another tenant or name. */
function placeOf(tenant: string, name: string): string {
  return `keys/${tenant}/${name}`;
}

function unknown(name: string): PlatenError {
  return new PlatenError('not_found', `There is no key named "${name.slice(0, 100)}".`);
}
