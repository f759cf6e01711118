import { readdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { processTree } from '../support/process-tree.ts';

/** What a service leaves behind after it was stopped. */
export interface Leftovers {
  processes: readonly number[];
  /** Names in the machine's temporary folder. */
  files: readonly string[];
}

function ownFiles(): string[] {
  // The unpacked Chromium is kept for the next start.
  return readdirSync(tmpdir()).filter(
    (name) =>
      /platen|chrom|puppeteer|org\.chrom|OSL_PIPE|lu\d+/i.test(name) && !name.startsWith('platen-chromium'),
  );
}

/**
 * Looks at what is there before a service starts.
 *
 * @returns what stops the service with that process id by `stop`, and says what it left
 */
export function watchLeftovers(): (pid: number, stop: () => Promise<unknown>) => Promise<Leftovers> {
  const before = new Set(ownFiles());
  return async (pid, stop) => {
    const tree = processTree(pid).map((one) => one.pid);
    await stop();
    // What was killed with its process group is gone as soon as the kernel gets to it.
    await new Promise((resolve) => setTimeout(resolve, 3_000));
    return {
      processes: tree.filter((one) => processTree(one).length > 0),
      files: ownFiles().filter((name) => !before.has(name)),
    };
  };
}
