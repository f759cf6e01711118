import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import { TENANTS_PREFIX } from '../templates/keys.ts';

/** The places of files of tenants outside templates: `tenants/{tenant}/{kind}/{name}/{mark}` in S3. */

export const TENANT_FILE_KINDS = ['partials', 'fonts'] as const;
export type TenantFileKind = (typeof TENANT_FILE_KINDS)[number];

const PREFIXES: Readonly<Record<TenantFileKind, string>> = { partials: 'PARTIAL#', fonts: 'FONT#' };

const FILE_KEY = /^tenants\/([^/]+)\/(partials|fonts)\/([^/]+)\/([^/]+)$/;

/** Returns the key of a file's item in the table of templates. */
export function tenantFileItemKey(
  tenant: string,
  kind: TenantFileKind,
  name: string,
): Record<'pk' | 'sk', AttributeValue> {
  return { pk: { S: `TENANT#${tenant}` }, sk: { S: PREFIXES[kind] + name } };
}

/** Returns the key of the item that shows whether a tenant's files of a kind have changed. */
export function tenantRevisionKey(tenant: string, kind: TenantFileKind): Record<'pk' | 'sk', AttributeValue> {
  return { pk: { S: `TENANT#${tenant}` }, sk: { S: `REVISION#${kind}` } };
}

/** Returns the query for all files of a tenant and kind. */
export function tenantFilesPrefix(
  tenant: string,
  kind: TenantFileKind,
): Record<':pk' | ':sk', AttributeValue> {
  return { ':pk': { S: `TENANT#${tenant}` }, ':sk': { S: PREFIXES[kind] } };
}

export function tenantFileKey(
  tenant: string,
  kind: TenantFileKind,
  { name, mark }: { name: string; mark: string },
): string {
  return `${TENANTS_PREFIX}${encodeURIComponent(tenant)}/${kind}/${encodeURIComponent(name)}/${mark}`;
}

/** Parses a key; null if it is not the key of such a file. */
export function parseTenantFileKey(
  key: string,
): { tenant: string; kind: TenantFileKind; name: string; mark: string } | null {
  const [, tenant, kind, name, mark] = FILE_KEY.exec(key) ?? [];
  if (tenant === undefined || kind === undefined || name === undefined || mark === undefined) return null;
  return {
    tenant: decodeURIComponent(tenant),
    kind: kind as TenantFileKind,
    name: decodeURIComponent(name),
    mark,
  };
}
