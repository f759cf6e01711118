/** Headers of requests and responses in the OpenAPI document. */

export type Json = Record<string, unknown>;

/** Headers of requests that can become jobs. */
export const JOB_PARAMETERS: readonly Json[] = [
  {
    name: 'Prefer',
    in: 'header',
    required: false,
    description: '`respond-async` creates a job and returns immediately (RFC 7240).',
    schema: { type: 'string' },
  },
  {
    name: 'Idempotency-Key',
    in: 'header',
    required: false,
    description: 'Within 24 hours, the same request with the same key gets the same job or document.',
    schema: { type: 'string', minLength: 1, maxLength: 255 },
  },
];

/**
 * Headers of refused requests: draft-ietf-httpapi-ratelimit-headers. Tokens with limits have the first two in
 * each response.
 */
export const RATE_HEADERS: Json = {
  RateLimit: {
    description: 'The remaining requests of each limit (`r`), and the seconds until its window ends (`t`).',
    schema: { type: 'string' },
    example: '"minute";r=0;t=20',
  },
  'RateLimit-Policy': {
    description: 'The limits: `q` requests per `w` seconds.',
    schema: { type: 'string' },
    example: '"minute";q=60;w=60',
  },
  'Retry-After': { description: 'Seconds to wait before a retry.', schema: { type: 'integer' } },
};
