import { templateIdOfFile } from '../storage/ids.ts';
import type { Item } from '../storage/items.ts';
import type { HistoryPlace } from './history.ts';

/**
 * The places of templates. In DynamoDB: a template's own item, and one more for each further version. In S3: the files
 * of published versions at `tenants/{tenant}/templates/{template id}/{file id}`, where releases before versions look
 * for them and delete files that no template's own item names; the files of other versions below `kept/` in the same
 * place, where those releases delete nothing.
 */

/** The prefix of all files of tenants. */
export const TENANTS_PREFIX = 'tenants/';

const FILE_KEY = /^tenants\/([^/]+)\/templates\/([^/]+)\/(kept\/)?([^/]+)$/;

/** Returns the key of a template's own item. */
export function templateKey(tenant: string, id: string): Item {
  return { pk: { S: `TENANT#${tenant}` }, sk: { S: `TEMPLATE#${id}` } };
}

/** The prefix of the sort keys of deleted templates. */
export const DELETED_PREFIX = 'DELETED#';

/** Returns the key of a deleted template's item. */
export function deletedKey(tenant: string, id: string): Item {
  return { pk: { S: `TENANT#${tenant}` }, sk: { S: `${DELETED_PREFIX}${id}` } };
}

/** Returns the id of a deleted template from its item. */
export function idOfDeleted({ sk }: Item): string {
  return sk?.S?.slice(DELETED_PREFIX.length) ?? '';
}

/** Returns the prefix of the sort keys of a template's versions. */
export function versionsPrefix(id: string): string {
  return `VERSION#${id}#`;
}

/** Returns the key of a version's item. @param mark of the write that made it */
export function versionKey(tenant: string, id: string, version: number, mark: string): Item {
  const number = String(version).padStart(10, '0');
  return { pk: { S: `TENANT#${tenant}` }, sk: { S: `${versionsPrefix(id)}${number}#${mark}` } };
}

/** Returns the prefix of the sort keys of a template's history. */
export function historyPrefix(id: string): string {
  return `HISTORY#${id}#`;
}

/** Returns the key of an entry of a template's history. */
export function historyKey(tenant: string, id: string, { number, mark }: HistoryPlace): Item {
  const sk = `${historyPrefix(id)}${String(number).padStart(10, '0')}#${mark}`;
  return { pk: { S: `TENANT#${tenant}` }, sk: { S: sk } };
}

/** Returns the key of the item that is the lock of concurrent writers of a template. */
export function writeLockKey(tenant: string, id: string): Item {
  return { pk: { S: `TENANT#${tenant}` }, sk: { S: `TURN#${id}` } };
}

export function templatePrefix(tenant: string, templateId: string): string {
  // A tenant's name may contain any character; a segment of a key may not contain a slash.
  return `${TENANTS_PREFIX}${encodeURIComponent(tenant)}/templates/${templateId}/`;
}

/** Returns the key of a file of a published version. */
export function fileKey(tenant: string, fileId: string): string {
  return prefixOfFile(tenant, fileId) + fileId;
}

/** Returns the key of a file of any other version, and of a template's samples. */
export function keptKey(tenant: string, fileId: string): string {
  return `${prefixOfFile(tenant, fileId)}kept/${fileId}`;
}

function prefixOfFile(tenant: string, fileId: string): string {
  const templateId = templateIdOfFile(fileId);
  if (templateId === null) throw new Error(`Not the id of a file: ${fileId}`);
  return templatePrefix(tenant, templateId);
}

/** Parses a key; null if it is not the key of a template's file. */
export function parseFileKey(
  key: string,
): { tenant: string; templateId: string; fileId: string; isKept: boolean } | null {
  const [, tenant, templateId, kept, fileId] = FILE_KEY.exec(key) ?? [];
  if (tenant === undefined || templateId === undefined || fileId === undefined) return null;
  return { tenant: decodeURIComponent(tenant), templateId, fileId, isKept: kept !== undefined };
}
