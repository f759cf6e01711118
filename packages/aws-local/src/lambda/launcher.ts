import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import type { FunctionSpec } from '../assembly/index.ts';
import { killTree } from './process-tree.ts';
import { type EnvironmentSettings, environmentVariables } from './variables.ts';

/** How the process of an execution environment is started, and what it runs in. */

/** The process of one execution environment, with what was made for it. */
export interface Launched {
  /** Runs the runtime: standard output and error are pipes, file descriptor 3 is a pipe that the service holds. */
  process: ChildProcess;
  /** The function waits for an event, for the first time or again: Lambda may stop it until there is one. */
  freeze(): void;
  /** An event is there. Resolves when the function runs. */
  thaw(): Promise<void>;
  /** Nobody waits any more for the answer to an event that the function works on. Lambda does not say so. */
  abandon?(requestId: string): void;
  /** Kills the process and all it started, and removes what was made for it. */
  remove(): Promise<void>;
}

export interface Launcher {
  /** Milliseconds until the function must wait for its first event. */
  initLimit(spec: FunctionSpec): number;
  /**
   * Starts the runtime with a function.
   *
   * @param api host and port of the environment's Runtime API
   */
  launch(spec: FunctionSpec, settings: EnvironmentSettings, api: string): Promise<Launched>;
}

/** Lambda gives initialisation 10 s, and starts it again with the function's own time if that was too short. */
export const INIT_MS = 10_000;

/** As a process of this machine like any other, with a folder of its own that stands for /tmp. */
export const plainLauncher: Launcher = {
  initLimit: ({ timeoutMs }) => Math.max(INIT_MS, timeoutMs),

  async launch(spec, settings, api) {
    if (spec.code === null) throw new Error(`${spec.name} has no code that could run here.`);
    const tmp = await mkdtemp(join(settings.tmpRoot, `${spec.label.replace(/[^a-z0-9]/g, '')}-`));
    const child = spawn(process.execPath, [settings.runtime], {
      cwd: spec.code,
      env: environmentVariables(spec, settings, { api, tmp }),
      // Its own session: a Ctrl-C in the terminal is the service's to answer.
      detached: true,
      stdio: ['ignore', 'pipe', 'pipe', 'pipe'],
    });
    return {
      process: child,
      freeze: () => {},
      thaw: () => Promise.resolve(),
      abandon: (requestId) => {
        const [, , , lifeline] = child.stdio;
        if (lifeline instanceof Writable && lifeline.writable) lifeline.write(`${requestId}\n`);
      },
      remove: async () => {
        killTree(isRunning(child) ? child.pid : undefined, tmp);
        try {
          await rm(tmp, { recursive: true, force: true, maxRetries: 3 });
        } catch {
          // Something of it is still in use: it goes with the folder of all environments, when the service stops.
        }
      },
    };
  },
};

/** Whether a child process was started and has not ended. */
export function isRunning(child: ChildProcess): boolean {
  return child.pid !== undefined && child.exitCode === null && child.signalCode === null;
}
