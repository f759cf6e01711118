import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import path from 'node:path';
import { lock } from '@platen/aws-local/lock';
import type { Site, SiteFile } from '@platen/aws-local/site';
import {
  cacheControl,
  contentSecurityPolicy,
  contentType,
  INDEX_FILE,
  SECURITY_HEADERS,
  STUDIO_PATH,
} from '@platen/studio/site';

/** Builds the Studio's files from `packages/studio` if they are missing or older than their sources. */

const FOLDER = 'packages/studio';
/** The sources besides the packages in the lock file. */
const INPUTS = [
  ...['index.html', 'package.json', 'src', 'tsconfig.json', 'vite.config.ts'].map((name) =>
    path.join(FOLDER, name),
  ),
  'packages/client/src',
  'packages/core/src/sheet-moment.ts',
  'samples',
];
/** The file in the built folder that records the hash of the sources. */
const STAMP = '.inputs';

/** The Studio cannot be built; the message gives the reason. */
export class StudioError extends Error {
  override readonly name = 'StudioError';
}

/**
 * Builds the Studio unless the built folder is up to date. Several processes may call this at once.
 *
 * @param repository its folder
 * @param signal aborts a build in progress
 * @returns the folder of the built files
 * @throws StudioError
 */
export async function ensureStudio(repository: string, signal?: AbortSignal): Promise<string> {
  const root = path.resolve(repository);
  const built = path.join(root, FOLDER, 'dist');
  const release = await lock(path.join(root, 'node_modules', '.cache', 'platen'), 'studio.lock');
  try {
    const inputs = await hashOfInputs(root);
    if ((await readStamp(built)) === inputs) return built;
    await build(root, signal);
    await writeFile(path.join(built, STAMP), inputs);
    return built;
  } finally {
    await release();
  }
}

export interface StudioSite extends Site {
  /** Marks the built files as outdated. */
  rebuild(): void;
  /** Allows pages to send large files to the storage at an origin. */
  sendTo(origin: string): void;
}

/** Returns the Studio for the local service, built on first use. */
export function studioSite(root: string, signal?: AbortSignal): StudioSite {
  let files: Promise<ReadonlyMap<string, SiteFile>> | undefined;
  let uploads: string | null = null;
  const load = async () => readFiles(await ensureStudio(root, signal), uploads);
  return {
    path: STUDIO_PATH,
    index: INDEX_FILE,
    files: () => {
      files ??= load().catch((error: unknown) => {
        // The next request tries again, because the cause may be fixed by then.
        files = undefined;
        throw error;
      });
      return files;
    },
    rebuild: () => {
      files = undefined;
    },
    sendTo: (origin) => {
      uploads = origin;
      files = undefined;
    },
  };
}

/**
 * Returns every file of a built folder with its headers.
 *
 * @param uploads origin of the storage for large files
 */
export async function readFiles(
  folder: string,
  uploads: string | null = null,
): Promise<ReadonlyMap<string, SiteFile>> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile() && entry.name !== STAMP);
  return new Map(
    await Promise.all(
      files.map(async (entry): Promise<[string, SiteFile]> => {
        const full = path.join(entry.parentPath, entry.name);
        const name = path.relative(folder, full);
        const bytes = await readFile(full);
        const headers = {
          ...SECURITY_HEADERS,
          'content-security-policy': contentSecurityPolicy(uploads),
          'content-type': contentType(name),
          'cache-control': cacheControl(name),
          etag: `"${createHash('sha256').update(bytes).digest('base64url').slice(0, 22)}"`,
        };
        return [name, { bytes, headers }];
      }),
    ),
  );
}

async function build(root: string, signal: AbortSignal | undefined): Promise<void> {
  const child = spawn(process.execPath, [viteProgram(root), 'build', path.join(root, FOLDER)], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, NODE_ENV: 'production' },
    ...(signal === undefined ? {} : { signal }),
  });
  let text = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (chunk: string) => {
      text += chunk;
    });
  const code = await new Promise<number | null>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', resolve);
  });
  if (code !== 0) throw new StudioError(`The Studio cannot be built:\n${text.trim()}`);
}

function viteProgram(root: string): string {
  try {
    const manifest = createRequire(path.join(root, 'package.json')).resolve('vite/package.json');
    return path.join(path.dirname(manifest), 'bin', 'vite.js');
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'MODULE_NOT_FOUND')) throw error;
    throw new StudioError(
      'The Studio cannot be built: Vite is not installed. `npm install` without --omit=dev installs it.',
    );
  }
}

async function readStamp(built: string): Promise<string | null> {
  const file = path.join(built, STAMP);
  return existsSync(file) ? readFile(file, 'utf8') : null;
}

/** Returns the SHA-256 of the sources and of the versions of the packages. */
async function hashOfInputs(root: string): Promise<string> {
  const hash = createHash('sha256').update(await readFile(path.join(root, 'package-lock.json')));
  for (const input of INPUTS) {
    const full = path.join(root, input);
    if (path.extname(input) !== '') {
      hash.update(`${input}\0`).update(await readFile(full));
      continue;
    }
    const entries = await readdir(full, { recursive: true, withFileTypes: true });
    const names = entries
      .filter((entry) => entry.isFile())
      .map((entry) => path.join(entry.parentPath, entry.name))
      .toSorted();
    for (const name of names) hash.update(`${name.slice(root.length)}\0`).update(await readFile(name));
  }
  return hash.digest('hex');
}
