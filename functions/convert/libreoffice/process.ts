import { type ChildProcess, spawn } from 'node:child_process';
import { rmSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rm } from 'node:fs/promises';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { Filters } from './filters.ts';
import type { Installation } from './installation.ts';
import { writeProfile } from './profile.ts';

/** One conversion, as the host takes it. */
export interface HostOrder extends Filters {
  /** Paths. */
  input: string;
  output: string;
  title: string | null;
}

export type HostAnswer = { ok: true } | { ok: false; at: 'load' | 'store'; message: string };

export interface ProcessOptions {
  installation: Installation;
  /** Writable. The process gets a folder of its own in it, which is removed with it. */
  workDir: string;
  /** `fonts.conf`; null for the machine's own. */
  fontConfig: string | null;
  /** Bytes of the largest file it may write. */
  maxFileBytes: number;
}

/** It has ended, and no answer will come. */
export class ProcessEnded extends Error {
  override readonly name = 'ProcessEnded';
}

const HOST = fileURLToPath(new URL('./host.py', import.meta.url));
/** How long the host is given to take note of LibreOffice's end, which leaves a zombie otherwise. */
const HOST_GRACE_MS = 1_000;
/** Bytes of a page of memory on x86-64, and of most arm64 kernels. */
const PAGE = 4096;

/** A running LibreOffice with its host: one process group, one folder. Converts one document at a time. */
export class OfficeProcess {
  /** Writable; gone with the process. */
  readonly folder: string;
  /** Settles when the process group has ended and the folder is gone. */
  readonly ended: Promise<void>;
  /** Conversions it was given. */
  conversions = 0;
  readonly #host: ChildProcess;
  readonly #lines: AsyncIterator<string>;
  #officePid: number | null = null;
  #alive = true;
  #stderr = '';

  /**
   * Starts LibreOffice with a new profile; resolves when it takes orders.
   *
   * @throws ProcessEnded
   */
  static async start(options: ProcessOptions, signal: AbortSignal): Promise<OfficeProcess> {
    const folder = await mkdtemp(path.join(options.workDir, 'platen-office-'));
    try {
      await Promise.all([
        writeProfile(path.join(folder, 'profile'), options.installation.buildId),
        mkdir(path.join(folder, 'tmp')),
      ]);
    } catch (error) {
      await rm(folder, { recursive: true, force: true });
      throw error;
    }
    const started = new OfficeProcess(folder, options);
    const kill = (): void => void started.kill();
    signal.addEventListener('abort', kill, { once: true });
    try {
      if (signal.aborted) kill();
      const { pid } = (await started.#answer()) as { pid: number };
      started.#officePid = pid;
      return started;
    } finally {
      signal.removeEventListener('abort', kill);
    }
  }

  private constructor(folder: string, { installation, fontConfig, maxFileBytes }: ProcessOptions) {
    this.folder = folder;
    // The name is the only thing others of this user could find it by, for the moment until it is connected.
    const pipe = path.basename(folder);
    this.#host = spawn(
      installation.python,
      ['-B', HOST, installation.executable, folder, pipe, String(maxFileBytes)],
      {
        cwd: folder,
        // A process group of its own, so that all of it can be killed at once.
        detached: true,
        stdio: ['pipe', 'pipe', 'pipe'],
        // Nothing of our own environment: in Lambda that holds credentials.
        env: {
          PATH: '/usr/bin:/bin',
          HOME: folder,
          TMPDIR: path.join(folder, 'tmp'),
          XDG_CACHE_HOME: path.join(folder, 'cache'),
          LANG: 'C.UTF-8',
          TZ: 'UTC',
          SAL_USE_VCLPLUGIN: 'svp',
          ...(fontConfig === null ? {} : { FONTCONFIG_FILE: fontConfig }),
        },
      },
    );
    // That it breaks is heard of below.
    this.#host.stdin?.on('error', () => {});
    this.#host.stderr?.on('data', (chunk: Buffer) => {
      this.#stderr = (this.#stderr + chunk.toString('utf8')).slice(-2_000);
    });
    if (!this.#host.stdout) throw new Error('A pipe was asked for.');
    this.#lines = createInterface({ input: this.#host.stdout })[Symbol.asyncIterator]();
    // Where this process ends in order: killed, it takes the other along (host.py), and Lambda the folder.
    const leave = (): void => {
      this.#signalGroup();
      rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
    };
    process.once('exit', leave);
    this.ended = new Promise((resolve) => {
      const end = (): void => {
        process.off('exit', leave);
        this.#alive = false;
        this.#signalGroup();
        rm(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 20 }).then(resolve, resolve);
      };
      this.#host.once('error', end);
      this.#host.once('exit', end);
    });
  }

  get alive(): boolean {
    return this.#alive;
  }

  /** Of LibreOffice itself; null until it has started. */
  get pid(): number | null {
    return this.#officePid;
  }

  /** The end of what was written to standard error. */
  get stderr(): string {
    return this.#stderr;
  }

  /**
   * Converts a document. Only one at a time.
   *
   * @throws ProcessEnded when it was killed, by us or by whatever the document did to it
   */
  async convert(order: HostOrder): Promise<HostAnswer> {
    this.conversions += 1;
    this.#host.stdin?.write(`${JSON.stringify(order)}\n`);
    return (await this.#answer()) as HostAnswer;
  }

  /** Bytes of its memory that are in RAM; 0 when it has ended. */
  async residentBytes(): Promise<number> {
    if (this.#officePid === null) return 0;
    const statm = await readFile(`/proc/${this.#officePid}/statm`, 'utf8').catch(() => '');
    return Number(statm.split(' ')[1] ?? 0) * PAGE;
  }

  /** Kills LibreOffice, its host and all they started. Resolves when all is gone. */
  async kill(): Promise<void> {
    if (this.#alive && this.#officePid !== null) {
      signal(this.#officePid);
      await Promise.race([this.ended, sleep(HOST_GRACE_MS, undefined, { ref: false })]);
    }
    this.#signalGroup();
    await this.ended;
  }

  async #answer(): Promise<unknown> {
    const { value, done } = await this.#lines.next();
    if (done !== true) return JSON.parse(value) as unknown;
    await this.ended;
    throw new ProcessEnded(`LibreOffice has ended: ${this.#stderr.trim().split('\n').at(-1) ?? ''}`);
  }

  #signalGroup(): void {
    if (this.#host.pid !== undefined) signal(-this.#host.pid);
  }
}

function signal(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch (error) {
    // ESRCH: nothing of it is left.
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}
