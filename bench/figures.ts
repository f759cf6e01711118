import { readFileSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';

/** Returns the median of measurements. */
export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  return sorted.length % 2 === 1
    ? (sorted[middle] ?? NaN)
    : ((sorted[middle - 1] ?? NaN) + (sorted[middle] ?? NaN)) / 2;
}

/** Returns the 95th percentile of measurements. */
export function percentile95(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length * 0.95)] ?? NaN;
}

/** Returns the milliseconds that `work` takes. */
export async function timed(work: () => Promise<unknown>): Promise<number> {
  const started = performance.now();
  await work();
  return performance.now() - started;
}

/**
 * Returns the milliseconds that `work` takes after a pause, so that what another side of the comparison does after its
 * result does not slow this one.
 *
 * @param pause milliseconds
 */
export async function timedAfter(pause: number, work: () => Promise<unknown>): Promise<number> {
  await wait(pause);
  return await timed(work);
}

/** The prefix of lines from `goal`, by which `npm run bench -- --summary` finds them. */
export const GOAL = 'goal | ';

/** Prints a goal, the measured figure, and whether it is met: that is so if the figure is at most `most`. */
export function goal(name: string, figure: number, most: number, unit = ''): void {
  const shown = (value: number): string => `${value.toFixed(value < 10 ? 2 : 0)}${unit}`;
  const verdict = figure <= most ? 'met' : 'NOT MET';
  console.log(`${GOAL}${name} | ${shown(figure)} | at most ${shown(most)} | ${verdict}`);
}

/** Returns the peak memory of this process in megabytes; `resourceUsage` begins with that of the parent process. */
export function highestMemory(): number {
  const [, kilobytes = '0'] = /VmHWM:\s+(\d+)/.exec(readFileSync('/proc/self/status', 'utf8')) ?? [];
  return Number(kilobytes) / 1024;
}
