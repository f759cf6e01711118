import { mkdir, open, readFile, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

/** A lock file, which names the process that holds the lock. */

/**
 * Waits until no other process holds the lock, and takes it.
 *
 * @param folder created when it does not exist
 * @param name name of the lock file
 * @returns a function that releases the lock
 */
export async function lock(folder: string, name: string): Promise<() => Promise<void>> {
  await mkdir(folder, { recursive: true });
  const path = join(folder, name);
  for (;;) {
    try {
      const file = await open(path, 'wx');
      await file.writeFile(String(process.pid));
      await file.close();
      return async () => {
        if ((await holder(path)) === process.pid) await rm(path, { force: true });
      };
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    }
    if (await isAbandoned(path)) await rm(path, { force: true });
    else await sleep(200);
  }
}

/**
 * Returns the process id in a lock; 0 between the creation of the file and the first write; null without a
 * lock.
 */
async function holder(path: string): Promise<number | null> {
  try {
    return Number(await readFile(path, 'utf8'));
  } catch {
    return null;
  }
}

const WRITING_MS = 5_000;

/**
 * Returns whether the lock's process has ended. Two waiting processes may both notice it: then the work is
 * merely done twice.
 */
async function isAbandoned(path: string): Promise<boolean> {
  const pid = await holder(path);
  if (pid === null) return false;
  try {
    if (pid === 0) return Date.now() - (await stat(path)).mtimeMs > WRITING_MS;
    process.kill(pid, 0);
    return false;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ESRCH';
  }
}
