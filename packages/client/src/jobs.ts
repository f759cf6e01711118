import { PlatenDocument } from './document.ts';
import { PlatenError } from './errors.ts';
import { type CallOptions, segment, sleep, type Transport } from './transport.ts';
import type { Job } from './wire.ts';

/** Work that goes on by itself: watched, downloaded, cancelled. */

export interface WaitOptions {
  /** Called whenever the job has been looked at. */
  onProgress?: (job: Job) => void;
  signal?: AbortSignal;
}

/** First and longest time between two looks at a job. */
const MIN_POLL_MS = 250;
const MAX_POLL_MS = 3_000;
/** Looks that may fail one after the other, which a laptop that changes its network does. */
const PATIENCE = 30;

/** A job of the service. It goes on when nobody looks; `platen.jobs.open(id)` finds it again. */
export class JobHandle {
  readonly id: string;
  readonly #transport: Transport;

  constructor(transport: Transport, id: string) {
    this.#transport = transport;
    this.id = id;
  }

  /** How it is doing. @throws PlatenError `not_found` */
  async get(options: CallOptions = {}): Promise<Job> {
    return await this.#transport.json<Job>('GET', this.#path, options);
  }

  /**
   * Waits until it has ended, well or not.
   *
   * @throws PlatenError when it cannot be looked at; what the signal was aborted with, and then the job goes on
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
   * Waits until it has ended and opens its result.
   *
   * @throws PlatenError that the request would have been answered with, for a job that failed; `job_without_result` for
   *   one that was cancelled
   */
  async wait(options: WaitOptions = {}): Promise<PlatenDocument> {
    const job = await this.ended(options);
    if (job.state === 'failed' && job.problem !== null) throw PlatenError.of(job.problem, job.problem.status);
    return await this.result(options.signal === undefined ? {} : { signal: options.signal });
  }

  /** What it made. @throws PlatenError `job_not_finished`, `job_without_result`, `not_found` */
  async result(options: CallOptions = {}): Promise<PlatenDocument> {
    return new PlatenDocument(await this.#transport.send('GET', `${this.#path}/result`, options));
  }

  /** Cancels it while it runs; deletes it with its result when it has ended. @throws PlatenError `not_found` */
  async cancel(options: CallOptions = {}): Promise<void> {
    await this.#transport.send('DELETE', this.#path, options);
  }

  get #path(): string {
    return `/jobs/${segment(this.id)}`;
  }
}

/** A job that is being asked for: awaited it is the job, and `wait` goes on to its result. */
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

  /** As `JobHandle.wait`. @throws also what asking for the job is refused with */
  async wait(options: WaitOptions = {}): Promise<PlatenDocument> {
    return await (await this.#job).wait(options);
  }
}
