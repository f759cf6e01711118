import { serveThread, type ThreadTask } from '@platen/core/thread-side';
import { Engine } from './engine.ts';
import type { PdfTask } from './thread.ts';

/** The worker's end of thread.ts. */

export type TaskFunction = (engine: Engine, input: never) => Promise<unknown>;

/**
 * Does the one task the thread was started for and posts its answer.
 *
 * @param tasks load what they need when they are asked for: merging has no use for what draws pages
 */
export async function serveTask(tasks: Readonly<Record<string, () => Promise<TaskFunction>>>): Promise<void> {
  const bound = Object.entries(tasks).map(([name, load]): [string, ThreadTask] => [
    name,
    async ({ binary, scratch, input }: PdfTask) => {
      const task = await load();
      return await task(new Engine(binary, scratch), input as never);
    },
  ]);
  await serveThread(Object.fromEntries(bound));
}
