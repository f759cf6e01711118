/** Milliseconds between two looks: memory is filled at a few gigabytes a second. */
const INTERVAL = 20;

interface Watched {
  /** Bytes it may add to the process. */
  limit: number;
  /** Bytes the process has grown by while it ran. */
  grown: number;
  exceeded: () => void;
}

const watched = new Set<Watched>();
let timer: NodeJS.Timeout | undefined;
let resident = 0;

/**
 * Watches the memory of this process from outside of the thread that works: neither buffers nor what native code
 * allocates is bounded by a thread's own limits, and where it fills the machine, every request of the process ends with
 * it. What the process grows by counts for all that are watched at that time in equal parts; of several past their
 * limits only the one that counts most is told, and the others are looked at anew when it is gone.
 *
 * @param limit bytes
 * @param exceeded called once
 * @returns ends the watch; to be called when the work has let go of its memory
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

/** What was told, and is on its way out. */
let ending: Watched | undefined;

function look(): void {
  const now = process.memoryUsage.rss();
  const share = (now - resident) / watched.size;
  resident = now;
  let worst: Watched | undefined;
  for (const entry of watched) {
    // What was freed may have been there before.
    entry.grown = Math.max(0, entry.grown + share);
    if (entry.grown > entry.limit && entry.grown > (worst?.grown ?? 0)) worst = entry;
  }
  if (worst === undefined || ending !== undefined) return;
  ending = worst;
  worst.exceeded();
}
