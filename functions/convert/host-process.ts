import { type ChildProcess, spawn } from 'node:child_process';
import { readFileSync, rmSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { type Confinement, type ConfinementState, confinementVariable } from './confinement.ts';

/** The distribution's own Python, which has the modules of its packages, whatever others the machine has. */
export const PYTHON = '/usr/bin/python3';

/** It has ended, and no answer will come. */
export class ProcessEnded extends Error {
  override readonly name = 'ProcessEnded';
}

export interface HostOptions {
  /** As errors name it. */
  name: string;
  /** Path of the Python program. */
  script: string;
  args: readonly string[];
  /** Writable, its own: removed with it. */
  folder: string;
  /** What it may reach besides its folder. */
  confinement: Confinement;
  /** Besides what all have: nothing of our own environment, which in Lambda holds credentials. */
  env: Readonly<Record<string, string>>;
}

/** Folder of the modules that the programs have in common (`confine.py`). */
export const MODULES = fileURLToPath(new URL('.', import.meta.url));
/** How long the program is given to take note of the end of what it started, which leaves zombies otherwise. */
const GRACE_MS = 1_000;
/** Bytes of a page of memory on x86-64, and of most arm64 kernels. */
const PAGE = 4096;

/**
 * A running engine with the Python program that drives it: one folder, orders as lines of JSON in, answers as lines of
 * JSON out, one at a time.
 */
export abstract class HostProcess {
  /** Writable; gone with the process. */
  readonly folder: string;
  /** Settles when all of it has ended and the folder is gone. */
  readonly ended: Promise<void>;
  /** Orders it was given. */
  orders = 0;
  readonly #name: string;
  readonly #host: ChildProcess;
  readonly #lines: AsyncIterator<string>;
  #alive = true;
  #confinement: ConfinementState = {};
  #stderr = '';

  constructor({ name, script, args, folder, confinement, env }: HostOptions) {
    this.#name = name;
    this.folder = folder;
    this.#host = spawn(PYTHON, ['-B', script, ...args], {
      cwd: folder,
      // A process group of its own, so that all of it can be killed at once.
      detached: true,
      stdio: ['pipe', 'pipe', 'pipe'],
      env: {
        PATH: '/usr/bin:/bin',
        HOME: folder,
        PYTHONPATH: MODULES,
        LANG: 'C.UTF-8',
        TZ: 'UTC',
        ...confinementVariable(confinement, folder),
        ...env,
      },
    });
    // That it breaks is heard of below.
    this.#host.stdin?.on('error', () => {});
    this.#host.stderr?.on('data', (chunk: Buffer) => {
      this.#stderr = (this.#stderr + chunk.toString('utf8')).slice(-2_000);
    });
    if (!this.#host.stdout) throw new Error('A pipe was asked for.');
    this.#lines = createInterface({ input: this.#host.stdout })[Symbol.asyncIterator]();
    // Where this process ends in order: killed, it takes the others along (confine.py), and Lambda the folder.
    const leave = (): void => {
      this.signalGroups();
      rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
    };
    process.once('exit', leave);
    this.ended = new Promise((resolve) => {
      const end = (): void => {
        process.off('exit', leave);
        this.#alive = false;
        this.signalGroups();
        rm(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 20 }).then(resolve, resolve);
      };
      this.#host.once('error', end);
      this.#host.once('exit', end);
    });
  }

  get alive(): boolean {
    return this.#alive;
  }

  /** What holds of its confinement, as soon as it takes orders. */
  get confinement(): ConfinementState {
    return this.#confinement;
  }

  /** Of the Python program. */
  get pid(): number | undefined {
    return this.#host.pid;
  }

  /** The end of what was written to standard error. */
  get stderr(): string {
    return this.#stderr;
  }

  /** Bytes of its memory that are in RAM; 0 when it has ended. */
  abstract residentBytes(): number;

  /** Ends what the program has started, so that it takes note of that and ends too. */
  protected abstract endEngine(): void;

  /** Kills every process of it that may still be there. */
  protected signalGroups(): void {
    if (this.#host.pid !== undefined) sendSignal(-this.#host.pid, 'SIGKILL');
  }

  /** Kills the engine, its program and all they started. Resolves when all is gone. */
  async kill(): Promise<void> {
    if (this.#alive) {
      this.endEngine();
      await Promise.race([this.ended, sleep(GRACE_MS, undefined, { ref: false })]);
    }
    this.signalGroups();
    await this.ended;
  }

  /**
   * Waits for what the program says when it takes orders. Kills it when the signal is aborted before.
   *
   * @throws ProcessEnded
   */
  protected async ready(signal: AbortSignal): Promise<{ pid: number }> {
    const kill = (): void => void this.kill();
    signal.addEventListener('abort', kill, { once: true });
    try {
      if (signal.aborted) kill();
      const ready = (await this.#answer()) as { pid: number; confinement: ConfinementState };
      this.#confinement = ready.confinement;
      return ready;
    } finally {
      signal.removeEventListener('abort', kill);
    }
  }

  /**
   * Gives it an order. Only one at a time.
   *
   * @throws ProcessEnded when it was killed, by us or by whatever the document did to it
   */
  protected async order(order: object): Promise<unknown> {
    this.orders += 1;
    this.#host.stdin?.write(`${JSON.stringify(order)}\n`);
    return await this.#answer();
  }

  async #answer(): Promise<unknown> {
    const { value, done } = await this.#lines.next();
    if (done !== true) return JSON.parse(value) as unknown;
    await this.ended;
    throw new ProcessEnded(`${this.#name} has ended: ${this.#stderr.trim().split('\n').at(-1) ?? ''}`);
  }
}

/** Sends a signal to a process, or a group where the id is negative; one that has ended needs none. */
export function sendSignal(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch (error) {
    // ESRCH: nothing of it is left.
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}

/** Bytes of a process's memory that are in RAM, and how many of those it shares; zeros when it has ended. */
export function memoryOf(pid: number): { resident: number; shared: number } {
  const [, resident = 0, shared = 0] = procFile(`${pid}/statm`).split(' ').map(Number);
  return { resident: resident * PAGE, shared: shared * PAGE };
}

/** A file of proc(5), in which the kernel says what it knows: no disk is read. Empty when the process has ended. */
export function procFile(path: string): string {
  try {
    return readFileSync(`/proc/${path}`, 'utf8');
  } catch {
    return '';
  }
}
