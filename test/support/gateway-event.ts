import { ROUTES } from '../../packages/contract/src/routes.ts';
import type { GatewayEvent, InvocationContext, Reply } from '../../functions/shared/http/index.ts';

/** Creates events as API Gateway does, for calling a function group without a gateway. */

export interface EventInput {
  method: string;
  /** The path with its query. */
  path: string;
  /** The prefix of the path in the client's address: a stage, or the base path of a domain. */
  basePath?: string;
  headers?: Record<string, string>;
  body?: Buffer | string;
  tenant?: string | null;
  scopes?: string;
  expiresAt?: string;
}

export const CONTEXT: InvocationContext = { getRemainingTimeInMillis: () => 60_000 };

/** @returns the event, with the resource of the route table for the path */
export function gatewayEvent(input: EventInput): GatewayEvent {
  const url = new URL(input.path, 'http://localhost');
  const { resource, params } = matchResource(url.pathname);
  const query: Record<string, string[]> = {};
  for (const [name, value] of url.searchParams) (query[name] ??= []).push(value);
  const tenant = input.tenant === undefined ? 'acme' : input.tenant;
  return {
    resource,
    path: url.pathname,
    httpMethod: input.method,
    headers: input.headers ?? {},
    multiValueQueryStringParameters: Object.keys(query).length > 0 ? query : null,
    pathParameters: params,
    body: input.body === undefined ? null : Buffer.from(input.body).toString('base64'),
    isBase64Encoded: input.body !== undefined,
    requestContext: {
      requestId: 'test-request',
      path: `${input.basePath ?? ''}${url.pathname}`,
      authorizer:
        tenant === null
          ? undefined
          : {
              tenant,
              scopes: input.scopes ?? 'templates:read templates:write render pdf',
              expires_at: input.expiresAt ?? '',
            },
    },
  };
}

/** API Gateway prefers a literal segment over a variable one. */
function matchResource(path: string): { resource: string; params: Record<string, string> | null } {
  const segments = path.split('/');
  const matches = [...new Set(ROUTES.map((route) => route.path as string))]
    .map((resource) => ({ resource, pattern: resource.split('/') }))
    .filter(
      ({ pattern }) =>
        pattern.length === segments.length &&
        pattern.every((part, i) => part.startsWith('{') || part === segments[i]),
    )
    .toSorted((a, b) => variables(a.pattern) - variables(b.pattern));
  const best = matches[0];
  if (!best) return { resource: path, params: null };
  const params: Record<string, string> = {};
  best.pattern.forEach((part, i) => {
    if (part.startsWith('{')) params[part.slice(1, -1)] = segments[i] ?? '';
  });
  return { resource: best.resource, params: Object.keys(params).length > 0 ? params : null };
}

function variables(pattern: readonly string[]): number {
  return pattern.filter((part) => part.startsWith('{')).length;
}

/** One part of a multipart body. `filename: ''` is sent as `filename=""`; undefined omits the parameter. */
export interface MultipartPart {
  name: string;
  content: Buffer | string;
  filename?: string;
  contentType?: string;
}

/** Returns a multipart/form-data body with its headers, written byte by byte as common clients write it. */
export function multipart(parts: readonly MultipartPart[]): {
  headers: Record<string, string>;
  body: Buffer;
} {
  const boundary = 'platen-test-boundary';
  const chunks: Buffer[] = [];
  for (const { name, content, filename, contentType } of parts) {
    const file = filename === undefined ? '' : `; filename="${filename}"`;
    const type = contentType === undefined ? '' : `\r\nContent-Type: ${contentType}`;
    chunks.push(
      Buffer.from(`--${boundary}\r\nContent-Disposition: form-data; name="${name}"${file}${type}\r\n\r\n`),
      Buffer.from(content),
      Buffer.from('\r\n'),
    );
  }
  chunks.push(Buffer.from(`--${boundary}--\r\n`));
  return {
    headers: { 'Content-Type': `multipart/form-data; boundary=${boundary}` },
    body: Buffer.concat(chunks),
  };
}

/** Returns an urlencoded body with its headers. */
export function urlencoded(fields: Record<string, string>): {
  headers: Record<string, string>;
  body: string;
} {
  return {
    headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams(fields).toString(),
  };
}

/** Returns the text of a response that is not a stream. */
export function bodyText(reply: Reply): string {
  if (typeof reply.body === 'string') return reply.body;
  if (reply.body instanceof Uint8Array) return Buffer.from(reply.body).toString('utf8');
  throw new Error('the answer has no body, or a stream');
}
