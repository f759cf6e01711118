import { readdirSync, readFileSync } from 'node:fs';

/** Processes that have a text in their command line or environment, zombies and this process left out. */
export function processesWith(text: string): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid)
    .filter((pid) => ['cmdline', 'environ'].some((file) => read(pid, file).includes(text)))
    .filter((pid) => !/\) Z /.test(read(pid, 'stat')))
    .map(Number);
}

/** Whether a process is there and not only waiting for its parent to notice its end. */
export function isRunning(pid: number): boolean {
  const stat = read(String(pid), 'stat');
  return stat !== '' && !/\) Z /.test(stat);
}

function read(pid: string, file: string): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'latin1');
  } catch {
    // It has ended, or is somebody else's.
    return '';
  }
}
