import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { Latest } from '../../packages/studio/src/preview/latest.ts';

/** When previews of the Studio begin, and which are given up. */

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** Work that goes on until it is let go, and what has become of it. */
function work() {
  const begun: AbortSignal[] = [];
  const { promise, resolve } = Promise.withResolvers<void>();
  return {
    begun,
    end: resolve,
    ask: (latest: Latest) =>
      latest.ask((signal) => {
        begun.push(signal);
        return promise;
      }),
  };
}

it('begins a single change at once', async () => {
  const latest = new Latest();
  for (let n = 0; n < 3; n++) {
    const one = work();
    one.ask(latest);
    await vi.advanceTimersByTimeAsync(15);
    expect(one.begun).toHaveLength(1);
    one.end();
    await vi.advanceTimersByTimeAsync(0);
  }
});

it('aborts its work for newer work, which waits for a pause', async () => {
  const latest = new Latest();
  const [first, second, third] = [work(), work(), work()];
  first.ask(latest);
  await vi.advanceTimersByTimeAsync(15);
  second.ask(latest);
  expect(first.begun[0]?.aborted).toBe(true);
  await vi.advanceTimersByTimeAsync(60);
  third.ask(latest);
  await vi.advanceTimersByTimeAsync(60);
  expect([second.begun.length, third.begun.length]).toEqual([0, 0]);
  await vi.advanceTimersByTimeAsync(40);
  expect([second.begun.length, third.begun.length]).toEqual([0, 1]);
  expect(third.begun[0]?.aborted).toBe(false);
});
