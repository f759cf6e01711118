import { isDict, isRef, type PdfDict, type PdfValue, type Ref } from './values.ts';
import { MAX_ID } from './cross-references.ts';
import { IdTable, Integers } from './integers.ts';
import { generationOf, idOf } from './syntax.ts';

/** Numbers of the objects that the trailer refers to. */
export interface ReachableIds {
  /** In ascending order. */
  ids: Int32Array;
  /** The lowest number above all that are referred to. */
  next: number;
}

/** References that have not been followed yet. */
export class Links {
  readonly #known = new IdTable();
  /** Numbers of objects of generation 0. */
  readonly #ids = new Integers();
  readonly #others: Ref[] = [];
  readonly #values: (PdfValue[] | PdfDict)[] = [];

  /** @param id of an object of generation 0 */
  add(id: number): void {
    // No object has a higher number.
    if (id <= MAX_ID && this.#known.get(id) === 0) this.#ids.push(id);
  }

  /** All references in a value. */
  addValue(value: PdfValue): void {
    this.#addOne(value);
    for (let next = this.#values.pop(); next !== undefined; next = this.#values.pop()) {
      if (Array.isArray(next)) for (const entry of next) this.#addOne(entry);
      else for (const key in next) this.#addOne(next[key] ?? null);
    }
  }

  #addOne(value: PdfValue): void {
    if (typeof value === 'object') {
      if (Array.isArray(value) || isDict(value)) this.#values.push(value);
    } else if (isRef(value)) {
      if (generationOf(value) === 0) this.add(idOf(value));
      else if (idOf(value) <= MAX_ID) this.#others.push(value);
    }
  }

  /**
   * Follows all references, including those that are found on the way.
   *
   * @param follow adds the references of an object; returns false if there is no such object
   * @throws the signal's reason when it is aborted
   */
  follow(follow: (id: number, generation: number) => boolean, signal: AbortSignal | undefined): ReachableIds {
    const ids = new Integers();
    // A new object must not get the number of a dangling reference.
    let lowest = 1;
    const visit = (id: number, generation: number): void => {
      if (this.#known.get(id) !== 0) return;
      lowest = Math.max(lowest, id + 1);
      if (!follow(id, generation)) return;
      if (ids.length % 4096 === 0) signal?.throwIfAborted();
      this.#known.set(id, 1);
      ids.push(id);
    };
    for (;;) {
      while (this.#ids.length > 0) visit(this.#ids.at(--this.#ids.length), 0);
      const other = this.#others.pop();
      if (other === undefined) break;
      visit(idOf(other), generationOf(other));
    }
    return { ids: this.#inOrder(ids, lowest), next: lowest };
  }

  /** @param end above all numbers that were found */
  #inOrder(ids: Integers, end: number): Int32Array {
    const { length } = ids;
    const sorted = ids.values.slice(0, length);
    // Few numbers are free in most documents.
    if (end > 4 * length + 1024) return sorted.sort();
    for (let id = 0, at = 0; at < length; id++) if (this.#known.get(id) !== 0) sorted[at++] = id;
    return sorted;
  }
}
