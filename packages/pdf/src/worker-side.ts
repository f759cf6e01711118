import { serveThread, type ThreadTask } from '@platen/core/thread-side';
import { Engine } from './engine.ts';
import type { PdfTask } from './thread.ts';

/** The worker's end of thread.ts. */

export type TaskFunction = (engine: Engine, input: never) => Promise<unknown>;

/** Does the one task the thread was started for and posts its answer. */
export async function serveTask(tasks: Readonly<Record<string, TaskFunction>>): Promise<void> {
  const bound = Object.entries(tasks).map(([name, task]): [string, ThreadTask] => [
    name,
    ({ binary, scratch, input }: PdfTask) => task(new Engine(binary, scratch), input as never),
  ]);
  await serveThread(Object.fromEntries(bound));
}
