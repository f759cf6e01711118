import type { SourceObjects, Target } from './graft/target.ts';
import { NOTHING, type Plain } from './model/plain.ts';
import { generationOf, idOf } from './model/syntax.ts';
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
  /**
   * Source → target, both as numbers of objects of generation 0; for a page chosen twice, the first of its copies. The
   * number of a target that was taken over as it stands is negative.
   */
  readonly #copies = new Map<number, number>();
  /** The same where one of the two is of another generation. */
  readonly #others = new Map<Ref, Ref>();
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
    for (const [page, copy] of pairs) if (this.#known(page) === undefined) this.bind(page, copy);
  }

  /** The copy of an object, where there is one. */
  copyOf(value: PdfValue | undefined): Ref | undefined {
    return isRef(value) ? this.#known(value) : undefined;
  }

  /** Says that one object is the counterpart of another. */
  bind(source: Ref, target: Ref): void {
    if (generationOf(source) === 0 && generationOf(target) === 0)
      this.#copies.set(idOf(source), idOf(target));
    else this.#others.set(source, target);
  }

  #known(source: Ref): Ref | undefined {
    const copy = generationOf(source) === 0 ? this.#copies.get(idOf(source)) : undefined;
    return copy === undefined ? this.#others.get(source) : `${Math.abs(copy)} 0 R`;
  }

  /**
   * The objects of the target that come from this source, but for those that were taken over as they stand: they have
   * no names and numbers that only mean something in their document.
   */
  *targets(): Generator<Ref> {
    for (const copy of this.#copies.values()) if (copy > 0) yield `${copy} 0 R`;
    yield* this.#others.values();
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
    const known = this.#known(ref);
    if (known !== undefined) return known;
    if (this.#pages.has(ref)) return null;
    const copy = this.target.allocate();
    this.bind(ref, copy);
    this.#queue.push(ref);
    return copy;
  }

  /** The copies of objects of generation 0, as numbers. */
  #translateIds({ ids }: Plain): number[] {
    const copies: number[] = [];
    for (const id of ids) {
      const known = this.#copies.get(id);
      if (known === undefined) copies.push(idOf(this.#translateRef(`${id} 0 R`) ?? `${NOTHING} 0 R`));
      else copies.push(Math.abs(known));
    }
    return copies;
  }

  #copy(ref: Ref): void {
    const copy = this.#known(ref);
    if (copy === undefined) return;
    const plain = this.target.move === undefined ? undefined : this.source.plain?.(ref);
    if (plain !== undefined) {
      this.target.move?.(copy, { plain, ids: this.#translateIds(plain) });
      this.#copies.set(idOf(ref), -idOf(copy));
      return;
    }
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
