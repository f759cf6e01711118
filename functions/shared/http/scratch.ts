import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Returns a directory that is created on first use, and removed at the end; work that continues after that gets an error. */
export function scratchDirectory(): { path: () => Promise<string> } & AsyncDisposable {
  let made: Promise<string> | undefined;
  let isOver = false;
  return {
    path: async () => {
      if (isOver) throw new Error('The request is over.');
      return await (made ??= mkdtemp(join(tmpdir(), 'platen-')));
    },
    [Symbol.asyncDispose]: async () => {
      isOver = true;
      if (made) await rm(await made, { recursive: true, force: true });
    },
  };
}
