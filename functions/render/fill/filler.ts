import { Worker } from 'node:worker_threads';
import type { Limits } from '#jinja';
import { PlatenError } from '../../shared/errors.ts';
import { workerUrl } from '../../shared/worker.ts';
import { errorOf } from './errors.ts';
import type { FillAnswer, FillJob, FillRequest, WorkerSettings } from './protocol.ts';

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
/** Enough for the interpreter's own depth limit many times over. */
const STACK_MB = 8;
/** How long the interpreter is given to notice itself that its time is over before its thread is ended. */
const GRACE_MS = 500;

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
  #worker: Worker | undefined;
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
    this.#worker ??= this.#start();
  }

  /** Ends the thread. Jobs that are not done are rejected. */
  async close(): Promise<void> {
    this.#closed = true;
    const worker = this.#worker;
    for (const pending of this.#queue.splice(0)) pending.reject(new Error('the filler is closed'));
    this.#fail(new Error('the filler is closed'));
    await worker?.terminate();
  }

  #next(): void {
    if (this.#current !== undefined) return;
    const pending = this.#queue.shift();
    if (pending === undefined) return;
    this.#current = pending;
    this.#worker ??= this.#start();
    // A thread with work keeps the process alive, one that waits does not.
    this.#worker.ref();
    this.#timer = setTimeout(() => this.#fail(this.#timeoutError(pending)), this.#limits.timeout + GRACE_MS);
    this.#worker.postMessage(pending.request, []);
  }

  #start(): Worker {
    const { timeout, memory = DEFAULT_MEMORY_MB, template = {} } = this.#limits;
    const settings: WorkerSettings = { limits: { time: timeout, ...template } };
    const worker = new Worker(workerUrl(import.meta.url, 'fill.worker'), {
      workerData: settings,
      // Templates are untrusted: the thread has no business with the function's credentials.
      env: {},
      resourceLimits: { maxOldGenerationSizeMb: memory, stackSizeMb: STACK_MB },
    });
    worker.unref();
    worker.on('message', (answer: FillAnswer) => this.#settle(worker, answer));
    worker.on('error', (error: NodeJS.ErrnoException) => this.#lost(worker, error));
    worker.on('exit', (code) => this.#lost(worker, new Error(`the thread ended with exit code ${code}`)));
    return worker;
  }

  #settle(worker: Worker, answer: FillAnswer): void {
    const pending = this.#current;
    if (worker !== this.#worker || pending?.request.id !== answer.id) return;
    clearTimeout(this.#timer);
    this.#current = undefined;
    worker.unref();
    if ('texts' in answer) pending.resolve(answer.texts);
    else if ('fault' in answer) pending.reject(errorOf(answer.fault));
    else pending.reject(new Error(`filling a template failed: ${answer.bug}`));
    this.#next();
  }

  /** The thread is gone, or is about to be. */
  #lost(worker: Worker, error: NodeJS.ErrnoException): void {
    if (worker !== this.#worker) return;
    const { memory = DEFAULT_MEMORY_MB } = this.#limits;
    this.#fail(
      error.code === 'ERR_WORKER_OUT_OF_MEMORY'
        ? this.#budgetError(`The template takes more than ${memory} MB of memory. (limit: memory)`, error)
        : new Error('the thread that fills templates was lost', { cause: error }),
    );
  }

  /** Ends the thread and rejects the job it is at. */
  #fail(error: Error): void {
    clearTimeout(this.#timer);
    const pending = this.#current;
    const worker = this.#worker;
    this.#current = undefined;
    this.#worker = undefined;
    // Nothing waits for it: it can take a while to end, and it is no longer in anybody's way.
    void worker?.terminate();
    pending?.reject(error);
    if (!this.#closed) this.#next();
  }

  #timeoutError({ request }: Pending): PlatenError {
    const [source] = request.job.sources;
    const file = source?.file ?? 'template';
    return errorOf({
      kind: 'budget',
      file,
      message: `The template takes longer than ${this.#limits.timeout} ms. (limit: time)`,
    });
  }

  #budgetError(message: string, cause: Error): PlatenError {
    const error = errorOf({ kind: 'budget', message });
    return new PlatenError(error.code, error.message, { faults: error.faults, cause });
  }
}
