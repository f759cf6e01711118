import { createRequire } from 'node:module';
import path from 'node:path';
import { ConfigError, type Environment, list } from '../functions/shared/config.ts';
import type { Site, SiteFile } from '@platen/aws-local/site';
import {
  cacheControl,
  contentType,
  EMBED_ORIGIN,
  INDEX_FILE,
  securityHeaders,
  STUDIO_PATH,
} from '@platen/studio/site';
import { DOCS_PATH } from './site/serve.ts';
import { BuildError, type Built, ensureBuilt, loadedOnce, readFiles } from './built-site.ts';

/** Builds the Studio's files from `packages/studio`. */

const FOLDER = 'packages/studio';

const STUDIO: Built = {
  name: 'studio',
  folder: `${FOLDER}/dist`,
  inputs: [
    ...['index.html', 'embed.html', 'package.json', 'src', 'tsconfig.json', 'vite.config.ts'].map((name) =>
      path.join(FOLDER, name),
    ),
    'packages/client/src',
    'packages/core/src/sheet-moment.ts',
    'samples',
  ],
  program: (root) => [viteProgram(root), 'build', path.join(root, FOLDER)],
};

/** @returns the folder of the built Studio (see `ensureBuilt`) */
export async function ensureStudio(repository: string, signal?: AbortSignal): Promise<string> {
  return ensureBuilt(STUDIO, repository, signal);
}

export interface StudioSite extends Site {
  /** Marks the built files as outdated. */
  rebuild(): void;
  /** Allows pages to send large files to the storage at an origin. */
  sendTo(origin: string): void;
}

/** Returns the origins in `PLATEN_EMBED_ORIGINS`, whose pages may embed the editor. @throws ConfigError */
export function embedOrigins(env: Environment): string[] {
  const origins = list(env, 'PLATEN_EMBED_ORIGINS');
  const wrong = origins.find((origin) => !EMBED_ORIGIN.test(origin));
  if (wrong === undefined) return origins;
  throw new ConfigError(
    'PLATEN_EMBED_ORIGINS',
    `has "${wrong}" but must be origins such as https://example.org, without a path.`,
  );
}

/** Returns the Studio for the local service, built on first use. @param embedOrigins who may embed its editor */
export function studioSite(root: string, embedOrigins: readonly string[], signal?: AbortSignal): StudioSite {
  let uploads: string | null = null;
  const { files, forget } = loadedOnce(async () =>
    withDocumentation(await readStudioFiles(await ensureStudio(root, signal), uploads, embedOrigins)),
  );
  return {
    path: STUDIO_PATH,
    index: INDEX_FILE,
    files,
    rebuild: forget,
    sendTo: (origin) => {
      uploads = origin;
      forget();
    },
  };
}

/** Tells the page where the local service has the documentation; a deployment has none. */
function withDocumentation(files: ReadonlyMap<string, SiteFile>): ReadonlyMap<string, SiteFile> {
  const page = files.get(INDEX_FILE);
  if (page === undefined) return files;
  const bytes = Buffer.from(
    page.bytes
      .toString()
      .replace('name="documentation" content=""', `name="documentation" content="${DOCS_PATH}/"`),
  );
  return new Map([...files, [INDEX_FILE, { ...page, bytes }]]);
}

/**
 * Returns every file of a built folder with its headers.
 *
 * @param uploads origin of the storage for large files
 * @param embedOrigins origins whose pages may embed the editor
 */
export async function readStudioFiles(
  folder: string,
  uploads: string | null = null,
  embedOrigins: readonly string[] = [],
): Promise<ReadonlyMap<string, SiteFile>> {
  return readFiles(folder, (name) => ({
    ...securityHeaders(name, uploads, embedOrigins),
    'content-type': contentType(name),
    'cache-control': cacheControl(name),
  }));
}

function viteProgram(root: string): string {
  try {
    const manifest = createRequire(path.join(root, 'package.json')).resolve('vite/package.json');
    return path.join(path.dirname(manifest), 'bin', 'vite.js');
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'MODULE_NOT_FOUND')) throw error;
    throw new BuildError(
      'The Studio cannot be built: Vite is not installed. `npm install` without --omit=dev installs it.',
    );
  }
}
