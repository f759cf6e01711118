import { availableParallelism } from 'node:os';
import { Worker, type Transferable } from 'node:worker_threads';
import type { ErrorCode } from './error-codes.ts';
import { type FieldFault, PlatenError } from './errors.ts';
import { watchGrowth } from './growth-watch.ts';
import { storageFault } from './storage-fault.ts';

/** Work that may hang or swell runs in a thread of its own, one for each call, which is ended when it goes too far. */

export interface ThreadLimits {
  /** Milliseconds from the start of the work to its end; time spent waiting for a core does not count. */
  timeout: number;
  /** Bytes an engine's WebAssembly may allocate, and again as much for the thread's own objects. */
  memory: number;
  /** Bytes the process may grow by while it works, whatever they are for: buffers and native memory too. */
  growth?: number | undefined;
}

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
}

/** What a worker entry finds in `workerData`. */
export interface ThreadData {
  task: string;
  input: unknown;
  memory: number;
}

/** What a worker entry posts once. */
export type ThreadAnswer =
  | { value: unknown }
  | { error: { code: ErrorCode; message: string; faults: FieldFault[] } }
  | { fault: string };

/**
 * Runs one task in a new worker thread. When this settles, the thread is gone.
 *
 * @throws PlatenError what the task throws; `deadline_exceeded`; `tooLarge` when memory runs out;
 *   `storage_unavailable` when the disk is full
 */
export async function runThread(call: ThreadCall): Promise<unknown> {
  try {
    return await answerOf(call);
  } catch (error) {
    throw storageFault(error) ?? error;
  }
}

function answerOf(call: ThreadCall): Promise<unknown> {
  const { entry, task, input, transfer, limits, spent = 0, signal, subject, tooLarge } = call;
  return new Promise<unknown>((resolve, reject) => {
    if (signal?.aborted === true) return reject(signal.reason as Error);
    const data: ThreadData = { task, input, memory: limits.memory };
    const worker = new Worker(entry, {
      workerData: data,
      transferList: [...(transfer ?? [])],
      // The work reads no configuration and must not see the function's credentials.
      env: {},
      resourceLimits: { maxOldGenerationSizeMb: Math.ceil(limits.memory / 2 ** 20) },
    });
    let ended = false;
    const end = (settle: () => void): void => {
      if (ended) return;
      ended = true;
      clearTimeout(timer);
      signal?.removeEventListener('abort', onAbort);
      const gone = worker.terminate().finally(() => unwatch?.());
      // Only when the thread is gone are its files closed and may what it worked on be removed.
      gone.then(settle, reject);
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
    signal?.addEventListener('abort', onAbort, { once: true });
    worker.once('message', (answer: ThreadAnswer) => {
      if ('value' in answer) end(() => resolve(answer.value));
      else if ('error' in answer) {
        const { code, message, faults } = answer.error;
        end(() => reject(new PlatenError(code, message, { faults })));
      } else end(() => reject(new Error(`A task failed in its thread: ${answer.fault}`)));
    });
    worker.once('error', (error: NodeJS.ErrnoException) => {
      end(() => reject(error.code === 'ERR_WORKER_OUT_OF_MEMORY' ? outOfMemory(error) : error));
    });
    worker.once('exit', (code) => {
      end(() => reject(new Error(`A thread ended with exit code ${code} and no answer`)));
    });
  });
}

/** As many at once as there are cores: more would only make all of them slower and hungrier. */
const cores = availableParallelism();
let running = 0;
const waiting: (() => void)[] = [];

/**
 * Waits for a free core, does the work and hands the core to who waits longest.
 *
 * @throws the signal's reason when it is aborted while waiting
 */
export async function withCore<T>(signal: AbortSignal | undefined, work: () => Promise<T>): Promise<T> {
  await enter(signal);
  try {
    return await work();
  } finally {
    const next = waiting.shift();
    if (next === undefined) running--;
    else next();
  }
}

async function enter(signal: AbortSignal | undefined): Promise<void> {
  signal?.throwIfAborted();
  if (running < cores) {
    running++;
    return;
  }
  await new Promise<void>((resolve, reject) => {
    const turn = (): void => {
      signal?.removeEventListener('abort', onAbort);
      resolve();
    };
    const onAbort = (): void => {
      const place = waiting.indexOf(turn);
      if (place !== -1) waiting.splice(place, 1);
      reject(signal?.reason as Error);
    };
    waiting.push(turn);
    signal?.addEventListener('abort', onAbort, { once: true });
  });
}
