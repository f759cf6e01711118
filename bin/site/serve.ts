import { createHash } from 'node:crypto';
import path from 'node:path';
import type { Site, SiteFile } from '@platen/aws-local/site';
import { cacheControl, SECURITY_HEADERS } from '@platen/studio/site';
import { type Built, ensureBuilt, loadedOnce, readFiles } from '../built-site.ts';

/** The documentation at `/docs` of the local service, built on the first request for it. */

const DOCUMENTATION: Built = {
  name: 'documentation',
  folder: '.platen/docs',
  inputs: [
    'docs',
    ...['README', 'CHANGELOG', 'CONTRIBUTING', 'SECURITY', 'CODE_OF_CONDUCT'].map((name) => `${name}.md`),
    'bin/docs-site.ts',
    'bin/site',
    'functions/service',
    'packages/contract/src',
  ],
  program: (root) => [path.join(root, 'bin/docs-site.ts')],
};

/** The path of the documentation on the local service. */
export const DOCS_PATH = '/docs';

/** @returns the folder of the built documentation (see `ensureBuilt`) */
export async function ensureDocumentation(repository: string, signal?: AbortSignal): Promise<string> {
  return ensureBuilt(DOCUMENTATION, repository, signal);
}

/** Returns the documentation for the local service. */
export function documentationSite(root: string, signal?: AbortSignal): Site & { rebuild(): void } {
  const { files, forget } = loadedOnce(async () =>
    readDocumentation(await ensureDocumentation(root, signal)),
  );
  return { path: DOCS_PATH, withoutStage: true, index: 'index.html', files, rebuild: forget };
}

const CONTENT_TYPES: Readonly<Record<string, string>> = {
  bru: 'text/plain; charset=utf-8',
  css: 'text/css; charset=utf-8',
  html: 'text/html; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  json: 'application/json',
  md: 'text/markdown; charset=utf-8',
  png: 'image/png',
  svg: 'image/svg+xml',
  txt: 'text/plain; charset=utf-8',
  webp: 'image/webp',
};

/** Returns every file of a built folder with its headers. */
export async function readDocumentation(folder: string): Promise<ReadonlyMap<string, SiteFile>> {
  const files = await readFiles(folder, (name) => ({
    ...SECURITY_HEADERS,
    'content-type': CONTENT_TYPES[path.extname(name).slice(1)] ?? 'application/octet-stream',
    'cache-control': cacheControl(name),
  }));
  const policy = contentSecurityPolicy(files.get('index.html')?.bytes.toString() ?? '');
  return new Map(
    [...files].map(([name, { bytes, headers }]) => [
      name,
      { bytes, headers: { ...headers, 'content-security-policy': policy } },
    ]),
  );
}

/** Allows the two scripts that all pages have in themselves: they choose the dark mode before anything is shown. */
function contentSecurityPolicy(page: string): string {
  const scripts = Array.from(
    page.matchAll(/<script id="[\w-]+">([^<]*)<\/script>/g),
    ([, text = '']) => text,
  );
  const hashes = scripts.map((text) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`);
  return [
    "default-src 'self'",
    `script-src 'self' ${hashes.join(' ')}`,
    "img-src 'self' data:",
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
}
