import type { Limits } from '#jinja';
import { PlatenError } from '../../shared/errors.ts';
import { errorOf } from './errors.ts';
import type { FillAnswer, FillJob, FillRequest } from './protocol.ts';
import { FillThread } from './thread.ts';

/** What filling may use. */
export interface FillLimits {
  /** Milliseconds for one job, from when the thread begins with it. */
  timeout: number;
  /** Megabytes of the thread's heap. */
  memory?: number;
  /** Limits of the interpreter for one text; see `docs/templating.md` for the defaults. */
  template?: Partial<Limits>;
}

const DEFAULT_MEMORY_MB = 512;
/** How long the interpreter is given to notice itself that its time is over before its thread is ended. */
const GRACE_MS = 500;
/** How long a thread may take to load, on a machine that has much else to do. */
const START_MS = 60_000;

interface Pending {
  request: FillRequest;
  resolve: (texts: string[]) => void;
  reject: (error: Error) => void;
}

/**
 * Fills templates in a thread of their own, one job after the other. A job that takes too long or too much memory
 * takes the thread with it, whatever the interpreter is doing; the next job gets a new one.
 */
export class Filler {
  readonly #limits: FillLimits;
  readonly #queue: Pending[] = [];
  #current: Pending | undefined;
  #thread: FillThread | undefined;
  #timer: NodeJS.Timeout | undefined;
  #lastId = 0;
  #closed = false;

  constructor(limits: FillLimits) {
    this.#limits = limits;
  }

  /**
   * Fills every text of a job with its data.
   *
   * @returns the filled texts in the order of `job.sources`
   * @throws PlatenError `template_syntax`, `template_render`, `template_budget` with the place in the text;
   *   `render_data_invalid`
   */
  fill(job: FillJob): Promise<string[]> {
    if (this.#closed) return Promise.reject(new Error('the filler is closed'));
    return new Promise((resolve, reject) => {
      this.#queue.push({ request: { id: ++this.#lastId, job }, resolve, reject });
      this.#next();
    });
  }

  /** Starts the thread ahead of the first job. */
  warm(): void {
    this.#thread ??= this.#start();
  }

  /** Ends the thread. Jobs that are not done are rejected. */
  async close(): Promise<void> {
    this.#closed = true;
    const closed = new Error('the filler is closed');
    for (const pending of this.#queue.splice(0)) pending.reject(closed);
    await this.#fail(closed);
  }

  #next(): void {
    if (this.#current !== undefined) return;
    this.#current = this.#queue.shift();
    if (this.#current === undefined) return;
    this.#thread ??= this.#start();
    this.#watch();
    this.#thread.send(this.#current.request);
  }

  /** Sets the deadline of the current job; the time a new thread takes to load is not the job's. */
  #watch(): void {
    clearTimeout(this.#timer);
    const pending = this.#current;
    if (pending === undefined) return;
    const [delay, error] = this.#thread?.isReady
      ? [this.#limits.timeout + GRACE_MS, (): Error => this.#timeoutError(pending)]
      : [START_MS, (): Error => new Error('the thread that fills templates did not start')];
    this.#timer = setTimeout(() => void this.#fail(error()), delay);
  }

  #start(): FillThread {
    const { timeout, memory = DEFAULT_MEMORY_MB, template = {} } = this.#limits;
    return new FillThread({ limits: { time: timeout, ...template } }, memory, {
      ready: () => this.#watch(),
      answered: (answer) => this.#settle(answer),
      lost: (error) => void this.#fail(this.#lossError(error)),
    });
  }

  #settle(answer: FillAnswer): void {
    const pending = this.#current;
    if (pending?.request.id !== answer.id) return;
    clearTimeout(this.#timer);
    this.#current = undefined;
    if ('texts' in answer) pending.resolve(answer.texts);
    else if ('fault' in answer) pending.reject(errorOf(answer.fault));
    else pending.reject(new Error(`filling a template failed: ${answer.bug}`));
    this.#next();
  }

  /** Ends the thread, rejects the job it is at, and goes on with the next. */
  async #fail(error: Error): Promise<void> {
    clearTimeout(this.#timer);
    const [pending, thread] = [this.#current, this.#thread];
    this.#current = undefined;
    this.#thread = undefined;
    pending?.reject(error);
    // The next job does not wait for it: it can take a while to end, and it is no longer in anybody's way.
    this.#next();
    await thread?.end();
  }

  #lossError(error: NodeJS.ErrnoException): Error {
    if (error.code !== 'ERR_WORKER_OUT_OF_MEMORY') {
      return new Error('the thread that fills templates was lost', { cause: error });
    }
    const { memory = DEFAULT_MEMORY_MB } = this.#limits;
    const message = `The template takes more than ${memory} MB of memory. (limit: memory)`;
    const fault = errorOf({ kind: 'budget', message, ...this.#currentFile() });
    return new PlatenError(fault.code, fault.message, { faults: fault.faults, cause: error });
  }

  #timeoutError({ request }: Pending): PlatenError {
    const message = `The template takes longer than ${this.#limits.timeout} ms. (limit: time)`;
    return errorOf({ kind: 'budget', message, ...fileOf(request) });
  }

  #currentFile(): ReturnType<typeof fileOf> {
    return this.#current === undefined ? {} : fileOf(this.#current.request);
  }
}

/** The text that is at fault, where there is only one. */
function fileOf({ job }: FillRequest): Pick<Parameters<typeof errorOf>[0], 'file'> {
  const [first] = job.sources;
  return first === undefined || job.sources.length > 1 ? {} : { file: first.file };
}
