import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { readState } from '../../../packages/aws-local/src/state.ts';
import { killIfRunning, processTree } from '../../support/process-tree.ts';

/** One instance of the service, which can be killed and started again over its data. */

const MAX_OUTPUT = 5_000_000;
const READY_MS = 300_000;

export interface InstanceOptions {
  folder: string;
  port: number;
  idleMs: number;
  /** A command that runs another one, as in another namespace. */
  within?: readonly string[];
}

export class Instance {
  readonly folder: string;
  readonly dataDir: string;
  readonly temporary: string;
  readonly token = `faults-${process.pid}-${Date.now()}`;
  readonly url: string;
  /** The last that the service has printed. */
  output = '';
  #child: ChildProcess | undefined;
  readonly #options: InstanceOptions;

  constructor(options: InstanceOptions) {
    this.#options = options;
    this.folder = options.folder;
    this.dataDir = join(options.folder, 'data');
    this.temporary = join(options.folder, 'tmp');
    this.url = `http://localhost:${options.port}`;
  }

  get pid(): number {
    return this.#child?.pid ?? 0;
  }

  /** Starts the service, and waits until it answers. @throws Error with its output when it does not */
  async start(): Promise<void> {
    await mkdir(this.dataDir, { recursive: true });
    await mkdir(this.temporary, { recursive: true });
    const { within = [], port, idleMs } = this.#options;
    const [program = '', ...args] = [
      ...within,
      process.execPath,
      join(import.meta.dirname, 'serve.ts'),
      ...[this.dataDir, String(port), this.token, String(idleMs)],
    ];
    const child = spawn(program, args, {
      env: { ...process.env, TMPDIR: this.temporary },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    this.#child = child;
    for (const stream of [child.stdout, child.stderr])
      stream.on(
        'data',
        (chunk: Buffer) => (this.output = (this.output + chunk.toString()).slice(-MAX_OUTPUT)),
      );
    for (const end = Date.now() + READY_MS; ; await sleep(100)) {
      if (child.exitCode !== null || Date.now() > end)
        throw new Error(`The service does not start:\n${this.output}`);
      const headers = { authorization: this.token };
      const { status } = await fetch(`${this.url}/v1/token`, { headers }).catch(() => ({ status: 0 }));
      if (status === 200) return;
    }
  }

  /** Ends the service with a signal. @param whole whether its processes are killed with it */
  async end(signal: 'SIGKILL' | 'SIGTERM', whole = false): Promise<void> {
    const child = this.#child;
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
    const others = whole ? processTree(this.pid) : [];
    const exited = once(child, 'exit');
    child.kill(signal);
    for (const { pid } of others) killIfRunning(pid);
    await exited;
  }

  /** Folder of the execution environments. */
  async runFolder(): Promise<string> {
    return (await readState(this.dataDir))?.runFolder ?? '';
  }
}
