import { isDict, isRef, type PdfDict, type PdfValue } from './values.ts';
import { Integers } from './integers.ts';
import { NOTHING } from './plain.ts';
import type { Stored } from './stored.ts';
import { generationOf, idOf } from './syntax.ts';

/** New numbers for the objects of a file: without gaps, in the order in which they are written. */
export class Renumbering {
  readonly #objects: ReadonlyMap<number, { stored: Stored; id: number }>;

  /** @param objects in the order in which they are written */
  constructor(objects: readonly Stored[]) {
    this.#objects = new Map(objects.map((stored, index) => [stored.id, { stored, id: index + 1 }]));
  }

  /** An object with its new number and new references. */
  of(stored: Stored): Stored {
    const { moved } = stored;
    const id = this.#idOf(stored.id, stored.generation);
    const shared = { id, generation: 0, body: undefined };
    if (moved !== undefined) {
      const ids = new Integers();
      const end = moved.first + moved.table.count(moved.member);
      for (let at = moved.first; at < end; at++) ids.push(this.#idOf(moved.ids.at(at), 0));
      return { ...shared, object: { value: null }, moved: { ...moved, ids, first: 0 } };
    }
    const { value, stream } = stored.object;
    const object = { value: this.value(value), ...(stream === undefined ? {} : { stream }) };
    return { ...shared, object, moved: undefined };
  }

  /** A value with new references; those to missing objects become null. */
  value(value: PdfValue): PdfValue {
    if (isRef(value)) {
      const id = this.#idOf(idOf(value), generationOf(value));
      return id === NOTHING ? null : `${id} 0 R`;
    }
    if (Array.isArray(value)) return value.map((entry) => this.value(entry));
    return isDict(value) ? this.dict(value) : value;
  }

  dict(dict: Readonly<PdfDict>): PdfDict {
    const copy: PdfDict = {};
    for (const key in dict) copy[key] = this.value(dict[key] ?? null);
    return copy;
  }

  #idOf(id: number, generation: number): number {
    const object = this.#objects.get(id);
    return object?.stored.generation === generation ? object.id : NOTHING;
  }
}
