import { UpdateItemCommand, type UpdateItemCommandInput } from '@aws-sdk/client-dynamodb';
import { PlatenError } from '@platen/core/errors';
import { dynamoClient } from '../storage/dynamodb.ts';
import { isTemplateId, newFileId } from '../storage/ids.ts';
import type { TemplateFiles } from './files.ts';
import { sampleValue } from './item.ts';
import { accepted, REFUSED, sized, type TemplateItems } from './items.ts';
import { templateKey } from './keys.ts';
import type { Sample, TemplateRecord } from './record.ts';

/** Samples of one template. */
const MAX_SAMPLES = 50;

/**
 * Data sets for trying a template. They belong to the template and not to a version: each is a member of a map in the
 * template's own item, and a file beside those of unpublished versions.  Every method throws PlatenError
 * `storage_unavailable` when the storage fails, and `not_found`.
 */
export class TemplateSamples {
  private readonly table: string;
  private readonly items: TemplateItems;
  private readonly files: TemplateFiles;

  constructor(table: string, items: TemplateItems, files: TemplateFiles) {
    this.table = table;
    this.items = items;
    this.files = files;
  }

  /**
   * Stores a sample and replaces one of the same name, whose file the sweep deletes.
   *
   * @param text JSON
   * @throws PlatenError `template_too_large`
   */
  async put(tenant: string, id: string, name: string, text: string): Promise<Sample> {
    await this.template(tenant, id);
    const bytes = Buffer.from(text);
    const added = new Date().toISOString();
    const contentType = 'application/json';
    const sample = { id: newFileId(id), filename: null, contentType, size: bytes.length, added };
    await this.files.write(tenant, [{ file: sample, bytes }], false);
    if (await this.putItem(tenant, id, name, sample)) return sample;
    await this.files.discard(tenant, [sample.id]);
    await this.template(tenant, id);
    const message = `A template may have ${MAX_SAMPLES} samples, and this one already has them.`;
    throw new PlatenError('template_too_large', message);
  }

  /** Returns the JSON text of a sample. */
  async get(tenant: string, id: string, name: string): Promise<string> {
    const sample = await this.find(tenant, id, name);
    const rejectMissing = (): Promise<never> => Promise.reject(missing('sample', name));
    return (await this.files.read(tenant, sample, rejectMissing)).toString();
  }

  async remove(tenant: string, id: string, name: string): Promise<void> {
    const sample = await this.find(tenant, id, name);
    const isRemoved = await this.update(tenant, id, {
      UpdateExpression: 'REMOVE samples.#name',
      ConditionExpression: 'attribute_exists(samples.#name)',
      ExpressionAttributeNames: { '#name': name },
    });
    if (!isRemoved) throw missing('sample', name);
    await this.files.discard(tenant, [sample.id]);
  }

  private async find(tenant: string, id: string, name: string): Promise<Sample> {
    const { samples } = await this.template(tenant, id);
    const sample = Object.hasOwn(samples, name) ? samples[name] : undefined;
    if (sample === undefined) throw missing('sample', name);
    return sample;
  }

  private async template(tenant: string, id: string): Promise<TemplateRecord> {
    const head = isTemplateId(id) ? await this.items.get(tenant, id) : null;
    if (head === null) throw missing('template', id);
    return head.template;
  }

  /** @returns false if the template is deleted, or already has the maximum number of samples */
  private async putItem(tenant: string, id: string, name: string, sample: Sample): Promise<boolean> {
    // An item that a release before samples wrote has no map for them.
    const isThere = await this.update(tenant, id, {
      UpdateExpression: 'SET samples = if_not_exists(samples, :empty)',
      ConditionExpression: 'attribute_exists(pk)',
      ExpressionAttributeValues: { ':empty': { M: {} } },
    });
    if (!isThere) return false;
    return await this.update(tenant, id, {
      UpdateExpression: 'SET samples.#name = :sample',
      ConditionExpression:
        'attribute_exists(pk) AND (size(samples) < :max OR attribute_exists(samples.#name))',
      ExpressionAttributeNames: { '#name': name },
      ExpressionAttributeValues: { ':sample': sampleValue(sample), ':max': { N: String(MAX_SAMPLES) } },
    });
  }

  private async update(
    tenant: string,
    id: string,
    change: Omit<UpdateItemCommandInput, 'TableName' | 'Key'>,
  ): Promise<boolean> {
    const Key = templateKey(tenant, id);
    const command = new UpdateItemCommand({ TableName: this.table, Key, ...change });
    return await accepted(() => sized(() => dynamoClient().send(command), REFUSED));
  }
}

function missing(what: string, name: string): PlatenError {
  return new PlatenError('not_found', `There is no ${what} "${name.slice(0, 100)}".`);
}
