import { Worker, type Transferable } from 'node:worker_threads';
import type { ErrorCode } from './error-codes.ts';
import { type FieldFault, PlatenError } from './errors.ts';
import { watchGrowth } from './growth-watch.ts';
import { coresFor } from './machine.ts';
import { newPageClock, type PageClock, watchPages } from './page-clock.ts';
import { storageFault } from './storage-fault.ts';
import { Turns } from './turns.ts';
import { threadEnvironment } from './worker.ts';

/**
 * Work that may hang or use too much memory runs in a thread, which is terminated when it exceeds its limits.
 * A thread runs one task at a time and then waits for the next one, because starting a thread takes longer
 * than most tasks (decision record 0051).
 */

export interface ThreadLimits {
  /** Milliseconds from the start of the work to its end, without the time spent waiting for a core. */
  timeout: number;
  /**
   * Bytes that an engine's WebAssembly may allocate; the thread's own objects may take the same amount again.
   */
  memory: number;
  /** Milliseconds for one page: for work that announces its pages with `onPage` (thread-side.ts). */
  page?: number | undefined;
  /** Bytes by which the process may grow during the work, including buffers and native memory. */
  growth?: number | undefined;
}

/**
 * Threads that may take another task: those whose task succeeded, or also those whose task returned an error.
 */
export type KeptThread = 'after success' | 'after an answer';

export interface ThreadCall {
  /** URL of the worker module, from `workerUrl`; the module calls `serveThread` (thread-side.ts). */
  entry: URL;
  task: string;
  /** Copied to the thread, or moved when it is listed in `transfer`. */
  input: unknown;
  transfer?: readonly Transferable[] | undefined;
  limits: ThreadLimits;
  /** Milliseconds of the timeout that earlier work of the same request has used. */
  spent?: number | undefined;
  /** Ends the work when its request has ended. */
  signal?: AbortSignal | undefined;
  /** The subject of an error message, such as "The PDF". */
  subject: string;
  /** The error code for exhausted memory. */
  tooLarge: ErrorCode;
  /**
   * Only for entries whose tasks leave no state in module variables; when absent, the thread is terminated.
   */
  keep?: KeptThread;
  /** Megabytes of the thread's stack, when Node's default of four is not enough. */
  stack?: number;
}

/** The value that a worker entry finds in `workerData`. */
export interface ThreadData {
  memory: number;
  pages: PageClock;
}

/** A request posted to a thread, one at a time. */
export interface ThreadRequest {
  task: string;
  input: unknown;
}

/**
 * The result that a worker entry posts for each request. When `last` is true, the thread must not receive
 * another task.
 */
export type ThreadAnswer = { last: boolean } & (
  | { value: unknown }
  | { error: { code: ErrorCode; message: string; faults: FieldFault[] } }
  | { fault: string }
);

/** There are as many concurrent tasks as cores, or fewer if memory is limited: more would slow down all of them and need more memory. */
const cores = coresFor();
const turns = new Turns(cores);

interface Waiting {
  worker: Worker;
  /** Key of the settings that have to match for a thread to take a call. */
  kind: string;
}

/** The page that each thread works on. */
const clocks = new WeakMap<Worker, PageClock>();

/** Idle threads, the most recently used last. */
const waiting: Waiting[] = [];
/** When more threads are idle than this, those that have waited longest are terminated. */
const MAX_WAITING = 2 * cores;

/**
 * Runs one task in a worker thread. When the task fails, the thread is terminated unless the call keeps it.
 *
 * @throws PlatenError the error of the task; `deadline_exceeded`; `tooLarge` when memory runs out;
 *   `storage_unavailable` when the disk is full; the signal's reason when it is aborted
 */
export async function runThread(call: ThreadCall): Promise<unknown> {
  try {
    const answer = await answerOf(call);
    if ('value' in answer) return answer.value;
    if ('fault' in answer) throw new Error(`A task failed in its thread: ${answer.fault}`);
    const { code, message, faults } = answer.error;
    throw new PlatenError(code, message, { faults });
  } catch (error) {
    throw storageFault(error) ?? error;
  }
}

function answerOf(call: ThreadCall): Promise<ThreadAnswer> {
  const { task, input, transfer, limits, spent = 0, signal, subject, tooLarge, keep } = call;
  return new Promise<ThreadAnswer>((resolve, reject) => {
    if (signal?.aborted === true) return reject(signal.reason as Error);
    const worker = takeThread(call);
    let ended = false;
    const end = (settle: () => void, isKept = false): void => {
      if (ended) return;
      ended = true;
      clearTimeout(timer);
      unwatchPages?.();
      signal?.removeEventListener('abort', onAbort);
      worker.off('message', onMessage).off('error', onError).off('exit', onExit);
      if (isKept) {
        unwatch?.();
        giveBack(worker, kindOf(call));
        settle();
        return;
      }
      const terminated = worker.terminate().finally(() => unwatch?.());
      // A thread's files are closed only after its termination; then the files it worked on can be removed.
      terminated.then(settle, reject);
    };
    const late = (what: string, limit: number): void => {
      const seconds = Math.round(limit / 1000);
      const message = `${what} took longer than ${seconds} ${seconds === 1 ? 'second' : 'seconds'}.`;
      end(() => reject(new PlatenError('deadline_exceeded', message)));
    };
    const timer = setTimeout(() => late(subject, limits.timeout), Math.max(1, limits.timeout - spent));
    const clock = clocks.get(worker);
    const unwatchPages =
      limits.page === undefined || clock === undefined
        ? undefined
        : watchPages(clock, limits.page, (page) => late(`Page ${page}`, limits.page ?? 0));
    const outOfMemory = (cause?: Error): PlatenError =>
      new PlatenError(tooLarge, `${subject} needs more memory than is allowed.`, { cause });
    const unwatch =
      limits.growth === undefined
        ? undefined
        : watchGrowth(limits.growth, () => end(() => reject(outOfMemory())));
    const onAbort = (): void => end(() => reject(signal?.reason as Error));
    const onMessage = (answer: ThreadAnswer): void => {
      const isFit =
        keep === 'after an answer' ? !('fault' in answer) : keep !== undefined && 'value' in answer;
      end(() => resolve(answer), isFit && !answer.last);
    };
    const onError = (error: NodeJS.ErrnoException): void =>
      end(() => reject(error.code === 'ERR_WORKER_OUT_OF_MEMORY' ? outOfMemory(error) : error));
    const onExit = (code: number): void =>
      end(() => reject(new Error(`A thread ended with exit code ${code} and no answer`)));
    signal?.addEventListener('abort', onAbort, { once: true });
    worker.on('message', onMessage).on('error', onError).on('exit', onExit);
    try {
      const request: ThreadRequest = { task, input };
      worker.postMessage(request, [...(transfer ?? [])]);
    } catch (error) {
      end(() => reject(error));
    }
  });
}

function kindOf({ entry, limits, stack }: ThreadCall): string {
  return JSON.stringify([entry.href, limits.memory, stack ?? null]);
}

/** Returns an idle thread that fits the call, or a new one. */
function takeThread(call: ThreadCall): Worker {
  const kind = kindOf(call);
  const at = call.keep === undefined ? -1 : waiting.findLastIndex((one) => one.kind === kind);
  const [known] = at === -1 ? [] : waiting.splice(at, 1);
  if (known !== undefined) {
    known.worker.ref();
    return known.worker;
  }
  const { limits, stack } = call;
  const data: ThreadData = { memory: limits.memory, pages: newPageClock() };
  const worker = new Worker(call.entry, {
    workerData: data,
    env: threadEnvironment(),
    resourceLimits: {
      maxOldGenerationSizeMb: Math.ceil(limits.memory / 2 ** 20),
      ...(stack === undefined ? {} : { stackSizeMb: stack }),
    },
  });
  clocks.set(worker, data.pages);
  worker.on('exit', () => {
    const place = waiting.findIndex((one) => one.worker === worker);
    if (place !== -1) waiting.splice(place, 1);
  });
  // An error of an idle thread must not end the process: the thread has ended, and the next call starts
  // another one.
  worker.on('error', () => undefined);
  return worker;
}

function giveBack(worker: Worker, kind: string): void {
  // An idle thread does not keep the process alive.
  worker.unref();
  waiting.push({ worker, kind });
  if (waiting.length > MAX_WAITING) void waiting.shift()?.worker.terminate();
}

/**
 * Waits for a free core, runs the work and passes the core to the caller that has waited longest.
 *
 * @throws the signal's reason when it is aborted during the wait
 */
export async function withCore<T>(signal: AbortSignal | undefined, work: () => Promise<T>): Promise<T> {
  return await turns.during(signal, work);
}
