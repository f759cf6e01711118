import { parentPort, type Transferable, workerData } from 'node:worker_threads';
import { isPlatenError } from './errors.ts';
import type { ThreadAnswer, ThreadData } from './thread.ts';

/** The worker's end of thread.ts. */

/** Takes the call's input; what it gives back is copied to the caller, or moved where it was wrapped in `moved`. */
export type ThreadTask = (input: never) => Promise<unknown>;

/** A task's answer whose buffers are moved to the caller instead of copied. */
class Moved {
  readonly value: unknown;
  readonly buffers: readonly Transferable[];

  constructor(value: unknown, buffers: readonly Transferable[]) {
    this.value = value;
    this.buffers = buffers;
  }
}

/** @param buffers the ArrayBuffers in `value` that belong to nobody else */
export function moved(value: unknown, buffers: readonly Transferable[]): unknown {
  return new Moved(value, buffers);
}

/** Does the one task the thread was started for and posts its answer. */
export async function serveThread(tasks: Readonly<Record<string, ThreadTask>>): Promise<void> {
  const data = workerData as ThreadData;
  boundMemory(data.memory);
  const { answer, buffers } = await answerOf(tasks, data);
  parentPort?.postMessage(answer, buffers);
}

async function answerOf(
  tasks: Readonly<Record<string, ThreadTask>>,
  data: ThreadData,
): Promise<{ answer: ThreadAnswer; buffers: Transferable[] }> {
  try {
    const task = tasks[data.task];
    if (task === undefined) throw new Error(`no task is named ${data.task}`);
    const value = await task(data.input as never);
    return value instanceof Moved
      ? { answer: { value: value.value }, buffers: [...value.buffers] }
      : { answer: { value }, buffers: [] };
  } catch (error) {
    if (isPlatenError(error)) {
      const { code, message, faults } = error;
      return { answer: { error: { code, message, faults } }, buffers: [] };
    }
    const fault = error instanceof Error ? (error.stack ?? error.message) : String(error);
    return { answer: { fault }, buffers: [] };
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
