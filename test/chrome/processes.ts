import { readdirSync, readFileSync } from 'node:fs';
import { processorTimes } from '../support/process-tree.ts';

/** A process of an engine. */
export interface EngineProcess {
  pid: number;
  /** `browser`, `renderer`, `gpu-process`, `utility`; `guard` for the shell that ends the others. */
  type: string;
}

/** Every living process of the browsers whose profile lies below `workDir`, whoever is its parent by now. */
export function engineProcesses(workDir: string): EngineProcess[] {
  const all = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => read(Number(name)) ?? []);
  const groups = new Set(
    all.filter(({ command }) => command.includes(`--user-data-dir=${workDir}`)).map(({ group }) => group),
  );
  return all
    .filter(({ group }) => groups.has(group))
    .map(({ pid, command }) => ({ pid, type: typeOf(command) }));
}

function typeOf(command: string): string {
  if (command.startsWith('/bin/sh')) return 'guard';
  return /--type=([a-z-]+)/.exec(command)?.[1] ?? 'browser';
}

/** Null for a process that has ended, zombies included. */
function read(pid: number): { pid: number; group: number; command: string } | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
    const [state, , group] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    if (state === 'Z' || state === 'X') return null;
    return {
      pid,
      group: Number(group),
      command: readFileSync(`/proc/${pid}/cmdline`, 'latin1').replaceAll('\0', ' '),
    };
  } catch {
    return null;
  }
}

/** Seconds of CPU a process has used; 0 when it has ended. */
export function cpuSeconds(pid: number): number {
  return processorTimes(pid).own / 1000;
}

/** Waits until `condition` holds; fails after `timeout` milliseconds with what `describe` says. */
export async function until(
  condition: () => boolean,
  describe: () => string,
  timeout = 120_000,
): Promise<void> {
  const end = Date.now() + timeout;
  while (!condition()) {
    if (Date.now() > end) throw new Error(`still not after ${timeout} ms: ${describe()}`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}
