import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { Readable } from 'node:stream';
import { type FunctionSpec, functionArn } from '../assembly/index.ts';
import { FunctionError, UndeliveredError } from './errors.ts';
import { type Launched, plainLauncher } from './launcher.ts';
import type { Payload } from './payload.ts';
import { type ReportedError, RuntimeApi, type StreamedAnswer } from './runtime-api.ts';
import type { EnvironmentSettings } from './variables.ts';

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
  /** The environment waits for an event: for the first time, or again. */
  idle(): void;
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
  /** Whether the function has the event; another environment may have one that it has not. */
  isReceived: boolean;
  /** Starts when the function receives the event. */
  timer?: NodeJS.Timeout;
}

/** Milliseconds to wait for the end of a killed process's pipe. */
const LAST_WORDS_MS = 1_000;

/** One execution environment: a process with its own /tmp that handles one event at a time. */
export class Environment {
  readonly spec: FunctionSpec;
  readonly #settings: EnvironmentSettings;
  readonly #events: EnvironmentEvents;
  #api: RuntimeApi | undefined;
  #sandbox: Launched | undefined;
  #initialised = false;
  #initError: FunctionError | undefined;
  #initTimer: NodeJS.Timeout | undefined;
  #current: Current | undefined;
  #isAnswered = false;
  #launched: Promise<void> = Promise.resolve();
  #ended: Promise<void> | undefined;

  constructor(spec: FunctionSpec, settings: EnvironmentSettings, events: EnvironmentEvents) {
    this.spec = spec;
    this.#settings = settings;
    this.#events = events;
  }

  /** Whether the answer to its event is complete: it will be idle in some milliseconds. */
  get isAnswered(): boolean {
    return this.#isAnswered;
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
      result: (requestId, json) => {
        this.#isAnswered = true;
        this.#take(requestId)?.resolve({ kind: 'buffered', json });
      },
      stream: (requestId, answer) => this.#streamed(requestId, answer),
      error: (requestId, error) => this.#take(requestId)?.reject(functionError(error)),
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
    lifeline?.on('data', (ids: Buffer) => {
      if (this.#current && ids.includes(this.#current.requestId)) this.#current.isReceived = true;
    });
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
   * Sends an event; the environment must be idle.
   *
   * @param signal aborted when nothing waits for the result any more; the function decides how to react
   * @throws FunctionError; UndeliveredError
   */
  invoke(payload: Payload, { traceId, signal }: InvokeOptions): Promise<InvocationResult> {
    const api = this.#api;
    if (!api || this.#current) throw new Error('The execution environment is busy.');
    const { promise, resolve, reject } = Promise.withResolvers<InvocationResult>();
    const current: Current = { requestId: randomUUID(), resolve, reject, isReceived: false };
    this.#current = current;
    const abandon = (): void => {
      if (this.#current === current) this.#sandbox?.abandon?.(current.requestId);
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

  /** Fails the current event, whether or not the function has it, and ends. */
  #giveUp(current: Current, error: FunctionError): void {
    current.reject(error);
    void this.stop(error);
  }

  /**
   * Kills the process and all its descendants; its /tmp is deleted when the promise settles.
   *
   * @param error the error of a running invocation
   */
  stop(error?: FunctionError): Promise<void> {
    if (this.#ended) return this.#ended;
    this.#ended = this.#end(error);
    this.#events.ending();
    return this.#ended;
  }

  #ready(): void {
    clearTimeout(this.#initTimer);
    clearTimeout(this.#current?.timer);
    this.#initialised = true;
    this.#current = undefined;
    this.#isAnswered = false;
    if (this.#ended) return;
    this.#sandbox?.freeze();
    this.#events.idle();
  }

  #take(requestId: string): Current | undefined {
    return this.#current?.requestId === requestId ? this.#current : undefined;
  }

  #streamed(requestId: string, answer: StreamedAnswer): void {
    const current = this.#take(requestId);
    answer.body.once('end', () => {
      this.#isAnswered = true;
    });
    if (current) current.resolve({ kind: 'streamed', ...answer });
    else answer.body.resume();
  }

  /** Fails the current event; the processes of the environment have been killed. */
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
    clearTimeout(this.#current?.timer);
    const removed = this.#sandbox?.remove();
    if (this.#current) await this.#fail(this.#current, reason);
    this.#api?.close();
    await removed;
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
