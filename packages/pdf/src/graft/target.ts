import type { PlainTable } from '../model/plain.ts';
import type { PdfDict, PdfValue, Ref } from '../values.ts';

/** A document that is read: by qpdf (object-file.ts) or by the object model (model/file.ts). */
export interface SourceObjects {
  readonly trailer: PdfDict;
  readonly catalog: PdfDict;
  /** Undefined where there is none; the value of a stream is its dictionary. */
  get(ref: Ref): { value: PdfValue; stream?: object | boolean | undefined } | undefined;
  /** What may be written with other references, and otherwise as it stands. */
  readonly plains?: PlainTable;
  /** The number among `plains` of an object of generation 0, or -1. */
  plain?(id: number): number;
  /** The value itself, whether direct or referred to. */
  resolve(value: PdfValue | undefined): PdfValue;
  /** The dictionary, whether direct or referred to; empty where there is none. */
  dict(value: PdfValue | undefined): PdfDict;
  /** The array, whether direct or referred to; empty where there is none. */
  array(value: PdfValue | undefined): PdfValue[];
}

/** A document that is put together. */
export interface Target {
  /** A reference for a new object. */
  allocate(): Ref;
  add(value: PdfValue): Ref;
  set(ref: Ref, value: PdfValue): void;
  /** Takes an object over from another document, under a number of its own; `moved` gives the numbers of others. */
  takeOver?(id: number, table: PlainTable, member: number, moved: (id: number) => number): void;
  /** The value of an object as it now is; to be changed only through `edit`. */
  get(ref: Ref): PdfValue;
  resolve(value: PdfValue | undefined): PdfValue;
  /** The dictionary of an object, to be changed in place. */
  edit(ref: Ref): PdfDict;
  /** True for a stream whose dictionary `edit` cannot change without its data. */
  isStream(ref: Ref): boolean;
  setTrailer(key: string, value: PdfValue): void;
}
