import { statfs } from 'node:fs/promises';

/**
 * The reserve of a disk: what the service writes never takes the last of it, because storage needs some room even to
 * delete and to start.
 */

const MB = 1024 * 1024;
/** The reserve, which is smaller on a small disk. */
const RESERVE_BYTES = 128 * MB;
const RESERVE_SHARE = 1 / 16;

/** There is too little room for what was to be written; some may become free. */
class DiskFullError extends Error {
  override readonly name = 'DiskFullError';
  readonly code = 'ENOSPC';
}

/**
 * Returns whether bytes can be written and the reserve remains.
 *
 * @param share part of the reserve that has to remain: small writes may continue when large ones are refused
 */
export async function hasRoom(folder: string, bytes: number, share = 1): Promise<boolean> {
  const { bavail, blocks, bsize } = await statfs(folder);
  const reserve = Math.min(RESERVE_BYTES, blocks * bsize * RESERVE_SHARE);
  return bavail * bsize - bytes >= reserve * share;
}

/** @throws DiskFullError */
export async function demandRoom(folder: string, bytes: number): Promise<void> {
  if (!(await hasRoom(folder, bytes))) {
    throw new DiskFullError(
      `The disk of ${folder} is almost full: no space left on device for ${bytes} bytes.`,
    );
  }
}

/** Returns whether an error means that a disk is full. */
export function isDiskFull(error: unknown): boolean {
  return error instanceof Error && 'code' in error && (error.code === 'ENOSPC' || error.code === 'EDQUOT');
}
