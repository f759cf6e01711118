import { randomBytes } from 'node:crypto';

/**
 * The trace header of an invocation. The AWS SDK within a function sends it with each call of another function, so a
 * field of its own, which the format permits, tells whose request the other function works for.
 */

const TENANT = 'Tenant=';

/** Returns a root trace id in X-Ray's format. @param tenant for whom the request is; undefined for nobody */
export function newTraceId(tenant?: string): string {
  const seconds = Math.floor(Date.now() / 1000).toString(16);
  return traceOf(`Root=1-${seconds}-${randomBytes(12).toString('hex')};Sampled=0`, tenant);
}

/** Returns a trace id with its tenant. */
export function traceOf(traceId: string, tenant: string | undefined): string {
  return tenant === undefined ? traceId : `${traceId};${TENANT}${encodeURIComponent(tenant)}`;
}

/** Returns the tenant of a trace id; the empty text when it has none. */
export function tenantOf(traceId: string): string {
  const field = traceId.split(';').find((part) => part.startsWith(TENANT));
  return field?.slice(TENANT.length) ?? '';
}
