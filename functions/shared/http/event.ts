import type { APIGatewayProxyEvent } from 'aws-lambda';
import { PlatenError } from '@platen/core/errors';
import type { UsageLimits } from '../store/usage.ts';

/** The parts of API Gateway's REST proxy event that the service reads. */
export type GatewayEvent = Pick<
  APIGatewayProxyEvent,
  'resource' | 'path' | 'httpMethod' | 'headers' | 'pathParameters' | 'body' | 'isBase64Encoded'
> & {
  multiValueQueryStringParameters: APIGatewayProxyEvent['multiValueQueryStringParameters'];
  requestContext: {
    requestId: string;
    /** As the client sent it: with the stage, or the base path of a domain. `path` above has no stage. */
    path?: string | undefined;
    authorizer?: Record<string, unknown> | null | undefined;
  };
};

/** The parts of Lambda's context that the service reads. */
export interface InvocationContext {
  getRemainingTimeInMillis(): number;
  /** Aborted when the client has disconnected. Local service only: Lambda does not report it, and the work continues. */
  readonly abandoned?: AbortSignal;
}

/** The caller, as the authorizer identified it. */
export interface Caller {
  tenant: string;
  /** The name of the token or of the person, or the id of a token without a name; null if it is not known. */
  name: string | null;
  scopes: ReadonlySet<string>;
  /** ISO 8601; null: the token does not expire. */
  expiresAt: string | null;
  /** null: the token has no limits. */
  limits: UsageLimits | null;
}

/** Returns a header's value, with its name in any case; null when it is absent. */
export function header(event: GatewayEvent, name: string): string | null {
  const wanted = name.toLowerCase();
  for (const [key, value] of Object.entries(event.headers ?? {})) {
    if (key.toLowerCase() === wanted && value !== undefined) return value;
  }
  return null;
}

/**
 * Returns the prefix before `/v1` in the addresses of this client: `/live` if they contain the stage, the
 * base path of a domain that has one, and nothing if a domain leads to the stage itself. It is counted from
 * the end of the path, which is the resource's, as the prefix may hold anything. A proxy that changes the
 * path, as CloudFront does with an origin path, sends its clients' prefix in `X-Forwarded-Prefix`.
 */
export function basePath(event: GatewayEvent): string {
  const prefix = header(event, 'x-forwarded-prefix')?.replace(/\/$/, '');
  if (prefix !== undefined && PREFIX.test(prefix)) return prefix;
  const { resource, requestContext } = event;
  const { path = '' } = requestContext;
  const wanted = segments(resource);
  const sent = segments(path);
  const before = sent.length - wanted.length;
  const matches = wanted.every((part, index) => part.startsWith('{') || part === sent[before + index]);
  return before > 0 && matches ? `/${sent.slice(0, before).join('/')}` : '';
}

/** Segments of a path, or nothing, as the caller may have sent it. None is `.` or `..`, which would lead elsewhere. */
const PREFIX = /^(?:\/(?!\.{1,2}(?:\/|$))[\w.~-]{1,64}){0,8}$/;

/** The gateway treats `/v1/token/` as `/v1/token`. */
function segments(path: string): string[] {
  return path.replace(/^\//, '').replace(/\/$/, '').split('/');
}

/** Returns the body's bytes, as the client sent them. */
export function bodyBytes(event: GatewayEvent): Buffer {
  if (event.body === null || event.body === undefined) return Buffer.alloc(0);
  return Buffer.from(event.body, event.isBase64Encoded ? 'base64' : 'utf8');
}

/**
 * Returns the caller that the authorizer put into the event, or null on a route without one. The gateway
 * caches the authorizer's answer for minutes, so this checks the token's expiry again.
 *
 * @throws PlatenError `token_expired`
 */
export function caller(event: GatewayEvent, now: number): Caller | null {
  const context = event.requestContext.authorizer;
  if (!context || typeof context['tenant'] !== 'string' || context['tenant'] === '') return null;
  const expires = context['expires_at'];
  const expiresAt = typeof expires === 'string' && expires !== '' ? expires : null;
  if (expiresAt !== null && Date.parse(expiresAt) <= now) {
    throw new PlatenError('token_expired', 'The token has expired. Request a new one.');
  }
  const scopes = typeof context['scopes'] === 'string' ? context['scopes'].split(' ') : [];
  return {
    tenant: context['tenant'],
    name: nameOf(context),
    scopes: new Set(scopes.filter((scope) => scope !== '')),
    expiresAt,
    limits: limitsOf(context),
  };
}

/** Returns the name that the authorizer encoded; null for a caller that an earlier release identified, and in jobs. */
function nameOf({ name }: Record<string, unknown>): string | null {
  return typeof name === 'string' && name !== '' ? decodeURIComponent(name) : null;
}

/** Returns the limits of a token. API Gateway passes each value of the authorizer's context as text. */
function limitsOf(context: Record<string, unknown>): UsageLimits | null {
  const [rate = null, quota = null] = ['rate', 'quota'].map((name) => {
    const value = context[name];
    return typeof value === 'string' && value !== '' ? Number(value) : null;
  });
  return rate === null && quota === null ? null : { rate, quota };
}
