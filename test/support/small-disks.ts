import { spawn } from 'node:child_process';
import { once } from 'node:events';

/** File systems of a few megabytes in memory, which only the commands of one namespace see. */

export interface SmallDisks {
  /** The command that runs another one with these file systems. */
  within: readonly string[];
  /** Ends the namespace. */
  end: () => void;
}

/**
 * Mounts a file system on each of two folders.
 *
 * @param size such as `128m`
 * @throws Error if this machine does not allow it
 */
export async function mountSmallDisks(size: string, first: string, second: string): Promise<SmallDisks> {
  const isRoot = process.getuid?.() === 0;
  const disk = `mount -t tmpfs -o size=${size} tmpfs`;
  const mount = `${disk} "$0" && ${disk} "$1" && echo mounted && exec sleep infinity`;
  const options = isRoot ? ['--mount'] : ['--mount', '--map-root-user'];
  const holder = spawn('unshare', [...options, 'sh', '-c', mount, first, second], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [line] = (await Promise.race([
    once(holder.stdout, 'data'),
    once(holder, 'exit').then(() => ['No file system of its own can be mounted.']),
  ])) as [unknown];
  if (String(line) !== 'mounted\n') throw new Error(String(line));
  const user = isRoot ? [] : ['--user', '--preserve-credentials'];
  return {
    within: ['nsenter', '--target', String(holder.pid), '--mount', ...user, '--'],
    end: () => void holder.kill(),
  };
}
