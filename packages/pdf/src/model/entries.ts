import type { PdfValue } from '../values.ts';
import type { StreamBytes } from './bytes.ts';
import { DENSE } from './integers.ts';

/** An object of a PDF. Both the value and the data are shared: pass changes to `PdfFile.set`. */
export interface PdfObject {
  /** Of a stream: its dictionary. */
  value: PdfValue;
  /** Of a stream: its data as it is stored, a part of the file's bytes. */
  stream?: StreamBytes;
}

/** A range of bytes, which takes less memory than a separate `Buffer` for each object. */
export interface Span {
  readonly bytes: Buffer;
  readonly start: number;
  readonly end: number;
}

/** The place of an object, and its value once it was read. */
export interface Entry {
  readonly id: number;
  readonly generation: number;
  readonly kind: 'free' | 'plain' | 'packed';
  /** Plain: the offset in the file. Packed: the number of the object stream. */
  readonly place: number;
  /** Packed: the place among the objects of the stream. */
  readonly index: number;
  object: PdfObject | undefined;
  /** The bytes it is written with; of a stream without its data. */
  body: Span | undefined;
  /** Its number among the plain values of the file; -1 where it is none. */
  plain: number | undefined;
  /** Once it was read: where the objects that it refers to begin among `Source.links`, and what follows them. */
  firstLink: number;
  endOfLinks: number;
  /** It is being read. */
  busy: boolean;
}

/** The objects of a file by their numbers. */
export class Entries {
  readonly #dense: (Entry | undefined)[] = [];
  readonly #others = new Map<number, Entry>();
  size = 0;

  get(id: number): Entry | undefined {
    return id < DENSE ? this.#dense[id] : this.#others.get(id);
  }

  has(id: number): boolean {
    return this.get(id) !== undefined;
  }

  set(id: number, entry: Entry): void {
    if (!this.has(id)) this.size++;
    if (id >= DENSE) {
      this.#others.set(id, entry);
      return;
    }
    while (this.#dense.length <= id) this.#dense.push(undefined);
    this.#dense[id] = entry;
  }

  *values(): Generator<Entry> {
    for (const entry of this.#dense) if (entry !== undefined) yield entry;
    yield* this.#others.values();
  }
}
