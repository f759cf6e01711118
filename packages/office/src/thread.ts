import { Worker } from 'node:worker_threads';
import { PlatenError } from '@platen/core/errors';
import { type ThreadAnswer, type ThreadLimits, withCore } from '@platen/core/thread';
import { workerUrl } from '@platen/core/worker';

/**
 * Threads that fill office documents. One that has done its work waits for more, since starting it takes longer than
 * filling a letter; one that has gone too far is ended.
 */

/** What is posted to a thread, one at a time. */
export interface OfficeTask {
  task: 'fill' | 'check' | 'text';
  input: unknown;
}

interface Idle {
  worker: Worker;
  memory: number;
}

const idle: Idle[] = [];

/**
 * Does a task in a thread.
 *
 * @throws PlatenError what the task throws; `deadline_exceeded`; `template_budget` when memory runs out; the signal's
 *   reason when it is aborted
 */
export async function inOfficeThread(
  task: OfficeTask,
  limits: ThreadLimits,
  signal: AbortSignal | undefined,
): Promise<unknown> {
  return await withCore(signal, async () => {
    signal?.throwIfAborted();
    const worker = take(limits.memory);
    // Only a thread that answers is used again.
    const answer = await ask(worker, task, limits, signal).catch((error: unknown) => {
      void worker.terminate();
      throw error;
    });
    worker.unref();
    idle.push({ worker, memory: limits.memory });
    if ('value' in answer) return answer.value;
    if ('fault' in answer)
      throw new Error(`Filling an office document failed in its thread: ${answer.fault}`);
    const { code, message, faults } = answer.error;
    throw new PlatenError(code, message, { faults });
  });
}

function take(memory: number): Worker {
  const at = idle.findIndex((one) => one.memory === memory);
  const [known] = at === -1 ? [] : idle.splice(at, 1);
  if (known) {
    known.worker.ref();
    return known.worker;
  }
  const worker = new Worker(workerUrl(import.meta.url, 'office.worker'), {
    // Templates are untrusted: the thread has no business with the function's credentials.
    env: {},
    resourceLimits: { maxOldGenerationSizeMb: Math.ceil(memory / 2 ** 20), stackSizeMb: 8 },
  });
  worker.on('exit', () => {
    const place = idle.findIndex((one) => one.worker === worker);
    if (place !== -1) idle.splice(place, 1);
  });
  // Without a listener, an error of a thread that waits would end the process.
  worker.on('error', () => undefined);
  return worker;
}

function ask(
  worker: Worker,
  task: OfficeTask,
  limits: ThreadLimits,
  signal: AbortSignal | undefined,
): Promise<ThreadAnswer> {
  return new Promise((resolve, reject) => {
    const end = (settle: () => void): void => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', onAbort);
      worker.off('message', onMessage);
      worker.off('error', onError);
      worker.off('exit', onExit);
      settle();
    };
    const timer = setTimeout(() => {
      const message = `The template took longer than ${Math.round(limits.timeout / 1000)} seconds.`;
      end(() => reject(new PlatenError('deadline_exceeded', message)));
    }, limits.timeout);
    const onAbort = (): void => end(() => reject(signal?.reason as Error));
    const onMessage = (answer: ThreadAnswer): void => end(() => resolve(answer));
    const onError = (error: NodeJS.ErrnoException): void => {
      const isMemory = error.code === 'ERR_WORKER_OUT_OF_MEMORY';
      const message = 'The template needs more memory than is allowed.';
      end(() => reject(isMemory ? new PlatenError('template_budget', message, { cause: error }) : error));
    };
    const onExit = (code: number): void =>
      end(() => reject(new Error(`A thread ended with exit code ${code} and no answer`)));
    signal?.addEventListener('abort', onAbort, { once: true });
    worker.on('message', onMessage);
    worker.on('error', onError);
    worker.on('exit', onExit);
    worker.postMessage(task, []);
  });
}
