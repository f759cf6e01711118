import { readFileSync, rmSync } from 'node:fs';
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { killTree } from './lambda/process-tree.ts';
import type { StorageAccess } from './storage/index.ts';

/** What a running service notes in its data directory, for the token program and for the start after this one. */
export interface ServiceState {
  pid: number;
  url: string;
  /** Folder of the execution environments; nothing in it is worth keeping. */
  runFolder: string;
  storage: StorageAccess;
  /** Outputs of the stacks, such as the names of tables. */
  outputs: Record<string, string>;
}

function pathOf(dataDir: string): string {
  return join(dataDir, 'service.json');
}

/** The note of the service that runs over this directory, or that ended without clearing up; null without one. */
export async function readState(dataDir: string): Promise<ServiceState | null> {
  try {
    return JSON.parse(await readFile(pathOf(dataDir), 'utf8')) as ServiceState;
  } catch {
    // Not there, or cut off when the machine went down: it holds nothing that could not be found out anew.
    return null;
  }
}

/** Writes the note, for its owner's eyes: it holds the keys of the storage. */
export async function writeState(dataDir: string, state: ServiceState): Promise<void> {
  await writePrivate(pathOf(dataDir), JSON.stringify(state));
}

/** Removes the note, if it is this process's. */
export function removeState(dataDir: string): void {
  try {
    const { pid } = JSON.parse(readFileSync(pathOf(dataDir), 'utf8')) as ServiceState;
    if (pid === process.pid) rmSync(pathOf(dataDir));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
}

/**
 * Ends what a service that was killed has left running, and removes what it has left lying about. To be called by who
 * holds the lock of the data directory, and so knows that no other service uses it.
 */
export async function clearUpAfter(state: ServiceState | null): Promise<void> {
  if (!state) return;
  killTree(undefined, state.runFolder);
  await rm(state.runFolder, { recursive: true, force: true });
}

/** Writes a file that only its owner may read, whole or not at all. */
export async function writePrivate(path: string, text: string): Promise<void> {
  await mkdir(join(path, '..'), { recursive: true });
  await writeFile(`${path}.new`, text, { mode: 0o600 });
  await rename(`${path}.new`, path);
}
