import { ERRORS, type ErrorCode, problemType } from '@platen/contract/errors';

/**
 * Responses that API Gateway sends itself, in the form of all errors (I-4). Every type is listed, so that
 * none falls back to the gateway's own wording.
 */

interface GatewayProblem {
  code: ErrorCode;
  detail: string;
  headers?: Readonly<Record<string, string>>;
}

const NO_SUCH_ADDRESS: GatewayProblem = {
  code: 'route_not_found',
  detail: 'There is no such route. GET /v1/openapi.json describes all routes.',
};
const OUR_FAULT: GatewayProblem = {
  code: 'internal_error',
  detail: 'An internal error occurred. Please try again; if the problem persists, report the request id.',
};
const UNREADABLE: GatewayProblem = {
  code: 'malformed_request',
  detail: 'The request cannot be read: it is not valid HTTP, or its line and headers are longer than 10 KB.',
};
const NOT_ALLOWED: GatewayProblem = { code: 'forbidden', detail: 'The request is not allowed.' };
const NO_CALLER: GatewayProblem = {
  code: 'unauthorized',
  detail:
    'The Authorization header must carry a valid token. This one is missing, unknown, expired or revoked.',
  headers: { 'WWW-Authenticate': 'Bearer' },
};
const NO_ANSWER: GatewayProblem = {
  code: 'bad_gateway',
  detail: 'The function did not respond. Please try again; if the problem persists, report the request id.',
};
/**
 * Lambda throttles the function or fails. API Gateway does not distinguish the two, and both are temporary. 429
 * would be wrong, because the caller has not sent too many requests.
 */
const BUSY: GatewayProblem = {
  code: 'service_busy',
  detail: 'The service cannot process the request at the moment. Please wait a little and try again.',
  headers: { 'Retry-After': '2' },
};
const TOO_MANY: GatewayProblem = {
  code: 'too_many_requests',
  detail: 'There are too many requests at the moment. Please wait a little and try again.',
  headers: { 'Retry-After': '1' },
};

const PROBLEMS: Readonly<Record<string, GatewayProblem>> = {
  // The request has no token.
  UNAUTHORIZED: NO_CALLER,
  // The authorizer denies only invalid tokens; the functions check scopes.
  ACCESS_DENIED: NO_CALLER,
  INVALID_API_KEY: NOT_ALLOWED,
  WAF_FILTERED: NOT_ALLOWED,
  // API Gateway treats a path without a method as one that requires an AWS signature. No method of this API does,
  // so each of these responses means that the path does not exist, regardless of the Authorization header.
  MISSING_AUTHENTICATION_TOKEN: NO_SUCH_ADDRESS,
  INVALID_SIGNATURE: NO_SUCH_ADDRESS,
  EXPIRED_TOKEN: NO_SUCH_ADDRESS,
  RESOURCE_NOT_FOUND: NO_SUCH_ADDRESS,
  REQUEST_TOO_LARGE: {
    code: 'request_too_large',
    detail:
      'The request is larger than the limit of the gateway, which is about 4.5 MB. Send a large file separately: ' +
      'POST /v1/uploads returns where to send it, and the text upload:<id> then refers to it in any file field. For ' +
      'work that takes long, add the header Prefer: respond-async.',
  },
  // Only the integrations that refuse other methods accept no other content types (api-definition.ts).
  UNSUPPORTED_MEDIA_TYPE: {
    code: 'method_not_allowed',
    detail: 'The method is not allowed for this address. GET /v1/openapi.json describes all routes.',
  },
  BAD_REQUEST_BODY: UNREADABLE,
  BAD_REQUEST_PARAMETERS: UNREADABLE,
  DEFAULT_4XX: UNREADABLE,
  THROTTLED: TOO_MANY,
  QUOTA_EXCEEDED: TOO_MANY,
  API_CONFIGURATION_ERROR: OUR_FAULT,
  AUTHORIZER_CONFIGURATION_ERROR: OUR_FAULT,
  // The authorizer's function can be throttled like any other.
  AUTHORIZER_FAILURE: BUSY,
  INTEGRATION_FAILURE: BUSY,
  // The remaining 5XX response: a function that crashed.
  DEFAULT_5XX: NO_ANSWER,
  INTEGRATION_TIMEOUT: { code: 'deadline_exceeded', detail: 'The work took longer than the gateway waits.' },
};

/** The token bucket of the stage, which all callers share. */
export interface RequestRate {
  /** Sustained requests per second. */
  throttleRate: number;
  /** Maximum burst of requests. */
  throttleBurst: number;
}

/** A response of the gateway: its status, mapping expressions for its headers, and the template of its body. */
export interface ProblemResponse {
  status: string;
  headers: Record<string, string>;
  body: string;
}

/** Returns the response for a problem. The gateway inserts the request id. */
export function problemResponse({ code, detail, headers }: GatewayProblem): ProblemResponse {
  const { status, title } = ERRORS[code];
  const body = { type: problemType(code), title, status, detail, code, request_id: '$context.requestId' };
  return {
    status: String(status),
    headers: {
      ...quoted({
        'Content-Type': 'application/problem+json; charset=utf-8',
        'Cache-Control': 'no-store',
        'X-Content-Type-Options': 'nosniff',
        ...headers,
      }),
      // The functions' own responses have this header too; the body contains the same value.
      'X-Request-Id': 'context.requestId',
    },
    body: JSON.stringify(body),
  };
}

/**
 * Returns `x-amazon-apigateway-gateway-responses`: the text of all responses that an API sends without an integration. A
 * throttled response states the rate (draft-ietf-httpapi-ratelimit-headers), because no other part of the service
 * knows the bucket.
 */
export function gatewayResponses({ throttleRate, throttleBurst }: RequestRate): Record<string, object> {
  const window = Math.ceil(throttleBurst / throttleRate);
  const rate = {
    RateLimit: '"requests";r=0;t=1',
    'RateLimit-Policy': `"requests";q=${throttleBurst};w=${window}`,
  };
  return Object.fromEntries(
    Object.entries(PROBLEMS).map(([type, problem]) => {
      const isRate = ERRORS[problem.code].status === 429;
      const { status, headers, body } = problemResponse({
        ...problem,
        headers: { ...problem.headers, ...(isRate ? rate : {}) },
      });
      const parameters = Object.entries(headers).map(([name, value]) => [
        `gatewayresponse.header.${name}`,
        value,
      ]);
      return [
        type,
        {
          statusCode: status,
          responseParameters: Object.fromEntries(parameters) as Record<string, string>,
          // The key selects a text by the Accept header. Requests that match no key get this text too.
          responseTemplates: { 'application/json': body },
        },
      ];
    }),
  );
}

/** Mapping expressions for literal values. */
function quoted(headers: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, `'${value}'`]));
}
