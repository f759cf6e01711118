import { setTimeout } from 'node:timers/promises';
import { threadId } from 'node:worker_threads';
import { PlatenError } from '../../packages/core/src/errors.ts';
import { endThreadAfterTask } from '../../packages/core/src/thread-side.ts';
import { serveTask, type TaskFunction } from '../../packages/pdf/src/worker-side.ts';

/** Tasks that take what neither WebAssembly nor JavaScript's objects count. */
const buffers: TaskFunction = async (_engine, { megabytes }: { megabytes: number }) => {
  const held: Buffer[] = [];
  for (let n = 0; n < megabytes; n += 4) {
    held.push(Buffer.alloc(4 << 20, 1));
    await setTimeout(2);
  }
  return held.length;
};

const sleep: TaskFunction = async (_engine, { milliseconds }: { milliseconds: number }) => {
  await setTimeout(milliseconds);
  return 'slept';
};

/** Tasks by which it is seen which thread they run in, and whether it is given another one. */
const thread: TaskFunction = async (_engine, { milliseconds = 0 }: { milliseconds?: number }) => {
  await setTimeout(milliseconds);
  return threadId;
};

const fail: TaskFunction = () => Promise.reject(new PlatenError('pdf_damaged', 'damaged'));

const leave: TaskFunction = () => {
  endThreadAfterTask();
  return Promise.resolve(threadId);
};

const held: Buffer[] = [];

const hold: TaskFunction = () => {
  for (let n = 0; n < 4; n++) held.push(Buffer.alloc(100 << 20));
  return Promise.resolve(threadId);
};

/** Leaves more garbage than a thread may hold. */
const allocateAndDrop: TaskFunction = () => {
  const dropped = [1, 2, 3, 4].map(() => Buffer.alloc(100 << 20));
  return Promise.resolve(dropped.length > 0 ? threadId : 0);
};

const allocateEndlessly: TaskFunction = () => {
  const objects: object[] = [];
  for (;;) objects.push({ number: objects.length, text: String(Math.random()) });
};

const variables: TaskFunction = () => Promise.resolve({ ...process.env });

const now = (task: TaskFunction) => () => Promise.resolve(task);

serveTask({
  buffers: now(buffers),
  fail: now(fail),
  hold: now(hold),
  leave: now(leave),
  allocateAndDrop: now(allocateAndDrop),
  sleep: now(sleep),
  allocateEndlessly: now(allocateEndlessly),
  thread: now(thread),
  variables: now(variables),
});
