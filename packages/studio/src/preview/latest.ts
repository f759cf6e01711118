/**
 * Runs the newest of what is asked for: a little after the last request, with all before it given up, the one under
 * way too.
 */
export class Latest {
  readonly #pauseMs: number;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #running: AbortController | undefined;

  constructor(pauseMs: number) {
    this.#pauseMs = pauseMs;
  }

  /** @param work is told by the signal that something newer is asked for; its rejection is its own affair */
  ask(work: (signal: AbortSignal) => Promise<void>): void {
    this.cancel();
    this.#timer = setTimeout(() => {
      const controller = new AbortController();
      this.#running = controller;
      void work(controller.signal);
    }, this.#pauseMs);
  }

  /** Gives up what was asked for. */
  cancel(): void {
    clearTimeout(this.#timer);
    this.#running?.abort();
    this.#running = undefined;
  }
}
