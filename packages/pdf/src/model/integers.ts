/** Lists and tables of whole numbers, for the hundreds of objects that a page of a tagged document has. */

/** A list that grows, of numbers of 32 bits. */
export class Integers {
  /** What lies at `length` and beyond means nothing; another array takes its place as the list grows. */
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

  /** 0 where there is none. */
  at(index: number): number {
    return this.values[index] ?? 0;
  }
}

/** Numbers of objects below this stand in an array; higher ones, which few documents have, in a map. */
export const DENSE = 1 << 18;

/** A table by object numbers: each value is a number of 32 bits that is not 0. */
export class IdTable {
  #dense = new Int32Array(256);
  readonly #others = new Map<number, number>();

  /** 0 where nothing is known. */
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
