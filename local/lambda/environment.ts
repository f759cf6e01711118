import { type ChildProcess, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { type FunctionSpec, functionArn } from '../assembly/index.ts';
import { FunctionError } from './errors.ts';
import type { Payload } from './payload.ts';
import { killTree } from './process-tree.ts';
import { type ReportedError, RuntimeApi, type StreamedAnswer } from './runtime-api.ts';
import { type EnvironmentSettings, environmentVariables } from './variables.ts';

/** What a function answered. */
export type InvocationResult = { kind: 'buffered'; json: Buffer } | ({ kind: 'streamed' } & StreamedAnswer);

export interface EnvironmentEvents {
  /** It waits for an event: for the first time, or again. */
  idle(): void;
  /** It is gone, with all it had. `error` says why where it never came to wait for its first event. */
  ended(error: FunctionError | null): void;
  log(stream: 'stdout' | 'stderr', source: Readable): void;
}

/** Lambda gives initialisation 10 s, and starts it again with the function's own time if that was too short. */
const MIN_INIT_MS = 10_000;

interface Current {
  requestId: string;
  resolve: (result: InvocationResult) => void;
  reject: (error: FunctionError) => void;
  timer: NodeJS.Timeout;
}

/** One execution environment: a process with a /tmp of its own that answers one event at a time. */
export class Environment {
  readonly spec: FunctionSpec;
  readonly #settings: EnvironmentSettings;
  readonly #events: EnvironmentEvents;
  #api: RuntimeApi | undefined;
  #process: ChildProcess | undefined;
  #tmp: string | undefined;
  #initialised = false;
  #initError: FunctionError | undefined;
  #initTimer: NodeJS.Timeout | undefined;
  #current: Current | undefined;
  #launched: Promise<void> = Promise.resolve();
  #ended: Promise<void> | undefined;

  constructor(spec: FunctionSpec, settings: EnvironmentSettings, events: EnvironmentEvents) {
    this.spec = spec;
    this.#settings = settings;
    this.#events = events;
  }

  /** Starts the process. What comes of it is told through the events. */
  async start(): Promise<void> {
    this.#launched = this.#launch();
    try {
      await this.#launched;
    } catch (error) {
      this.#initError = new FunctionError('Runtime.LaunchError', String(error));
      await this.stop();
    }
  }

  async #launch(): Promise<void> {
    const { spec } = this;
    if (spec.code === null) throw new Error(`${spec.name} has no code that could run here.`);
    this.#tmp = await mkdtemp(join(this.#settings.tmpRoot, `${spec.label.replace(/[^a-z0-9]/g, '')}-`));
    this.#api = await RuntimeApi.listen({
      ready: () => this.#ready(),
      initError: (error) => {
        this.#initError = functionError(error);
      },
      result: (requestId, json) => this.#take(requestId)?.resolve({ kind: 'buffered', json }),
      stream: (requestId, answer) => this.#streamed(requestId, answer),
      error: (requestId, error) => this.#take(requestId)?.reject(functionError(error)),
    });
    const child = spawn(process.execPath, [this.#settings.runtime], {
      cwd: spec.code,
      env: environmentVariables(spec, this.#settings, { api: this.#api.address, tmp: this.#tmp }),
      // Its own session: a Ctrl-C in the terminal is the service's to answer.
      detached: true,
      stdio: ['ignore', 'pipe', 'pipe', 'pipe'],
    });
    this.#process = child;
    const [, stdout, stderr, lifeline] = child.stdio;
    if (stdout) this.#events.log('stdout', stdout);
    if (stderr) this.#events.log('stderr', stderr);
    // It breaks when the process ends, which is heard of below.
    lifeline?.on('error', () => {});
    child.once('error', (error) => {
      this.#initError ??= new FunctionError('Runtime.LaunchError', error.message);
      void this.stop();
    });
    child.once('exit', (code, signal) => {
      const how = signal === null ? `exit status ${code}` : `signal: ${signal}`;
      const error = new FunctionError('Runtime.ExitError', `Runtime exited with error: ${how}`);
      if (!this.#initialised) this.#initError ??= error;
      void this.stop(error);
    });
    const limit = Math.max(MIN_INIT_MS, spec.timeoutMs);
    this.#initTimer = setTimeout(() => {
      this.#initError = new FunctionError(
        'Sandbox.Timedout',
        `Initialisation took more than ${limit / 1000} s`,
      );
      void this.stop();
    }, limit);
  }

  /** Hands over an event; the environment must be idle. @throws FunctionError */
  invoke(payload: Payload, traceId: string): Promise<InvocationResult> {
    const api = this.#api;
    if (!api || this.#current) throw new Error('The execution environment is busy.');
    const requestId = randomUUID();
    const { promise, resolve, reject } = Promise.withResolvers<InvocationResult>();
    const { timeoutMs } = this.spec;
    const timer = setTimeout(() => {
      void this.stop(
        new FunctionError(
          'Sandbox.Timedout',
          `Task timed out after ${(timeoutMs / 1000).toFixed(2)} seconds`,
        ),
      );
    }, timeoutMs);
    this.#current = { requestId, resolve, reject, timer };
    api.deliver({
      requestId,
      deadline: Date.now() + timeoutMs,
      functionArn: functionArn(this.spec.name),
      traceId,
      payload,
    });
    return promise;
  }

  /**
   * Kills the process and all it started; its /tmp is gone when the promise settles.
   *
   * @param error What an invocation that is under way fails with.
   */
  stop(error?: FunctionError): Promise<void> {
    this.#ended ??= this.#end(error);
    return this.#ended;
  }

  #ready(): void {
    clearTimeout(this.#initTimer);
    clearTimeout(this.#current?.timer);
    this.#initialised = true;
    this.#current = undefined;
    if (!this.#ended) this.#events.idle();
  }

  #take(requestId: string): Current | undefined {
    return this.#current?.requestId === requestId ? this.#current : undefined;
  }

  #streamed(requestId: string, answer: StreamedAnswer): void {
    const current = this.#take(requestId);
    if (current) current.resolve({ kind: 'streamed', ...answer });
    else answer.body.resume();
  }

  async #end(reason: FunctionError | undefined): Promise<void> {
    // A failure to launch is told by `start`.
    await this.#launched.catch(() => {});
    clearTimeout(this.#initTimer);
    clearTimeout(this.#current?.timer);
    const child = this.#process;
    const running = child && child.exitCode === null && child.signalCode === null ? child.pid : undefined;
    if (this.#tmp !== undefined) killTree(running, this.#tmp);
    this.#current?.reject(
      reason ?? new FunctionError('Runtime.ExitError', 'The execution environment was stopped'),
    );
    this.#api?.close();
    try {
      if (this.#tmp !== undefined) await rm(this.#tmp, { recursive: true, force: true, maxRetries: 3 });
    } catch {
      // Something of it is still in use: it goes with the folder of all environments, when the service stops.
    }
    this.#events.ended(this.#initialised ? null : (this.#initError ?? reason ?? null));
  }
}

function functionError({ errorType, errorMessage, stackTrace }: ReportedError): FunctionError {
  return new FunctionError(errorType ?? 'Error', errorMessage ?? '', stackTrace);
}
