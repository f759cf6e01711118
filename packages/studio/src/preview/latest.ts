/** Milliseconds before the first preview of a change, in which the editor shows the key itself. */
const FIRST_MS = 10;
/** Milliseconds before a preview that replaces an unfinished one: the user probably continues typing. */
const NEXT_MS = 90;

/**
 * Runs the newest request and aborts all before it, including the running one. A single change starts at
 * once; while changes come faster than they can be shown, each waits for a pause.
 */
export class Latest {
  readonly #firstMs: number;
  readonly #nextMs: number;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #running: AbortController | undefined;

  constructor(firstMs = FIRST_MS, nextMs = NEXT_MS) {
    this.#firstMs = firstMs;
    this.#nextMs = nextMs;
  }

  /** @param work gets a signal that a newer request aborts; it must handle its own errors */
  ask(work: (signal: AbortSignal) => Promise<void>): void {
    const supersedes = this.#timer !== undefined || this.#running !== undefined;
    this.cancel();
    this.#timer = setTimeout(
      () => {
        const controller = new AbortController();
        this.#timer = undefined;
        this.#running = controller;
        void work(controller.signal).finally(() => {
          if (this.#running === controller) this.#running = undefined;
        });
      },
      supersedes ? this.#nextMs : this.#firstMs,
    );
  }

  /** Aborts the current request. */
  cancel(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#running?.abort();
    this.#running = undefined;
  }
}
