import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { Readable } from 'node:stream';
import { type FunctionSpec, functionArn } from '../assembly/index.ts';
import { FunctionError, UndeliveredError } from './errors.ts';
import { type Launched, plainLauncher } from './launcher.ts';
import type { Payload } from './payload.ts';
import { type ReportedError, RuntimeApi, type StreamedAnswer } from './runtime-api.ts';
import { concurrencyOf, type EnvironmentSettings } from './variables.ts';

/** The result of a function. */
export type InvocationResult = { kind: 'buffered'; json: Buffer } | ({ kind: 'streamed' } & StreamedAnswer);

export interface InvokeOptions {
  /** A trace header, with the tenant for which the function works. */
  traceId: string;
  /**
   * Withdraws an event that is still waiting. A function that is already working on it is notified, unless
   * its sandbox is as strict as Lambda's; it may stop or continue.
   */
  signal?: AbortSignal;
}

export interface EnvironmentEvents {
  /** The environment waits for an event, or for one more. */
  ready(): void;
  /** The environment takes no further event. It follows at once on the cause, before anything is removed. */
  ending(): void;
  /** The environment has ended, and nothing is left of it. `error` is the reason when it never reached its first event. */
  ended(error: FunctionError | null): void;
  log(stream: 'stdout' | 'stderr', source: Readable): void;
}

interface Current {
  requestId: string;
  resolve: (result: InvocationResult) => void;
  reject: (error: FunctionError | UndeliveredError) => void;
  /** Called once, when the environment has finished with the event. */
  over: () => void;
  /** Whether the function has the event; another environment may have one that it has not. */
  isReceived: boolean;
  /** Whether the answer is complete: the function asks for another event in some milliseconds. */
  isAnswered: boolean;
  /** Starts when the function receives the event. */
  timer?: NodeJS.Timeout;
}

/** Milliseconds to wait for the end of a killed process's pipe. */
const LAST_WORDS_MS = 1_000;

/** One execution environment: a process with its own /tmp that handles one event at a time, or some. */
export class Environment {
  readonly spec: FunctionSpec;
  /** Maximum events at a time. */
  readonly capacity: number;
  readonly #settings: EnvironmentSettings;
  readonly #events: EnvironmentEvents;
  #api: RuntimeApi | undefined;
  #sandbox: Launched | undefined;
  #initialised = false;
  #initError: FunctionError | undefined;
  #initTimer: NodeJS.Timeout | undefined;
  /** Events that the function works on, by their ids. */
  readonly #current = new Map<string, Current>();
  /** Further events for which the function waits. */
  #free = 0;
  /** The reason why it takes no further events, and ends with the last one that it has. */
  #draining: FunctionError | undefined;
  #launched: Promise<void> = Promise.resolve();
  #ended: Promise<void> | undefined;

  constructor(spec: FunctionSpec, settings: EnvironmentSettings, events: EnvironmentEvents) {
    this.spec = spec;
    this.capacity = concurrencyOf(spec, settings);
    this.#settings = settings;
    this.#events = events;
  }

  /** The number of events that it works on. */
  get working(): number {
    return this.#current.size;
  }

  /** The number of further events that it takes now. */
  get free(): number {
    return this.isEnding ? 0 : this.#free;
  }

  /** The number of further events that it takes in some milliseconds: its function asks for them, or has answered. */
  get soonFree(): number {
    if (this.isEnding || this.isStarting) return 0;
    const unanswered = [...this.#current.values()].filter(({ isAnswered }) => !isAnswered);
    return this.capacity - this.#free - unanswered.length;
  }

  /** Whether it has not asked for an event yet. */
  get isStarting(): boolean {
    return !this.#initialised;
  }

  /** Whether it takes no further events. */
  get isEnding(): boolean {
    return this.#ended !== undefined || this.#draining !== undefined;
  }

  /** Starts the process. The outcome is reported through the events. */
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
    this.#api = await RuntimeApi.listen({
      ready: () => this.#ready(),
      lost: () =>
        void this.stop(new FunctionError('Runtime.ExitError', 'Runtime exited while it waited for an event')),
      initError: (error) => {
        this.#initError = functionError(error);
      },
      result: (requestId, json) => this.#answered(requestId)?.resolve({ kind: 'buffered', json }),
      stream: (requestId, answer) => this.#streamed(requestId, answer),
      error: (requestId, error) => this.#answered(requestId)?.reject(functionError(error)),
    });
    // It was stopped meanwhile.
    if (this.#ended) return;
    const launcher = this.#settings.launcher ?? plainLauncher;
    this.#sandbox = await launcher.launch(spec, this.#settings, this.#api.address);
    const child = this.#sandbox.process;
    const [, stdout, stderr] = child.stdio;
    const lifeline = lifelineOf(this.#sandbox);
    if (stdout) this.#events.log('stdout', stdout);
    if (stderr) this.#events.log('stderr', stderr);
    // The pipe breaks when the process ends, which is handled below.
    lifeline?.on('error', () => {});
    if (lifeline) this.#noteReceived(lifeline);
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
    const limit = launcher.initLimit(spec);
    this.#initTimer = setTimeout(() => {
      this.#initError = new FunctionError(
        'Sandbox.Timedout',
        `Initialisation took more than ${limit / 1000} s`,
      );
      void this.stop();
    }, limit);
  }

  /**
   * Sends an event; the environment must be free for it.
   *
   * @param signal aborted when nothing waits for the result any more; the function decides how to react
   * @param over called when the environment has finished with the event
   * @throws FunctionError; UndeliveredError
   */
  invoke(payload: Payload, { traceId, signal }: InvokeOptions, over: () => void): Promise<InvocationResult> {
    const api = this.#api;
    if (!api || this.free === 0) throw new Error('The execution environment is busy.');
    this.#free--;
    const { promise, resolve, reject } = Promise.withResolvers<InvocationResult>();
    const requestId = randomUUID();
    const current: Current = { requestId, resolve, reject, over, isReceived: false, isAnswered: false };
    this.#current.set(requestId, current);
    const abandon = (): void => {
      if (this.#current.has(requestId)) this.#sandbox?.abandon?.(requestId);
    };
    signal?.addEventListener('abort', abandon, { once: true });
    void promise
      .finally(() => signal?.removeEventListener('abort', abandon))
      // The caller handles the rejection.
      .catch(() => undefined);
    this.#deliver(api, current, payload, traceId).catch((cause: unknown) =>
      this.#giveUp(current, new FunctionError('Sandbox.Failed', String(cause))),
    );
    return promise;
  }

  async #deliver(api: RuntimeApi, current: Current, payload: Payload, traceId: string): Promise<void> {
    await this.#sandbox?.thaw();
    // The environment was stopped meanwhile, and the invocation fails with it.
    if (this.#ended) return;
    const { timeoutMs } = this.spec;
    current.timer = setTimeout(() => {
      const seconds = (timeoutMs / 1000).toFixed(2);
      this.#giveUp(current, new FunctionError('Sandbox.Timedout', `Task timed out after ${seconds} seconds`));
    }, timeoutMs);
    api.deliver({
      requestId: current.requestId,
      deadline: Date.now() + timeoutMs,
      functionArn: functionArn(this.spec.name),
      traceId,
      payload,
    });
  }

  /** Fails an event, whether or not the function has it, and ends: at once, or with the last of its other events. */
  #giveUp(current: Current, error: FunctionError): void {
    current.reject(error);
    this.#finish(current);
    if (this.#current.size === 0) void this.stop(error);
    else if (!this.isEnding) {
      this.#draining = error;
      this.#events.ending();
    }
  }

  /** Ends the place of an event. */
  #finish(current: Current): void {
    clearTimeout(current.timer);
    if (this.#current.delete(current.requestId)) current.over();
  }

  /**
   * Kills the process and all its descendants; its /tmp is deleted when the promise settles.
   *
   * @param error the error of running invocations
   */
  stop(error?: FunctionError): Promise<void> {
    if (this.#ended) return this.#ended;
    this.#ended = this.#end(error);
    if (this.#draining === undefined) this.#events.ending();
    return this.#ended;
  }

  #ready(): void {
    clearTimeout(this.#initTimer);
    this.#initialised = true;
    const finished = this.#finished();
    if (finished !== undefined) this.#finish(finished);
    if (this.#ended) return;
    this.#free++;
    if (this.#draining !== undefined) {
      if (this.#current.size === 0) void this.stop(this.#draining);
      return;
    }
    if (this.#current.size === 0) this.#sandbox?.freeze();
    this.#events.ready();
  }

  /** Returns the event that is finished when the function asks for one; undefined if it asks for one more than before. */
  #finished(): Current | undefined {
    const running = [...this.#current.values()];
    const isFull = running.length + this.#free >= this.capacity;
    return running.find(({ isAnswered }) => isAnswered) ?? (isFull ? running[0] : undefined);
  }

  /** Notes that the answer to an event is complete. @returns undefined for an event that has been given up */
  #answered(requestId: string): Current | undefined {
    const current = this.#current.get(requestId);
    if (current) current.isAnswered = true;
    return current;
  }

  #streamed(requestId: string, answer: StreamedAnswer): void {
    const current = this.#current.get(requestId);
    // It is closed without an end if its reader has gone.
    answer.body.once('end', () => this.#answered(requestId)).once('close', () => this.#answered(requestId));
    if (current) current.resolve({ kind: 'streamed', ...answer });
    else answer.body.resume();
  }

  /** Notes which events the function has received, as the runtime tells. */
  #noteReceived(lifeline: Readable): void {
    let unread = '';
    lifeline.on('data', (ids: Buffer) => {
      const lines = (unread + ids.toString('latin1')).split('\n');
      unread = lines.pop() ?? '';
      for (const id of lines) {
        const current = this.#current.get(id);
        if (current) current.isReceived = true;
      }
    });
  }

  /** Fails an event; the processes of the environment have been killed. */
  async #fail(
    current: Current,
    reason = new FunctionError('Runtime.ExitError', 'The execution environment was stopped'),
  ): Promise<void> {
    const lifeline = this.#sandbox && lifelineOf(this.#sandbox);
    // The end of the process may be known before its last words have been read.
    if (!current.isReceived && lifeline?.closed === false) {
      await once(lifeline, 'close', { signal: AbortSignal.timeout(LAST_WORDS_MS) }).catch(() => {});
    }
    const isUndelivered = !current.isReceived && lifeline?.closed === true;
    current.reject(isUndelivered ? new UndeliveredError(reason) : reason);
  }

  async #end(reason: FunctionError | undefined): Promise<void> {
    // `start` reports a failure to launch.
    await this.#launched.catch(() => {});
    clearTimeout(this.#initTimer);
    const running = [...this.#current.values()];
    for (const { timer } of running) clearTimeout(timer);
    const removed = this.#sandbox?.remove();
    await Promise.all(running.map((current) => this.#fail(current, reason)));
    this.#api?.close();
    await removed;
    for (const current of running) this.#finish(current);
    this.#events.ended(this.#initialised ? null : (this.#initError ?? reason ?? null));
  }
}

/** The pipe over which the runtime says which events it has received. */
function lifelineOf({ process }: Launched): Readable | undefined {
  const lifeline = process.stdio[3];
  return lifeline instanceof Readable ? lifeline : undefined;
}

function functionError({ errorType, errorMessage, stackTrace }: ReportedError): FunctionError {
  return new FunctionError(errorType ?? 'Error', errorMessage ?? '', stackTrace);
}
