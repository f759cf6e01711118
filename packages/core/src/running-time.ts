/**
 * Measures the time in which this process runs. Lambda freezes a function between events, and may do so
 * between its initialisation and the first event, while clocks continue. A deadline in wall-clock time would
 * then expire at the moment the function resumes, before the background work could continue.
 */

/** Maximum milliseconds between two readings of the clock. */
const MAX_STEP = 250;
/** Readings per period: a deadline is exceeded by at most one of these parts. */
const STEPS = 10;

/**
 * Calls `late` once this process has been running for the given time. A period in which the process was
 * frozen counts as one step.
 *
 * @returns a function that cancels the call
 */
export function afterRunning(milliseconds: number, late: () => void): () => void {
  const step = Math.min(MAX_STEP, Math.max(1, milliseconds / STEPS));
  let left = milliseconds;
  let before = performance.now();
  const timer = setInterval(() => {
    const now = performance.now();
    // Subtracting up to two steps means that a slow process gains at most half of its time.
    left -= Math.min(now - before, 2 * step);
    before = now;
    if (left > 0) return;
    clearInterval(timer);
    late();
  }, step);
  return () => clearInterval(timer);
}

/** Runs work with a signal that is aborted once this process has been running for the given time. */
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
