import type { SourceObjects, Target } from './graft/target.ts';
import { IdTable } from './model/integers.ts';
import { NOTHING } from './model/plain.ts';
import { generationOf, idOf } from './model/syntax.ts';
import { isDict, isRef } from './values.ts';
import type { PdfDict, PdfValue, Ref } from './values.ts';

/** Keys whose values contain no references to a document's own structures (layers, fields, tags). */
const OPAQUE = new Set(['/Font', '/ColorSpace', '/ExtGState', '/Shading', '/Contents', '/Parent', '/P']);

/** A stream of the source, and its dictionary in the target. */
export interface ImportedStream {
  source: Ref;
  copy: Ref;
  dict: PdfDict;
}

type TakeStream = (stream: ImportedStream) => void;

/**
 * Copies objects of one source document that qpdf omits, because no page refers to them, into the document that
 * its pages were copied to. A reference to an object that was copied with the pages becomes a reference to the
 * copy; any other object is copied once.
 */
export class Importer {
  readonly source: SourceObjects;
  readonly target: Target;
  /**
   * Source → target, both as numbers of objects of generation 0; for a page that is selected twice, the first
   * copy.
   */
  readonly #copies = new IdTable();
  /** Objects of the source whose copies were changed. */
  readonly #values = new Set<number>();
  /** The same for objects of other generations. */
  readonly #others = new Map<Ref, Ref>();
  readonly #pages: ReadonlySet<Ref>;
  /** Objects of the source whose copies have a number, but are not written yet. */
  readonly #queue: Ref[] = [];
  /** The same for generation 0, by number. */
  readonly #ids: number[] = [];
  /** The pages of generation 0. */
  readonly #pageIds = new IdTable();
  readonly #takeStream: TakeStream;

  /**
   * @param pages all pages of the source
   * @param pairs the selected pages, each with its copy
   * @param takeStream is called with each stream among the imported objects
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
    for (const page of pages) if (generationOf(page) === 0) this.#pageIds.set(idOf(page), 1);
    for (const [page, copy] of pairs) if (this.#known(page) === undefined) this.bind(page, copy);
  }

  /** The copy of an object, if there is one. */
  copyOf(value: PdfValue | undefined): Ref | undefined {
    return isRef(value) ? this.#known(value) : undefined;
  }

  /** Records that one object is the counterpart of another. */
  bind(source: Ref, target: Ref): void {
    if (generationOf(source) !== 0 || generationOf(target) !== 0) {
      this.#others.set(source, target);
      return;
    }
    this.#copies.set(idOf(source), idOf(target));
    this.#values.add(idOf(source));
  }

  #known(source: Ref): Ref | undefined {
    const copy = generationOf(source) === 0 ? this.#copies.get(idOf(source)) : 0;
    return copy === 0 ? this.#others.get(source) : `${copy} 0 R`;
  }

  /**
   * The objects of the target that come from this source, except those that were copied unchanged: they contain no
   * names and numbers with a meaning in their document only.
   */
  *targets(): Generator<Ref> {
    for (const id of this.#values) yield `${this.#copies.get(id)} 0 R`;
    yield* this.#others.values();
  }

  /** A value of the source with the references of the target. Pages that were not selected become null. */
  import(value: PdfValue | undefined): PdfValue {
    const result = this.#translate(value ?? null);
    while (this.#ids.length + this.#queue.length > 0) {
      for (let id = this.#ids.pop(); id !== undefined; id = this.#ids.pop()) this.#copyId(id);
      const next = this.#queue.pop();
      if (next !== undefined) this.#copy(next);
    }
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
    const known = this.#known(ref);
    if (known !== undefined) return known;
    if (this.#pages.has(ref)) return null;
    if (generationOf(ref) === 0 && this.target.takeOver !== undefined)
      return `${this.#translateId(idOf(ref))} 0 R`;
    const copy = this.target.allocate();
    this.bind(ref, copy);
    this.#queue.push(ref);
    return copy;
  }

  /** The number of the copy of an object of generation 0, or `NOTHING`. */
  readonly #translateId = (id: number): number => {
    const known = this.#copies.get(id);
    if (known !== 0) return known;
    const other = this.#others.size === 0 ? undefined : this.#others.get(`${id} 0 R`);
    if (other !== undefined) return idOf(other);
    if (this.#pageIds.get(id) !== 0) return NOTHING;
    const copy = idOf(this.target.allocate());
    this.#copies.set(id, copy);
    this.#ids.push(id);
    return copy;
  };

  #copyId(id: number): void {
    const { plains } = this.source;
    const plain = plains === undefined ? -1 : (this.source.plain?.(id) ?? -1);
    if (plain === -1 || plains === undefined) {
      this.#values.add(id);
      this.#copy(`${id} 0 R`);
      return;
    }
    this.target.takeOver?.(this.#copies.get(id), plains, plain, this.#translateId);
  }

  #copy(ref: Ref): void {
    const copy = this.#known(ref);
    if (copy === undefined) return;
    const object = this.source.get(ref);
    // A node of the page tree would import every page.
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
   * Finds the copies of the objects that a page refers to, if another program made them, by traversing both in
   * parallel.
   *
   * @param copies the document that the program wrote
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
        if (!isRef(to) || this.#known(from) !== undefined || this.#pages.has(from)) continue;
        this.bind(from, to);
        descend(this.source.get(from)?.value, copies.get(to)?.value);
      } else descend(from, to);
    }
  }
}
