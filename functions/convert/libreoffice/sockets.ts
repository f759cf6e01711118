import { lstat, readdir, readFile, rm } from 'node:fs/promises';
import path from 'node:path';

/** LibreOffice puts its sockets here, whatever TMPDIR says (sal/osl/unx/pipe.cxx). */
const FOLDER = '/tmp';

/**
 * Deletes the sockets of this user's LibreOffices that have ended. The host deletes those of a LibreOffice as soon as it
 * is connected (host.py), so they are of one that was killed before.
 */
export async function removeDeadSockets(): Promise<void> {
  // Who may read no list of users makes names without the user's number.
  const names = (await readdir(FOLDER)).filter((name) => name.startsWith('OSL_PIPE_'));
  if (names.length === 0) return;
  // Read after the folder: what is bound meanwhile is in the table, if not in the list.
  const bound = await readFile('/proc/net/unix', 'utf8');
  for (const name of names) {
    const file = path.join(FOLDER, name);
    if (!bound.includes(` ${file}\n`) && (await isOurs(file))) await rm(file, { force: true });
  }
}

async function isOurs(file: string): Promise<boolean> {
  try {
    return (await lstat(file)).uid === process.getuid?.();
  } catch (error) {
    // Another one was faster.
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return false;
    throw error;
  }
}
