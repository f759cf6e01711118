import { readdirSync, rmSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { runtimeVariable } from './config.ts';
import { log } from './log.ts';

/**
 * The folder for temporary files of an execution environment. Lambda keeps its contents when it starts the process of a
 * function again after a crash, and writes core dumps of crashed processes into it.
 */

/** Core dumps, and the files of this service; the names of all of them begin so. */
const OWN = /^(?:core\.|platen-)/;
/** The part of the disk that must be free for the next request. */
const NEEDED_SHARE = 0.1;
/** Milliseconds in which the last bytes of an answer reach Lambda: it stops this process only after the handler. */
const DELIVERY_MS = 100;

/** Removes what an earlier process of this environment has left. Called before the function creates any file. */
export function removeLeftovers(): void {
  // Without a runtime (in a test), the folder has other users.
  if (runtimeVariable('AWS_LAMBDA_RUNTIME_API') === null || isShared()) return;
  const folder = tmpdir();
  const names = readdirSync(folder).filter((name) => OWN.test(name));
  for (const name of names) rmSync(path.join(folder, name), { recursive: true, force: true });
  if (names.length > 0) log.warn('files of an earlier process removed', { names: names.slice(0, 20) });
}

/**
 * Ends this process if its disk is nearly full after a request: the next request would fail as well. Lambda then starts
 * the function again, which removes what is left. An answer that has been streamed has reached Lambda; any other is
 * lost, and the caller gets an error of the function. A process that works on other requests goes on.
 */
export async function endIfDiskIsFull(): Promise<void> {
  if (!hasOwnDisk() || isShared()) return;
  const { bavail, blocks } = statfsSync(tmpdir());
  if (bavail >= blocks * NEEDED_SHARE) return;
  log.error('the disk is full: the environment ends', { freeShare: bavail / blocks });
  await sleep(DELIVERY_MS);
  process.exit(1);
}

/** Whether nothing else uses the disk: the local service, unlike Lambda, names a folder of the machine. */
function hasOwnDisk(): boolean {
  return runtimeVariable('AWS_LAMBDA_RUNTIME_API') !== null && runtimeVariable('TMPDIR') === null;
}

/** Whether the environment handles several requests at a time, in several threads of this process on AWS. */
function isShared(): boolean {
  return runtimeVariable('AWS_LAMBDA_MAX_CONCURRENCY') !== null;
}
