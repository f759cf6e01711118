import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readdir, readFile, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { lock } from '@platen/aws-local/lock';
import type { SiteFile } from '@platen/aws-local/site';

/** Files for browsers that are built from sources, if they are missing or older than these. */

export interface Built {
  /** For messages and the lock: `studio`. */
  name: string;
  /** Folder of the built files; like all paths here, from the root of the repository. */
  folder: string;
  /** Files and folders, besides the packages in the lock file. */
  inputs: readonly string[];
  /** Returns the arguments of Node for the program that builds. */
  program: (root: string) => string[];
}

/** A site cannot be built; the message gives the reason. */
export class BuildError extends Error {
  override readonly name = 'BuildError';
}

/** The file in the built folder that records the hash of the sources. */
const STAMP = '.inputs';

/**
 * Builds a site unless the built folder is up to date. Several processes may call this at once.
 *
 * @param repository its folder
 * @param signal aborts a build in progress
 * @returns the folder of the built files
 * @throws BuildError
 */
export async function ensureBuilt(built: Built, repository: string, signal?: AbortSignal): Promise<string> {
  const root = path.resolve(repository);
  const folder = path.join(root, built.folder);
  const release = await lock(path.join(root, 'node_modules', '.cache', 'platen'), `${built.name}.lock`);
  try {
    const inputs = await hashOfInputs(root, built.inputs);
    if ((await readStamp(folder)) === inputs) return folder;
    await build(built, root, signal);
    await writeFile(path.join(folder, STAMP), inputs);
    return folder;
  } finally {
    await release();
  }
}

/**
 * Returns every file of a built folder with its headers, and an entity tag.
 *
 * @param headersOf headers by the name of the file
 */
export async function readFiles(
  folder: string,
  headersOf: (name: string) => Readonly<Record<string, string>>,
): Promise<ReadonlyMap<string, SiteFile>> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile() && entry.name !== STAMP);
  return new Map(
    await Promise.all(
      files.map(async (entry): Promise<[string, SiteFile]> => {
        const full = path.join(entry.parentPath, entry.name);
        const name = path.relative(folder, full);
        const bytes = await readFile(full);
        const etag = `"${createHash('sha256').update(bytes).digest('base64url').slice(0, 22)}"`;
        return [name, { bytes, headers: { ...headersOf(name), etag } }];
      }),
    ),
  );
}

/** Loads files once. After an error the next call tries again, because the cause may be fixed by then. */
export function loadedOnce<T>(load: () => Promise<T>): { files: () => Promise<T>; forget: () => void } {
  let files: Promise<T> | undefined;
  const forget = (): void => {
    files = undefined;
  };
  return {
    files: () => {
      files ??= load().catch((error: unknown) => {
        forget();
        throw error;
      });
      return files;
    },
    forget,
  };
}

async function build(built: Built, root: string, signal: AbortSignal | undefined): Promise<void> {
  const child = spawn(process.execPath, built.program(root), {
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
  if (code !== 0) throw new BuildError(`The ${built.name} cannot be built:\n${text.trim()}`);
}

async function readStamp(built: string): Promise<string | null> {
  const file = path.join(built, STAMP);
  return existsSync(file) ? readFile(file, 'utf8') : null;
}

/** Returns the SHA-256 of the sources and of the versions of the packages. */
async function hashOfInputs(root: string, inputs: readonly string[]): Promise<string> {
  const hash = createHash('sha256').update(await readFile(path.join(root, 'package-lock.json')));
  for (const input of inputs) {
    const full = path.join(root, input);
    if ((await stat(full)).isFile()) {
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
