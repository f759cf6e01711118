import { chmodSync, lstatSync, readdirSync } from 'node:fs';
import path from 'node:path';

/** Modes of files, of executable files and of folders: what Lambda recommends for code and layers. */
const FILE = 0o644;
const EXECUTABLE = 0o755;

/**
 * Lets every user read a file, or a folder with everything in it. Lambda runs functions as a user who owns no file of
 * theirs, and the modes of assets are those of the host that deploys them: its umask may leave them to their owner.
 *
 * @param place absolute path; links stay as they are
 */
export function makeReadable(place: string): void {
  const stats = lstatSync(place);
  if (stats.isSymbolicLink()) return;
  const mode = stats.isDirectory() || (stats.mode & 0o100) !== 0 ? EXECUTABLE : FILE;
  if ((stats.mode & 0o777) !== mode) chmodSync(place, mode);
  if (stats.isDirectory()) for (const name of readdirSync(place)) makeReadable(path.join(place, name));
}
