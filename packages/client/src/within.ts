import { lstat, mkdir, rm } from 'node:fs/promises';
import path from 'node:path';
import { pathFault, quoted } from './name-fault.ts';
import { saveFile } from './platform-node.ts';

/**
 * Writes and removes files below a folder by names that others chose: of a service, of data, of a repository. On Node,
 * Deno and Bun.
 */

/** A file is not written or removed. `message` is a clause that names it and the reason. */
export class UnsafePath extends Error {
  override readonly name = 'UnsafePath';
}

/**
 * Returns the path of a file below a folder. The folder is the user's own choice and may be a link; nothing
 * below it may.
 *
 * @param name a path with slashes, relative to the folder
 * @throws UnsafePath for a name that must not be used for a file, and for a path that leads through a link,
 *   through a file, or to anything but a file
 */
export async function placeWithin(folder: string, name: string): Promise<string> {
  const fault = pathFault(name);
  if (fault !== null) throw new UnsafePath(`${quoted(name)} is not written, because ${fault}`);
  const segments = name.split('/');
  let place = folder;
  for (const [index, segment] of segments.entries()) {
    place = path.join(place, segment);
    const found = await lstat(place).catch(nothingThere);
    if (found === null) continue;
    const isLast = index === segments.length - 1;
    const shown = quoted(segments.slice(0, index + 1).join('/'));
    if (found.isSymbolicLink())
      throw new UnsafePath(`${quoted(name)} is not written, because ${shown} is a link`);
    if (isLast ? !found.isFile() : !found.isDirectory())
      throw new UnsafePath(
        `${quoted(name)} is not written, because ${shown} is ${isLast ? 'no file' : 'no folder'}`,
      );
  }
  return place;
}

/** Writes a file, which appears only when it is complete, and its folders. @throws UnsafePath as `placeWithin` */
export async function writeWithin(
  folder: string,
  name: string,
  bytes: Uint8Array<ArrayBuffer>,
): Promise<string> {
  const place = await placeWithin(folder, name);
  await mkdir(path.dirname(place), { recursive: true });
  return await saveFile(new Blob([bytes]).stream(), place);
}

/** Removes a file if it is there. @throws UnsafePath as `placeWithin` */
export async function removeWithin(folder: string, name: string): Promise<void> {
  await rm(await placeWithin(folder, name), { force: true });
}

function nothingThere(error: NodeJS.ErrnoException): null {
  if (error.code === 'ENOENT') return null;
  throw error;
}
