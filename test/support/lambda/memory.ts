import type { ChildProcess } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { descendants, killTree } from '../../../packages/aws-local/src/lambda/process-tree.ts';
import type { ControlGroup } from './control-group.ts';

/**
 * The end of a function that uses more memory than it has. The kernel kills one process of a control group, which may be
 * a browser's renderer that is then started anew, so that a function with too little memory would get by. Here the whole
 * function ends with it, as Lambda says of one that is out of memory (`Runtime.ExitError`, "signal: killed").
 */

const LOOK_MS = 100;

/**
 * Looks whether a function is out of memory, and kills all of it when it is: by its control group, or, where none bounds
 * it, by what its processes have in RAM.
 *
 * @returns what ends the watch
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

/** What processes have in RAM, each page counted once. */
function residentBytes(pids: readonly number[]): number {
  return pids.map(proportionalKilobytes).reduce((sum, kilobytes) => sum + kilobytes, 0) * 1024;
}

/** 0 for a process that has ended. */
function proportionalKilobytes(pid: number): number {
  try {
    return Number(/^Pss:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8'))?.[1] ?? 0);
  } catch {
    return 0;
  }
}
