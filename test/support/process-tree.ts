import { readdirSync, readFileSync } from 'node:fs';

/** The processes of this machine, as /proc tells them. */

export interface ProcessInfo {
  pid: number;
  parent: number;
  name: string;
  /** Resident memory that is not shared with files, bytes: what a sum over processes may add up. */
  anonymousBytes: number;
}

/** A process and all its descendants; those that end meanwhile are left out. */
export function processTree(root: number): ProcessInfo[] {
  const all = readdirSync('/proc')
    .filter((entry) => /^\d+$/.test(entry))
    .flatMap((pid) => processInfo(Number(pid)) ?? []);
  const tree = new Set([root]);
  for (let grown = true; grown;) {
    const before = tree.size;
    for (const { pid, parent } of all) if (tree.has(parent)) tree.add(pid);
    grown = tree.size > before;
  }
  return all.filter(({ pid }) => tree.has(pid));
}

function processInfo(pid: number): ProcessInfo | null {
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'utf8');
    const field = (name: string): string => new RegExp(`^${name}:\\s*(\\S+)`, 'm').exec(status)?.[1] ?? '0';
    return {
      pid,
      parent: Number(field('PPid')),
      name: field('Name'),
      anonymousBytes: Number(field('RssAnon')) * 1024,
    };
  } catch {
    return null;
  }
}

/** Milliseconds in a tick of the processor, as Linux counts them for programs. */
const TICK_MS = 10;

/** Milliseconds of processor time of a process, and of its children that have ended; none for one that has ended. */
export function processorTimes(pid: number): { own: number; ended: number } {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
    // The name before may hold anything; utime, stime, cutime and cstime are fields 14 to 17 (man 5 proc).
    const ticks = stat
      .slice(stat.lastIndexOf(')') + 2)
      .split(' ')
      .slice(11, 15)
      .map(Number);
    const [user = 0, system = 0, endedUser = 0, endedSystem = 0] = ticks;
    return { own: (user + system) * TICK_MS, ended: (endedUser + endedSystem) * TICK_MS };
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ESRCH') return { own: 0, ended: 0 };
    throw error;
  }
}

/** Kills a process, unless it has ended since it was seen. @returns whether it was still there */
export function killIfRunning(pid: number): boolean {
  try {
    process.kill(pid, 'SIGKILL');
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
    return false;
  }
}
