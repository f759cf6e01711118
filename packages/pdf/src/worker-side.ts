import { serveThread, type ThreadTask } from '@platen/core/thread-side';
import { Engine } from './files/engine.ts';
import type { PdfTask } from './thread.ts';

/** The worker's end of thread.ts. */

export type TaskFunction = (engine: Engine, input: never) => Promise<unknown>;

/**
 * Executes the tasks that the thread receives, each with its own engine.
 *
 * @param tasks load their modules on demand: merging does not need the code that draws pages
 */
export function serveTask(tasks: Readonly<Record<string, () => Promise<TaskFunction>>>): void {
  const bound = Object.entries(tasks).map(([name, load]): [string, ThreadTask] => [
    name,
    async ({ binary, scratch, input }: PdfTask) => {
      const task = await load();
      return await task(new Engine(binary, scratch), input as never);
    },
  ]);
  serveThread(Object.fromEntries(bound));
}
