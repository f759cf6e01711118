import { describe, expect, test } from 'vitest';
import { ERRORS, type ErrorCode } from '../../packages/contract/src/errors.ts';
import { restApi, synthesize } from './support.ts';

/** Every type the documentation of API Gateway lists, and what a caller of ours is told. */
const EXPECTED: Record<string, [number, ErrorCode]> = {
  // The authorizer denies the tokens that are not good, and nothing else (I-2).
  ACCESS_DENIED: [401, 'unauthorized'],
  API_CONFIGURATION_ERROR: [500, 'internal_error'],
  AUTHORIZER_CONFIGURATION_ERROR: [500, 'internal_error'],
  AUTHORIZER_FAILURE: [503, 'service_busy'],
  BAD_REQUEST_BODY: [400, 'malformed_request'],
  BAD_REQUEST_PARAMETERS: [400, 'malformed_request'],
  DEFAULT_4XX: [400, 'malformed_request'],
  DEFAULT_5XX: [502, 'bad_gateway'],
  EXPIRED_TOKEN: [404, 'route_not_found'],
  INTEGRATION_FAILURE: [503, 'service_busy'],
  INTEGRATION_TIMEOUT: [504, 'deadline_exceeded'],
  INVALID_API_KEY: [403, 'forbidden'],
  INVALID_SIGNATURE: [404, 'route_not_found'],
  MISSING_AUTHENTICATION_TOKEN: [404, 'route_not_found'],
  QUOTA_EXCEEDED: [429, 'too_many_requests'],
  REQUEST_TOO_LARGE: [413, 'request_too_large'],
  RESOURCE_NOT_FOUND: [404, 'route_not_found'],
  THROTTLED: [429, 'too_many_requests'],
  UNAUTHORIZED: [401, 'unauthorized'],
  // Only what refuses other methods demands content types (routes.test.ts).
  UNSUPPORTED_MEDIA_TYPE: [405, 'method_not_allowed'],
  WAF_FILTERED: [403, 'forbidden'],
};

const [, { Body }] = restApi(synthesize().api);
const responses = new Map(Object.entries(Body['x-amazon-apigateway-gateway-responses']));

test('every type of answer the gateway gives by itself has our wording', () => {
  expect([...responses.keys()].sort()).toEqual(Object.keys(EXPECTED).sort());
});

describe.each(Object.entries(EXPECTED))('%s', (type, [status, code]) => {
  const response = responses.get(type);

  test('has the header nosniff, and names its request as the functions do', () => {
    expect(response?.responseParameters).toMatchObject({
      'gatewayresponse.header.X-Content-Type-Options': "'nosniff'",
      'gatewayresponse.header.X-Request-Id': 'context.requestId',
    });
  });

  test('is a problem document with code, status and request id (I-4)', () => {
    expect(response?.statusCode).toBe(String(status));
    expect(Object.keys(response?.responseTemplates ?? {})).toEqual(['application/json']);
    const text = response?.responseTemplates['application/json'] ?? '';
    const body = JSON.parse(text) as Record<string, unknown>;
    expect(Object.keys(body).sort()).toEqual(['code', 'detail', 'request_id', 'status', 'title', 'type']);
    expect(body).toMatchObject({
      code,
      status,
      title: ERRORS[code].title,
      type: `urn:platen:problem:${code.replaceAll('_', '-')}`,
      request_id: '$context.requestId',
    });
    expect(ERRORS[code].status).toBe(status);
    // The only thing the gateway replaces: nothing of the request, which might hold quotes.
    expect(text.match(/\$\w+(\.\w+)*/g)).toEqual(['$context.requestId']);
  });

  test('has its content type in the headers, and is not cached', () => {
    const headers = response?.responseParameters;
    expect(headers).toMatchObject({
      'gatewayresponse.header.Content-Type': "'application/problem+json; charset=utf-8'",
      'gatewayresponse.header.Cache-Control': "'no-store'",
    });
    expect(headers?.['gatewayresponse.header.WWW-Authenticate']).toBe(
      status === 401 ? "'Bearer'" : undefined,
    );
    expect(headers?.['gatewayresponse.header.Retry-After']).toBe({ 429: "'1'", 503: "'2'" }[status]);
    // I-55: 100 requests at once, refilled with 50 a second.
    expect(headers?.['gatewayresponse.header.RateLimit']).toBe(
      status === 429 ? `'"requests";r=0;t=1'` : undefined,
    );
    expect(headers?.['gatewayresponse.header.RateLimit-Policy']).toBe(
      status === 429 ? `'"requests";q=100;w=2'` : undefined,
    );
  });
});
