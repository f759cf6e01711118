import { readFileSync } from 'node:fs';

/** The middle of some measurements. */
export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  return sorted.length % 2 === 1
    ? (sorted[middle] ?? NaN)
    : ((sorted[middle - 1] ?? NaN) + (sorted[middle] ?? NaN)) / 2;
}

/** What 95 of 100 measurements are no higher than. */
export function percentile95(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length * 0.95)] ?? NaN;
}

/** Milliseconds that `work` takes. */
export async function timed(work: () => Promise<unknown>): Promise<number> {
  const started = performance.now();
  await work();
  return performance.now() - started;
}

/** What `goal` prints begins with this, so that `npm run bench -- --summary` finds it. */
export const GOAL = 'goal | ';

/** Prints a goal, the figure that was measured, and whether it is met: it is when the figure is not above `most`. */
export function goal(name: string, figure: number, most: number, unit = ''): void {
  const shown = (value: number): string => `${value.toFixed(value < 10 ? 2 : 0)}${unit}`;
  const verdict = figure <= most ? 'met' : 'NOT MET';
  console.log(`${GOAL}${name} | ${shown(figure)} | at most ${shown(most)} | ${verdict}`);
}

/** The most megabytes that this process has held; `resourceUsage` begins with those of the parent process. */
export function highestMemory(): number {
  const [, kilobytes = '0'] = /VmHWM:\s+(\d+)/.exec(readFileSync('/proc/self/status', 'utf8')) ?? [];
  return Number(kilobytes) / 1024;
}
