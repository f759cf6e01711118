import { existsSync, mkdirSync, readdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { isAlive } from '../../../packages/print/src/chrome/unpack.ts';

/**
 * Limits a sandbox's memory and CPU with control groups (cgroups(7), version 1 or 2), if this process may create them.
 */

const ROOT = '/sys/fs/cgroup';
const PREFIX = 'platen-lambda-';
/** The period of the CPU limit, in microseconds. */
const PERIOD = 100_000;
/** Milliseconds in which killed processes leave their group. */
const [ATTEMPTS, PAUSE_MS] = [100, 20];

/** The controllers that set the limits: in version 1, and in version 2. */
const KNOBS = {
  memory: ['memory.limit_in_bytes', 'memory.max'],
  cpu: ['cpu.cfs_quota_us', 'cpu.max'],
} as const;
/**
 * In both versions, the file in which the kernel counts the processes that it has killed because of the memory limit.
 */
const MEMORY_EVENTS = ['memory.oom_control', 'memory.events'];
type Controller = keyof typeof KNOBS;

let made = 0;

export class ControlGroup {
  /** Folders of the group: one for each controller, or one for all of them. */
  readonly #folders: Readonly<Record<Controller, string | null>>;

  /**
   * Creates a group. Resources that this process may not limit stay unlimited: see `missing`.
   *
   * @param isAllowed false creates no limits
   */
  constructor(memoryBytes: number, isAllowed: boolean) {
    const name = `${PREFIX}${process.pid}-${++made}`;
    const folder = (controller: Controller): string | null => (isAllowed ? folderOf(controller, name) : null);
    this.#folders = { memory: folder('memory'), cpu: folder('cpu') };
    this.#turn('memory', String(memoryBytes));
  }

  /** Resources without a limit. */
  get missing(): Controller[] {
    const { memory, cpu } = this.#folders;
    return [...(memory === null ? ['memory' as const] : []), ...(cpu === null ? ['cpu' as const] : [])];
  }

  /** Files to which a process writes its id to join the group. */
  get doors(): string[] {
    return [...this.#all].map((folder) => path.join(folder, 'cgroup.procs'));
  }

  /**
   * Returns whether the kernel has killed one of its processes because of the memory limit; null if memory has no
   * limit.
   */
  get isOutOfMemory(): boolean | null {
    const { memory } = this.#folders;
    if (memory === null) return null;
    const events = MEMORY_EVENTS.map((file) => path.join(memory, file)).find((file) => existsSync(file));
    return events !== undefined && /^oom_kill [1-9]/m.test(readFileSync(events, 'utf8'));
  }

  /** Limits the CPU from now on, as Lambda does after a function's initialisation. */
  limitCpu(cores: number): void {
    const quota = String(Math.round(cores * PERIOD));
    this.#turn('cpu', quota, `${quota} ${PERIOD}`);
  }

  /** Removes the group, which its killed processes may not have left yet. */
  async remove(): Promise<void> {
    for (const folder of this.#all) {
      for (let attempt = 1; !removed(folder); attempt++) {
        if (attempt === ATTEMPTS) throw new Error(`Processes are left in ${folder}.`);
        await sleep(PAUSE_MS);
      }
    }
  }

  #turn(controller: Controller, version1: string, version2 = version1): void {
    const folder = this.#folders[controller];
    const knob = folder === null ? undefined : knobIn(folder, controller);
    if (knob !== undefined) writeFileSync(knob, knob.endsWith('.max') ? version2 : version1);
  }

  get #all(): Set<string> {
    return new Set(Object.values(this.#folders).filter((folder) => folder !== null));
  }
}

/** Creates the folder of a group below this process's own; null if that is not allowed. */
function folderOf(controller: Controller, name: string): string | null {
  for (const parent of parents(controller)) {
    try {
      removeAbandoned(parent);
      const folder = path.join(parent, name);
      // Not recursive: in an empty folder of sysfs, which has no groups, recursion would not end.
      mkdirSync(folder);
      if (knobIn(folder, controller) !== undefined) return folder;
      rmdirSync(folder);
    } catch {
      // Not mounted, not writable, or not delegated (version 2): the next place is tried.
    }
  }
  return null;
}

function knobIn(folder: string, controller: Controller): string | undefined {
  return KNOBS[controller].map((file) => path.join(folder, file)).find((file) => existsSync(file));
}

/** The places where groups of a controller may be created: below this process's own, or below the root of version 2. */
function parents(controller: string): string[] {
  const lines = existsSync('/proc/self/cgroup') ? readFileSync('/proc/self/cgroup', 'utf8').split('\n') : [];
  return lines.flatMap((line) => {
    const [, controllers = '', own = ''] = /^\d+:([^:]*):(.*)$/.exec(line) ?? [];
    if (controllers.split(',').includes(controller)) return [path.join(ROOT, controller, own)];
    return controllers === '' && own !== '' ? [path.join(ROOT, own), ROOT] : [];
  });
}

/** Removes groups of test runs that were killed. */
function removeAbandoned(parent: string): void {
  for (const name of readdirSync(parent)) {
    const [pid] = name.startsWith(PREFIX) ? name.slice(PREFIX.length).split('-') : [];
    if (pid !== undefined && !isAlive(Number(pid))) removed(path.join(parent, name));
  }
}

function removed(folder: string): boolean {
  try {
    rmdirSync(folder);
    return true;
  } catch (error) {
    // EBUSY: the group has processes.
    return (error as NodeJS.ErrnoException).code === 'ENOENT';
  }
}
