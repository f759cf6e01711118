/** Compact lists and tables of integers, for the hundreds of objects per page of a tagged document. */

/** A growable list of 32-bit integers. */
export class Integers {
  /** Elements at `length` and beyond are undefined; the array is replaced as the list grows. */
  values = new Int32Array(256);
  length = 0;

  push(value: number): void {
    if (this.length === this.values.length) {
      const larger = new Int32Array(2 * this.length);
      larger.set(this.values);
      this.values = larger;
    }
    this.values[this.length++] = value;
  }

  /** 0 if there is none. */
  at(index: number): number {
    return this.values[index] ?? 0;
  }
}

/** Object numbers below this are in an array; higher ones, which few documents have, in a map. */
export const DENSE = 1 << 18;

/** A table by object number: each value is a 32-bit integer other than 0. */
export class IdTable {
  #dense = new Int32Array(256);
  readonly #others = new Map<number, number>();

  /** 0 for a missing entry. */
  get(id: number): number {
    return id < DENSE ? (this.#dense[id] ?? 0) : (this.#others.get(id) ?? 0);
  }

  set(id: number, value: number): void {
    if (id >= DENSE) {
      this.#others.set(id, value);
      return;
    }
    if (id >= this.#dense.length) {
      const larger = new Int32Array(Math.min(DENSE, Math.max(id + 1, 2 * this.#dense.length)));
      larger.set(this.#dense);
      this.#dense = larger;
    }
    this.#dense[id] = value;
  }
}
