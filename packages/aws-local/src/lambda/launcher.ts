import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import type { FunctionSpec } from '../assembly/index.ts';
import { killTree } from './process-tree.ts';
import { type EnvironmentSettings, environmentVariables } from './variables.ts';

/** Starts the process of an execution environment, with its sandbox. */

/** The process of one execution environment, with its resources. */
export interface Launched {
  /**
   * The process of the runtime: standard output and error are pipes, file descriptor 3 is a pipe that the
   * service keeps open.
   */
  process: ChildProcess;
  /** Called when the function waits for an event: Lambda may freeze it until there is one. */
  freeze(): void;
  /** Called when there is an event. Resolves when the function runs. */
  thaw(): Promise<void>;
  /**
   * Called when nothing waits any more for the result of the current event. Lambda has no such notification.
   */
  abandon?(requestId: string): void;
  /** Kills the process and all its descendants, and removes its resources. */
  remove(): Promise<void>;
}

export interface Launcher {
  /**
   * Returns the milliseconds after the first call of a function in which calls are refused, as Lambda does for
   * inactive functions. Default: 0.
   */
  activation?(spec: FunctionSpec): number;
  /** Milliseconds within which the function must wait for its first event. */
  initLimit(spec: FunctionSpec): number;
  /**
   * Starts the runtime with a function.
   *
   * @param api host and port of the environment's Runtime API
   */
  launch(spec: FunctionSpec, settings: EnvironmentSettings, api: string): Promise<Launched>;
}

/**
 * Lambda gives initialisation 10 s, and repeats it within the function's own timeout if that was too short.
 */
export const INIT_MS = 10_000;

/** Starts an ordinary process of this machine, with its own folder as /tmp. */
export const plainLauncher: Launcher = {
  initLimit: ({ timeoutMs }) => Math.max(INIT_MS, timeoutMs),

  async launch(spec, settings, api) {
    if (spec.code === null) throw new Error(`${spec.name} has no code that could run here.`);
    const tmp = await mkdtemp(join(settings.tmpRoot, `${spec.label.replace(/[^a-z0-9]/g, '')}-`));
    const child = spawn(process.execPath, [settings.runtime], {
      cwd: spec.code,
      env: environmentVariables(spec, settings, { api, tmp }),
      // A separate session, so that Ctrl-C in the terminal only reaches the service.
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
          // A file is still in use: it is deleted with the folder of all environments when the service stops.
        }
      },
    };
  },
};

/** Returns whether a child process was started and has not ended. */
export function isRunning(child: ChildProcess): boolean {
  return child.pid !== undefined && child.exitCode === null && child.signalCode === null;
}
