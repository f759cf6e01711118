import { readdir, readFile, rm } from 'node:fs/promises';
import path from 'node:path';

/** LibreOffice puts its sockets here, whatever TMPDIR says (sal/osl/unx/pipe.cxx). */
const FOLDER = '/tmp';

/**
 * Deletes the sockets of this user's LibreOffices that have ended. The host deletes those of a LibreOffice as soon as it
 * is connected (host.py), so they are of one that was killed before.
 */
export async function removeDeadSockets(): Promise<void> {
  const prefix = `OSL_PIPE_${process.getuid?.() ?? 0}_`;
  const names = (await readdir(FOLDER)).filter((name) => name.startsWith(prefix));
  if (names.length === 0) return;
  // Read after the folder: what is bound meanwhile is in the table, if not in the list.
  const bound = await readFile('/proc/net/unix', 'utf8');
  for (const name of names) {
    const file = path.join(FOLDER, name);
    if (!bound.includes(` ${file}\n`)) await rm(file, { force: true });
  }
}
