/** Shows the progress of a job: a bar that is redrawn on a terminal, an occasional line elsewhere. */

export interface Count {
  done: number;
  failed: number;
  /** Null while the total is unknown. */
  total: number | null;
}

export interface Progress {
  show(state: string, count: Count): void;
  /** Ends the line. */
  end(): void;
}

const BAR_WIDTH = 30;
const LINE_EVERY_MS = 10_000;

/** @param now returns the time in milliseconds */
export function createProgress(
  out: { isTTY?: boolean; write(text: string): unknown },
  now: () => number = Date.now,
): Progress {
  return out.isTTY === true ? bar(out, now) : lines(out, now);
}

function bar(out: { write(text: string): unknown }, now: () => number): Progress {
  const started = now();
  let shown = false;
  return {
    show(state, count) {
      shown = true;
      // The carriage return overwrites the previous line, and the escape code clears its rest.
      out.write(`\r${drawn(count)} ${described(state, count, now() - started)}\x1b[K`);
    },
    end() {
      if (shown) out.write('\n');
    },
  };
}

function lines(out: { write(text: string): unknown }, now: () => number): Progress {
  const started = now();
  let last = Number.NEGATIVE_INFINITY;
  let lastText = '';
  return {
    show(state, count) {
      const text = described(state, count, now() - started);
      const isEnd = count.total !== null && count.done + count.failed >= count.total;
      if (text === lastText || (!isEnd && now() - last < LINE_EVERY_MS)) return;
      last = now();
      lastText = text;
      out.write(`${text}\n`);
    },
    end() {},
  };
}

function drawn({ done, failed, total }: Count): string {
  const share = total === null || total === 0 ? 0 : Math.min(1, (done + failed) / total);
  const full = Math.round(share * BAR_WIDTH);
  return `[${'#'.repeat(full)}${' '.repeat(BAR_WIDTH - full)}]`;
}

function described(state: string, { done, failed, total }: Count, elapsed: number): string {
  const worked = done + failed;
  // Until the service has read the records, nothing is done and nothing is known of their number.
  const parts = [
    total === null ? (worked === 0 ? state : `${state} ${worked}`) : `${state} ${worked} of ${total}`,
  ];
  if (failed > 0) parts.push(`${failed} failed`);
  if (worked > 0 && elapsed > 2_000) {
    const rate = worked / (elapsed / 1000);
    parts.push(`${rate.toFixed(rate < 10 ? 1 : 0)}/s`);
    if (total !== null && worked < total) parts.push(`${duration((total - worked) / rate)} left`);
  }
  return parts.join(', ');
}

function duration(seconds: number): string {
  if (seconds < 90) return `${Math.ceil(seconds)} s`;
  return seconds < 5_400 ? `${Math.round(seconds / 60)} min` : `${(seconds / 3600).toFixed(1)} h`;
}
