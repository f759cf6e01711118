import type { IncomingMessage } from 'node:http';
import { ACCOUNT, API_ID } from '../assembly/index.ts';
import type { Match } from './router.ts';

/** The facts about a request before its body is read. */
export interface RequestHead {
  request: IncomingMessage;
  requestId: string;
  traceId: string;
  /** Path as sent, without the query, and without the stage when that is part of the path. */
  path: string;
  /** The path including the stage. */
  sentPath: string;
  query: URLSearchParams;
  receivedAt: number;
}

/** Hop-by-hop headers, which describe the client's connection to the gateway. */
const HOP_BY_HOP = new Set([
  'connection',
  'content-length',
  'expect',
  'keep-alive',
  'te',
  'transfer-encoding',
  'upgrade',
]);

/** Headers that the gateway sets itself; the client's values are ignored. */
const OWN = new Set(['x-amzn-trace-id', 'x-forwarded-for', 'x-forwarded-port', 'x-forwarded-proto']);

/** Returns the event of a REST API's Lambda proxy integration, without `body` and `isBase64Encoded`. */
export function proxyEvent(
  head: RequestHead,
  match: Match,
  stage: string,
  authorizer: Record<string, string> | undefined,
): Record<string, unknown> {
  const { request, path, sentPath, requestId } = head;
  const headers = headersOf(head);
  // A map is used, because `__proto__` and `constructor` are valid names.
  const query = grouped(head.query);
  return {
    resource: match.route.resource,
    path,
    httpMethod: request.method,
    headers: last(headers),
    multiValueHeaders: headers,
    queryStringParameters: Object.keys(query).length === 0 ? null : last(query),
    multiValueQueryStringParameters: Object.keys(query).length === 0 ? null : query,
    pathParameters: match.params,
    stageVariables: null,
    requestContext: {
      accountId: ACCOUNT,
      apiId: API_ID,
      domainName: request.headers.host ?? 'localhost',
      extendedRequestId: requestId,
      httpMethod: request.method,
      identity: {
        sourceIp: request.socket.remoteAddress ?? '127.0.0.1',
        userAgent: request.headers['user-agent'] ?? null,
      },
      // The path as sent; the event's path never contains the stage.
      path: sentPath,
      protocol: `HTTP/${request.httpVersion}`,
      requestId,
      requestTime: new Date(head.receivedAt).toUTCString(),
      requestTimeEpoch: head.receivedAt,
      resourcePath: match.route.resource,
      stage,
      ...(authorizer === undefined ? {} : { authorizer }),
    },
  };
}

/** Returns the ARN of an API method for policies. */
export function methodArn(region: string, stage: string, method: string, path: string): string {
  return `arn:aws:execute-api:${region}:${ACCOUNT}:${API_ID}/${stage}/${method}${path}`;
}

/** Returns the headers under the names that the client wrote, plus those that API Gateway adds. */
function headersOf({ request, traceId }: RequestHead): Record<string, string[]> {
  const pairs: [string, string][] = [];
  const names = new Map<string, string>();
  for (let index = 0; index < request.rawHeaders.length; index += 2) {
    const name = request.rawHeaders[index] ?? '';
    const lower = name.toLowerCase();
    if (HOP_BY_HOP.has(lower) || OWN.has(lower)) continue;
    const known = names.get(lower) ?? name;
    names.set(lower, known);
    pairs.push([known, request.rawHeaders[index + 1] ?? '']);
  }
  const headers = grouped(pairs);
  headers['X-Amzn-Trace-Id'] = [traceId];
  headers['X-Forwarded-For'] = [request.socket.remoteAddress ?? '127.0.0.1'];
  headers['X-Forwarded-Port'] = [String(request.socket.localPort ?? '')];
  headers['X-Forwarded-Proto'] = ['http'];
  return headers;
}

function grouped(pairs: Iterable<[string, string]>): Record<string, string[]> {
  const groups = Map.groupBy(pairs, ([name]) => name);
  return Object.fromEntries([...groups].map(([name, all]) => [name, all.map(([, value]) => value)]));
}

/** Keeps the last of several values, as API Gateway does. */
function last(values: Readonly<Record<string, string[]>>): Record<string, string> {
  return Object.fromEntries(Object.entries(values).map(([name, list]) => [name, list.at(-1) ?? '']));
}
