import { readdirSync, readFileSync } from 'node:fs';

/** Reads the processes of this machine from /proc. */

export interface ProcessInfo {
  pid: number;
  parent: number;
  name: string;
  /** Resident memory that is not shared with files, in bytes, which may be added up over processes. */
  anonymousBytes: number;
}

/** Returns a process and all its descendants; processes that end meanwhile are left out. */
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

/** Milliseconds of one clock tick in /proc, as Linux reports them to programs. */
const TICK_MS = 10;

/** Returns milliseconds of CPU time of a process and of its ended children; 0 for a process that has ended. */
export function processorTimes(pid: number): { own: number; ended: number } {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
    // The name before may contain any character; utime, stime, cutime and cstime are fields 14 to 17 (man 5 proc).
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

/** Kills a process, unless it has ended since it was read. @returns whether it still existed */
export function killIfRunning(pid: number): boolean {
  try {
    process.kill(pid, 'SIGKILL');
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
    return false;
  }
}
