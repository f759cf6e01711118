import type { Readable } from 'node:stream';
import type { FunctionSpec } from '../assembly/index.ts';
import { Environment, type InvocationResult, type InvokeOptions } from './environment.ts';
import { FunctionError, NotReadyError, TooManyRequestsError, UndeliveredError } from './errors.ts';
import { FairQueue, type Turn } from './fair-queue.ts';
import type { Payload } from './payload.ts';
import { tenantOf } from './trace.ts';
import { concurrencyOf, type EnvironmentSettings } from './variables.ts';

export interface PoolLimits {
  /** Maximum events of one function that are in work for tenants with several requests at a time. */
  concurrency: number;
  /** Maximum environments of one function for these events; as many as there are events when absent. */
  environments?: number | undefined;
  /** Maximum waiting events; further ones are refused. */
  waiting: number;
  /** An environment that is idle for this time is ended. */
  idleMs: number;
  /** Whether memory runs out, so that a function that works on an event begins no further one for now. */
  isShortOfMemory?: (() => boolean) | undefined;
}

/**
 * Events beyond the concurrency, of tenants of which no event is in work: they do not wait until the long work of
 * others is done.
 */
const RESERVE = 1;

/**
 * Milliseconds for which an event waits for an environment that has answered, before another one is started: a start
 * takes longer. A batch whose next part follows at once would otherwise get one environment more than it needs.
 */
const PATIENCE_MS = 500;
/** Milliseconds after which an event that waits for memory is looked at again. */
const MEMORY_MS = 500;

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
 * The execution environments of one function, which are reused. Each handles one event at a time, as on Lambda, or
 * several, as on Lambda Managed Instances. Because a laptop has few cores, excess events wait for a while instead of
 * being refused, and tenants take turns.
 */
export class Pool {
  readonly spec: FunctionSpec;
  readonly #settings: EnvironmentSettings;
  readonly #limits: PoolLimits;
  readonly #log: LogSink;
  /** Maximum environments that take events. */
  readonly #most: number;
  readonly #queue: FairQueue<Waiting>;
  /** All environments, those that became free last at the end. */
  readonly #all = new Set<Environment>();
  /** The ends of environments that have no event, unless they get one. */
  readonly #expiries = new Map<Environment, NodeJS.Timeout>();
  /** The time from which on the function takes events; undefined before the first one. */
  #activeFrom: number | undefined;
  #ended = 0;
  #late: NodeJS.Timeout | undefined;
  #retired = false;
  #stopped: FunctionError | undefined;

  constructor(spec: FunctionSpec, settings: EnvironmentSettings, limits: PoolLimits, log: LogSink) {
    this.spec = spec;
    this.#settings = settings;
    this.#limits = limits;
    this.#log = log;
    const perEnvironment = concurrencyOf(spec, settings);
    const concurrency = Math.min(limits.concurrency, (limits.environments ?? Infinity) * perEnvironment);
    const places = Math.min(concurrency + RESERVE, spec.reservedConcurrency ?? Infinity);
    const reserve = Math.max(0, Math.min(RESERVE, places - 1));
    this.#most = Math.ceil(places / perEnvironment);
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

  /**
   * Whether memory runs out, and the function has work. One without work may begin: what waits for it may hold
   * memory itself.
   */
  get isHeld(): boolean {
    return this.#working > 0 && this.#limits.isShortOfMemory?.() === true;
  }

  get load(): FunctionLoad {
    return {
      label: this.spec.label,
      environments: this.#all.size,
      working: this.#working,
      waiting: this.#queue.size,
      ended: this.#ended,
    };
  }

  /** Finishes running and waiting events, then ends every environment. Accepts no new events. */
  retire(): void {
    this.#retired = true;
    this.#endIfDone();
  }

  /** Ends the environments that have no event. */
  endIdle(): void {
    for (const environment of this.#all)
      if (environment.free > 0 && environment.working === 0) void environment.stop();
  }

  get #working(): number {
    return [...this.#all].reduce((sum, { working }) => sum + working, 0);
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
   * Assigns waiting events to environments that are free for them, and starts as many more as are needed and allowed.
   *
   * @param isLate whether environments that have answered have had time to become free
   */
  #work(isLate = false): void {
    if (this.#stopped) return;
    for (let environment = this.#next(); environment !== undefined; environment = this.#next()) {
      if (this.#queue.ready > 0 && this.isHeld) return this.#lookAgain(MEMORY_MS);
      const turn = this.#queue.take();
      if (!turn) break;
      this.#dispatch(environment, turn);
    }
    const all = [...this.#all];
    const soon = isLate ? 0 : all.reduce((sum, { soonFree }) => sum + soonFree, 0);
    const taking = all.filter(({ isEnding }) => !isEnding);
    let [missing, places] = [this.#queue.ready - soon, this.#most - taking.length];
    for (const { isStarting, capacity } of taking) if (isStarting) missing -= capacity;
    if (missing > 0 && places > 0 && this.isHeld) return this.#lookAgain(MEMORY_MS);
    while (missing > 0 && places-- > 0) missing -= this.#start().capacity;
    if (this.#queue.size > 0 && soon > 0) this.#lookAgain(PATIENCE_MS);
  }

  #lookAgain(afterMs: number): void {
    this.#late ??= setTimeout(() => {
      this.#late = undefined;
      this.#work(true);
    }, afterMs);
  }

  /** Returns the environment for the next event: the busiest one that is free for it, so that others can expire. */
  #next(): Environment | undefined {
    let best: Environment | undefined;
    for (const environment of this.#all)
      if (environment.free > 0 && environment.working >= (best?.working ?? 0)) best = environment;
    return best;
  }

  #dispatch(environment: Environment, turn: Turn<Waiting>): void {
    clearTimeout(this.#expiries.get(environment));
    this.#expiries.delete(environment);
    const { payload, options, resolve, reject } = turn.item;
    turn.item.deliveries++;
    let isHeld = true;
    const leave = (how: 'release' | 'putBack'): void => {
      if (!isHeld) return;
      isHeld = false;
      this.#queue[how](turn);
    };
    environment
      .invoke(payload, options, () => leave('release'))
      .then(resolve, (error: unknown) => {
        if (!(error instanceof UndeliveredError)) reject(error);
        else if (this.#stopped || turn.item.deliveries >= MAX_DELIVERIES) reject(error.reason);
        else if (options.signal?.aborted === true) reject(options.signal.reason);
        else {
          // The function has not seen the event: another environment gets it.
          leave('putBack');
          this.#work();
        }
      });
  }

  #start(): Environment {
    const environment = new Environment(this.spec, this.#settings, {
      ready: () => this.#rest(environment),
      ending: () => this.#disturb(environment),
      ended: (error) => this.#forget(environment, error),
      log: (stream, source) => this.#log(this.spec, stream, source),
    });
    this.#all.add(environment);
    void environment.start();
    return environment;
  }

  #rest(environment: Environment): void {
    this.#all.delete(environment);
    this.#all.add(environment);
    this.#work();
    if (environment.working > 0 || environment.isEnding) return;
    clearTimeout(this.#expiries.get(environment));
    this.#expiries.set(environment, setTimeout(() => void environment.stop(), this.#limits.idleMs).unref());
    this.#endIfDone();
  }

  #endIfDone(): void {
    if (this.#retired && this.#queue.size === 0) this.endIdle();
  }

  /** An environment that ends gets no further event, although its resources are still being removed. */
  #disturb(environment: Environment): void {
    clearTimeout(this.#expiries.get(environment));
    this.#expiries.delete(environment);
    // It may go on with other events for long.
    if (environment.working > 0) this.#work();
  }

  #forget(environment: Environment, error: FunctionError | null): void {
    this.#all.delete(environment);
    this.#ended++;
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
}
