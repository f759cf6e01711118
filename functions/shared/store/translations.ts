import { randomUUID } from 'node:crypto';
import { promisify } from 'node:util';
import { gunzip, gzip } from 'node:zlib';
import { type AttributeValue, PutItemCommand } from '@aws-sdk/client-dynamodb';
import { marshall, unmarshall } from '@aws-sdk/util-dynamodb';
import { PlatenError } from '@platen/core/errors';
import { fallbacks } from '@platen/locale';
import { dynamoClient, storageCall } from './storage/dynamodb.ts';
import { queryPages, readItem, removeItem } from './storage/items.ts';

/**
 * Translations of tenants (I-41): one item for each locale in the table of templates, in a partition that no template
 * has. It holds the file as it was sent and the data that renderings need, both compressed.
 */

/** Most bytes of an item's content: DynamoDB allows 400 KB for the whole item. */
const MAX_ITEM_BYTES = 380 * 1024;
/** Most bytes of the content before compression. */
const MAX_CONTENT_BYTES = 16 * 1024 * 1024;

/** The description of the translations of a locale. */
export interface TranslationFacts {
  locale: string;
  messages: number;
  /** The time of upload, ISO 8601. */
  added: string;
}

interface TranslationItem extends TranslationFacts {
  file: Uint8Array;
  catalogue: Uint8Array;
  revision: string;
}

const compress = promisify(gzip);
const decompress = promisify<Uint8Array, { maxOutputLength: number }, Buffer>(gunzip);

/** Every method throws PlatenError `storage_unavailable` when the storage fails. */
export class TranslationStore {
  readonly #table: string;

  constructor({ table }: { table: string }) {
    this.#table = table;
  }

  /**
   * Stores the translations of a locale, and replaces those before.
   *
   * @param catalogue JSON of the data that renderings need
   * @throws PlatenError `file_too_large`
   */
  async put(
    tenant: string,
    { locale, messages }: Omit<TranslationFacts, 'added'>,
    file: Uint8Array,
    catalogue: string,
  ): Promise<TranslationFacts> {
    const content = { file: await compress(file), catalogue: await compress(catalogue) };
    if (content.file.length + content.catalogue.length > MAX_ITEM_BYTES) {
      throw new PlatenError('file_too_large', 'The translations of one locale are too large.');
    }
    const facts = { locale, messages, added: new Date().toISOString() };
    const item = marshall({ ...facts, ...content, revision: randomUUID() });
    const command = new PutItemCommand({
      TableName: this.#table,
      Item: { ...item, ...keyOf(tenant, locale) },
    });
    await storageCall(() => dynamoClient().send(command));
    return facts;
  }

  /** Returns the file as it was sent. @throws PlatenError `not_found` */
  async file(tenant: string, locale: string): Promise<Buffer> {
    const item = await this.#item(tenant, locale);
    if (item === null) throw unknown(locale);
    return await decompress(item.file, { maxOutputLength: MAX_CONTENT_BYTES });
  }

  /** @throws PlatenError `not_found` */
  async remove(tenant: string, locale: string): Promise<void> {
    if (!(await removeItem(this.#table, keyOf(tenant, locale)))) throw unknown(locale);
  }

  async list(tenant: string): Promise<TranslationFacts[]> {
    const query = {
      TableName: this.#table,
      KeyConditionExpression: 'pk = :pk',
      ExpressionAttributeValues: { ':pk': { S: partitionOf(tenant) } },
      ProjectionExpression: '#locale, messages, added',
      ExpressionAttributeNames: { '#locale': 'locale' },
      ConsistentRead: true,
    };
    const found: TranslationFacts[] = [];
    for await (const items of queryPages(query)) {
      found.push(...items.map((item) => unmarshall(item) as TranslationFacts));
    }
    return found;
  }

  /** Returns the translations for a rendering, of its locale and of the language, as JSON under a key of their own. */
  async catalogues(tenant: string, tag: string): Promise<{ key: string; data: string }[]> {
    const items = await Promise.all(fallbacks(tag).map((locale) => this.#item(tenant, locale)));
    return await Promise.all(
      items
        .filter((item) => item !== null)
        .map(async ({ catalogue, revision }) => {
          const data = await decompress(catalogue, { maxOutputLength: MAX_CONTENT_BYTES });
          return { key: revision, data: data.toString() };
        }),
    );
  }

  async #item(tenant: string, locale: string): Promise<TranslationItem | null> {
    const item = await readItem(this.#table, keyOf(tenant, locale));
    return item === undefined ? null : (unmarshall(item) as TranslationItem);
  }
}

function partitionOf(tenant: string): string {
  return `TRANSLATIONS#${tenant}`;
}

function keyOf(tenant: string, locale: string): Record<'pk' | 'sk', AttributeValue> {
  return { pk: { S: partitionOf(tenant) }, sk: { S: locale } };
}

function unknown(locale: string): PlatenError {
  return new PlatenError('not_found', `There are no translations for "${locale.slice(0, 64)}".`);
}
