import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import type { GatewayEvent, Reply, Serve } from '../../functions/shared/http/index.ts';

/** Calls the templates function as API Gateway does. */

export interface Answer {
  status: number;
  headers: Record<string, string>;
  bytes: Buffer;
  /** The body as JSON; for tests that know it is. */
  json: () => Record<string, unknown>;
}

export interface Call {
  tenant?: string;
  query?: Record<string, string>;
  headers?: Record<string, string>;
  /** Multipart parts. */
  form?: Readonly<Record<string, Part>>;
  /** A body of JSON, in place of a form. */
  json?: string;
  /** Parameters of the path besides the id. */
  params?: Record<string, string>;
}

/** Text; or a file with its name, `''` being a file without one. */
export type Part = string | { bytes: Buffer | string; filename: string };

export const ALL_SCOPES = 'templates:read templates:write render pdf';

/** The event of one request; `path` is the address, `resource` the route it belongs to. */
export async function gatewayEvent(
  method: string,
  resource: string,
  id: string | null,
  call: Call = {},
): Promise<GatewayEvent> {
  const body = call.form ? await multipart(call.form) : null;
  return {
    resource,
    path: resource.replace('{id}', id ?? ''),
    httpMethod: method,
    headers: {
      ...call.headers,
      ...(body ? { 'Content-Type': body.contentType } : {}),
      ...(call.json === undefined ? {} : { 'Content-Type': 'application/json' }),
    },
    multiValueQueryStringParameters: Object.fromEntries(
      Object.entries(call.query ?? {}).map(([name, value]) => [name, [value]]),
    ),
    pathParameters: id === null && !call.params ? null : pathParameters({ id: id ?? '', ...call.params }),
    requestContext: {
      requestId: 'test-request',
      authorizer: { tenant: call.tenant ?? 'acme', scopes: ALL_SCOPES },
    },
    body: body ? body.bytes.toString('base64') : (call.json ?? null),
    isBase64Encoded: body !== null,
  };
}

function pathParameters(params: Record<string, string>): Record<string, string> {
  return Object.fromEntries(Object.entries(params).map(([name, value]) => [name, encodeURIComponent(value)]));
}

export function caller(serve: Serve) {
  return async (
    method: string,
    resource: string,
    id: string | null = null,
    call: Call = {},
  ): Promise<Answer> => {
    const event = await gatewayEvent(method, `/v1${resource}`, id, call);
    return await read(await serve(event, { getRemainingTimeInMillis: () => 30_000 }));
  };
}

async function read(reply: Reply): Promise<Answer> {
  const { body } = reply;
  const bytes = body instanceof Readable ? await buffer(body) : Buffer.from(body ?? '');
  await reply.close?.();
  return {
    status: reply.status,
    headers: reply.headers,
    bytes,
    json: () => JSON.parse(bytes.toString()) as Record<string, unknown>,
  };
}

async function multipart(
  parts: Readonly<Record<string, Part>>,
): Promise<{ bytes: Buffer; contentType: string }> {
  const boundary = 'platen-test-boundary';
  const chunks = Object.entries(parts).flatMap(([name, part]) => {
    const isText = typeof part === 'string';
    const filename = isText ? '' : `; filename="${part.filename}"`;
    const type = isText ? '' : 'Content-Type: application/octet-stream\r\n';
    return [
      `--${boundary}\r\nContent-Disposition: form-data; name="${name}"${filename}\r\n${type}\r\n`,
      isText ? part : part.bytes,
      '\r\n',
    ];
  });
  const bytes = Buffer.concat([...chunks, `--${boundary}--\r\n`].map((chunk) => Buffer.from(chunk)));
  return { bytes, contentType: `multipart/form-data; boundary=${boundary}` };
}
