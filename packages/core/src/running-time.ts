/**
 * Time in which this process runs. Lambda stops a function between its events, and may do so between its initialisation
 * and the first one; clocks go on. What is then under way in the background would be found late the moment the function
 * goes on, before it could do anything.
 */

/** Milliseconds between two looks at the clock, at most. */
const MAX_STEP = 250;
/** Looks within a period: it is exceeded by no more than one of so many parts. */
const STEPS = 10;

/**
 * Calls `late` once this process has been running for a time. A time in which it was stopped counts as a moment.
 *
 * @returns what ends the wait
 */
export function afterRunning(milliseconds: number, late: () => void): () => void {
  const step = Math.min(MAX_STEP, Math.max(1, milliseconds / STEPS));
  let left = milliseconds;
  let before = performance.now();
  const timer = setInterval(() => {
    const now = performance.now();
    // A process that is only slow to look is not let off more than half of its time.
    left -= Math.min(now - before, 2 * step);
    before = now;
    if (left > 0) return;
    clearInterval(timer);
    late();
  }, step);
  return () => clearInterval(timer);
}

/** Gives work a signal that is aborted once this process has been running for a time, unless the work is done by then. */
export async function withinRunning<T>(
  milliseconds: number,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const controller = new AbortController();
  const clear = afterRunning(milliseconds, () =>
    controller.abort(new DOMException('It took too long.', 'TimeoutError')),
  );
  try {
    return await work(controller.signal);
  } finally {
    clear();
  }
}
