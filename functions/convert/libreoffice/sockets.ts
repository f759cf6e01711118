import { lstat, readdir, readFile, rm } from 'node:fs/promises';
import path from 'node:path';

/** LibreOffice creates its sockets here and ignores TMPDIR (sal/osl/unx/pipe.cxx). */
const FOLDER = '/tmp';

/**
 * Deletes the sockets of this user's ended LibreOffice processes. The host deletes a socket as soon as it is
 * connected (host.py), so the remaining ones belong to processes that were killed before.
 */
export async function removeUnusedSockets(): Promise<void> {
  // If it cannot read the list of users, LibreOffice creates names without the user's number.
  const names = (await readdir(FOLDER)).filter((name) => name.startsWith('OSL_PIPE_'));
  if (names.length === 0) return;
  // Read after the folder: a socket that is bound meanwhile is in the table, if not in the list.
  const bound = await readFile('/proc/net/unix', 'utf8').catch(() => null);
  // Systems other than Linux have no such table.
  if (bound === null) return;
  for (const name of names) {
    const file = path.join(FOLDER, name);
    if (!bound.includes(` ${file}\n`) && (await isOurs(file))) await rm(file, { force: true });
  }
}

async function isOurs(file: string): Promise<boolean> {
  try {
    return (await lstat(file)).uid === process.getuid?.();
  } catch (error) {
    // Another process deleted it first.
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return false;
    throw error;
  }
}
