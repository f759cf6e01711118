/** Milliseconds between two measurements: a process can fill memory at a few gigabytes per second. */
const INTERVAL = 20;

interface Watched {
  /** Bytes by which this work may grow the process. */
  limit: number;
  /** Bytes by which the process has grown during this work. */
  grown: number;
  exceeded: () => void;
}

const watched = new Set<Watched>();
let timer: NodeJS.Timeout | undefined;
let resident = 0;

/**
 * Watches the memory of this process from outside the working thread. A thread's own limits bound neither
 * buffers nor native allocations, and when these exhaust the machine, every request of the process fails.
 * Growth of the process counts in equal parts for all work that is being watched. When several exceed their
 * limits, only the one with the largest share is notified; the others are checked again after it has ended.
 *
 * @param limit bytes
 * @param exceeded called at most once
 * @returns a function that ends the watch; call it when the work has released its memory
 */
export function watchGrowth(limit: number, exceeded: () => void): () => void {
  const entry = { limit, grown: 0, exceeded };
  if (timer === undefined) {
    resident = process.memoryUsage.rss();
    timer = setInterval(look, INTERVAL).unref();
  }
  watched.add(entry);
  return () => {
    watched.delete(entry);
    if (ending === entry) ending = undefined;
    if (watched.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  };
}

/** The work that has been notified and is ending. */
let ending: Watched | undefined;

function look(): void {
  const now = process.memoryUsage.rss();
  const share = (now - resident) / watched.size;
  resident = now;
  let worst: Watched | undefined;
  for (const entry of watched) {
    // The process may have allocated the freed memory before this work began.
    entry.grown = Math.max(0, entry.grown + share);
    if (entry.grown > entry.limit && entry.grown > (worst?.grown ?? 0)) worst = entry;
  }
  if (worst === undefined || ending !== undefined) return;
  ending = worst;
  worst.exceeded();
}
