import { readFileSync, rmSync } from 'node:fs';
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { killTree } from './lambda/process-tree.ts';
import type { StorageAccess } from './storage/index.ts';

/**
 * The state that a running service records in its data directory, for the token program and for the next
 * start.
 */
export interface ServiceState {
  pid: number;
  url: string;
  /** Folder of the execution environments; it contains nothing worth keeping. */
  runFolder: string;
  storage: StorageAccess;
  /** Outputs of the stacks, such as the names of tables. */
  outputs: Record<string, string>;
}

function pathOf(dataDir: string): string {
  return join(dataDir, 'service.json');
}

/**
 * Returns the state of the service that runs on this directory, or that ended without cleaning up; null
 * without one.
 */
export async function readState(dataDir: string): Promise<ServiceState | null> {
  try {
    return JSON.parse(await readFile(pathOf(dataDir), 'utf8')) as ServiceState;
  } catch {
    // The file does not exist, or was truncated by a crash; its content can be derived again.
    return null;
  }
}

/** Writes the state, readable only for its owner because it contains the keys of the storage. */
export async function writeState(dataDir: string, state: ServiceState): Promise<void> {
  await writePrivate(pathOf(dataDir), JSON.stringify(state));
}

/** Removes the state, if this process wrote it. */
export function removeState(dataDir: string): void {
  try {
    const { pid } = JSON.parse(readFileSync(pathOf(dataDir), 'utf8')) as ServiceState;
    if (pid === process.pid) rmSync(pathOf(dataDir));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
}

/**
 * Ends the processes and removes the files that a killed service left behind. Only the holder of the data
 * directory's lock may call it, because no other service uses the directory then.
 */
export async function cleanUpAfter(state: ServiceState | null): Promise<void> {
  if (!state) return;
  killTree(undefined, state.runFolder);
  await rm(state.runFolder, { recursive: true, force: true });
}

/** Writes a file atomically that only its owner may read. */
export async function writePrivate(path: string, text: string): Promise<void> {
  await mkdir(join(path, '..'), { recursive: true });
  await writeFile(`${path}.new`, text, { mode: 0o600 });
  await rename(`${path}.new`, path);
}
