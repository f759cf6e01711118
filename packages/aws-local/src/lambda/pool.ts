import type { Readable } from 'node:stream';
import type { FunctionSpec } from '../assembly/index.ts';
import { Environment, type InvocationResult, type InvokeOptions } from './environment.ts';
import { FunctionError, TooManyRequestsError } from './errors.ts';
import type { Payload } from './payload.ts';
import type { EnvironmentSettings } from './variables.ts';

export interface PoolLimits {
  /** Maximum execution environments of one function at a time. */
  concurrency: number;
  /** Maximum waiting events; further ones are refused. */
  waiting: number;
  /** An environment that is idle for this time is ended. */
  idleMs: number;
}

/**
 * Milliseconds for which an event waits for an environment that has answered, before another one is started: a start
 * takes longer. A batch whose next part follows at once would otherwise get one environment more than it needs.
 */
const PATIENCE_MS = 200;

export type LogSink = (spec: FunctionSpec, stream: 'stdout' | 'stderr', source: Readable) => void;

interface Waiting {
  payload: Payload;
  options: InvokeOptions;
  resolve: (result: InvocationResult) => void;
  reject: (error: unknown) => void;
}

/**
 * The execution environments of one function. As on Lambda, each handles one event at a time and is reused.
 * Because a laptop has few cores, excess events wait for a while instead of being refused.
 */
export class Pool {
  readonly spec: FunctionSpec;
  readonly #settings: EnvironmentSettings;
  readonly #limits: PoolLimits;
  readonly #log: LogSink;
  readonly #waiting: Waiting[] = [];
  readonly #idle: { environment: Environment; timer: NodeJS.Timeout }[] = [];
  readonly #all = new Set<Environment>();
  #starting = 0;
  #late: NodeJS.Timeout | undefined;
  #retired = false;

  constructor(spec: FunctionSpec, settings: EnvironmentSettings, limits: PoolLimits, log: LogSink) {
    this.spec = spec;
    this.#settings = settings;
    this.#limits = {
      ...limits,
      concurrency: Math.min(limits.concurrency, spec.reservedConcurrency ?? limits.concurrency),
    };
    this.#log = log;
  }

  /** @throws FunctionError; TooManyRequestsError; the signal's reason */
  invoke(payload: Payload, options: InvokeOptions): Promise<InvocationResult> {
    const { signal } = options;
    signal?.throwIfAborted();
    if (this.#waiting.length >= this.#limits.waiting) {
      return Promise.reject(
        new TooManyRequestsError(`${this.#waiting.length} requests wait for ${this.spec.label}.`),
      );
    }
    const { promise, resolve, reject } = Promise.withResolvers<InvocationResult>();
    const waiting: Waiting = { payload, options, resolve, reject };
    this.#waiting.push(waiting);
    const withdraw = (): void => {
      const index = this.#waiting.indexOf(waiting);
      if (index < 0) return;
      this.#waiting.splice(index, 1);
      reject(signal?.reason);
    };
    signal?.addEventListener('abort', withdraw, { once: true });
    this.#work();
    return promise.finally(() => signal?.removeEventListener('abort', withdraw));
  }

  /** True when no environment runs and no event waits. */
  get empty(): boolean {
    return this.#all.size === 0 && this.#waiting.length === 0;
  }

  /** Finishes running and waiting events, then ends every environment. Accepts no new events. */
  retire(): void {
    this.#retired = true;
    if (this.#waiting.length === 0)
      for (const { environment } of this.#idle.splice(0)) void environment.stop();
  }

  /** Ends every environment now. */
  async stop(): Promise<void> {
    this.#retired = true;
    clearTimeout(this.#late);
    const error = new FunctionError('Sandbox.Stopped', 'The service is being stopped');
    for (const { reject } of this.#waiting.splice(0)) reject(error);
    for (const { timer } of this.#idle.splice(0)) clearTimeout(timer);
    await Promise.all([...this.#all].map((environment) => environment.stop(error)));
  }

  /**
   * Assigns waiting events to idle environments, and starts as many more as are needed and allowed.
   *
   * @param isLate whether environments that have answered have had time to become idle
   */
  #work(isLate = false): void {
    while (this.#waiting.length > 0) {
      // The most recently used environment is reused, so that the others can expire.
      const idle = this.#idle.pop();
      if (!idle) break;
      clearTimeout(idle.timer);
      this.#dispatch(idle.environment);
    }
    const soon = isLate ? 0 : [...this.#all].filter(({ isAnswered }) => isAnswered).length;
    const wanted = this.#waiting.length - soon;
    while (wanted > this.#starting && this.#all.size < this.#limits.concurrency) this.#start();
    if (this.#waiting.length === 0 || soon === 0) return;
    this.#late ??= setTimeout(() => {
      this.#late = undefined;
      this.#work(true);
    }, PATIENCE_MS);
  }

  #dispatch(environment: Environment): void {
    const next = this.#waiting.shift();
    if (!next) return;
    environment.invoke(next.payload, next.options).then(next.resolve, next.reject);
  }

  #start(): void {
    this.#starting++;
    let starting = true;
    const started = (): void => {
      if (starting) this.#starting--;
      starting = false;
    };
    const environment = new Environment(this.spec, this.#settings, {
      idle: () => {
        started();
        this.#rest(environment);
      },
      ended: (error) => {
        started();
        this.#forget(environment, error);
      },
      log: (stream, source) => this.#log(this.spec, stream, source),
    });
    this.#all.add(environment);
    void environment.start();
  }

  #rest(environment: Environment): void {
    if (this.#retired && this.#waiting.length === 0) {
      void environment.stop();
      return;
    }
    const timer = setTimeout(() => void environment.stop(), this.#limits.idleMs);
    timer.unref();
    this.#idle.push({ environment, timer });
    this.#work();
  }

  #forget(environment: Environment, error: FunctionError | null): void {
    this.#all.delete(environment);
    const index = this.#idle.findIndex((idle) => idle.environment === environment);
    if (index >= 0) clearTimeout(this.#idle.splice(index, 1)[0]?.timer);
    // The environment failed to start for an event: the event fails too, because further attempts would not
    // help.
    if (error) this.#waiting.shift()?.reject(error);
    this.#work();
  }
}
