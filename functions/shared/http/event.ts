import type { APIGatewayProxyEvent } from 'aws-lambda';
import { PlatenError } from '@platen/core/errors';
import type { UsageLimits } from '../store/usage.ts';

/** The parts of API Gateway's REST proxy event the service reads. */
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

/** What the service reads of Lambda's context. */
export interface InvocationContext {
  getRemainingTimeInMillis(): number;
  /** Aborted when whoever asked has gone. On a laptop only: Lambda never says, and the work comes to its end. */
  readonly abandoned?: AbortSignal;
}

/** Who calls, as the authorizer found out. */
export interface Caller {
  tenant: string;
  scopes: ReadonlySet<string>;
  /** ISO 8601; null: the token does not expire. */
  expiresAt: string | null;
  /** null: the token has none. */
  limits: UsageLimits | null;
}

/** A header's value, its name in any case; null when it is absent. */
export function header(event: GatewayEvent, name: string): string | null {
  const wanted = name.toLowerCase();
  for (const [key, value] of Object.entries(event.headers ?? {})) {
    if (key.toLowerCase() === wanted && value !== undefined) return value;
  }
  return null;
}

/**
 * What comes before `/v1` in the addresses of this client: `/live` where the stage is part of them, the base path of a
 * domain that has one, and nothing where a domain leads to the stage itself. Counted from the end of the path, which is
 * the resource's: what comes before may hold anything. A proxy in front that changes the path, as CloudFront does with an
 * origin path, says what its clients have in `X-Forwarded-Prefix`.
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

/** Segments of a path, or nothing: whoever calls may have sent it. None is `.` or `..`, which would lead elsewhere. */
const PREFIX = /^(?:\/(?!\.{1,2}(?:\/|$))[\w.~-]{1,64}){0,8}$/;

/** The gateway takes `/v1/token/` for `/v1/token`. */
function segments(path: string): string[] {
  return path.replace(/^\//, '').replace(/\/$/, '').split('/');
}

/** The body's bytes, as the client sent them. */
export function bodyBytes(event: GatewayEvent): Buffer {
  if (event.body === null || event.body === undefined) return Buffer.alloc(0);
  return Buffer.from(event.body, event.isBase64Encoded ? 'base64' : 'utf8');
}

/**
 * The caller the authorizer put into the event, or null on a route without one.
 * The gateway caches the authorizer's answer for minutes, so the token's expiry is looked at here again.
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
    scopes: new Set(scopes.filter((scope) => scope !== '')),
    expiresAt,
    limits: limitsOf(context),
  };
}

/** The limits of a token. API Gateway hands each value of the authorizer's context over as text. */
function limitsOf(context: Record<string, unknown>): UsageLimits | null {
  const [rate = null, quota = null] = ['rate', 'quota'].map((name) => {
    const value = context[name];
    return typeof value === 'string' && value !== '' ? Number(value) : null;
  });
  return rate === null && quota === null ? null : { rate, quota };
}
