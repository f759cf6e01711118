import type { Limits } from '@platen/jinja';
import { PlatenError } from '@platen/core/errors';
import { Turns } from '@platen/core/turns';
import type { TextAnswer, TextRequest, TextTask, TextTasks } from './protocol.ts';
import { TextThread } from './thread.ts';

export interface TextThreadsSettings {
  /** Megabytes of the heap of each thread. */
  memory?: number;
  /** Limits of the interpreter for one template; `docs/templating.md` lists the defaults. */
  template?: Partial<Limits>;
}

/** The limits of one piece of work. */
export interface TextWork {
  /** Milliseconds, from its start in a thread. */
  timeout: number;
  /** Aborts the work when its request has ended. */
  signal?: AbortSignal | undefined;
  /** Returns the error for a timeout. */
  late: () => Error;
  /** Returns the error for work that needs more memory than a thread has. */
  tooLarge: (megabytes: number, cause: Error) => Error;
}

const DEFAULT_MEMORY_MB = 512;
/** The time in which a thread must load, even on a busy machine. */
const START_MS = 60_000;
/**
 * Most threads that endless work of one tenant may occupy, and one more for the work of others; a single thread handles
 * all other work.
 */
const THREADS_OF_ONE = 2;
const MAX_THREADS = THREADS_OF_ONE + 1;
/** How long work waits for the only thread before another one starts. */
const PATIENCE_MS = 100;
/** How long that other thread is kept without work. */
const IDLE_MS = 10_000;

interface Pending extends TextWork {
  request: TextRequest;
  resolve: (value: unknown) => void;
  reject: (error: Error) => void;
}

interface Place {
  thread: TextThread;
  current: Pending | undefined;
  timer: NodeJS.Timeout | undefined;
}

/**
 * Works on texts in separate threads, because untrusted texts may take endless time in any task. Work that
 * exceeds its time or memory, or whose request has ended, ends its thread; the next work gets a new one.
 */
export class TextThreads {
  readonly #settings: TextThreadsSettings;
  readonly #turns = new Turns(THREADS_OF_ONE);
  readonly #queue: Pending[] = [];
  readonly #places = new Set<Place>();
  #patience: NodeJS.Timeout | undefined;
  #lastId = 0;
  #closed = false;

  constructor(settings: TextThreadsSettings = {}) {
    this.#settings = settings;
  }

  /**
   * Runs one piece of work.
   *
   * @throws PlatenError the errors of the work; `work.late`, `work.tooLarge`, the signal's reason
   */
  async run<T extends TextTask>(
    task: T,
    input: TextTasks[T]['input'],
    work: TextWork,
  ): Promise<TextTasks[T]['output']> {
    return await this.#turns.during(work.signal, () => this.#inThread(task, input, work));
  }

  #inThread<T extends TextTask>(
    task: T,
    input: TextTasks[T]['input'],
    work: TextWork,
  ): Promise<TextTasks[T]['output']> {
    if (this.#closed) return Promise.reject(new Error('the threads are closed'));
    if (work.signal?.aborted === true) return Promise.reject(work.signal.reason as Error);
    const { promise, resolve, reject } = Promise.withResolvers<unknown>();
    const pending: Pending = { ...work, request: { id: ++this.#lastId, task, input }, resolve, reject };
    const abort = (): void => this.#abandon(pending, work.signal?.reason as Error);
    work.signal?.addEventListener('abort', abort, { once: true });
    this.#queue.push(pending);
    this.#assign();
    return (promise as Promise<TextTasks[T]['output']>).finally(() =>
      work.signal?.removeEventListener('abort', abort),
    );
  }

  /** Starts a thread ahead of the first work. */
  warm(): void {
    if (this.#places.size === 0) this.#start();
  }

  /** Ends the threads. Unfinished work is rejected. */
  async close(): Promise<void> {
    this.#closed = true;
    clearTimeout(this.#patience);
    const closed = new Error('the threads are closed');
    for (const pending of this.#queue.splice(0)) pending.reject(closed);
    await Promise.all(Array.from(this.#places, (place) => this.#lose(place, closed)));
  }

  #assign(): void {
    if (this.#closed) return;
    for (const place of this.#places) {
      if (place.current === undefined) this.#give(place, this.#queue.shift());
    }
    if (this.#queue.length === 0) return this.#calm();
    if (this.#places.size === 0) this.#give(this.#start(), this.#queue.shift());
    if (this.#queue.length === 0 || this.#places.size >= MAX_THREADS) return;
    this.#patience ??= setTimeout(() => {
      this.#patience = undefined;
      if (this.#queue.length > 0 && this.#places.size < MAX_THREADS) this.#start();
      this.#assign();
    }, PATIENCE_MS);
  }

  #calm(): void {
    clearTimeout(this.#patience);
    this.#patience = undefined;
  }

  #give(place: Place, pending: Pending | undefined): void {
    if (pending === undefined) return;
    clearTimeout(place.timer);
    place.current = pending;
    this.#watch(place);
    place.thread.send(pending.request);
  }

  /** Sets the deadline of a thread's current work; the time in which a new thread loads does not count. */
  #watch(place: Place): void {
    clearTimeout(place.timer);
    const { current } = place;
    if (current === undefined) return;
    const [delay, error] = place.thread.isReady
      ? [current.timeout, current.late]
      : [START_MS, (): Error => new Error('a thread for texts did not start')];
    place.timer = setTimeout(() => void this.#lose(place, error()), delay);
  }

  #start(): Place {
    const { memory = DEFAULT_MEMORY_MB, template = {} } = this.#settings;
    const thread = new TextThread({ limits: template }, memory, {
      ready: () => this.#watch(place),
      answered: (answer) => this.#settle(place, answer),
      lost: (error) => void this.#lose(place, lossError(error, place.current, memory)),
    });
    const place: Place = { thread, current: undefined, timer: undefined };
    this.#places.add(place);
    return place;
  }

  #settle(place: Place, answer: TextAnswer): void {
    const pending = place.current;
    if (pending?.request.id !== answer.id) return;
    clearTimeout(place.timer);
    place.current = undefined;
    if ('value' in answer) pending.resolve(answer.value);
    else if ('error' in answer) {
      const { code, message, faults } = answer.error;
      pending.reject(new PlatenError(code, message, { faults }));
    } else pending.reject(new Error(`work on a text failed: ${answer.bug}`));
    this.#assign();
    if (place.current !== undefined || this.#places.size === 1) return;
    place.timer = setTimeout(() => {
      if (this.#places.size > 1) void this.#lose(place);
    }, IDLE_MS);
    place.timer.unref();
  }

  #abandon(pending: Pending, reason: Error): void {
    const index = this.#queue.indexOf(pending);
    if (index !== -1) this.#queue.splice(index, 1);
    pending.reject(reason);
    for (const place of this.#places) if (place.current === pending) void this.#lose(place, reason);
  }

  /** Ends a thread, rejects its current work, and continues with waiting work. */
  async #lose(place: Place, error?: Error): Promise<void> {
    clearTimeout(place.timer);
    const { current, thread } = place;
    place.current = undefined;
    this.#places.delete(place);
    if (error !== undefined) current?.reject(error);
    // Waiting work continues at once: the thread may take a while to end, but blocks nothing.
    this.#assign();
    await thread.end();
  }
}

function lossError(error: NodeJS.ErrnoException, current: Pending | undefined, memory: number): Error {
  return error.code === 'ERR_WORKER_OUT_OF_MEMORY' && current !== undefined
    ? current.tooLarge(memory, error)
    : new Error('a thread for texts was lost', { cause: error });
}
