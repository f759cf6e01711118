import { getHeapStatistics, setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { parentPort, type Transferable, workerData } from 'node:worker_threads';
import { isPlatenError } from './errors.ts';
import { freezeIntrinsics } from './hardened.ts';
import { type PageClock, startPage, stopPage } from './page-clock.ts';
import type { ThreadAnswer, ThreadData, ThreadRequest } from './thread.ts';

/** The worker's side of thread.ts. */

/**
 * Receives the call's input and returns its result, which is copied to the caller, or moved when it is
 * wrapped in `moved`.
 */
export type ThreadTask = (input: never) => Promise<unknown>;

/** A task's result whose buffers are moved to the caller instead of copied. */
class Moved {
  readonly value: unknown;
  readonly buffers: readonly Transferable[];

  constructor(value: unknown, buffers: readonly Transferable[]) {
    this.value = value;
    this.buffers = buffers;
  }
}

/** @param buffers the ArrayBuffers in `value` that nothing else uses */
export function moved(value: unknown, buffers: readonly Transferable[]): unknown {
  return new Moved(value, buffers);
}

/** Maximum bytes that a thread may hold after a garbage collection and still receive another task. */
const MAX_HELD = 128 * 2 ** 20;
/** Memory in bytes, including garbage, above which garbage is collected before this decision. */
const MUCH_GARBAGE = 320 * 2 ** 20;
/** Tasks after which a thread is replaced, so that slow leaks stay bounded. */
const MAX_TASKS = 500;

let tasksDone = 0;
let isSpoiled = false;
/** Absent outside of the threads of thread.ts. */
let clock: PageClock | undefined;

/**
 * Marks this thread as unfit for further tasks. A task calls it when it uses a module that keeps state,
 * because the next task may belong to another tenant. Does nothing outside a worker thread.
 */
export function endThreadAfterTask(): void {
  isSpoiled = true;
}

/**
 * Announces work on one page of a document, whose time the caller of the thread bounds.
 *
 * @param page its number, from 1
 */
export function onPage<T>(page: number, work: () => T): T {
  if (clock === undefined) return work();
  const pages = clock;
  startPage(pages, page);
  let isPending = false;
  try {
    const result = work();
    isPending = result instanceof Promise;
    return result instanceof Promise ? (result.finally(() => stopPage(pages)) as T) : result;
  } finally {
    if (!isPending) stopPage(pages);
  }
}

/**
 * Runs the tasks that the thread receives, one after the other, and posts the result of each. The thread's intrinsics
 * are frozen from now on.
 */
export function serveThread(tasks: Readonly<Record<string, ThreadTask>>): void {
  const { memory, pages } = workerData as ThreadData;
  boundMemory(memory);
  clock = pages;
  freezeIntrinsics();
  const serve = async (request: ThreadRequest): Promise<void> => {
    const { answer, buffers } = await answerOf(tasks, request);
    tasksDone += 1;
    const last = isSpoiled || tasksDone >= MAX_TASKS || holdsTooMuch();
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

/**
 * Returns whether this thread holds too much memory for another task. Merging a hundred documents leaves
 * 270 MB of garbage, and a new thread would have to compile its code again, which takes as long as the merge.
 * A smaller amount is not collected, because V8 drops compiled code in a full collection: the next merge then
 * takes a third longer.
 */
function holdsTooMuch(): boolean {
  const { total_heap_size: heap, external_memory: external } = getHeapStatistics();
  if (heap + external <= MUCH_GARBAGE) return false;
  setFlagsFromString('--expose-gc');
  const collectGarbage = runInNewContext('gc') as () => void;
  collectGarbage();
  // V8 frees the buffers of a collection concurrently, and has finished doing so when the next collection begins.
  if (liveBytes() > MAX_HELD) collectGarbage();
  return liveBytes() > MAX_HELD;
}

/** Returns the bytes of this thread's objects, buffers and WebAssembly. */
function liveBytes(): number {
  const { used_heap_size: heap, external_memory: external } = getHeapStatistics();
  return heap + external;
}

/** Bounds the growth of WebAssembly memory, which is outside the heap that `resourceLimits` bounds. */
function boundMemory(limit: number): void {
  const grow = WebAssembly.Memory.prototype.grow;
  WebAssembly.Memory.prototype.grow = function (this: WebAssembly.Memory, pages: number): number {
    if (this.buffer.byteLength + pages * 65_536 > limit) throw new RangeError('memory limit reached');
    return grow.call(this, pages);
  };
}
