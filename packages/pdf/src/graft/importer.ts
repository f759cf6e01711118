import type { Elsewhere } from './elsewhere.ts';
import type { Target } from './target.ts';
import type { PdfFile } from '../model/file.ts';
import { IdTable } from '../model/integers.ts';
import { NOTHING, type PlainTable } from '../model/plain.ts';
import { generationOf, idOf } from '../model/syntax.ts';
import { isDict, isRef } from '../model/values.ts';
import type { PdfDict, PdfValue, Ref } from '../model/values.ts';

/** The entries of actions that list fields and annotations (ISO 32000-2, 12.6.4.11 and 12.7.6). */
const LISTS = new Set(['/Fields', '/T']);

/**
 * Copies objects of one source document into another one. A reference to an object that has a copy becomes a
 * reference to the copy; any other object is copied once.
 */
export class Importer {
  readonly source: PdfFile;
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
  readonly #elsewhere: Elsewhere;
  /** Objects of the source whose copies have a number, but are not written yet. */
  readonly #queue: Ref[] = [];
  /** The same for generation 0, by number. */
  readonly #ids: number[] = [];
  /** Former copies of objects that have been copied again. */
  readonly repeated = new Set<Ref>();

  /**
   * @param elsewhere what must not be copied; references to it become null
   * @param pairs the selected pages, each with its copy
   */
  constructor(
    source: PdfFile,
    target: Target,
    elsewhere: Elsewhere,
    pairs: readonly (readonly [Ref, Ref])[],
  ) {
    this.source = source;
    this.target = target;
    this.#elsewhere = elsewhere;
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
    const before = this.#copies.get(idOf(source));
    if (before !== 0) this.repeated.add(`${before} 0 R`);
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
    for (const key in value) {
      copy[key] = LISTS.has(key)
        ? this.#translateList(value[key] ?? null)
        : this.#translate(value[key] ?? null);
    }
    return copy;
  }

  /** The fields that an action lists: those of pages that were not selected become their names. */
  #translateList(value: PdfValue): PdfValue {
    const list = isRef(value) && this.#elsewhere.isPart ? this.source.resolve(value) : value;
    if (Array.isArray(list))
      return list.map((entry) => this.#translateList(entry)).filter((entry) => entry !== null);
    const isOther = isRef(value) && this.#known(value) === undefined && this.#elsewhere.has(value);
    return isOther ? this.#elsewhere.nameOf(value) : this.#translate(value);
  }

  #translateRef(ref: Ref): Ref | null {
    const known = this.#known(ref);
    if (known !== undefined) return known;
    if (this.#elsewhere.has(ref)) return null;
    if (generationOf(ref) === 0) return `${this.#translateId(idOf(ref))} 0 R`;
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
    if (this.#elsewhere.hasId(id)) return NOTHING;
    const copy = idOf(this.target.allocate());
    this.#copies.set(id, copy);
    this.#ids.push(id);
    return copy;
  };

  #copyId(id: number): void {
    const { plains } = this.source;
    const plain = this.source.plain(id);
    if (plain === -1 || (this.#elsewhere.isPart && this.#isBound(plains, plain))) {
      this.#values.add(id);
      this.#copy(`${id} 0 R`);
      return;
    }
    this.target.takeOver(this.#copies.get(id), plains, plain, this.#translateId);
  }

  /** Whether an object refers to others that are not copied, or may be an element of the tags. */
  #isBound(plains: PlainTable, plain: number): boolean {
    const first = plains.first(plain);
    const end = first + plains.count(plain);
    for (let at = first; at < end; at++) {
      const id = plains.ids.at(at);
      if (this.#copies.get(id) === 0 && this.#elsewhere.hasId(id)) return true;
    }
    const { bytes, start, end: last } = plains.span(plain);
    const text = bytes.subarray(start, last);
    return text.includes('/P ') || text.includes('/Struct');
  }

  #copy(ref: Ref): void {
    const copy = this.#known(ref);
    if (copy === undefined) return;
    const object = this.source.get(ref);
    // A node of the page tree would import every page, and one of the tags every other.
    if (
      object === undefined ||
      (isDict(object.value) && object.value['/Type'] === '/Pages') ||
      this.#elsewhere.isTag(object.value)
    ) {
      this.target.set(copy, null);
      return;
    }
    this.target.set(copy, this.#translate(object.value), object.stream);
  }
}
