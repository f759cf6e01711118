/** Rules for serving the files of the Studio, on any server. */

/** The path of the Studio, on the host of the API that it calls. */
export const STUDIO_PATH = '/studio';

/** The page itself; all other files are in `ASSETS_FOLDER`, under names that change with their contents. */
export const INDEX_FILE = 'index.html';
export const ASSETS_FOLDER = 'assets/';

/** @param uploads origin of the storage for large files; null for none */
export const contentSecurityPolicy = (uploads: string | null): string =>
  [
    "default-src 'self'",
    ...(uploads === null ? [] : [`connect-src 'self' ${uploads}`]),
    // Images of templates and thumbnails are fetched with the token, and shown from memory.
    "img-src 'self' blob: data:",
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ');

/** Headers of every file, besides the policy. */
export const SECURITY_HEADERS: Readonly<Record<string, string>> = {
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'permissions-policy': 'camera=(), microphone=(), geolocation=(), payment=(), usb=()',
};

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
