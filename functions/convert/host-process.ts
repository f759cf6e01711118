import { type ChildProcess, spawn } from 'node:child_process';
import { readFileSync, rmSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { type Confinement, type ConfinementState, confinementVariable } from './confinement.ts';

/** The distribution's own Python, which has the modules of its packages, whichever others are installed. */
export const PYTHON = '/usr/bin/python3';

/** The process has ended and will not answer. */
export class ProcessEnded extends Error {
  override readonly name = 'ProcessEnded';
}

export interface HostOptions {
  /** The name in error messages. */
  name: string;
  /** Path of Python, the distribution's own when absent. */
  python?: string | undefined;
  /** Path of the Python program. */
  script: string;
  args: readonly string[];
  /** A writable folder of its own, removed with the process. */
  folder: string;
  /** The paths it may reach besides its folder. */
  confinement: Confinement;
  /**
   * Further environment variables. Nothing of the function's own environment, which holds credentials on
   * Lambda, is passed on.
   */
  env: Readonly<Record<string, string>>;
}

/** Folder of the modules that the programs share (`confine.py`). */
export const MODULES = fileURLToPath(new URL('.', import.meta.url));
/** The time in which the program reaps its ended child processes, which would stay as zombies otherwise. */
const GRACE_MS = 1_000;
/** Maximum bytes of an answer: the engine reads untrusted documents and may not fill this process's memory. */
const MAX_LINE = 64 * 1024 * 1024;

/**
 * A running engine with the Python program that drives it. Both share one folder; orders and answers are
 * lines of JSON, one at a time.
 */
export abstract class HostProcess {
  /** A writable folder, removed with the process. */
  readonly folder: string;
  /** Resolves when all processes have ended and the folder is removed. */
  readonly ended: Promise<void>;
  /** The number of documents that it has worked on (`WarmEngine`). */
  documents = 0;
  readonly #name: string;
  readonly #host: ChildProcess;
  readonly #lines: AsyncIterator<string>;
  #alive = true;
  #confinement: ConfinementState = {};
  #stderr = '';

  constructor({ name, python = PYTHON, script, args, folder, confinement, env }: HostOptions) {
    this.#name = name;
    this.folder = folder;
    this.#host = spawn(python, ['-B', script, ...args], {
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
    // A broken pipe is handled below.
    this.#host.stdin?.on('error', () => {});
    this.#host.stderr?.on('data', (chunk: Buffer) => {
      this.#stderr = (this.#stderr + chunk.toString('utf8')).slice(-2_000);
    });
    if (!this.#host.stdout) throw new Error('A pipe was asked for.');
    const lines = createInterface({ input: this.#host.stdout });
    this.#lines = lines[Symbol.asyncIterator]();
    this.#limitLines(this.#host.stdout, () => lines.close());
    // When this process exits normally, it kills the engine; if it is killed, confine.py ends the engine, and
    // Lambda removes the folder.
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

  /** The state of its confinement, available as soon as it takes orders. */
  get confinement(): ConfinementState {
    return this.#confinement;
  }

  /** The process id of the Python program. */
  get pid(): number | undefined {
    return this.#host.pid;
  }

  /** The end of the standard error output. */
  get stderr(): string {
    return this.#stderr;
  }

  /** Returns the bytes of its memory that are in RAM; 0 if it has ended. */
  abstract residentBytes(): number;

  /** Ends the processes that the program has started; the program notices that and ends too. */
  protected abstract endEngine(): void;

  /** Kills every process of it that may still run. */
  protected signalGroups(): void {
    if (this.#host.pid !== undefined) sendSignal(-this.#host.pid, 'SIGKILL');
  }

  /** Kills the engine, its program and all child processes. Resolves when all have ended. */
  async kill(): Promise<void> {
    if (this.#alive) {
      this.endEngine();
      await Promise.race([this.ended, sleep(GRACE_MS, undefined, { ref: false })]);
    }
    this.signalGroups();
    await this.ended;
  }

  /**
   * Waits for the message that the program takes orders. Kills the process if the signal is aborted before.
   *
   * @throws ProcessEnded
   */
  protected async ready(signal: AbortSignal): Promise<{ pid: number }> {
    const kill = (): void => void this.kill();
    signal.addEventListener('abort', kill, { once: true });
    try {
      if (signal.aborted) kill();
      const ready = (await this.answer()) as { pid: number; confinement: ConfinementState };
      this.#confinement = ready.confinement;
      return ready;
    } finally {
      signal.removeEventListener('abort', kill);
    }
  }

  /**
   * Sends an order and returns the answer. Only one order may run at a time.
   *
   * @throws ProcessEnded if the process was killed or crashed
   */
  protected async order(order: object): Promise<unknown> {
    this.#host.stdin?.write(`${JSON.stringify(order)}\n`);
    return await this.answer();
  }

  /** Kills the processes if they write a line that is too long. @param stop called first; ends the reading */
  #limitLines(output: NodeJS.ReadableStream, stop: () => void): void {
    let length = 0;
    output.on('data', (chunk: Buffer) => {
      const end = chunk.lastIndexOf('\n');
      length = end === -1 ? length + chunk.length : chunk.length - end - 1;
      if (length <= MAX_LINE) return;
      stop();
      void this.kill();
    });
  }

  /** Returns the next answer. @throws ProcessEnded as `order` */
  protected async answer(): Promise<unknown> {
    const { value, done } = await this.#lines.next();
    if (done !== true) {
      try {
        return JSON.parse(value) as unknown;
      } catch {
        // It ended within a line, or what it writes is no answer.
        await this.kill();
      }
    }
    await this.ended;
    throw new ProcessEnded(`${this.#name} has ended: ${this.#stderr.trim().split('\n').at(-1) ?? ''}`);
  }
}

/** Sends a signal to a process, or to a group if the id is negative. Ignores processes that have ended. */
export function sendSignal(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch (error) {
    // ESRCH: the process does not exist any more.
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}

/**
 * Reads a file of proc(5), which the kernel answers without disk access. Returns an empty text if the process
 * has ended.
 */
export function procFile(path: string): string {
  try {
    return readFileSync(`/proc/${path}`, 'utf8');
  } catch {
    return '';
  }
}
