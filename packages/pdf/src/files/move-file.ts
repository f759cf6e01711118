import { copyFile, rename } from 'node:fs/promises';

/** Moves a temporary file to its place. */
export async function moveFile(from: string, to: string): Promise<void> {
  // The two may be on different file systems.
  await rename(from, to).catch(() => copyFile(from, to));
}
