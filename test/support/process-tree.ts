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

/** Kills a process, unless it has ended since it was seen. @returns whether it was still there */
export function killIfThere(pid: number): boolean {
  try {
    process.kill(pid, 'SIGKILL');
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
    return false;
  }
}
