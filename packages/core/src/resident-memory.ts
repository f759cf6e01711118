import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

/** Bytes of a memory page on x86-64, and of most arm64 kernels. */
const PAGE = 4096;

/** Returns the bytes of a process's memory in RAM, and how many of them are shared; zeros if it has ended. */
export function memoryOf(pid: number): { resident: number; shared: number } {
  if (process.platform !== 'linux') return { resident: residentByPs(pid), shared: 0 };
  try {
    const [, resident = 0, shared = 0] = readFileSync(`/proc/${pid}/statm`, 'utf8').split(' ').map(Number);
    return { resident: resident * PAGE, shared: shared * PAGE };
  } catch {
    // The process has ended.
    return { resident: 0, shared: 0 };
  }
}

/** The same for systems without proc(5): `ps` of POSIX prints kilobytes. */
export function residentByPs(pid: number): number {
  const { stdout } = spawnSync('ps', ['-o', 'rss=', '-p', String(pid)], { encoding: 'utf8' });
  return Number(stdout.trim()) * 1024;
}
