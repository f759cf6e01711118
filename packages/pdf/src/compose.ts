import { createHash } from 'node:crypto';
import { stat } from 'node:fs/promises';
import { isPlatenError } from '@platen/core/errors';
import type { Engine, PdfInput } from './engine.ts';
import { Grafts } from './graft/index.ts';
import { Labels } from './graft/labels.ts';
import { usedResources } from './graft/resources.ts';
import type { Target } from './graft/target.ts';
import { Importer } from './importer.ts';
import { PdfFile } from './model/file.ts';
import type { Moved } from './model/plain.ts';
import { MAX_IN_MEMORY, openReadable } from './model/readable.ts';
import { isDict, isRef, type PdfDict, type PdfValue, type Ref } from './values.ts';

/** Pages of a document that was read. */
export interface ReadSelection {
  source: PdfFile;
  /** 1-based, in the order wanted; undefined: the whole document, with all that belongs to it. */
  pages?: readonly number[] | undefined;
  /** The result is the same document with other pages, not a part of it: its attachments stay. */
  keepsDocument?: boolean | undefined;
}

/** What qpdf may read all the same: it mends more than can be mended before. */
const UNREADABLE = /^pdf_(?:damaged|too_complex)$/;

/**
 * Reads documents, each once.
 *
 * @returns undefined where one of them cannot be read whole, or all together are too large
 * @throws PlatenError `pdf_password_required`, `pdf_password_wrong`, `pdf_invalid`
 */
export async function readAll(
  engine: Engine,
  inputs: readonly PdfInput[],
): Promise<Map<PdfInput, PdfFile> | undefined> {
  let size = 0;
  for (const { path } of inputs) size += (await stat(path)).size;
  if (size > MAX_IN_MEMORY) return undefined;
  const files = new Map<PdfInput, PdfFile>();
  try {
    for (const input of inputs) if (!files.has(input)) files.set(input, await openReadable(input, engine));
  } catch (error) {
    if (isPlatenError(error) && UNREADABLE.test(error.code)) return undefined;
    throw error;
  }
  // Of a page tree that cannot be read nothing is left: qpdf is asked, and the document repaired.
  for (const file of files.values()) if (file.pages().length === 0) return undefined;
  return files;
}

/** Writes a new PDF of pages of others, with all that belongs to them. */
export async function composeTo(selections: readonly ReadSelection[], output: string): Promise<void> {
  const file = PdfFile.create();
  const target = new NewDocument(file);
  const tree = file.catalog['/Pages'];
  if (!isRef(tree)) throw new Error('a new document has no page tree');
  const grafts = new Grafts(target, { ownForm: true });
  const labels = new Labels(target);
  const kids: Ref[] = [];
  for (const selection of selections) {
    const { source, pages } = selection;
    const all = source.pages();
    const places = pages?.map((page) => page - 1) ?? all.map((_, place) => place);
    const pairs = places.map((place): [Ref, Ref] => [all[place] ?? '', target.allocate()]);
    const importer = new Importer(source, target, all, pairs, ({ source: from, copy, dict }) => {
      file.set(copy, dict, source.get(from)?.stream?.raw);
    });
    const taken = new Set<Ref>();
    for (const [index, [page, copy]] of pairs.entries()) {
      const dict: PdfDict = { ...source.pageDict(places[index] ?? 0), '/Type': '/Page' };
      if (pages !== undefined) dict['/Resources'] = usedResources(source, dict);
      copyPage(importer, dict, { copy, tree, again: taken.has(page) });
      taken.add(page);
      kids.push(copy);
    }
    const whole = pages === undefined;
    const keepsDocument = whole || selection.keepsDocument === true;
    const part = { source, importer, allPages: all, pages: pairs, whole, keepsDocument };
    labels.add(part, places);
    grafts.add(part);
  }
  file.set(tree, { '/Type': '/Pages', '/Kids': kids, '/Count': kids.length });
  const catalog = target.edit(file.catalogRef);
  labels.finish(catalog);
  grafts.finish(catalog);
  const id = identifierOf(selections);
  await file.saveTo(output, { version: versionOf(selections), id: [id, id] });
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

/** Fields above an annotation: a longer chain is a circle. */
const MAX_LEVELS = 64;

/**
 * Gives a page that is taken once more annotations of its own, and fields above them.
 *
 * @returns puts back what the annotations of the source stood for
 */
function bindAnnotations(importer: Importer, page: PdfDict, copy: Ref): () => void {
  const { source, target } = importer;
  const before = new Map<Ref, Ref | undefined>();
  for (const annotation of source.array(page['/Annots'])) {
    let next: PdfValue | undefined = annotation;
    for (let level = 0; isRef(next) && !before.has(next) && level < MAX_LEVELS; level++) {
      before.set(next, importer.copyOf(next));
      importer.bind(next, target.allocate());
      next = source.dict(next)['/Parent'];
    }
  }
  for (const ref of before.keys()) {
    // Its tag is that of the first copy: an element is on one page.
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

/** A new document, whose objects may all be changed where they are. */
class NewDocument implements Target {
  readonly #file: PdfFile;

  constructor(file: PdfFile) {
    this.#file = file;
  }

  allocate(): Ref {
    return this.#file.allocate();
  }

  add(value: PdfValue): Ref {
    return this.#file.add(value);
  }

  set(ref: Ref, value: PdfValue): void {
    this.#file.set(ref, value);
  }

  move(ref: Ref, moved: Moved): void {
    this.#file.move(ref, moved);
  }

  get(ref: Ref): PdfValue {
    return this.#file.get(ref)?.value ?? null;
  }

  resolve(value: PdfValue | undefined): PdfValue {
    return isRef(value) ? this.get(value) : (value ?? null);
  }

  edit(ref: Ref): PdfDict {
    const value = this.get(ref);
    if (isDict(value)) return value;
    const dict: PdfDict = {};
    this.#file.set(ref, dict);
    return dict;
  }

  isStream(): boolean {
    return false;
  }

  setTrailer(key: string, value: PdfValue): void {
    this.#file.setTrailer(key, value);
  }
}

/** The highest version of the documents. */
function versionOf(selections: readonly ReadSelection[]): string {
  const versions = selections.flatMap(({ source }) => {
    const later = source.catalog['/Version'];
    return typeof later === 'string' ? [source.version, later.slice(1)] : [source.version];
  });
  return versions.filter((version) => /^[12]\.\d$/.test(version)).reduce((a, b) => (a > b ? a : b), '1.5');
}

/** The same pages of the same documents always give the same document (ISO 32000-2, 14.4). */
function identifierOf(selections: readonly ReadSelection[]): string {
  const hash = createHash('sha256');
  for (const { source, pages } of selections) {
    hash.update(JSON.stringify([source.trailer, source.length, pages ?? 'all']));
  }
  return `b:${hash.digest('hex').slice(0, 32)}`;
}
