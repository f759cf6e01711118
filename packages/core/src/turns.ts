import { AsyncLocalStorage } from 'node:async_hooks';

/** The owner of the work that is done now. */
const owners = new AsyncLocalStorage<string>();

/** Runs work whose turns count as those of an owner: the tenant for whom it is. */
export function ofOwner<T>(owner: string, work: () => T): T {
  return owners.run(owner, work);
}

/** Returns a function that runs work for the present owner, from wherever it is called. */
export function asPresentOwner(): <T>(work: () => T) => T {
  return AsyncLocalStorage.snapshot();
}

/** The place beyond the others, which only an owner gets that holds none: it does not wait for the long work of others. */
const RESERVE = 1;

interface Waiting {
  owner: string;
  enter: () => void;
}

/**
 * Limits concurrent work. Further callers wait: those of one owner in the order of their arrival, and of several
 * owners the one that holds the fewest places goes first.
 */
export class Turns {
  #free: number;
  readonly #held = new Map<string, number>();
  readonly #waiting: Waiting[] = [];

  /** @param places for an owner with more work than that, or for several */
  constructor(places: number) {
    this.#free = places + RESERVE;
  }

  /**
   * Waits for a place.
   *
   * @param signal ends the waiting
   * @param owner the present one when absent
   * @returns a function that releases the place; call it once
   * @throws the signal's reason when it is aborted before a place is free
   */
  async take(signal?: AbortSignal, owner = owners.getStore() ?? ''): Promise<() => void> {
    signal?.throwIfAborted();
    if (this.#mayEnter(owner)) this.#enter(owner);
    else await this.#wait(owner, signal);
    return () => {
      this.#free += 1;
      const held = this.#heldBy(owner) - 1;
      if (held > 0) this.#held.set(owner, held);
      else this.#held.delete(owner);
      this.#admit();
    };
  }

  /** Waits for a place, and holds it for the present owner while it does the work. @throws as `take`, and as the work */
  async during<T>(signal: AbortSignal | undefined, work: () => Promise<T>): Promise<T> {
    const leave = await this.take(signal);
    try {
      return await work();
    } finally {
      leave();
    }
  }

  #heldBy(owner: string): number {
    return this.#held.get(owner) ?? 0;
  }

  #mayEnter(owner: string): boolean {
    return this.#free > (this.#heldBy(owner) > 0 ? RESERVE : 0);
  }

  #enter(owner: string): void {
    this.#free -= 1;
    this.#held.set(owner, this.#heldBy(owner) + 1);
  }

  /** Lets as many enter as may. */
  #admit(): void {
    for (;;) {
      let next: Waiting | undefined;
      for (const waiting of this.#waiting)
        if (next === undefined || this.#heldBy(waiting.owner) < this.#heldBy(next.owner)) next = waiting;
      // If the owner with the fewest places may not enter, no other may.
      if (next === undefined || !this.#mayEnter(next.owner)) return;
      this.#waiting.splice(this.#waiting.indexOf(next), 1);
      this.#enter(next.owner);
      next.enter();
    }
  }

  #wait(owner: string, signal: AbortSignal | undefined): Promise<void> {
    return new Promise((resolve, reject) => {
      const waiting: Waiting = {
        owner,
        enter: () => {
          signal?.removeEventListener('abort', leave);
          resolve();
        },
      };
      const leave = (): void => {
        this.#waiting.splice(this.#waiting.indexOf(waiting), 1);
        reject(signal?.reason as Error);
      };
      signal?.addEventListener('abort', leave, { once: true });
      this.#waiting.push(waiting);
    });
  }
}
