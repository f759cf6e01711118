import type { PdfValue } from './values.ts';
import type { StreamBytes } from './bytes.ts';
import { DENSE } from './integers.ts';

/** An object of a PDF. Both the value and the data are shared: pass changes to `PdfFile.set`. */
export interface PdfObject {
  /** For a stream: its dictionary. */
  value: PdfValue;
  /** For a stream: its stored data, a range of the file's bytes. */
  stream?: StreamBytes;
}

/** A range of bytes, which takes less memory than a separate `Buffer` for each object. */
export interface Span {
  readonly bytes: Buffer;
  readonly start: number;
  readonly end: number;
}

/** The position of an object, and its value once it is read. */
export interface Entry {
  readonly id: number;
  readonly generation: number;
  readonly kind: 'free' | 'plain' | 'packed';
  /** Plain: the offset in the file. Compressed: the number of the object stream. */
  readonly place: number;
  /** Compressed: the index in the object stream. */
  readonly index: number;
  object: PdfObject | undefined;
  /** The bytes of its text; for a stream, without its data. */
  body: Span | undefined;
  /** Its number among the plain values of the file; -1 if it is not plain. */
  plain: number | undefined;
  /** Once it is read: the range of its references in `Source.links`. */
  firstLink: number;
  endOfLinks: number;
  /** Whether it is being read. */
  busy: boolean;
}

/** The objects of a file by number. */
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
