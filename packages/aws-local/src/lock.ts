import { mkdir, open, readFile, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

/** One process at a time: a file that names the one whose turn it is. */

/**
 * Waits until no other process holds the lock.
 *
 * @param folder made when it is not there
 * @param name of the file that says who holds it
 * @returns ends this process's turn
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

/** Process id in a lock; 0 for the moment between making the file and writing into it; null without a lock. */
async function holder(path: string): Promise<number | null> {
  try {
    return Number(await readFile(path, 'utf8'));
  } catch {
    return null;
  }
}

const WRITING_MS = 5_000;

/** A lock whose process has ended. Two that wait may both find that out: then the work is done twice, which is all. */
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
