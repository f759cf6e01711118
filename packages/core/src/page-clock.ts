/**
 * Bounds the time that a thread takes for one page of a document. The page stands in memory that the thread shares
 * with its caller, because a thread within an engine's loop answers no message.
 */

/** The number of the page that is being read or drawn, 0 for none; and how many have begun. */
const [PAGE, BEGUN] = [0, 1];
/** Most milliseconds between two looks at the clock. */
const INTERVAL = 500;

export type PageClock = Int32Array<SharedArrayBuffer>;

export function newPageClock(): PageClock {
  return new Int32Array(new SharedArrayBuffer(2 * Int32Array.BYTES_PER_ELEMENT));
}

export function startPage(clock: PageClock, page: number): void {
  Atomics.add(clock, BEGUN, 1);
  Atomics.store(clock, PAGE, page);
}

export function stopPage(clock: PageClock): void {
  Atomics.store(clock, PAGE, 0);
}

/**
 * Watches the pages of a thread from outside.
 *
 * @param limit milliseconds for one page
 * @param late is called with the number of a page that took longer
 * @returns a function that ends the watch
 */
export function watchPages(clock: PageClock, limit: number, late: (page: number) => void): () => void {
  let seen = Atomics.load(clock, BEGUN);
  let since = performance.now();
  const look = (): void => {
    const begun = Atomics.load(clock, BEGUN);
    const page = Atomics.load(clock, PAGE);
    if (begun !== seen || page === 0) {
      seen = begun;
      since = performance.now();
    } else if (performance.now() - since > limit) late(page);
  };
  const timer = setInterval(look, Math.min(INTERVAL, limit / 4)).unref();
  return () => clearInterval(timer);
}
