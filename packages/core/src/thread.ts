import { availableParallelism } from 'node:os';
import { Worker, type Transferable } from 'node:worker_threads';
import type { ErrorCode } from './error-codes.ts';
import { type FieldFault, PlatenError } from './errors.ts';
import { watchGrowth } from './growth-watch.ts';
import { storageFault } from './storage-fault.ts';
import { Turns } from './turns.ts';

/**
 * Work that may hang or swell runs in a thread, which is ended when it goes too far. A thread does one task at a time;
 * one that has done its task waits for another, since starting it takes longer than most tasks (decision record 0051).
 */

export interface ThreadLimits {
  /** Milliseconds from the start of the work to its end; time spent waiting for a core does not count. */
  timeout: number;
  /** Bytes an engine's WebAssembly may allocate, and again as much for the thread's own objects. */
  memory: number;
  /** Bytes the process may grow by while it works, whatever they are for: buffers and native memory too. */
  growth?: number | undefined;
}

/** Which threads take another task: those whose task succeeded, or those that gave an error as their answer too. */
export type KeptThread = 'after success' | 'after an answer';

export interface ThreadCall {
  /** From `workerUrl`; the module calls `serveThread` (thread-side.ts). */
  entry: URL;
  task: string;
  /** Copied to the thread, or moved where it is listed in `transfer`. */
  input: unknown;
  transfer?: readonly Transferable[] | undefined;
  limits: ThreadLimits;
  /** Milliseconds of the timeout that earlier work for the same request has used. */
  spent?: number | undefined;
  /** Ends the work when its request is gone. */
  signal?: AbortSignal | undefined;
  /** What the work is on, for the sentence of an error: "The PDF". */
  subject: string;
  /** The code of the error when memory runs out. */
  tooLarge: ErrorCode;
  /** Only for entries whose tasks leave nothing in the variables of their modules; absent: the thread is ended. */
  keep?: KeptThread;
  /** Megabytes of the thread's stack, where Node's four are not enough. */
  stack?: number;
}

/** What a worker entry finds in `workerData`. */
export interface ThreadData {
  memory: number;
}

/** What is posted to a thread, one at a time. */
export interface ThreadRequest {
  task: string;
  input: unknown;
}

/** What a worker entry posts for each request. `last`: the thread is not to be given another task. */
export type ThreadAnswer = { last: boolean } & (
  | { value: unknown }
  | { error: { code: ErrorCode; message: string; faults: FieldFault[] } }
  | { fault: string }
);

/** As many tasks at once as there are cores: more would only make all of them slower and need more memory. */
const cores = availableParallelism();
const turns = new Turns(cores);

interface Waiting {
  worker: Worker;
  /** What a call needs to be the same for the thread to take it. */
  kind: string;
}

/** Threads without work, the one that worked last at the end. */
const waiting: Waiting[] = [];
/** More of them than this are ended, the ones that have waited longest first. */
const MOST_WAITING = 2 * cores;

/**
 * Runs one task in a worker thread. When this fails, the thread is gone, unless the call keeps it.
 *
 * @throws PlatenError what the task throws; `deadline_exceeded`; `tooLarge` when memory runs out;
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
      signal?.removeEventListener('abort', onAbort);
      worker.off('message', onMessage).off('error', onError).off('exit', onExit);
      if (isKept) {
        unwatch?.();
        giveBack(worker, kindOf(call));
        settle();
        return;
      }
      const terminated = worker.terminate().finally(() => unwatch?.());
      // Only when the thread is gone are its files closed and may what it worked on be removed.
      terminated.then(settle, reject);
    };
    const timer = setTimeout(
      () => {
        const seconds = Math.round(limits.timeout / 1000);
        const error = new PlatenError('deadline_exceeded', `${subject} took longer than ${seconds} seconds.`);
        end(() => reject(error));
      },
      Math.max(1, limits.timeout - spent),
    );
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

/** A thread that waits for such a call, or a new one. */
function takeThread(call: ThreadCall): Worker {
  const kind = kindOf(call);
  const at = call.keep === undefined ? -1 : waiting.findLastIndex((one) => one.kind === kind);
  const [known] = at === -1 ? [] : waiting.splice(at, 1);
  if (known !== undefined) {
    known.worker.ref();
    return known.worker;
  }
  const { limits, stack } = call;
  const data: ThreadData = { memory: limits.memory };
  const worker = new Worker(call.entry, {
    workerData: data,
    // The work reads no configuration and must not see the function's credentials.
    env: {},
    resourceLimits: {
      maxOldGenerationSizeMb: Math.ceil(limits.memory / 2 ** 20),
      ...(stack === undefined ? {} : { stackSizeMb: stack }),
    },
  });
  worker.on('exit', () => {
    const place = waiting.findIndex((one) => one.worker === worker);
    if (place !== -1) waiting.splice(place, 1);
  });
  // An error of a thread that waits must not end the process: the thread is gone then, and the next call starts one.
  worker.on('error', () => undefined);
  return worker;
}

function giveBack(worker: Worker, kind: string): void {
  // A thread that waits does not keep the process alive.
  worker.unref();
  waiting.push({ worker, kind });
  if (waiting.length > MOST_WAITING) void waiting.shift()?.worker.terminate();
}

const NEVER = new AbortController().signal;

/**
 * Waits for a free core, does the work and hands the core to who waits longest.
 *
 * @throws the signal's reason when it is aborted while waiting
 */
export async function withCore<T>(signal: AbortSignal | undefined, work: () => Promise<T>): Promise<T> {
  const leave = await turns.take(signal ?? NEVER);
  try {
    return await work();
  } finally {
    leave();
  }
}
