import { DeleteItemCommand, GetItemCommand, PutItemCommand } from '@aws-sdk/client-dynamodb';
import { log } from '../log.ts';
import { dynamoClient, storageCall } from './dynamodb.ts';
import { type ListedObject, ObjectStore } from './objects.ts';
import { TemplateItems } from './template-items.ts';
import { parseFileKey, TENANTS_PREFIX } from './template-keys.ts';
import { CorruptRecordError, fileIds } from './template-record.ts';

/**
 * Deletes the files of templates that no template refers to: what is left of a function that died between writing a
 * file and its template, or between deleting a template and its files (I-12).
 */

/** No request lives so long: a younger file may belong to one that is still being worked on. */
export const MIN_AGE_MS = 60 * 60 * 1000;

const POSITION_KEY = { pk: { S: 'SWEEP' }, sk: { S: 'TEMPLATES' } };
/** Templates looked up at a time. */
const CONCURRENCY = 8;

export interface SweepConfig {
  table: string;
  bucket: string;
}

export interface SweepResult {
  /** Files looked at. */
  files: number;
  deleted: number;
  /** Templates that could not be judged; their files were left alone. */
  failed: number;
  /** False when the time ran out: the next sweep goes on where this one stopped. */
  complete: boolean;
}

/**
 * @param now milliseconds since the epoch
 * @param deadline milliseconds since the epoch after which no new page of files is begun
 * @throws PlatenError `storage_unavailable`
 */
export async function sweepTemplateFiles(
  config: SweepConfig,
  { now = Date.now(), deadline = Infinity }: { now?: number; deadline?: number } = {},
): Promise<SweepResult> {
  const objects = new ObjectStore(config.bucket);
  const items = new TemplateItems(config.table);
  const result: SweepResult = { files: 0, deleted: 0, failed: 0, complete: true };
  for await (const page of objects.list(TENANTS_PREFIX, await loadPosition(config.table))) {
    result.files += page.length;
    const old = page.filter(({ modified }) => modified.getTime() < now - MIN_AGE_MS);
    const groups = [...groupByTemplate(old).values()];
    for (let start = 0; start < groups.length; start += CONCURRENCY) {
      const some = groups.slice(start, start + CONCURRENCY);
      const unreferred = await Promise.all(some.map((group) => unreferredKeys(items, group)));
      result.failed += unreferred.filter((keys) => keys === null).length;
      const keys = unreferred.flatMap((found) => found ?? []);
      if (keys.length > 0) await objects.delete(keys);
      result.deleted += keys.length;
    }
    const last = page.at(-1);
    if (last && Date.now() > deadline) {
      await savePosition(config.table, last.key);
      return { ...result, complete: false };
    }
  }
  await clearPosition(config.table);
  return result;
}

interface Group {
  tenant: string;
  templateId: string;
  files: { key: string; fileId: string }[];
}

function groupByTemplate(page: readonly ListedObject[]): Map<string, Group> {
  const groups = new Map<string, Group>();
  for (const { key } of page) {
    const parsed = parseFileKey(key);
    // Other things that belong to tenants are others' to clean up.
    if (!parsed) continue;
    const { tenant, templateId, fileId } = parsed;
    const name = `${tenant}/${templateId}`;
    const group = groups.get(name) ?? { tenant, templateId, files: [] };
    group.files.push({ key, fileId });
    groups.set(name, group);
  }
  return groups;
}

/** Keys of the group's files that its template does not refer to; null when the template's record is damaged. */
async function unreferredKeys(items: TemplateItems, group: Group): Promise<string[] | null> {
  try {
    const template = await items.get(group.tenant, group.templateId);
    const referred = new Set(template ? fileIds(template) : []);
    return group.files.filter(({ fileId }) => !referred.has(fileId)).map(({ key }) => key);
  } catch (error) {
    if (!(error instanceof CorruptRecordError)) throw error;
    log.error('a damaged template is not swept', { tenant: group.tenant, template: group.templateId, error });
    return null;
  }
}

async function loadPosition(table: string): Promise<string | undefined> {
  const command = new GetItemCommand({ TableName: table, Key: POSITION_KEY });
  const { Item } = await storageCall(() => dynamoClient().send(command));
  return Item?.['position']?.S;
}

async function savePosition(table: string, position: string): Promise<void> {
  const Item = { ...POSITION_KEY, position: { S: position } };
  await storageCall(() => dynamoClient().send(new PutItemCommand({ TableName: table, Item })));
}

async function clearPosition(table: string): Promise<void> {
  await storageCall(() =>
    dynamoClient().send(new DeleteItemCommand({ TableName: table, Key: POSITION_KEY })),
  );
}
