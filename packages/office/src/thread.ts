import { runThread, type ThreadLimits, withCore } from '@platen/core/thread';
import { workerUrl } from '@platen/core/worker';

/** Threads that fill office documents. */

/** What is done in a thread. */
export interface OfficeTask {
  task: 'fill' | 'pixels' | 'check' | 'text';
  input: unknown;
}

/**
 * Does a task in a thread.
 *
 * @throws PlatenError what the task throws; `deadline_exceeded`; `template_budget` when memory runs out; the signal's
 *   reason when it is aborted
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
      // That a template is wrong is an answer like another.
      keep: 'after an answer',
      stack: 8,
    }),
  );
}
