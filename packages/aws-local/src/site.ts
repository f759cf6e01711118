import { gzipSync } from 'node:zlib';
import type { IncomingMessage, ServerResponse } from 'node:http';

/** Serves files beside the API, as CloudFront serves those of a bucket. */

export interface SiteFile {
  bytes: Buffer;
  /** All headers except Content-Length. */
  headers: Readonly<Record<string, string>>;
}

export interface Site {
  /** Path prefix of its files, such as `/studio`. */
  path: string;
  /** Its addresses begin without the stage even where those of the API have it. */
  withoutStage?: true;
  /** File for the prefix itself, and for folders. */
  index: string;
  /** Returns the current files by path within the site. A rejection's message explains why there are none. */
  files(): Promise<ReadonlyMap<string, SiteFile>>;
}

/** @returns whether the request is for the site, and has been answered */
export async function serveSite(
  site: Site,
  stage: string,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<boolean> {
  const [address = ''] = (request.url ?? '').split('?', 1);
  const root = site.withoutStage === true ? site.path : `${stage}${site.path}`;
  if (address !== root && !address.startsWith(`${root}/`)) return false;
  if (request.method !== 'GET' && request.method !== 'HEAD') {
    request.resume();
    sendText(response, 405, 'Only GET and HEAD.', { allow: 'GET, HEAD' });
    return true;
  }
  if (address === root) {
    response.writeHead(308, { location: `${root}/`, 'content-length': 0 }).end();
    return true;
  }
  let files: ReadonlyMap<string, SiteFile>;
  try {
    files = await site.files();
  } catch (error) {
    sendText(response, 503, (error as Error).message);
    return true;
  }
  // Only names in the map exist, so no path leads outside of it.
  const name = address.slice(root.length + 1);
  const file = files.get(name === '' || name.endsWith('/') ? `${name}${site.index}` : name);
  if (file === undefined) {
    sendText(response, 404, 'There is no such file.');
    return true;
  }
  const { etag } = file.headers;
  if (etag !== undefined && request.headers['if-none-match'] === etag) {
    response.writeHead(304, file.headers).end();
    return true;
  }
  const isPacked =
    isCompressible(file) && /\bgzip\b(?!\s*;\s*q=0)/i.test(String(request.headers['accept-encoding']));
  const bytes = isPacked ? packed(file) : file.bytes;
  response.writeHead(200, {
    ...file.headers,
    ...(isPacked ? { 'content-encoding': 'gzip' } : {}),
    vary: 'accept-encoding',
    'content-length': bytes.length,
  });
  response.end(request.method === 'HEAD' ? undefined : bytes);
  return true;
}

function isCompressible({ headers, bytes }: SiteFile): boolean {
  const type = headers['content-type'] ?? '';
  return bytes.length >= 1_024 && /^(?:text\/|application\/(?:json|javascript|wasm)|image\/svg)/.test(type);
}

/** Compressed contents of files, as CloudFront has them. */
const PACKED = new WeakMap<SiteFile, Buffer>();

function packed(file: SiteFile): Buffer {
  const before = PACKED.get(file);
  if (before !== undefined) return before;
  const bytes = gzipSync(file.bytes);
  PACKED.set(file, bytes);
  return bytes;
}

function sendText(
  response: ServerResponse,
  status: number,
  text: string,
  headers: Readonly<Record<string, string>> = {},
): void {
  const body = `${text}\n`;
  response
    .writeHead(status, {
      'content-type': 'text/plain; charset=utf-8',
      'content-length': Buffer.byteLength(body),
      'x-content-type-options': 'nosniff',
      'cache-control': 'no-store',
      ...headers,
    })
    .end(body);
}
