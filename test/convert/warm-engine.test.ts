import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, expect, test, vi } from 'vitest';
import { WarmEngine } from '../../functions/convert/warm-engine.ts';
import { setLogLevel } from '../../functions/shared/log.ts';
import { Program } from './program.ts';

/** The replacement of processes that have worked on many documents. */

setLogLevel('silent');
// A document that waits for a process that is never ready must not hold up the other tests.
vi.setConfig({ testTimeout: 20_000, hookTimeout: 20_000 });

const LIMIT = 2;
const MEMORY = 1_000;

interface Start {
  program: Program;
  /** Lets it take orders. */
  ready(): void;
  fail(): void;
}

let starts: Start[] = [];
let engine: WarmEngine<Program>;

/** @param atOnce whether all processes take orders as soon as they are started, and not only the first one */
function warmEngine(atOnce = false): void {
  starts = [];
  engine = new WarmEngine<Program>({
    name: 'The program',
    doing: 'Asking',
    startTimeout: 10_000,
    maxMemory: MEMORY,
    documentsPerProcess: LIMIT,
    start: () => {
      const program = new Program('print(1)');
      const { promise, resolve, reject } = Promise.withResolvers<Program>();
      const ready = (): void => resolve(program);
      const fail = (): void => {
        void program.kill();
        reject(new Error('no space'));
      };
      starts.push({ program, ready, fail });
      if (atOnce || starts.length === 1) ready();
      return promise;
    },
  });
}

/** Works on one document. @returns the number of the process, from 0 */
function document(meanwhile: () => Promise<void> = () => Promise.resolve()): Promise<number> {
  return engine.run(10_000, async (process) => {
    await process.ask();
    await meanwhile();
    await process.ask();
    return starts.findIndex(({ program }) => program === process);
  });
}

async function documents(count: number): Promise<number[]> {
  const seen: number[] = [];
  for (let index = 0; index < count; index += 1) seen.push(await document());
  return seen;
}

afterEach(async () => {
  for (const { ready } of starts) ready();
  await engine.close();
  expect(starts.map(({ program }) => program.alive)).toEqual(starts.map(() => false));
});

test('no document waits for the successor of a process: it works until that one is ready', async () => {
  warmEngine();
  expect(await documents(LIMIT - 1)).toEqual([0]);
  expect(starts).toHaveLength(1);
  expect(await documents(4)).toEqual([0, 0, 0, 0]);
  expect(starts).toHaveLength(2);
  starts[1]?.ready();
  await sleep(0);
  expect(await documents(LIMIT)).toEqual([1, 1]);
  await starts[0]?.program.ended;
});

test('it is not replaced in the middle of a document', async () => {
  warmEngine();
  await documents(LIMIT);
  const number = await document(async () => {
    starts[1]?.ready();
    await sleep(50);
  });
  expect(number).toBe(0);
  expect(await document()).toBe(1);
});

test('without a further document, it is replaced as soon as the successor is ready', async () => {
  warmEngine();
  await documents(LIMIT);
  starts[1]?.ready();
  await starts[0]?.program.ended;
  expect(starts[1]?.program.alive).toBe(true);
});

test('if it ends before, the next document waits for the successor', async () => {
  warmEngine();
  await documents(LIMIT);
  await starts[0]?.program.kill();
  const next = document();
  starts[1]?.ready();
  expect(await next).toBe(1);
  expect(starts).toHaveLength(2);
});

test('if the successor does not start, it goes on, and another one is tried', async () => {
  warmEngine();
  await documents(LIMIT);
  starts[1]?.fail();
  await sleep(0);
  expect(await documents(1)).toEqual([0]);
  expect(starts).toHaveLength(3);
  starts[2]?.ready();
  await sleep(0);
  expect(await document()).toBe(2);
});

test('a process with too much memory ends at once', async () => {
  warmEngine(true);
  await documents(1);
  const [first] = starts;
  if (first !== undefined) first.program.resident = MEMORY * 0.6;
  await documents(1);
  expect(first?.program.alive).toBe(false);
  expect(await document()).toBe(1);
});
