import { existsSync, readdirSync, readFileSync } from 'node:fs';

/**
 * Ending a process together with everything it started. A browser puts itself into a process group of its own, and a
 * process whose parent has gone belongs to nobody, so neither a group nor the chain of parents is enough: processes
 * are also known by a mark that they carry in their environment or command line. Elsewhere than on Linux
 * only the process itself is found.
 */

interface Process {
  pid: number;
  parent: number;
  /** Started from a terminal, by a person. */
  terminal: boolean;
}

/** Kills what descends from `root`, without `root` itself. */
export function killDescendants(root: number, mark?: string): void {
  // What is killed may have been about to start one more.
  for (let round = 0; round < 5; round++) {
    const victims = descendants(root, mark);
    if (victims.length === 0) return;
    for (const pid of victims) kill(pid);
  }
}

/**
 * Kills `root`, what descends from it, and every process that carries `mark`.
 *
 * @param mark A text no other process has in its environment or command line.
 */
export function killTree(root: number | undefined, mark?: string): void {
  const orphans = root === undefined ? [] : descendants(root, mark);
  if (root !== undefined) kill(root);
  for (const pid of orphans) kill(pid);
  killDescendants(root ?? -1, mark);
}

/** What descends from `root`, and what carries `mark`, without `root` itself. */
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
      // Somebody who looks into the folder that is the mark has it in a command line too.
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
      // The command's name stands in brackets and may itself hold any character.
      const [state, parent, , , terminal] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
      if (parent === undefined || state === 'Z') return [];
      return [{ pid: Number(name), parent: Number(parent), terminal: terminal !== '0' }];
    });
}

/** Empty for a process that has ended, or that belongs to somebody else. */
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
    // It has ended by itself, or was taken over by another user's process of the same number.
    const { code } = error as NodeJS.ErrnoException;
    if (code !== 'ESRCH' && code !== 'EPERM') throw error;
  }
}
