import { templateIdOfFile } from './ids.ts';

/** Where a template's files are in S3: `tenants/{tenant}/templates/{template id}/{file id}`. */

/** Everything under which files of tenants are. */
export const TENANTS_PREFIX = 'tenants/';

const FILE_KEY = /^tenants\/([^/]+)\/templates\/([^/]+)\/([^/]+)$/;

export function templatePrefix(tenant: string, templateId: string): string {
  // A tenant's name may hold any character; a key's segments may not hold a slash.
  return `${TENANTS_PREFIX}${encodeURIComponent(tenant)}/templates/${templateId}/`;
}

export function fileKey(tenant: string, fileId: string): string {
  const templateId = templateIdOfFile(fileId);
  if (templateId === null) throw new Error(`Not the id of a file: ${fileId}`);
  return templatePrefix(tenant, templateId) + fileId;
}

/** What a key says, or null when it is not the key of a template's file. */
export function parseFileKey(key: string): { tenant: string; templateId: string; fileId: string } | null {
  const [, tenant, templateId, fileId] = FILE_KEY.exec(key) ?? [];
  if (tenant === undefined || templateId === undefined || fileId === undefined) return null;
  return { tenant: decodeURIComponent(tenant), templateId, fileId };
}
