import { readFileSync } from 'node:fs';
import { processorTimes, processTree } from '../test/support/process-tree.ts';
import { memoryOfProcess } from './field/contender.ts';
import { median } from './figures.ts';

/** Prints where time and memory of a document go: by process, and by stage as its report states. */

/** Returns milliseconds of processor time so far of a process and its descendants, by the kind of process. */
function timesByKind(root: number): Map<string, number> {
  const times = new Map<string, number>();
  for (const { pid, name } of processTree(root)) {
    const kind = `${name}${kindOf(commandLine(pid))}`;
    times.set(kind, (times.get(kind) ?? 0) + processorTimes(pid).own);
  }
  return times;
}

/** Returns bytes of memory of a process and its descendants, by the kind of process. Shared memory counts once. */
export function memoryByKind(root: number): Map<string, number> {
  const memory = new Map<string, number>();
  for (const { pid, name } of processTree(root)) {
    const kind = `${name}${kindOf(commandLine(pid))}`;
    memory.set(kind, (memory.get(kind) ?? 0) + memoryOfProcess(pid));
  }
  return memory;
}

/** Returns the empty string for a process that has ended. */
function commandLine(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'latin1');
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ESRCH') return '';
    throw error;
  }
}

/** Returns the kind of a browser process, or the function or part of the service that a Node process runs. */
function kindOf(command: string): string {
  const type = /--type=([\w-]+)/.exec(command)?.[1];
  if (type !== undefined) return ` (${type})`;
  const script = command.split('\0').find((argument) => /\.m?[jt]s$/.test(argument));
  if (script === undefined) return '';
  // The folder of the runtime has another name each time.
  return ` (${script
    .split('/')
    .slice(-2)
    .join('/')
    .replace(/^platen-\w+\//, '')})`;
}

/** Prints the processor time that a document takes, by process. @param print makes one document */
export async function printProcesses(
  root: number,
  rounds: number,
  print: () => Promise<unknown>,
): Promise<void> {
  const before = timesByKind(root);
  for (let round = 0; round < rounds; round++) await print();
  const after = timesByKind(root);
  console.log(`\nprocessor time of a document, ms, over ${rounds}`);
  const rows = [...after].map(([kind, time]) => [kind, (time - (before.get(kind) ?? 0)) / rounds] as const);
  for (const [kind, time] of rows.sort(([, a], [, b]) => b - a)) {
    if (time >= 0.1) console.log(`${time.toFixed(1).padStart(7)}  ${kind}`);
  }
}

/** Prints the stages of a rendering. @param report returns the report on one, whose layout is printed as well */
export async function printStages(
  rounds: number,
  report: () => Promise<{ timings: Readonly<Record<string, number>> }>,
): Promise<Map<string, number>> {
  const times = new Map<string, number[]>();
  for (let round = 0; round < rounds; round++) {
    for (const [stage, time] of Object.entries((await report()).timings)) {
      times.set(stage, [...(times.get(stage) ?? []), time]);
    }
  }
  console.log(`\nstages of a rendering with its report, ms, medians of ${rounds}`);
  const medians = new Map(Array.from(times, ([stage, all]) => [stage, median(all)]));
  for (const [stage, time] of medians) console.log(`${time.toFixed(1).padStart(7)}  ${stage}`);
  return medians;
}
