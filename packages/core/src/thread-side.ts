import { getHeapStatistics } from 'node:v8';
import { parentPort, type Transferable, workerData } from 'node:worker_threads';
import { isPlatenError } from './errors.ts';
import type { ThreadAnswer, ThreadData, ThreadRequest } from './thread.ts';

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

/** Bytes a thread may hold after a task and be given another one. */
const MOST_HELD = 128 * 2 ** 20;
/** Tasks after which a thread is replaced, so that what leaks slowly has an end. */
const MOST_TASKS = 500;

let tasksDone = 0;
let isSpoiled = false;

/**
 * To be called where a task uses what keeps state in its module: this thread is given no other task, since that might
 * be another tenant's. Does nothing outside of a thread.
 */
export function endThreadAfterTask(): void {
  isSpoiled = true;
}

/** Does the tasks that the thread is given, one after the other, and posts the answer to each. */
export function serveThread(tasks: Readonly<Record<string, ThreadTask>>): void {
  boundMemory((workerData as ThreadData).memory);
  const serve = async (request: ThreadRequest): Promise<void> => {
    const { answer, buffers } = await answerOf(tasks, request);
    tasksDone += 1;
    const last = isSpoiled || tasksDone >= MOST_TASKS || heldBytes() > MOST_HELD;
    parentPort?.postMessage({ ...answer, last } satisfies ThreadAnswer, buffers);
  };
  parentPort?.on('message', (request: ThreadRequest) => void serve(request));
}

type Answer = ThreadAnswer extends infer A ? (A extends unknown ? Omit<A, 'last'> : never) : never;

async function answerOf(
  tasks: Readonly<Record<string, ThreadTask>>,
  { task: name, input }: ThreadRequest,
): Promise<{ answer: Answer; buffers: Transferable[] }> {
  try {
    const task = tasks[name];
    if (task === undefined) throw new Error(`no task is named ${name}`);
    const value = await task(input as never);
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

/** Objects, buffers and WebAssembly of this thread, what has not been collected yet among them. */
function heldBytes(): number {
  const { total_heap_size: heap, external_memory: external } = getHeapStatistics();
  return heap + external;
}

/** WebAssembly memory is outside the heap that `resourceLimits` bounds, so its growth is bounded here. */
function boundMemory(limit: number): void {
  const grow = WebAssembly.Memory.prototype.grow;
  WebAssembly.Memory.prototype.grow = function (this: WebAssembly.Memory, pages: number): number {
    if (this.buffer.byteLength + pages * 65_536 > limit) throw new RangeError('memory limit reached');
    return grow.call(this, pages);
  };
}
