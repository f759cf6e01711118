import { existsSync, readdirSync, readFileSync } from 'node:fs';

/**
 * Ends a process together with all its descendants. A browser creates its own process group, and a process
 * whose parent has ended gets another parent, so neither the group nor the chain of parents is enough:
 * processes are also found by a mark in their environment or command line. On systems other than Linux, only
 * the process itself is found.
 */

interface Process {
  pid: number;
  parent: number;
  /** True when a person started it from a terminal. */
  terminal: boolean;
}

/** Kills the descendants of `root`, without `root` itself. */
export function killDescendants(root: number, mark?: string): void {
  // A process may have started another one just before it was killed.
  for (let round = 0; round < 5; round++) {
    const pids = descendants(root, mark);
    if (pids.length === 0) return;
    for (const pid of pids) kill(pid);
  }
}

/**
 * Kills `root`, its descendants, and every process that carries `mark`.
 *
 * @param mark a text that no other process has in its environment or command line
 */
export function killTree(root: number | undefined, mark?: string): void {
  const pids = root === undefined ? [] : descendants(root, mark);
  if (root !== undefined) kill(root);
  for (const pid of pids) kill(pid);
  killDescendants(root ?? -1, mark);
}

/** Returns the descendants of `root` and the processes that carry `mark`, without `root` itself. */
export function descendants(root: number, mark?: string): number[] {
  const all = processes();
  const found = new Set<number>();
  for (let grown = true; grown;) {
    grown = false;
    for (const { pid, parent } of all) {
      if (!found.has(pid) && pid !== root && (parent === root || found.has(parent))) {
        found.add(pid);
        grown = true;
      }
    }
  }
  if (mark !== undefined) {
    for (const { pid, terminal } of all) {
      // A person who inspects the folder used as mark also has it in a command line.
      const files = terminal ? ['environ'] : ['environ', 'cmdline'];
      if (
        pid !== process.pid &&
        pid !== root &&
        files.some((file) => readProc(String(pid), file).includes(mark))
      ) {
        found.add(pid);
      }
    }
  }
  return [...found];
}

function processes(): Process[] {
  return (existsSync('/proc/self/stat') ? readdirSync('/proc') : [])
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => {
      const stat = readProc(name, 'stat');
      // The command's name is in parentheses and may contain any character.
      const [state, parent, , , terminal] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
      if (parent === undefined || state === 'Z') return [];
      return [{ pid: Number(name), parent: Number(parent), terminal: terminal !== '0' }];
    });
}

/** Returns an empty text for a process that has ended, or that belongs to another user. */
function readProc(pid: string, file: string): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'latin1');
  } catch {
    return '';
  }
}

function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch (error) {
    // The process has ended, or its number now belongs to another user's process.
    const { code } = error as NodeJS.ErrnoException;
    if (code !== 'ESRCH' && code !== 'EPERM') throw error;
  }
}
