/** Milliseconds to the first preview of a change, in which the editor shows the key itself. */
const FIRST_MS = 10;
/** Milliseconds to a preview where the one before was superseded: whoever types that fast goes on typing. */
const NEXT_MS = 90;

/**
 * Runs the newest request and aborts all before it, including the running one. A single change starts at
 * once; while changes come faster than they can be shown, each waits for a pause.
 */
export class Latest {
  #timer: ReturnType<typeof setTimeout> | undefined;
  #running: AbortController | undefined;

  /** @param work is told by the signal that something newer is asked for; its rejection is its own affair */
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
      supersedes ? NEXT_MS : FIRST_MS,
    );
  }

  /** Gives up what was asked for. */
  cancel(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#running?.abort();
    this.#running = undefined;
  }
}
