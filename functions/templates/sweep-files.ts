import { DeleteItemCommand, GetItemCommand, PutItemCommand } from '@aws-sdk/client-dynamodb';
import { log } from '../shared/log.ts';
import { dynamoClient, storageCall } from '../shared/store/storage/dynamodb.ts';
import { inGroups } from '../shared/store/storage/in-groups.ts';
import { type ListedObject, ObjectStore } from '../shared/store/storage/objects.ts';
import { DeletedTemplates } from '../shared/store/templates/deleted.ts';
import { TemplateFiles } from '../shared/store/templates/files.ts';
import { TemplateHistory } from '../shared/store/templates/history.ts';
import type { TemplateHead } from '../shared/store/templates/item.ts';
import { TemplateItems } from '../shared/store/templates/items.ts';
import { keptKey, parseFileKey, TENANTS_PREFIX } from '../shared/store/templates/keys.ts';
import { parseTenantFileKey, tenantFileItemKey } from '../shared/store/tenant-files/keys.ts';
import { CorruptRecordError, fileIds, keptIds } from '../shared/store/templates/record.ts';

/**
 * Deletes template files that no version refers to, and versions that no template refers to. They remain if a
 * function dies between writing a file and its template, or between deleting a template and its files (I-12).
 * Files of versions that are no longer kept are deleted as well.
 */

/** No request runs so long; a younger file may belong to one that is still running. */
export const MIN_AGE_MS = 60 * 60 * 1000;

const POSITION_KEY = { pk: { S: 'SWEEP' }, sk: { S: 'TEMPLATES' } };
/** Templates that are read in parallel. */
const CONCURRENCY = 8;

export interface SweepConfig {
  table: string;
  bucket: string;
  /** Days for which deleted templates can come back. */
  deletedDays?: number;
}

export interface SweepResult {
  /** Files that were checked. */
  files: number;
  deleted: number;
  /** Versions that were deleted. */
  versions: number;
  /** Templates that could not be read; their files are kept. */
  failed: number;
  /** False if the time ran out; the next sweep continues there. */
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
  const history = new TemplateHistory(config.table);
  const items = new TemplateItems(config.table);
  const deleted = new DeletedTemplates(config, {
    items,
    history,
    files: new TemplateFiles(config.bucket, 0),
  });
  const stores = { objects, items, history, deleted };
  const result: SweepResult = { files: 0, deleted: 0, versions: 0, failed: 0, complete: true };
  const before = now - MIN_AGE_MS;
  for await (const page of objects.list(TENANTS_PREFIX, await loadPosition(config.table))) {
    result.files += page.length;
    const old = page.filter(({ modified }) => modified.getTime() < before);
    const groups = [...groupByTemplate(old).values()];
    for (let start = 0; start < groups.length; start += CONCURRENCY) {
      const some = groups.slice(start, start + CONCURRENCY);
      const found = await Promise.all(some.map((group) => findLeftovers(stores, group, { before, now })));
      result.failed += found.filter((leftovers) => leftovers === null).length;
      const keys = found.flatMap((leftovers) => leftovers?.keys ?? []);
      result.versions += found.reduce((sum, leftovers) => sum + (leftovers?.versions ?? 0), 0);
      if (keys.length > 0) await objects.delete(keys);
      result.deleted += keys.length;
    }
    const lost = await leftOfTenants(config.table, old);
    if (lost.length > 0) await objects.delete(lost);
    result.deleted += lost.length;
    const last = page.at(-1);
    if (last && Date.now() > deadline) {
      await savePosition(config.table, last.key);
      return { ...result, complete: false };
    }
  }
  await clearPosition(config.table);
  return result;
}

/** Yields keys of partials and fonts that their items do not name. */
async function leftOfTenants(table: string, page: readonly ListedObject[]): Promise<string[]> {
  const lost: string[] = [];
  await inGroups(page, CONCURRENCY, async ({ key }) => {
    const parsed = parseTenantFileKey(key);
    if (parsed === null) return;
    const { tenant, kind, name, mark } = parsed;
    const Key = tenantFileItemKey(tenant, kind, name);
    const command = new GetItemCommand({ TableName: table, Key, ConsistentRead: true });
    const { Item } = await storageCall(() => dynamoClient().send(command));
    if (Item?.['mark']?.S !== mark) lost.push(key);
  });
  return lost;
}

interface Group {
  tenant: string;
  templateId: string;
  files: { key: string; fileId: string; isKept: boolean }[];
}

function groupByTemplate(page: readonly ListedObject[]): Map<string, Group> {
  const groups = new Map<string, Group>();
  for (const { key } of page) {
    const parsed = parseFileKey(key);
    // Other objects of tenants are cleaned up elsewhere.
    if (!parsed) continue;
    const { tenant, templateId, fileId, isKept } = parsed;
    const name = `${tenant}/${templateId}`;
    const group = groups.get(name) ?? { tenant, templateId, files: [] };
    group.files.push({ key, fileId, isKept });
    groups.set(name, group);
  }
  return groups;
}

interface Times {
  now: number;
  /** Older files belong to no request that is still running. */
  before: number;
}

interface Stores {
  deleted: DeletedTemplates;
  items: TemplateItems;
  history: TemplateHistory;
  objects: ObjectStore;
}

/**
 * Returns keys of the group's files that nothing refers to. Unreferenced versions are removed at once, if
 * they have the age required of files.
 *
 * @returns null if a record of the template is damaged
 */
async function findLeftovers(
  stores: Stores,
  group: Group,
  { before, now }: Times,
): Promise<{ keys: string[]; versions: number } | null> {
  const { tenant, templateId, files } = group;
  const { items, deleted } = stores;
  try {
    const head =
      (await items.get(tenant, templateId)) ?? (await deleted.find(tenant, templateId, now))?.head ?? null;
    if (!head) {
      await deleted.remove(tenant, templateId);
      await stores.history.removeAll(tenant, templateId);
      return { keys: files.map(({ key }) => key), versions: await items.removeVersions(tenant, templateId) };
    }
    const shown = new Set(fileIds(head.template));
    const suspects = files.filter(({ fileId, isKept }) => isKept || !shown.has(fileId));
    if (suspects.length === 0) return { keys: [], versions: 0 };
    const { referred, removed } = await versionsOf(items, group, head, before);
    const keys: string[] = [];
    for (const { key, fileId, isKept } of suspects) {
      // A file of a version that is no longer published has a copy among the kept ones.
      const isNeeded =
        referred.has(fileId) && (isKept || !(await stores.objects.exists(keptKey(tenant, fileId))));
      if (!isNeeded) keys.push(key);
    }
    return { keys, versions: removed };
  } catch (error) {
    if (!(error instanceof CorruptRecordError)) throw error;
    log.error('a damaged template is not swept', { tenant, template: templateId, error });
    return null;
  }
}

/** Returns ids of the files that a template's versions and samples refer to, and removes versions whose write failed. */
async function versionsOf(
  items: TemplateItems,
  { tenant, templateId }: Group,
  { template, versions }: TemplateHead,
  before: number,
): Promise<{ referred: Set<string>; removed: number }> {
  const samples = Object.values(template.samples).map(({ id }) => id);
  const referred = new Set([...fileIds(template), ...keptIds(template), ...samples]);
  let removed = 0;
  for (const { content, facts, mark } of await items.versions(tenant, templateId)) {
    if (versions.get(facts.version) === mark)
      for (const id of [...fileIds(content), ...keptIds(content)]) referred.add(id);
    else if (Date.parse(facts.written) < before) {
      await items.removeVersion(tenant, templateId, facts.version, mark);
      removed += 1;
    }
  }
  return { referred, removed };
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
