import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Returns a directory that is created on first use; work that continues after its removal gets an error. */
export function scratchDirectory(): { path: () => Promise<string>; remove: () => Promise<void> } {
  let made: Promise<string> | undefined;
  let isOver = false;
  return {
    path: async () => {
      if (isOver) throw new Error('The request is over.');
      return await (made ??= mkdtemp(join(tmpdir(), 'platen-')));
    },
    remove: async () => {
      isOver = true;
      if (made) await rm(await made, { recursive: true, force: true });
    },
  };
}
