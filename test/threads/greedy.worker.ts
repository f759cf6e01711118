import { setTimeout } from 'node:timers/promises';
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

await serveTask({ buffers: () => Promise.resolve(buffers), sleep: () => Promise.resolve(sleep) });
