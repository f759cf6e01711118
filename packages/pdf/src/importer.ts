import type { SourceObjects, Target } from './graft/target.ts';
import { isDict, isRef } from './values.ts';
import type { PdfDict, PdfValue, Ref } from './values.ts';

/** Keys below which nothing is that a document's own structures (layers, fields, tags) refer to. */
const OPAQUE = new Set(['/Font', '/ColorSpace', '/ExtGState', '/Shading', '/Contents', '/Parent', '/P']);

/** A stream of the source, and what its dictionary is in the target. */
export interface ImportedStream {
  source: Ref;
  copy: Ref;
  dict: PdfDict;
}

type TakeStream = (stream: ImportedStream) => void;

/**
 * Brings objects of one source document into the document that its pages were copied to: what qpdf leaves
 * behind because no page leads to it. A reference to what was copied along with the pages becomes a reference
 * to the copy; anything else is copied once.
 */
export class Importer {
  readonly source: SourceObjects;
  readonly target: Target;
  /** Source reference → target reference; for a page chosen twice, the first of its copies. */
  readonly #copies = new Map<Ref, Ref>();
  readonly #pages: ReadonlySet<Ref>;
  readonly #queue: Ref[] = [];
  readonly #takeStream: TakeStream;

  /**
   * @param pages All pages of the source.
   * @param pairs The pages taken from it, each with its copy.
   * @param takeStream is given each stream among the imported objects.
   */
  constructor(
    source: SourceObjects,
    target: Target,
    pages: readonly Ref[],
    pairs: readonly (readonly [Ref, Ref])[],
    takeStream: TakeStream,
  ) {
    this.source = source;
    this.target = target;
    this.#takeStream = takeStream;
    this.#pages = new Set(pages);
    for (const [page, copy] of pairs) if (!this.#copies.has(page)) this.#copies.set(page, copy);
  }

  /** The copy of an object, where there is one. */
  copyOf(value: PdfValue | undefined): Ref | undefined {
    return isRef(value) ? this.#copies.get(value) : undefined;
  }

  /** Says that one object is the counterpart of another. */
  bind(source: Ref, target: Ref): void {
    this.#copies.set(source, target);
  }

  /** All objects of the target that come from this source. */
  targets(): Iterable<Ref> {
    return this.#copies.values();
  }

  /** A value of the source as it is to stand in the target. Pages that were not taken become null. */
  import(value: PdfValue | undefined): PdfValue {
    const result = this.#translate(value ?? null);
    for (let next = this.#queue.pop(); next !== undefined; next = this.#queue.pop()) this.#copy(next);
    return result;
  }

  #translate(value: PdfValue): PdfValue {
    if (isRef(value)) return this.#translateRef(value);
    if (Array.isArray(value)) return value.map((entry) => this.#translate(entry));
    if (!isDict(value)) return value;
    const copy: PdfDict = {};
    for (const key in value) copy[key] = this.#translate(value[key] ?? null);
    return copy;
  }

  #translateRef(ref: Ref): Ref | null {
    const known = this.#copies.get(ref);
    if (known !== undefined) return known;
    if (this.#pages.has(ref)) return null;
    const copy = this.target.allocate();
    this.#copies.set(ref, copy);
    this.#queue.push(ref);
    return copy;
  }

  #copy(ref: Ref): void {
    const copy = this.#copies.get(ref);
    const object = this.source.get(ref);
    if (copy === undefined) return;
    // A node of the page tree would drag every page along.
    if (object === undefined || (isDict(object.value) && object.value['/Type'] === '/Pages')) {
      this.target.set(copy, null);
      return;
    }
    const value = this.#translate(object.value);
    if (object.stream !== undefined && object.stream !== false && isDict(value))
      this.#takeStream({ source: ref, copy, dict: value });
    else this.target.set(copy, value);
  }

  /**
   * Finds the copies of what a page leads to, where another program made them, by going through both side by side.
   *
   * @param copies the document as that program left it
   */
  correspond(page: Ref, copy: Ref, copies: SourceObjects): void {
    const stack: [PdfValue, PdfValue][] = [];
    const descend = (from: PdfValue | undefined, to: PdfValue | undefined): void => {
      if (isDict(from) && isDict(to)) {
        for (const [key, value] of Object.entries(from)) {
          const other = to[key];
          if (other !== undefined && !OPAQUE.has(key)) stack.push([value, other]);
        }
      } else if (Array.isArray(from) && Array.isArray(to) && from.length === to.length) {
        from.forEach((value, index) => stack.push([value, to[index] ?? null]));
      }
    };
    descend(this.source.get(page)?.value, copies.get(copy)?.value);
    for (let pair = stack.pop(); pair !== undefined; pair = stack.pop()) {
      const [from, to] = pair;
      if (isRef(from)) {
        if (!isRef(to) || this.#copies.has(from) || this.#pages.has(from)) continue;
        this.#copies.set(from, to);
        descend(this.source.get(from)?.value, copies.get(to)?.value);
      } else descend(from, to);
    }
  }
}
