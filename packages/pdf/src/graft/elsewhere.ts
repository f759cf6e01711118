import { IdTable } from '../model/integers.ts';
import { generationOf, idOf } from '../model/syntax.ts';
import { isDict, isName, isRef, pdfText, type PdfValue, type Ref } from '../model/values.ts';
import { fullName } from './full-name.ts';
import type { PdfFile } from '../model/file.ts';

/** Maximum number of fields above an annotation: a longer chain is a cycle. */
const MAX_LEVELS = 64;

/** References, most of them to objects of generation 0. */
class Refs {
  readonly #ids = new IdTable();
  readonly #others = new Set<Ref>();

  add(ref: Ref): void {
    if (generationOf(ref) === 0) this.#ids.set(idOf(ref), 1);
    else this.#others.add(ref);
  }

  has(ref: Ref): boolean {
    return generationOf(ref) === 0 ? this.hasId(idOf(ref)) : this.#others.has(ref);
  }

  hasId(id: number): boolean {
    return this.#ids.get(id) !== 0;
  }
}

/** The pages of a document, their annotations and all fields; the second time, it is known. */
const OWNED = new WeakMap<PdfFile, Refs>();

/**
 * The objects of a document that a part of its pages must not contain: the other pages, their annotations, the fields
 * that have no widget on a selected page, and the elements of the tags, of which the part gets its own.
 */
export class Elsewhere {
  readonly #source: PdfFile;
  /** Pages; of a part also annotations and fields. */
  readonly #owned: Refs;
  /** Those of them that belong to the selected pages; undefined for a whole document. */
  readonly #kept: Refs | undefined;

  /**
   * @param pages all pages of the document
   * @param taken the selected pages; undefined for the whole document
   */
  constructor(source: PdfFile, pages: readonly Ref[], taken?: readonly Ref[]) {
    this.#source = source;
    if (taken === undefined) {
      this.#owned = new Refs();
      for (const page of pages) this.#owned.add(page);
      return;
    }
    this.#owned = OWNED.get(source) ?? ownedBy(source, pages);
    OWNED.set(source, this.#owned);
    this.#kept = keptBy(source, taken);
  }

  /** Whether an object belongs to pages that are not selected; of a whole document, whether it is a page. */
  has(ref: Ref): boolean {
    return this.#owned.has(ref) && this.#kept?.has(ref) !== true;
  }

  /** The same for an object of generation 0. */
  hasId(id: number): boolean {
    return this.#owned.hasId(id) && this.#kept?.hasId(id) !== true;
  }

  /** Whether an object is an element of the tags, which leads to all others (ISO 32000-2, table 355). */
  isTag(value: PdfValue | undefined): boolean {
    if (!this.isPart || !isDict(value)) return false;
    const { '/Type': type, '/S': kind, '/P': parent } = value;
    if (type !== undefined) return type === '/StructElem' || type === '/StructTreeRoot';
    if (!isName(kind) || !isRef(parent)) return false;
    const above = this.#source.dict(parent);
    return above['/Type'] === '/StructTreeRoot' || isName(above['/S']);
  }

  /** Whether only some pages of the document are taken. */
  get isPart(): boolean {
    return this.#kept !== undefined;
  }

  /** What an action lists instead of a field of another page: its name; null for other objects. */
  nameOf(field: Ref): PdfValue {
    const name = fullName(this.#source, field);
    return name === '' ? null : pdfText(name);
  }
}

function* annotationsOf(source: PdfFile, pages: Iterable<Ref>): Generator<Ref> {
  for (const page of pages) {
    for (const annotation of source.array(source.dict(page)['/Annots']))
      if (isRef(annotation)) yield annotation;
  }
}

function ownedBy(source: PdfFile, pages: readonly Ref[]): Refs {
  const owned = new Refs();
  for (const page of pages) owned.add(page);
  for (const annotation of annotationsOf(source, pages)) owned.add(annotation);
  const stack = source.array(source.dict(source.catalog['/AcroForm'])['/Fields']).slice();
  const seen = new Set<Ref>();
  for (let next = stack.pop(); next !== undefined; next = stack.pop()) {
    if (!isRef(next) || seen.has(next)) continue;
    seen.add(next);
    owned.add(next);
    for (const kid of source.array(source.dict(next)['/Kids'])) stack.push(kid);
  }
  return owned;
}

function keptBy(source: PdfFile, taken: readonly Ref[]): Refs {
  const kept = new Refs();
  for (const page of taken) kept.add(page);
  for (const annotation of annotationsOf(source, new Set(taken))) {
    kept.add(annotation);
    const dict = source.dict(annotation);
    // The parent of another annotation is a note, which may be on another page.
    let next = dict['/Subtype'] === '/Widget' ? dict['/Parent'] : undefined;
    for (let level = 0; isRef(next) && !kept.has(next) && level < MAX_LEVELS; level++) {
      kept.add(next);
      next = source.dict(next)['/Parent'];
    }
  }
  return kept;
}
