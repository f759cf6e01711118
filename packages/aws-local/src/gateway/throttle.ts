import type { ThrottleSpec } from '../assembly/index.ts';

/** API Gateway's token bucket: `burst` requests at once, refilled with `rate` per second. */
export class Throttle {
  readonly #spec: ThrottleSpec;
  #tokens: number;
  #filledAt: number;

  constructor(spec: ThrottleSpec, now: number) {
    this.#spec = spec;
    this.#tokens = spec.burst;
    this.#filledAt = now;
  }

  /** Admits one request; returns false when there are too many. @param now milliseconds */
  admit(now: number): boolean {
    const refill = ((now - this.#filledAt) / 1000) * this.#spec.rate;
    this.#tokens = Math.min(this.#spec.burst, this.#tokens + refill);
    this.#filledAt = now;
    if (this.#tokens < 1) return false;
    this.#tokens -= 1;
    return true;
  }
}
