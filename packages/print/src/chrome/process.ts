import { spawn, type ChildProcess } from 'node:child_process';
import { accessSync, constants } from 'node:fs';
import { mkdir, mkdtemp, readdir, rm } from 'node:fs/promises';
import path from 'node:path';
import type { Readable, Writable } from 'node:stream';
import type { ChromeConfig } from './config.ts';
import { Connection } from './connection.ts';
import { chromeFlags } from './flags.ts';
import { isAlive, type ChromiumFiles } from './unpack.ts';

const FOLDER_PREFIX = 'platen-browser-';
/**
 * Switches off core dumps (Lambda keeps them in /tmp, with hundreds of megabytes each), starts a guard and replaces
 * itself by the browser. The guard waits for the end of a pipe that this process
 * holds, and then kills the process group: so the browser ends with this process even after a crash, and even if
 * it is too busy to notice that its own pipe was closed (in single-process mode, an endless script of a document
 * keeps it from quitting).
 */
const GUARDED = 'ulimit -c 0; (exec 3<&- 4>&-; read -r _ <&5; kill -9 0) & exec "$0" "$@" 5<&-';
/** Time for a browser to end by itself before its process group is killed. */
const CLOSE_GRACE = 1_000;

/** A running Chromium: the process group, its folder on disk and the connection to it. */
export class ChromeProcess {
  readonly connection: Connection;
  readonly pid: number;
  /** Settles when the process has ended and its folder is removed. */
  readonly ended: Promise<void>;
  readonly #child: ChildProcess;
  #stderr = '';
  /** Whether it is being closed. */
  #ending = false;

  /** Starts the browser. Resolves immediately: the first command shows whether it runs. */
  static async start(
    files: ChromiumFiles,
    config: ChromeConfig,
    singleProcess: boolean,
  ): Promise<ChromeProcess> {
    await mkdir(config.workDir, { recursive: true });
    // The id of this process in the name lets a later process remove the files of a killed one.
    const folder = await mkdtemp(path.join(config.workDir, `${FOLDER_PREFIX}${process.pid}-`));
    return new ChromeProcess(files, config, singleProcess, folder);
  }

  private constructor(files: ChromiumFiles, config: ChromeConfig, singleProcess: boolean, folder: string) {
    const flags = chromeFlags({
      singleProcess,
      profileDir: path.join(folder, 'profile'),
      scriptHeap: Math.floor(config.documentMemory / 2 / 1024 / 1024),
      sharedMemory: isWritable('/dev/shm'),
    });
    // No URL: `about:blank` in an unused window would need a renderer process.
    this.#child = spawn('/bin/sh', ['-c', GUARDED, files.executable, ...flags], {
      // Its own process group, so that the whole group can be killed at once.
      detached: true,
      stdio: ['ignore', 'ignore', 'pipe', 'pipe', 'pipe', 'pipe'],
      // None of our own environment variables: in Lambda they contain credentials.
      env: {
        PATH: '/usr/bin:/bin',
        HOME: folder,
        TMPDIR: folder,
        XDG_CONFIG_HOME: folder,
        XDG_CACHE_HOME: folder,
        LANG: 'C.UTF-8',
        TZ: 'UTC',
        FONTCONFIG_FILE: files.fontConfig,
        ...(files.libraries === null ? {} : { LD_LIBRARY_PATH: files.libraries }),
      },
    });
    this.pid = this.#child.pid ?? -1;
    this.connection = new Connection(this.#child.stdio[3] as Writable, this.#child.stdio[4] as Readable);
    this.#child.stderr?.on('data', (chunk: Buffer) => {
      this.#stderr = (this.#stderr + chunk.toString('utf8')).slice(-4096);
    });
    this.ended = new Promise((resolve) => {
      const end = (reason: string): void => {
        this.connection.lose(reason);
        this.#killGroup();
        rm(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 20 }).then(resolve, resolve);
      };
      this.#child.on('error', (error) => end(`the browser did not start: ${error.message}`));
      this.#child.on('exit', (code, signal) => {
        if (!this.#ending)
          config.log('chrome_ended', { pid: this.pid, code, signal, stderr: this.#stderr.trim() });
        end(`the browser has ended (${signal ?? `code ${code}`})`);
      });
    });
  }

  /** The last part of the browser's standard error. */
  get stderr(): string {
    return this.#stderr;
  }

  /** Ends the browser and everything it started; kills remaining processes. Resolves when all have ended. */
  async close(): Promise<void> {
    this.#ending = true;
    // Closing our end of the pipe requests the end.
    this.#child.stdio[3]?.destroy();
    const timer = setTimeout(() => this.kill(), CLOSE_GRACE);
    await this.ended;
    clearTimeout(timer);
  }

  /** Kills the whole process group at once. */
  kill(): void {
    this.#ending = true;
    this.#killGroup();
    this.#child.kill('SIGKILL');
  }

  #killGroup(): void {
    if (this.#child.pid === undefined) return;
    try {
      process.kill(-this.#child.pid, 'SIGKILL');
    } catch {
      // ESRCH: the group has already ended.
    }
  }
}

/** Removes the folders of browsers whose owner was killed before it could. */
export async function removeAbandonedFolders(workDir: string): Promise<void> {
  const names = await readdir(workDir).catch(() => []);
  for (const name of names) {
    const pid = name.startsWith(FOLDER_PREFIX)
      ? Number.parseInt(name.slice(FOLDER_PREFIX.length), 10)
      : Number.NaN;
    if (Number.isInteger(pid) && !isAlive(pid))
      await rm(path.join(workDir, name), { recursive: true, force: true });
  }
}

function isWritable(folder: string): boolean {
  try {
    accessSync(folder, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}
