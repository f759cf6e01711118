import type { SourceObjects, Target } from './graft/target.ts';
import { IdTable } from './model/integers.ts';
import { NOTHING } from './model/plain.ts';
import { generationOf, idOf } from './model/syntax.ts';
import { isDict, isRef } from './values.ts';
import type { PdfDict, PdfValue, Ref } from './values.ts';

/** Keys below which nothing is that a document's own structures (layers, fields, tags) refer to. */
const OPAQUE = new Set(['/Font', '/ColorSpace', '/ExtGState', '/Shading', '/Contents', '/Parent', '/P']);

/** A stream of the source, and its dictionary in the target. */
export interface ImportedStream {
  source: Ref;
  copy: Ref;
  dict: PdfDict;
}

type TakeStream = (stream: ImportedStream) => void;

/**
 * Copies objects of one source document into the document that its pages were copied to: those that qpdf
 * omits because no page refers to them. A reference to an object that was copied with the pages becomes a
 * reference to the copy; any other object is copied once.
 */
export class Importer {
  readonly source: SourceObjects;
  readonly target: Target;
  /** Source → target, both as numbers of objects of generation 0; for a page chosen twice, the first of its copies. */
  readonly #copies = new IdTable();
  /** Objects of the source whose copies were not taken over as they stand. */
  readonly #values = new Set<number>();
  /** The same where one of the two is of another generation. */
  readonly #others = new Map<Ref, Ref>();
  readonly #pages: ReadonlySet<Ref>;
  /** Objects of the source whose copies have a number, but are not there yet. */
  readonly #queue: Ref[] = [];
  /** The same of generation 0, by their numbers. */
  readonly #ids: number[] = [];
  /** The pages of generation 0. */
  readonly #pageIds = new IdTable();
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
    for (const page of pages) if (generationOf(page) === 0) this.#pageIds.set(idOf(page), 1);
    for (const [page, copy] of pairs) if (this.#known(page) === undefined) this.bind(page, copy);
  }

  /** The copy of an object, where there is one. */
  copyOf(value: PdfValue | undefined): Ref | undefined {
    return isRef(value) ? this.#known(value) : undefined;
  }

  /** Says that one object is the counterpart of another. */
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
   * The objects of the target that come from this source, but for those that were taken over as they stand: they have
   * no names and numbers that only mean something in their document.
   */
  *targets(): Generator<Ref> {
    for (const id of this.#values) yield `${this.#copies.get(id)} 0 R`;
    yield* this.#others.values();
  }

  /** A value of the source as it is to stand in the target. Pages that were not taken become null. */
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
        if (!isRef(to) || this.#known(from) !== undefined || this.#pages.has(from)) continue;
        this.bind(from, to);
        descend(this.source.get(from)?.value, copies.get(to)?.value);
      } else descend(from, to);
    }
  }
}
