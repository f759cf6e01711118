import type { PdfFile } from './file.ts';
import type { Moved } from './plain.ts';
import type { PdfObject, Span } from './entries.ts';

/** An object as the writers need it. */
export interface Stored {
  readonly id: number;
  readonly generation: number;
  readonly object: PdfObject;
  /** The text of the value in the source file, if it has not changed. */
  readonly body: Span | undefined;
  /** The text of an object that has not been parsed; `object` would parse it. */
  readonly moved: Moved | undefined;
}

/** An object of generation 0 that is read on demand. */
export class StoredMoved implements Stored {
  readonly generation = 0;
  readonly body = undefined;
  readonly id: number;
  readonly moved: Moved;
  readonly #file: Pick<PdfFile, 'get'>;

  /** @param file its source */
  constructor(file: Pick<PdfFile, 'get'>, id: number, moved: Moved) {
    this.#file = file;
    this.id = id;
    this.moved = moved;
  }

  get object(): PdfObject {
    return this.#file.get(`${this.id} 0 R`) ?? { value: null };
  }
}

/** The objects that the trailer refers to, for writing. */
export interface Reachable {
  /** Sorted by number. */
  objects: Stored[];
  /** The lowest number above all that are referred to. */
  next: number;
}
