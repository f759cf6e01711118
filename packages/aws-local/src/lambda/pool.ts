import type { Readable } from 'node:stream';
import type { FunctionSpec } from '../assembly/index.ts';
import { Environment, type InvocationResult, type InvokeOptions } from './environment.ts';
import { FunctionError, NotReadyError, TooManyRequestsError, UndeliveredError } from './errors.ts';
import { FairQueue, type Turn } from './fair-queue.ts';
import type { Payload } from './payload.ts';
import { tenantOf } from './trace.ts';
import type { EnvironmentSettings } from './variables.ts';

export interface PoolLimits {
  /** Maximum execution environments of one function that work for tenants with several requests at a time. */
  concurrency: number;
  /** Maximum waiting events; further ones are refused. */
  waiting: number;
  /** An environment that is idle for this time is ended. */
  idleMs: number;
}

/**
 * Environments beyond the concurrency, for a tenant of which no event is in work: it does not wait until the long
 * work of others is done.
 */
const RESERVE = 1;

/**
 * Milliseconds for which an event waits for an environment that has answered, before another one is started: a start
 * takes longer. A batch whose next part follows at once would otherwise get one environment more than it needs.
 */
const PATIENCE_MS = 200;

/** An event that this many environments did not receive fails. */
const MAX_DELIVERIES = 3;

/** What a function has to do at a moment. */
export interface FunctionLoad {
  /** The name of the function in the stacks' sources. */
  label: string;
  environments: number;
  /** Events in work. */
  working: number;
  /** Events that wait for an environment. */
  waiting: number;
  /** Environments that have ended since the start of the service. */
  ended: number;
}

export type LogSink = (spec: FunctionSpec, stream: 'stdout' | 'stderr', source: Readable) => void;

interface Waiting {
  payload: Payload;
  options: InvokeOptions;
  resolve: (result: InvocationResult) => void;
  reject: (error: unknown) => void;
  deliveries: number;
}

/**
 * The execution environments of one function. As on Lambda, each handles one event at a time and is reused.
 * Because a laptop has few cores, excess events wait for a while instead of being refused, and tenants take turns.
 */
export class Pool {
  readonly spec: FunctionSpec;
  readonly #settings: EnvironmentSettings;
  readonly #limits: PoolLimits;
  readonly #log: LogSink;
  /** Maximum environments. */
  readonly #places: number;
  readonly #queue: FairQueue<Waiting>;
  readonly #idle: { environment: Environment; timer: NodeJS.Timeout }[] = [];
  readonly #all = new Set<Environment>();
  readonly #turns = new Map<Environment, Turn<Waiting>>();
  /** The time from which on the function takes events; undefined before the first one. */
  #activeFrom: number | undefined;
  #starting = 0;
  #ended = 0;
  #late: NodeJS.Timeout | undefined;
  #retired = false;
  #stopped: FunctionError | undefined;

  constructor(spec: FunctionSpec, settings: EnvironmentSettings, limits: PoolLimits, log: LogSink) {
    this.spec = spec;
    this.#settings = settings;
    this.#limits = limits;
    this.#log = log;
    const places = Math.min(limits.concurrency + RESERVE, spec.reservedConcurrency ?? Infinity);
    const reserve = Math.max(0, Math.min(RESERVE, places - 1));
    this.#places = places;
    this.#queue = new FairQueue({ places, reserve, waiting: limits.waiting });
  }

  /** @throws FunctionError, NotReadyError, TooManyRequestsError; the signal's reason */
  invoke(payload: Payload, options: InvokeOptions): Promise<InvocationResult> {
    const { signal, traceId } = options;
    signal?.throwIfAborted();
    if (this.#stopped) return Promise.reject(this.#stopped);
    this.#activeFrom ??= performance.now() + (this.#settings.launcher?.activation?.(this.spec) ?? 0);
    if (performance.now() < this.#activeFrom) return Promise.reject(new NotReadyError(this.spec.name));
    const { promise, resolve, reject } = Promise.withResolvers<InvocationResult>();
    const tenant = tenantOf(traceId);
    const waiting: Waiting = { payload, options, resolve, reject, deliveries: 0 };
    const withdraw = (): void => {
      if (this.#queue.withdraw(tenant, waiting)) reject(signal?.reason);
    };
    signal?.addEventListener('abort', withdraw, { once: true });
    const refused = this.#queue.add(tenant, waiting);
    refused?.reject(new TooManyRequestsError(`${this.#queue.size} requests wait for ${this.spec.label}.`));
    this.#work();
    return promise.finally(() => signal?.removeEventListener('abort', withdraw));
  }

  /** True when no environment runs and no event waits. */
  get empty(): boolean {
    return this.#all.size === 0 && this.#queue.size === 0;
  }

  get load(): FunctionLoad {
    return {
      label: this.spec.label,
      environments: this.#all.size,
      working: this.#turns.size,
      waiting: this.#queue.size,
      ended: this.#ended,
    };
  }

  /** Finishes running and waiting events, then ends every environment. Accepts no new events. */
  retire(): void {
    this.#retired = true;
    this.#endIfDone();
  }

  /** Ends every environment now, and starts none any more. */
  async stop(): Promise<void> {
    const error = new FunctionError('Sandbox.Stopped', 'The service is being stopped');
    this.#stopped = error;
    clearTimeout(this.#late);
    for (const { reject } of this.#queue.clear()) reject(error);
    await Promise.all([...this.#all].map((environment) => environment.stop(error)));
  }

  /**
   * Assigns waiting events to idle environments, and starts as many more as are needed and allowed.
   *
   * @param isLate whether environments that have answered have had time to become idle
   */
  #work(isLate = false): void {
    if (this.#stopped) return;
    while (this.#idle.length > 0) {
      const turn = this.#queue.take();
      if (!turn) break;
      // The most recently used environment is reused, so that the others can expire.
      const idle = this.#idle.pop();
      clearTimeout(idle?.timer);
      if (idle) this.#dispatch(idle.environment, turn);
    }
    const soon = isLate ? 0 : [...this.#all].filter(({ isAnswered }) => isAnswered).length;
    const wanted = this.#queue.ready - soon;
    while (wanted > this.#starting && this.#all.size < this.#places) this.#start();
    if (this.#queue.size === 0 || soon === 0) return;
    this.#late ??= setTimeout(() => {
      this.#late = undefined;
      this.#work(true);
    }, PATIENCE_MS);
  }

  #dispatch(environment: Environment, turn: Turn<Waiting>): void {
    this.#turns.set(environment, turn);
    const { payload, options, resolve, reject } = turn.item;
    turn.item.deliveries++;
    environment.invoke(payload, options).then(resolve, (error: unknown) => {
      if (!(error instanceof UndeliveredError)) reject(error);
      else if (this.#stopped || turn.item.deliveries >= MAX_DELIVERIES) reject(error.reason);
      else if (options.signal?.aborted === true) reject(options.signal.reason);
      else {
        // The function has not seen the event: another environment gets it.
        this.#turns.delete(environment);
        this.#queue.putBack(turn);
        this.#work();
      }
    });
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
      ending: () => this.#disturb(environment),
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
    this.#free(environment);
    const timer = setTimeout(() => void environment.stop(), this.#limits.idleMs);
    timer.unref();
    this.#idle.push({ environment, timer });
    this.#work();
    this.#endIfDone();
  }

  #endIfDone(): void {
    if (!this.#retired || this.#queue.size > 0) return;
    for (const { environment, timer } of this.#idle.splice(0)) {
      clearTimeout(timer);
      void environment.stop();
    }
  }

  /** An environment that ends gets no further event, although its resources are still being removed. */
  #disturb(environment: Environment): void {
    const index = this.#idle.findIndex((idle) => idle.environment === environment);
    if (index >= 0) clearTimeout(this.#idle.splice(index, 1)[0]?.timer);
  }

  #forget(environment: Environment, error: FunctionError | null): void {
    this.#all.delete(environment);
    this.#ended++;
    this.#free(environment);
    // The environment failed to start for an event: the event fails too, because further attempts would not
    // help.
    if (error) {
      const turn = this.#queue.take();
      if (turn) {
        this.#queue.release(turn);
        turn.item.reject(error);
      }
    }
    this.#work();
  }

  /** Frees the place of the event that the environment has worked on. */
  #free(environment: Environment): void {
    const turn = this.#turns.get(environment);
    if (turn) this.#queue.release(turn);
    this.#turns.delete(environment);
  }
}
