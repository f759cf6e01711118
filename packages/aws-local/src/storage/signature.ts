import { createHash, createHmac, timingSafeEqual } from 'node:crypto';

/**
 * Verifies AWS Signature Version 4. The emulators of S3 and DynamoDB accept any request; this check restricts
 * access to those with keys: the functions, and holders of a presigned URL until it expires. The keys are
 * generated at every start.
 */

export interface Credentials {
  accessKeyId: string;
  secretAccessKey: string;
}

/** Returns the keys of an access key id; undefined when it does not exist. */
export type KeyRing = (accessKeyId: string) => Credentials | undefined;

export interface SignedRequest {
  method: string;
  /** Path and query as sent. */
  url: string;
  headers: Readonly<Record<string, string | string[] | undefined>>;
}

const ALGORITHM = 'AWS4-HMAC-SHA256';

interface Claim {
  credential: string;
  signedHeaders: string;
  signature: string;
  /** `20261121T101500Z` */
  date: string;
  /** Seconds; null for a request that is signed in its headers. */
  expires: number | null;
}

/**
 * Verifies a request that is signed in its headers or in its URL.
 *
 * @param now milliseconds of the epoch
 * @returns the fault; null when the signature is valid
 */
export function signatureFault(request: SignedRequest, ring: KeyRing, now: number): string | null {
  const { path, query } = split(request.url);
  const claim = claimOf(request, query);
  if (!claim) return 'The request is not signed.';
  const [accessKeyId = '', ...scope] = claim.credential.split('/');
  const keys = ring(accessKeyId);
  if (keys === undefined || scope.length !== 4) return 'The access key is not known.';
  if (claim.expires !== null && now > epoch(claim.date) + claim.expires * 1000) return 'Request has expired';

  const names = claim.signedHeaders.split(';');
  const canonical = [
    request.method,
    path,
    canonicalQuery(query),
    ...names.map((name) => `${name}:${headerText(request, name)}`),
    '',
    claim.signedHeaders,
    headerText(request, 'x-amz-content-sha256') || 'UNSIGNED-PAYLOAD',
  ].join('\n');
  const text = [
    ALGORITHM,
    claim.date,
    scope.join('/'),
    createHash('sha256').update(canonical).digest('hex'),
  ].join('\n');
  return matches(claim.signature, scope, text, keys) ? null : 'The signature does not match.';
}

/** Returns the access key id in a request's headers or URL; empty for an unsigned request. */
export function accessKeyOf(request: SignedRequest): string {
  return claimOf(request, split(request.url).query)?.credential.split('/')[0] ?? '';
}

/** Returns the access key id of a form posted to a bucket. */
export function accessKeyOfForm(fields: ReadonlyMap<string, string>): string {
  return (fields.get('x-amz-credential') ?? '').split('/')[0] ?? '';
}

function split(url: string): { path: string; query: URLSearchParams } {
  const mark = url.indexOf('?');
  const path = mark < 0 ? url : url.slice(0, mark);
  return { path, query: new URLSearchParams(mark < 0 ? '' : url.slice(mark + 1)) };
}

/**
 * Verifies the policy of a form posted to a bucket: its signature, its expiry, and its conditions.
 *
 * @param fields the form's fields except the file, by names in lower case
 * @param sent target of the form, and the bytes of its file
 * @returns the fault; null when the form is valid
 */
export function policyFault(
  fields: ReadonlyMap<string, string>,
  sent: { bucket: string; size: number },
  ring: KeyRing,
  now: number,
): string | null {
  const policy = fields.get('policy') ?? '';
  const [, ...scope] = (fields.get('x-amz-credential') ?? '').split('/');
  const keys = ring(accessKeyOfForm(fields));
  if (keys === undefined || scope.length !== 4) return 'The access key is not known.';
  if (!matches(fields.get('x-amz-signature') ?? '', scope, policy, keys))
    return 'The signature does not match.';
  const { expiration, conditions } = JSON.parse(Buffer.from(policy, 'base64').toString('utf8')) as {
    expiration: string;
    conditions: (Record<string, string> | Condition)[];
  };
  if (now > Date.parse(expiration)) return 'Invalid according to Policy: Policy expired.';
  const listed: Condition[] = conditions.flatMap((condition) =>
    Array.isArray(condition)
      ? [condition]
      : Object.entries(condition).map(([name, value]): Condition => ['eq', `$${name}`, value]),
  );
  for (const condition of listed) {
    const fault = conditionFault(condition, fields, sent);
    if (fault !== null) return fault;
  }
  const allowed = new Set([...UNLISTED_FIELDS, ...listed.map(([, name]) => fieldOf(name))]);
  const extra = [...fields.keys()].find((name) => !allowed.has(name) && !name.startsWith('x-ignore-'));
  return extra === undefined ? null : `Invalid according to Policy: Extra input fields: ${extra}`;
}

/** Operator and operands: a field as `$name`, or the limits of a size. */
type Condition = [string, string | number, string | number];

/** Fields that a policy need not name. */
const UNLISTED_FIELDS = ['policy', 'x-amz-signature', 'bucket'];

function fieldOf(name: string | number): string {
  return String(name).slice(1).toLowerCase();
}

function conditionFault(
  [operator, first, second]: Condition,
  fields: ReadonlyMap<string, string>,
  { bucket, size }: { bucket: string; size: number },
): string | null {
  if (operator === 'content-length-range') {
    if (size < Number(first)) return 'EntityTooSmall';
    return size > Number(second) ? 'EntityTooLarge' : null;
  }
  const name = fieldOf(first);
  // The URL names the bucket.
  const value = name === 'bucket' ? bucket : (fields.get(name) ?? '');
  const met = operator === 'starts-with' ? value.startsWith(String(second)) : value === String(second);
  return met ? null : `Invalid according to Policy: Policy Condition failed: ${operator} ${first}`;
}

function claimOf(request: SignedRequest, query: URLSearchParams): Claim | null {
  if (query.get('X-Amz-Algorithm') === ALGORITHM) {
    return {
      credential: query.get('X-Amz-Credential') ?? '',
      signedHeaders: query.get('X-Amz-SignedHeaders') ?? '',
      signature: query.get('X-Amz-Signature') ?? '',
      date: query.get('X-Amz-Date') ?? '',
      expires: Number(query.get('X-Amz-Expires') ?? 0),
    };
  }
  const header = headerText(request, 'authorization');
  if (!header.startsWith(ALGORITHM)) return null;
  const part = (name: string): string => new RegExp(`${name}=([^,\\s]+)`).exec(header)?.[1] ?? '';
  return {
    credential: part('Credential'),
    signedHeaders: part('SignedHeaders'),
    signature: part('Signature'),
    date: headerText(request, 'x-amz-date'),
    expires: null,
  };
}

function canonicalQuery(query: URLSearchParams): string {
  return [...query]
    .filter(([name]) => name !== 'X-Amz-Signature')
    .map(([name, value]) => `${encode(name)}=${encode(value)}`)
    .toSorted()
    .join('&');
}

/** Encodes by RFC 3986, some of whose reserved characters `encodeURIComponent` leaves. */
function encode(text: string): string {
  return encodeURIComponent(text).replace(
    /[!'()*]/g,
    (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}

function headerText({ headers }: SignedRequest, name: string): string {
  const value = headers[name];
  return (Array.isArray(value) ? value.join(',') : (value ?? '')).trim().replace(/\s+/g, ' ');
}

function epoch(date: string): number {
  return Date.parse(date.replace(/^(\d{4})(\d{2})(\d{2})T(\d{2})(\d{2})(\d{2})Z$/, '$1-$2-$3T$4:$5:$6Z'));
}

function matches(signature: string, scope: readonly string[], text: string, keys: Credentials): boolean {
  const key = scope.reduce<string | Buffer>(
    (secret, part) => createHmac('sha256', secret).update(part).digest(),
    `AWS4${keys.secretAccessKey}`,
  );
  const expected = createHmac('sha256', key).update(text).digest();
  const given = Buffer.from(signature, 'hex');
  return given.length === expected.length && timingSafeEqual(given, expected);
}
