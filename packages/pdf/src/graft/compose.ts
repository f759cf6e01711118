import { createHash } from 'node:crypto';
import { Elsewhere } from './elsewhere.ts';
import { Grafts } from './index.ts';
import { Labels } from './labels.ts';
import { usedResources } from './resources.ts';
import { Target } from './target.ts';
import { Importer } from './importer.ts';
import { claimsOfDocument } from '../look/claims.ts';
import { PdfFile } from '../model/file.ts';
import type { ScriptNote } from '../notes.ts';
import { isDict, isRef, type PdfDict, type PdfValue, type Ref } from '../model/values.ts';

/** Pages of an opened document. */
export interface ReadSelection {
  source: PdfFile;
  /**
   * 1-based page numbers in the requested order; undefined selects the whole document with everything that belongs
   * to it.
   */
  pages?: readonly number[] | undefined;
  /** The result is the same document with other pages, so document-level attachments stay. */
  keepsDocument?: boolean | undefined;
}

/** What is known of an assembled document. */
export interface Assembled {
  /** The conformance that each source claims. */
  claims: string[][];
  notes: ScriptNote[];
}

/** Returns the notes about scripts of assembled documents. */
export function scriptNotes({ unsureScripts }: Grafts): ScriptNote[] {
  return unsureScripts.length === 0 ? [] : [{ unsureScripts: [...new Set(unsureScripts)] }];
}

/** Entries of pages that lead to other pages, through what only a whole document keeps: articles, document parts. */
const WHOLE_ONLY = ['/B', '/DPart'];

/** The first version with object streams. */
const MIN_VERSION = '1.5';

/**
 * Compression level of objects: higher levels take three times as long and save a twentieth of a tagged document.
 */
const QUICK = 3;
/**
 * Writes a new PDF from pages of others, with everything that belongs to them.
 *
 * @returns the conformance that each of them claims, and the notes about the result
 */
export async function composeTo(selections: readonly ReadSelection[], output: string): Promise<Assembled> {
  const composition = new Composition();
  for (const selection of selections) composition.add(selection);
  const notes = await composition.saveTo(output);
  return { claims: composition.claims, notes };
}

/**
 * A new PDF from pages of others. Once the pages of a document are added, memory holds only the written part of
 * it.
 */
export class Composition {
  readonly #file = PdfFile.create();
  readonly #target = new Target(this.#file);
  readonly #tree = this.#file.catalog['/Pages'] as Ref;
  readonly #grafts = new Grafts(this.#target, { ownForm: true });
  readonly #labels = new Labels(this.#target);
  readonly #kids: Ref[] = [];
  #version = MIN_VERSION;
  /** The same pages of the same documents always give the same document (ISO 32000-2, 14.4). */
  readonly #hash = createHash('sha256');
  /** The conformance claims of each document. */
  readonly claims: string[][] = [];

  /** Appends pages. */
  add({ source, pages, keepsDocument = false }: ReadSelection): void {
    const target = this.#target;
    this.claims.push(claimsOfDocument(source));
    const all = source.pages();
    const places = pages?.map((page) => page - 1) ?? all.map((_, place) => place);
    const pairs = places.map((place): [Ref, Ref] => [all[place] ?? '', target.allocate()]);
    const taken = pages === undefined ? undefined : pairs.map(([page]) => page);
    const elsewhere = new Elsewhere(source, all, taken);
    const importer = new Importer(source, target, elsewhere, pairs);
    const seen = new Set<Ref>();
    for (const [index, [page, copy]] of pairs.entries()) {
      const dict: PdfDict = { ...source.pageDict(places[index] ?? 0), '/Type': '/Page' };
      if (pages !== undefined) {
        dict['/Resources'] = usedResources(source, dict);
        for (const key of WHOLE_ONLY) delete dict[key];
      }
      copyPage(importer, dict, { copy, tree: this.#tree, again: seen.has(page) });
      seen.add(page);
      this.#kids.push(copy);
    }
    const whole = pages === undefined;
    const part = {
      source,
      importer,
      allPages: all,
      pages: pairs,
      whole,
      keepsDocument: whole || keepsDocument,
    };
    this.#labels.add(part, places);
    this.#grafts.add(part);
    this.#version = versionsOf(source).reduce((a, b) => (a > b ? a : b), this.#version);
    this.#hash.update(JSON.stringify([source.trailer, source.length, pages ?? 'all']));
  }

  /** Must be called once, after all pages have been added. @returns the notes about the result */
  async saveTo(output: string): Promise<ScriptNote[]> {
    const file = this.#file;
    file.set(this.#tree, { '/Type': '/Pages', '/Kids': this.#kids, '/Count': this.#kids.length });
    const catalog = this.#target.edit(file.catalogRef);
    this.#labels.finish(catalog);
    this.#grafts.finish(catalog);
    const id = `b:${this.#hash.digest('hex').slice(0, 32)}`;
    await file.saveTo(output, { version: this.#version, id: [id, id], level: QUICK });
    return scriptNotes(this.#grafts);
  }
}

function copyPage(
  importer: Importer,
  { '/Parent': _parent, ...dict }: PdfDict,
  { copy, tree, again }: { copy: Ref; tree: Ref; again: boolean },
): void {
  const own = again ? bindAnnotations(importer, dict, copy) : undefined;
  const page = importer.import(dict);
  own?.();
  importer.target.set(copy, { ...(isDict(page) ? page : {}), '/Parent': tree });
}

/** Maximum number of fields above an annotation: a longer chain is a cycle. */
const MAX_LEVELS = 64;

/**
 * Gives a repeated page its own annotations and fields.
 *
 * @returns a function that restores the annotations of the source
 */
function bindAnnotations(importer: Importer, page: PdfDict, copy: Ref): () => void {
  const { source, target } = importer;
  const before = new Map<Ref, Ref | undefined>();
  for (const annotation of source.array(page['/Annots'])) {
    let next: PdfValue | undefined = annotation;
    for (let level = 0; isRef(next) && !before.has(next) && level < MAX_LEVELS; level++) {
      before.set(next, importer.copyOf(next));
      importer.bind(next, target.allocate());
      const dict = source.dict(next);
      // The parent of a pop-up is a note.
      next = dict['/Subtype'] === '/Popup' ? undefined : dict['/Parent'];
    }
  }
  for (const ref of before.keys()) {
    // Its tag belongs to the first copy: an element is on one page.
    const { '/StructParent': _tag, '/P': parent, ...dict } = source.dict(ref);
    const value = importer.import(dict);
    const bound = importer.copyOf(ref);
    if (bound === undefined) continue;
    target.set(bound, { ...(isDict(value) ? value : {}), '/P': parent === undefined ? null : copy });
  }
  return () => {
    for (const [ref, known] of before) if (known !== undefined) importer.bind(ref, known);
  };
}

/** Returns the version of a document: the later one of its header and its catalog. */
function versionsOf(source: PdfFile): string[] {
  const later = source.catalog['/Version'];
  const versions = typeof later === 'string' ? [source.version, later.slice(1)] : [source.version];
  return versions.filter((version) => /^[12]\.\d$/.test(version));
}
