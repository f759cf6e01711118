import type { PlainTable } from '../model/plain.ts';
import type { PdfDict, PdfValue, Ref } from '../values.ts';

/** A document that is read, by qpdf (object-file.ts) or by the object model (model/file.ts). */
export interface SourceObjects {
  readonly trailer: PdfDict;
  readonly catalog: PdfDict;
  /** Undefined if there is none; for a stream, its dictionary. */
  get(ref: Ref): { value: PdfValue; stream?: object | boolean | undefined } | undefined;
  /** Objects that may be copied as bytes with other references. */
  readonly plains?: PlainTable;
  /** The number among `plains` of an object of generation 0, or -1. */
  plain?(id: number): number;
  /** The value itself, direct or by reference. */
  resolve(value: PdfValue | undefined): PdfValue;
  /** The dictionary, direct or by reference; empty if there is none. */
  dict(value: PdfValue | undefined): PdfDict;
  /** The array, direct or by reference; empty if there is none. */
  array(value: PdfValue | undefined): PdfValue[];
}

/** A document that is being assembled. */
export interface Target {
  /** Returns a reference for a new object. */
  allocate(): Ref;
  add(value: PdfValue): Ref;
  set(ref: Ref, value: PdfValue): void;
  /** Copies an object from another document under its own number; `moved` returns the numbers of others. */
  takeOver?(id: number, table: PlainTable, member: number, moved: (id: number) => number): void;
  /** The current value of an object; it may be changed only through `edit`. */
  get(ref: Ref): PdfValue;
  resolve(value: PdfValue | undefined): PdfValue;
  /** The dictionary of an object, for changes in place. */
  edit(ref: Ref): PdfDict;
  /** True for a stream whose dictionary `edit` cannot change without its data. */
  isStream(ref: Ref): boolean;
  /** The text of a script in a stream; undefined if it cannot be read here. */
  text?(ref: Ref): string | undefined;
  setTrailer(key: string, value: PdfValue): void;
}
