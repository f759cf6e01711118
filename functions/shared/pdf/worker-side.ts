import { parentPort, workerData } from 'node:worker_threads';
import { isPlatenError } from '../errors.ts';
import { Engine } from './engine.ts';
import type { ThreadAnswer, ThreadData } from './thread.ts';

/** The worker's end of thread.ts. */

export type TaskFunction = (engine: Engine, input: never) => Promise<unknown>;

/** Does the one task the thread was started for and posts its answer. */
export async function serveTask(tasks: Readonly<Record<string, TaskFunction>>): Promise<void> {
  const data = workerData as ThreadData;
  boundMemory(data.memory);
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread's port, not a window
  parentPort?.postMessage(await answer(tasks, data));
}

async function answer(
  tasks: Readonly<Record<string, TaskFunction>>,
  data: ThreadData,
): Promise<ThreadAnswer> {
  try {
    const task = tasks[data.task];
    if (task === undefined) throw new Error(`no task is named ${data.task}`);
    return { value: await task(new Engine(data.binary, data.scratch), data.input as never) };
  } catch (error) {
    if (isPlatenError(error)) {
      const { code, message, faults } = error;
      return { error: { code, message, faults } };
    }
    return { fault: error instanceof Error ? (error.stack ?? error.message) : String(error) };
  }
}

/** WebAssembly memory is outside the heap that `resourceLimits` bounds, so its growth is bounded here. */
function boundMemory(limit: number): void {
  const grow = WebAssembly.Memory.prototype.grow;
  WebAssembly.Memory.prototype.grow = function (this: WebAssembly.Memory, pages: number): number {
    if (this.buffer.byteLength + pages * 65_536 > limit) throw new RangeError('memory limit reached');
    return grow.call(this, pages);
  };
}
