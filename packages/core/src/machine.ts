import { readFileSync } from 'node:fs';
import { availableParallelism, totalmem } from 'node:os';
import path from 'node:path';

/**
 * What this process may use of its machine: the limits of its control groups (cgroups(7), version 1 and 2), such as
 * those of a container, or all of the machine.
 */

/** Where the kernel shows control groups. */
export interface GroupFiles {
  /** Folder of the groups. */
  root: string;
  /** The groups of this process. */
  own: string;
}

/** The memory of the group that is nearest to its limit, in bytes. */
export interface MemoryUse {
  used: number;
  limit: number;
}

const KERNEL: GroupFiles = { root: '/sys/fs/cgroup', own: '/proc/self/cgroup' };

/** Files of a controller in version 2 and in version 1. */
const MEMORY = {
  limit: ['memory.max', 'memory.limit_in_bytes'],
  used: ['memory.current', 'memory.usage_in_bytes'],
} as const;

/**
 * Memory for each task that runs at the same time: a browser, a LibreOffice or a thread takes up to 300 MB with an
 * ordinary document.
 */
const TASK_BYTES = 512 * 1024 * 1024;

/** Returns the bytes of memory that this process and its children may use together. */
export function memoryLimit(files: GroupFiles = KERNEL): number {
  return Math.min(totalmem(), ...limits(files).map(({ limit }) => limit));
}

/** Returns how many tasks can run at the same time: one for each core, and for each part of limited memory. */
export function coresFor(files: GroupFiles = KERNEL): number {
  const cores = Math.min(availableParallelism(), ...foldersOf(files, 'cpu').flatMap(quotaIn));
  const tasks = Math.min(...limits(files).map(({ limit }) => limit / TASK_BYTES));
  return Math.max(1, Math.min(Math.ceil(cores), Math.floor(tasks)));
}

/** Returns the memory in use; null if no group has a limit. */
export function memoryUse(files: GroupFiles = KERNEL): MemoryUse | null {
  const all = limits(files).map(({ folder, limit }) => ({ limit, used: usedIn(folder) }));
  return all.sort((a, b) => b.used / b.limit - a.used / a.limit)[0] ?? null;
}

/** The groups that limit memory. Version 1 has an enormous number for none. */
function limits(files: GroupFiles): { folder: string; limit: number }[] {
  const all = totalmem();
  return foldersOf(files, 'memory').flatMap((folder) => {
    const limit = Number.parseInt(first(folder, MEMORY.limit) ?? '', 10);
    return limit > 0 && limit < all ? [{ folder, limit }] : [];
  });
}

/** Returns the memory that the kernel cannot take back: without the files that it keeps in case they are read again. */
function usedIn(folder: string): number {
  const used = Number.parseInt(first(folder, MEMORY.used) ?? '', 10) || 0;
  const statistics = first(folder, ['memory.stat']) ?? '';
  // Version 1 has the numbers of the group alone too, without those of the groups below it.
  const totals = /^total_/m.test(statistics) ? 'total_' : '';
  const files = ['inactive_file', 'active_file'].map((name) =>
    Number(new RegExp(`^${totals}${name} (\\d+)$`, 'm').exec(statistics)?.[1] ?? 0),
  );
  return Math.max(0, used - files.reduce((sum, bytes) => sum + bytes, 0));
}

/** The cores of a group with a limit of processor time. */
function quotaIn(folder: string): number[] {
  const [quota = '', period = ''] =
    first(folder, ['cpu.max'])?.split(' ') ??
    ['cpu.cfs_quota_us', 'cpu.cfs_period_us'].map((file) => first(folder, [file]) ?? '');
  const cores = Number.parseInt(quota, 10) / Number.parseInt(period, 10);
  return cores > 0 ? [cores] : [];
}

/**
 * The folders of the groups of this process: its own and those above it, and the root, which is its own group in a
 * container that does not see where it is.
 */
function foldersOf({ root, own }: GroupFiles, controller: 'memory' | 'cpu'): string[] {
  const lines = (read(own) ?? '').split('\n');
  return lines.flatMap((line) => {
    const [, controllers = '', group = ''] = /^\d+:([^:]*):(.*)$/.exec(line) ?? [];
    const isUnified = controllers === '' && group !== '';
    if (!isUnified && !controllers.split(',').includes(controller)) return [];
    const top = isUnified ? root : path.join(root, controller);
    const parts = group.split('/').filter((part) => part !== '');
    return [...parts.keys(), parts.length].map((length) => path.join(top, ...parts.slice(0, length)));
  });
}

function first(folder: string, files: readonly string[]): string | undefined {
  for (const file of files) {
    const text = read(path.join(folder, file));
    if (text !== undefined) return text.trim();
  }
  return undefined;
}

function read(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    // No such file, such as on another system, or none that this user may read.
    return undefined;
  }
}
