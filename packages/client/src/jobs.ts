import { PlatenDocument } from './document.ts';
import { PlatenError } from './errors.ts';
import { type CallOptions, segment, sleep, type Transport } from './transport.ts';
import type { Job } from './wire.ts';

/** Handles of jobs: watch, download, cancel. */

export interface WaitOptions {
  /** Called after each poll of the job. */
  onProgress?: (job: Job) => void;
  signal?: AbortSignal;
}

/** Shortest and longest pause between two polls of a job, in ms. */
const MIN_POLL_MS = 250;
const MAX_POLL_MS = 3_000;
/** Consecutive polls that may fail, for example while a laptop changes its network. */
const PATIENCE = 30;

/** A job of the service. It continues without a client; `platen.jobs.open(id)` returns its handle again. */
export class JobHandle {
  readonly id: string;
  readonly #transport: Transport;

  constructor(transport: Transport, id: string) {
    this.#transport = transport;
    this.id = id;
  }

  /** Returns the job's state. @throws PlatenError `not_found` */
  async get(options: CallOptions = {}): Promise<Job> {
    return await this.#transport.json<Job>('GET', this.#path, options);
  }

  /**
   * Waits until the job has ended, successfully or not.
   *
   * @throws PlatenError when its state cannot be read; the signal's reason when aborted, while the job
   *   continues
   */
  async ended({ onProgress, signal }: WaitOptions = {}): Promise<Job> {
    let misses = 0;
    for (let pause = MIN_POLL_MS; ; pause = Math.min(pause * 1.5, MAX_POLL_MS)) {
      try {
        const job = await this.get(signal === undefined ? {} : { signal });
        misses = 0;
        onProgress?.(job);
        if (job.finished !== null) return job;
      } catch (error) {
        const passes =
          error instanceof PlatenError && (error.status === 0 || error.status >= 500 || error.status === 429);
        misses += 1;
        if (!passes || misses > PATIENCE) throw error;
      }
      await sleep(pause, signal);
    }
  }

  /**
   * Waits until the job has ended and opens its result.
   *
   * @throws PlatenError the error of the failed request, for a failed job; `job_without_result` for a
   *   cancelled job
   */
  async wait(options: WaitOptions = {}): Promise<PlatenDocument> {
    const job = await this.ended(options);
    if (job.state === 'failed' && job.problem !== null) throw PlatenError.of(job.problem, job.problem.status);
    return await this.result(options.signal === undefined ? {} : { signal: options.signal });
  }

  /** Returns the job's result. @throws PlatenError `job_not_finished`, `job_without_result`, `not_found` */
  async result(options: CallOptions = {}): Promise<PlatenDocument> {
    return new PlatenDocument(await this.#transport.send('GET', `${this.#path}/result`, options));
  }

  /** Cancels a running job; deletes a job that has ended, with its result. @throws PlatenError `not_found` */
  async cancel(options: CallOptions = {}): Promise<void> {
    await this.#transport.send('DELETE', this.#path, options);
  }

  get #path(): string {
    return `/jobs/${segment(this.id)}`;
  }
}

/** A job that is being created: awaiting it returns the job, and `wait` returns its result. */
export class PendingJob implements PromiseLike<JobHandle> {
  readonly #job: Promise<JobHandle>;

  constructor(job: Promise<JobHandle>) {
    this.#job = job;
  }

  // oxlint-disable-next-line unicorn/no-thenable -- to be awaited is what it is for
  then<T = JobHandle, E = never>(
    fulfilled?: ((job: JobHandle) => T | PromiseLike<T>) | null,
    rejected?: ((reason: unknown) => E | PromiseLike<E>) | null,
  ): Promise<T | E> {
    return this.#job.then(fulfilled, rejected);
  }

  /** Waits like `JobHandle.wait`. @throws also the error of creating the job */
  async wait(options: WaitOptions = {}): Promise<PlatenDocument> {
    return await (await this.#job).wait(options);
  }
}
