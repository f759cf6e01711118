import { mkdtemp, rm } from 'node:fs/promises';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { isPlatenError, PlatenError } from '../errors.ts';
import type { FieldFault } from '../errors.ts';
import type { ErrorCode } from '../contract/errors.ts';
import { compileQpdf } from './qpdf.ts';

/** Work on PDFs runs in a thread of its own, one for each call, which is ended when it takes too long. */

export interface PdfLimits {
  /** Milliseconds from the start of the work to its end; time spent waiting for a core does not count. */
  timeout: number;
  /** Bytes the engine may allocate, and again as much for the thread's own objects. */
  memory: number;
}

export const DEFAULT_LIMITS: PdfLimits = { timeout: 60_000, memory: 768 * 2 ** 20 };

export interface CallOptions {
  limits?: Partial<PdfLimits>;
  /** Ends the work when its request is gone. */
  signal?: AbortSignal;
}

/** What a worker entry finds in `workerData`. */
export interface ThreadData {
  binary: WebAssembly.Module;
  /** A directory of this call alone; it is removed when the call ends, however it ends. */
  scratch: string;
  memory: number;
  task: string;
  input: unknown;
}

/** What a worker entry posts once. */
export type ThreadAnswer =
  | { value: unknown }
  | { error: { code: ErrorCode; message: string; faults: FieldFault[] } }
  | { fault: string };

/**
 * Runs one task in a new worker thread.
 * @param entry From `workerUrl`; the module calls `serveTask` (worker-side.ts).
 * @throws PlatenError what the task throws; `deadline_exceeded`; `pdf_too_complex` when memory runs out.
 */
export async function runTask(
  entry: URL,
  task: string,
  input: unknown,
  options: CallOptions = {},
): Promise<unknown> {
  const limits = { ...DEFAULT_LIMITS, ...options.limits };
  await enter(options.signal);
  let scratch: string | undefined;
  try {
    scratch = await mkdtemp(join(tmpdir(), 'platen-pdf-'));
    const binary = await compileQpdf();
    const data: ThreadData = { binary, scratch, memory: limits.memory, task, input };
    return await answerOf(entry, data, limits, options.signal);
  } catch (error) {
    throw storageFault(error) ?? error;
  } finally {
    leave();
    if (scratch !== undefined) await rm(scratch, { recursive: true, force: true });
  }
}

function answerOf(
  entry: URL,
  data: ThreadData,
  limits: PdfLimits,
  signal: AbortSignal | undefined,
): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const worker = new Worker(entry, {
      workerData: data,
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
      // Only when the thread is gone are its files closed and may its scratch directory be removed.
      worker.terminate().then(settle, reject);
    };
    const timer = setTimeout(() => {
      const seconds = Math.round(limits.timeout / 1000);
      const error = new PlatenError('deadline_exceeded', `The PDF took longer than ${seconds} seconds.`);
      end(() => reject(error));
    }, limits.timeout);
    const onAbort = (): void => end(() => reject(signal?.reason as Error));
    if (signal?.aborted === true) return onAbort();
    signal?.addEventListener('abort', onAbort, { once: true });
    worker.once('message', (answer: ThreadAnswer) => {
      if ('value' in answer) end(() => resolve(answer.value));
      else if ('error' in answer) {
        const { code, message, faults } = answer.error;
        end(() => reject(new PlatenError(code, message, { faults })));
      } else end(() => reject(new Error(`A PDF task failed: ${answer.fault}`)));
    });
    worker.once('error', (error: NodeJS.ErrnoException) => {
      end(() => reject(error.code === 'ERR_WORKER_OUT_OF_MEMORY' ? tooComplex(error) : error));
    });
    worker.once('exit', (code) => {
      end(() => reject(new Error(`A PDF thread ended with exit code ${code} and no answer`)));
    });
  });
}

function tooComplex(cause: unknown): PlatenError {
  return new PlatenError('pdf_too_complex', 'The PDF needs more memory than is allowed.', { cause });
}

/** A full or failing disk is not the caller's fault, and is said as such. */
function storageFault(error: unknown): PlatenError | undefined {
  if (isPlatenError(error) || !(error instanceof Error)) return undefined;
  if (!/ENOSPC|EDQUOT|No space left/.test(`${(error as NodeJS.ErrnoException).code} ${error.message}`)) {
    return undefined;
  }
  return new PlatenError('storage_unavailable', 'There is no room for the work right now.', { cause: error });
}

/** As many at once as there are cores: more would only make all of them slower and hungrier. */
const cores = availableParallelism();
let running = 0;
const waiting: (() => void)[] = [];

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

/** Hands the place to who waits longest, or gives it back. */
function leave(): void {
  const next = waiting.shift();
  if (next === undefined) running--;
  else next();
}
