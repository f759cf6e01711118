import type { IncomingHttpHeaders } from 'node:http';
import type { RequiredRight } from './policy.ts';

/** The rights that requests to S3 need. */

export interface S3Request {
  method: string;
  /** Path, which begins with the bucket, and query. */
  url: string;
  headers: IncomingHttpHeaders;
}

/**
 * @param body body of a request that names objects in it
 * @returns null for a request whose needs are unknown
 */
export function rightsForS3(
  { method, url, headers }: S3Request,
  body: Buffer | null,
): RequiredRight[] | null {
  const { pathname, searchParams: query } = new URL(url, 'http://s3');
  const [, bucket = '', ...rest] = pathname.split('/');
  const key = decodeURIComponent(rest.join('/'));
  if (bucket === '') return method === 'GET' ? [{ action: 's3:ListAllMyBuckets', resource: '*' }] : null;
  return key === '' ? ofBucket(method, bucket, query, body) : ofObject(method, bucket, key, query, headers);
}

/** Returns the rights for a form posted to a bucket, in addition to the form's own policy. */
export function rightsForForm(bucket: string, key: string): RequiredRight[] {
  return [onObject('PutObject', bucket, key)];
}

/**
 * Returns the right required to learn that an object does not exist; without it the response is "forbidden".
 */
export function rightsForMissing(bucket: string, key: string): RequiredRight[] {
  return [listing(bucket, { 's3:prefix': [key] })];
}

function ofBucket(
  method: string,
  bucket: string,
  query: URLSearchParams,
  body: Buffer | null,
): RequiredRight[] | null {
  const resource = bucketArn(bucket);
  if (method === 'POST' && query.has('delete')) {
    return keysIn(body).map((key) => onObject('DeleteObject', bucket, key));
  }
  if (method === 'HEAD') return [listing(bucket, {})];
  if (method === 'PUT') {
    const action = query.has('lifecycle') ? 's3:PutLifecycleConfiguration' : 's3:CreateBucket';
    return [{ action, resource }];
  }
  if (method === 'DELETE') return [{ action: 's3:DeleteBucket', resource }];
  if (method !== 'GET') return null;
  if (query.has('versions')) return [{ action: 's3:ListBucketVersions', resource }];
  if (query.has('uploads')) return [{ action: 's3:ListBucketMultipartUploads', resource }];
  const plain = [...query.keys()].every((name) => LISTING.has(name));
  if (!plain) return null;
  const given = (name: string): string[] => query.getAll(name);
  return [
    listing(bucket, {
      's3:prefix': given('prefix'),
      's3:delimiter': given('delimiter'),
      's3:max-keys': given('max-keys'),
    }),
  ];
}

/** Parameters of a plain list, and those that the SDK adds to any request. */
const LISTING = new Set([
  'list-type',
  'prefix',
  'delimiter',
  'max-keys',
  'continuation-token',
  'start-after',
  'marker',
  'encoding-type',
  'fetch-owner',
  'x-id',
]);

function ofObject(
  method: string,
  bucket: string,
  key: string,
  query: URLSearchParams,
  headers: IncomingHttpHeaders,
): RequiredRight[] | null {
  const version = query.has('versionId') ? 'Version' : '';
  if (query.has('tagging')) {
    const verb = { GET: 'Get', PUT: 'Put', DELETE: 'Delete' }[method];
    return verb === undefined ? null : [onObject(`${verb}ObjectTagging`, bucket, key)];
  }
  switch (method) {
    case 'GET':
    case 'HEAD':
      if (query.has('uploadId')) return [onObject('ListMultipartUploadParts', bucket, key)];
      if (query.has('attributes')) return [onObject('GetObjectAttributes', bucket, key)];
      return [onObject(`GetObject${version}`, bucket, key)];
    case 'PUT':
      return [onObject('PutObject', bucket, key), ...copied(headers)];
    case 'POST':
      return query.has('uploads') || query.has('uploadId') ? [onObject('PutObject', bucket, key)] : null;
    case 'DELETE':
      return [
        onObject(query.has('uploadId') ? 'AbortMultipartUpload' : `DeleteObject${version}`, bucket, key),
      ];
    default:
      return null;
  }
}

/** Returns the right to read the source of a copy. */
function copied(headers: IncomingHttpHeaders): RequiredRight[] {
  const source = headers['x-amz-copy-source'];
  if (typeof source !== 'string') return [];
  const [bucket = '', ...rest] = decodeURIComponent(source).replace(/^\//, '').split('/');
  return [onObject('GetObject', bucket, rest.join('/').split('?versionId=')[0] ?? '')];
}

/** Returns the keys of a DeleteObjects request, as the emulator reads them. */
function keysIn(body: Buffer | null): string[] {
  const entities: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };
  const [, ...parts] = (body?.toString('utf8') ?? '').split('<Key>');
  return parts.map((part) =>
    (part.split('</Key>')[0] ?? '').replace(
      /&(amp|lt|gt|quot|apos);/g,
      (_match, name: string) => entities[name] ?? '',
    ),
  );
}

function listing(bucket: string, context: Readonly<Record<string, readonly string[]>>): RequiredRight {
  const given = Object.entries(context).filter(([, values]) => values.length > 0);
  return { action: 's3:ListBucket', resource: bucketArn(bucket), context: Object.fromEntries(given) };
}

function onObject(action: string, bucket: string, key: string): RequiredRight {
  return { action: `s3:${action}`, resource: `${bucketArn(bucket)}/${key}` };
}

function bucketArn(bucket: string): string {
  return `arn:aws:s3:::${bucket}`;
}
