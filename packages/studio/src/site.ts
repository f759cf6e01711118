/** Rules for serving the files of the Studio, on any server. */

/** The path of the Studio, on the host of the API that it calls. */
export const STUDIO_PATH = '/studio';

/** The page itself; all other files are in `ASSETS_FOLDER`, under names that change with their contents. */
export const INDEX_FILE = 'index.html';
export const ASSETS_FOLDER = 'assets/';

/** The script that other sites load, and the page that it puts into a frame of theirs. */
export const EMBED_SCRIPT = 'embed.js';
export const EMBED_PAGE = 'embed.html';

/**
 * An origin that may embed the editor: `https://example.org`, `https://*.example.org` for all hosts below one, or
 * `http://localhost:*` for all ports.
 */
export const EMBED_ORIGIN = /^https?:\/\/(?:\*\.)?[a-z0-9](?:[a-z0-9.-]*[a-z0-9])?(?::(?:\d{1,5}|\*))?$/i;

/**
 * @param uploads origin of the storage for large files; null for none
 * @param ancestors the origins whose pages may have it in a frame
 */
export const contentSecurityPolicy = (uploads: string | null, ancestors: readonly string[] = []): string =>
  [
    "default-src 'self'",
    ...(uploads === null ? [] : [`connect-src 'self' ${uploads}`]),
    // Images of templates and thumbnails are fetched with the token, and shown from memory.
    "img-src 'self' blob: data:",
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'none'",
    `frame-ancestors ${ancestors.length === 0 ? "'none'" : ancestors.join(' ')}`,
  ].join('; ');

/** Headers of every file, besides the policy; `securityHeaders` has the exceptions. */
export const SECURITY_HEADERS = {
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'permissions-policy': 'camera=(), microphone=(), geolocation=(), payment=(), usb=()',
};

/**
 * Returns the headers of a file, besides its type and how long it is kept.
 *
 * @param embedOrigins the origins whose pages may embed the editor
 */
export function securityHeaders(
  file: string,
  uploads: string | null,
  embedOrigins: readonly string[],
): Record<string, string> {
  const framed = file === EMBED_PAGE ? embedOrigins : [];
  const headers = { ...SECURITY_HEADERS, 'content-security-policy': contentSecurityPolicy(uploads, framed) };
  // Pages of any origin may read the script: it explains to those that may not embed the editor why.
  if (file === EMBED_SCRIPT)
    return {
      ...headers,
      'access-control-allow-origin': '*',
      'cross-origin-resource-policy': 'cross-origin',
    };
  if (framed.length === 0) return headers;
  // It knows no lists of origins; the policy replaces it.
  const { 'x-frame-options': _, ...others } = headers;
  return { ...others, 'cross-origin-resource-policy': 'cross-origin' };
}

/** A file under a hashed name never changes; the page must be revalidated each time. */
export function cacheControl(file: string): string {
  return file.startsWith(ASSETS_FOLDER) ? 'public, max-age=31536000, immutable' : 'no-cache';
}

/** By the extension of the name. */
const CONTENT_TYPES: Readonly<Record<string, string>> = {
  css: 'text/css; charset=utf-8',
  html: 'text/html; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  json: 'application/json',
  mjs: 'text/javascript; charset=utf-8',
  svg: 'image/svg+xml',
  wasm: 'application/wasm',
};

/** @throws Error for a type of file that the Studio does not have */
export function contentType(file: string): string {
  const type = CONTENT_TYPES[file.slice(file.lastIndexOf('.') + 1)];
  if (type === undefined) throw new Error(`The Studio has no files of the kind of ${file}.`);
  return type;
}
