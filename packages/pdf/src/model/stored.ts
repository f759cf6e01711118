import type { PdfFile } from './file.ts';
import type { Moved } from './plain.ts';
import type { PdfObject, Span } from './entries.ts';

/** An object as the writers need it. */
export interface Stored {
  readonly id: number;
  readonly generation: number;
  readonly object: PdfObject;
  /** How the value stands in the file it was read from, where it has not changed. */
  readonly body: Span | undefined;
  /** How it is written where it has not been read into a value; `object` would read it. */
  readonly moved: Moved | undefined;
}

/** An object of generation 0 that is read when it is asked for. */
export class StoredMoved implements Stored {
  readonly generation = 0;
  readonly body = undefined;
  readonly id: number;
  readonly moved: Moved;
  readonly #file: Pick<PdfFile, 'get'>;

  /** @param file that it is read of */
  constructor(file: Pick<PdfFile, 'get'>, id: number, moved: Moved) {
    this.#file = file;
    this.id = id;
    this.moved = moved;
  }

  get object(): PdfObject {
    return this.#file.get(`${this.id} 0 R`) ?? { value: null };
  }
}

/** The objects that the trailer refers to, as they are written. */
export interface Reachable {
  /** In the order of their numbers. */
  objects: Stored[];
  /** The lowest number above all that are referred to. */
  next: number;
}
