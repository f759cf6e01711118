import { runThread, type ThreadLimits, withCore } from '@platen/core/thread';
import { workerUrl } from '@platen/core/worker';

/** Threads that fill office documents. */

/** A task for the thread. */
export interface OfficeTask {
  task: 'fill' | 'pixels' | 'check' | 'text';
  input: unknown;
}

/**
 * Runs a task in a thread.
 *
 * @throws PlatenError the error of the task; `deadline_exceeded`; `template_budget` when memory runs out; the
 *   signal's reason when it is aborted
 */
export async function inOfficeThread(
  { task, input }: OfficeTask,
  limits: ThreadLimits,
  signal: AbortSignal | undefined,
): Promise<unknown> {
  return await withCore(signal, () =>
    runThread({
      entry: workerUrl(import.meta.url, 'office.worker'),
      task,
      input,
      limits,
      signal,
      subject: 'The template',
      tooLarge: 'template_budget',
      // A faulty template is a regular result, after which the thread stays usable.
      keep: 'after an answer',
      stack: 8,
    }),
  );
}
