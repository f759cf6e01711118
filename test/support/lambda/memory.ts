import type { ChildProcess } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { descendants, killTree } from '../../../packages/aws-local/src/lambda/process-tree.ts';
import type { ControlGroup } from './control-group.ts';

/**
 * Ends a function that exceeds its memory. The kernel kills one process of a control group, perhaps a browser's
 * renderer that is then restarted, so that a function with too little memory would survive. Here the whole function
 * ends, as Lambda reports for a function that is out of memory (`Runtime.ExitError`, "signal: killed").
 */

const LOOK_MS = 100;

/**
 * Checks whether a function is out of memory, and kills all of its processes if so: by its control group, or, if that
 * sets no limit, by the resident memory of its processes.
 *
 * @returns a function that ends the checks
 */
export function endWhenFull({ pid }: ChildProcess, group: ControlGroup, bytes: number): () => void {
  const look = (): void => {
    if (pid === undefined || !(group.isOutOfMemory ?? residentBytes(descendants(pid)) > bytes)) return;
    clearInterval(timer);
    killTree(pid);
  };
  const timer = setInterval(look, LOOK_MS);
  return () => clearInterval(timer);
}

/** Returns the resident memory of processes, with each page counted once. */
function residentBytes(pids: readonly number[]): number {
  return pids.map(proportionalKilobytes).reduce((sum, kilobytes) => sum + kilobytes, 0) * 1024;
}

/** Returns 0 for a process that has ended. */
function proportionalKilobytes(pid: number): number {
  try {
    return Number(/^Pss:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8'))?.[1] ?? 0);
  } catch {
    return 0;
  }
}
