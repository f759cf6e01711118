import { type Assembled, Composition, readingOf, readWhole, scriptNotes } from './compose.ts';
import { restoreClaims } from './claims.ts';
import { moveFile } from './files.ts';
import { claimsOfFile } from './look/claims.ts';
import type { PdfFile } from './model/file.ts';
import { inputArguments } from './engine.ts';
import type { Engine, PdfInput } from './engine.ts';
import { Elsewhere } from './graft/elsewhere.ts';
import { Grafts } from './graft/index.ts';
import type { Structure } from './graft/structure.ts';
import { type ImportedStream, Importer } from './importer.ts';
import type { ObjectFile } from './object-file.ts';
import { namesIn } from './page-tree.ts';
import type { PdfNote, ScriptNote } from './notes.ts';
import { Revision } from './revision.ts';
import type { Ref } from './values.ts';

/** Pages of one document that are copied into another. */
export interface Selection {
  input: PdfInput;
  /**
   * 1-based page numbers in the requested order; undefined selects the whole document with everything that belongs
   * to it.
   */
  pages?: readonly number[] | undefined;
  /** The result is the same document with other pages, so document-level attachments stay. */
  keepsDocument?: boolean | undefined;
  /** Cached data of the document, for copying pages from it several times. */
  known?: CachedSource | undefined;
}

/** A source document whose pages are used more than once. */
export interface CachedSource {
  /** These files stay open. */
  objects: ObjectFile;
  /** Files with the data of streams, created on demand. */
  streams: Map<Ref, string>;
}

/**
 * Writes a new PDF from pages of other documents: in one pass, if the object model can read all of them.
 *
 * @returns the conformance that each document claims, and the notes about the result
 */
export async function assemble(
  engine: Engine,
  selections: readonly Selection[],
  output: string,
): Promise<Assembled> {
  const composition = await composed(engine, selections);
  if (composition !== undefined) {
    const notes = await composition.saveTo(output);
    return { claims: composition.claims, notes };
  }
  const notes = await assembleByQpdf(engine, selections, output);
  return { claims: await Promise.all(selections.map(({ input }) => claimsOfFile(input.path))), notes };
}

/**
 * Works as `assemble`, and declares the common conformance of all sources if the result meets it.
 *
 * @returns the notes about the result
 */
export async function assembleWithClaims(
  engine: Engine,
  selections: readonly Selection[],
  output: string,
): Promise<PdfNote[]> {
  const { claims, notes } = await assemble(engine, selections, output);
  return [...notes, ...(await restoreClaims(engine, output, { claims, fonts: null }))];
}

/**
 * Reads each document once and releases it after its last use; undefined if a document cannot be read this way.
 */
async function composed(engine: Engine, selections: readonly Selection[]): Promise<Composition | undefined> {
  const inputs = selections.map(({ input }) => input);
  const reading = await readingOf(inputs);
  if (reading === undefined) return undefined;
  const last = new Map(inputs.map((input, index) => [input, index]));
  const composition = new Composition();
  const files = new Map<PdfInput, PdfFile>();
  for (const [index, { input, pages, keepsDocument }] of selections.entries()) {
    const source = files.get(input) ?? (await readWhole(engine, input, reading));
    if (source === undefined) return undefined;
    composition.add({ source, pages, keepsDocument });
    if (last.get(input) === index) files.delete(input);
    else files.set(input, source);
  }
  return composition;
}

/**
 * Writes a new PDF from pages of other documents. qpdf copies the pages with everything that they refer to;
 * objects that only a document's catalog refers to (outline, named destinations, fields, layers, tags,
 * attachments) are added afterwards.
 *
 * @returns the notes about the result
 */
export async function assembleByQpdf(
  engine: Engine,
  selections: readonly Selection[],
  output: string,
): Promise<ScriptNote[]> {
  for (const { input } of selections) await engine.boundPages(input);
  const [first] = selections;
  const whole = selections.every((selection) => selection.pages === undefined);
  const simple = (await qpdfIsEnough(engine, selections, whole)) && !(await isLong(engine, first?.input));
  const draft = whole || simple ? output : engine.temporary('pdf');
  await engine.write(
    selections.map((selection) => selection.input),
    [
      // An intermediate file gets an update with object streams appended; a final file is written as fast as
      // possible.
      ...(simple && first !== undefined
        ? [...inputArguments(first.input), '--decrypt']
        : ['--empty', '--object-streams=generate']),
      // A search for unused resources takes a minute for a thousand pages, and merging drops no page.
      `--remove-unreferenced-resources=${whole ? 'no' : 'auto'}`,
      '--pages',
      ...selections.flatMap(({ input, pages }) => [...inputArguments(input), pages?.join(',') ?? '1-z']),
      '--',
      { path: draft },
    ],
  );
  if (simple) return [];
  const { leavesObjects, notes } = await addCatalogObjects(engine, selections, draft);
  if (!whole) await finishPart(engine, draft, leavesObjects, output);
  return notes;
}

/**
 * Moves a finished part to its place. A part may have to be rewritten, because unreferenced objects must not stay in
 * the file: for example, a shared field brings the widgets of other pages with it.
 */
export async function finishPart(
  engine: Engine,
  draft: string,
  leavesObjects: boolean,
  output: string,
): Promise<void> {
  if (leavesObjects)
    await engine.write({ path: draft }, [{ path: draft }, '--object-streams=generate', { path: output }]);
  else await moveFile(draft, output);
}

/** Up to this number of pages it is fast to remove or insert pages in place: qpdf moves all pages that follow. */
const LONG = 2_000;

/**
 * Returns whether a document has so many pages that it is faster to write a new document of the selected pages.
 */
async function isLong(engine: Engine, input: PdfInput | undefined): Promise<boolean> {
  if (input === undefined) return false;
  const named = await namesIn(input.path, /\/Page\b/g);
  if (named !== undefined) return named > LONG;
  return Number(await engine.work(input, ['--show-npages', ...inputArguments(input)])) > LONG;
}

/** Entries of a catalog that concern only some pages, or that have to be merged with those of other documents. */
const SHARED_KEYS = /\/(?:Outlines|Names|Dests|AcroForm|OCProperties|StructTreeRoot|Threads)\b/g;

/**
 * Entries that the first document must not have if pages of others are added, because they would apply to those
 * pages.
 */
const FIRST_KEYS = /\/(?:AcroForm|StructTreeRoot|Collection)\b/g;

/** True when all documents, or all but the first of a merge, consist of nothing but pages. */
async function qpdfIsEnough(
  engine: Engine,
  selections: readonly Selection[],
  whole: boolean,
): Promise<boolean> {
  for (const [index, { input }] of selections.entries()) {
    const keys = whole && index === 0 ? FIRST_KEYS : SHARED_KEYS;
    if ((await namesIn(input.path, keys)) === 0) continue;
    if ((await engine.catalogText(input)).search(keys) !== -1) return false;
  }
  return whole || selections.length === 1;
}

/**
 * Adds the objects that pages do not refer to to a PDF that qpdf has assembled from these pages.
 *
 * @returns whether it may have objects of other pages that nothing refers to, and the notes about it
 */
export async function addCatalogObjects(
  engine: Engine,
  selections: readonly Selection[],
  file: string,
): Promise<{ leavesObjects: boolean; notes: ScriptNote[] }> {
  const target = await engine.objects({ path: file });
  try {
    const revision = new Revision(target);
    const copies = target.pages();
    const grafts = new Grafts(revision);
    let next = 0;
    let leavesObjects = false;
    for (const [index, selection] of selections.entries()) {
      const source = selection.known?.objects ?? (await engine.objects(selection.input));
      try {
        const isLast = index === selections.length - 1;
        const pages = await pagesOf(engine, source, selection, isLast ? copies.length - next : undefined);
        const taken = selection.pages?.map((page) => pages[page - 1] ?? '') ?? pages;
        const pairs = taken.map((page, place): [Ref, Ref] => [page, copies[next + place] ?? '']);
        next += taken.length;
        const streams: ImportedStream[] = [];
        const whole = selection.pages === undefined;
        const elsewhere = new Elsewhere(source, pages, whole ? undefined : taken);
        const importer = new Importer(source, revision, elsewhere, pairs, (stream) => streams.push(stream));
        for (const [page, copy] of pairs) importer.correspond(page, copy, target);
        for (const copy of importer.unwanted) {
          revision.set(copy, null);
          leavesObjects = true;
        }
        const keepsDocument = whole || selection.keepsDocument === true;
        grafts.add({ source, importer, allPages: pages, pages: pairs, whole, keepsDocument });
        await fetchStreams(engine, selection, streams, revision);
      } finally {
        if (selection.known === undefined) source.close();
      }
    }
    grafts.finish(revision.catalog());
    await rewriteStreams(engine, file, grafts.structure, revision);
    if (revision.changed) await revision.append(file);
    return { leavesObjects: leavesObjects || grafts.forms.any, notes: scriptNotes(grafts) };
  } finally {
    target.close();
  }
}

/** The pages of a source as qpdf enumerates them: for a damaged page tree, they differ from those in its JSON. */
async function pagesOf(
  engine: Engine,
  source: ObjectFile,
  selection: Selection,
  expected: number | undefined,
): Promise<readonly Ref[]> {
  const pages = source.pages();
  const plausible = selection.pages === undefined ? (expected ?? pages.length) === pages.length : true;
  if (plausible && Number(source.dict(source.catalog['/Pages'])['/Count']) === pages.length) return pages;
  return engine.pages(selection.input);
}

async function fetchStreams(
  engine: Engine,
  { input, known }: Selection,
  streams: readonly ImportedStream[],
  revision: Revision,
): Promise<void> {
  const files = known?.streams ?? new Map<Ref, string>();
  const missing = streams.map(({ source }) => source).filter((ref) => !files.has(ref));
  for (const [ref, file] of await engine.exportStreams(input, missing)) files.set(ref, file);
  for (const { source, copy, dict } of streams) {
    const data = files.get(source);
    if (data !== undefined) revision.setStream(copy, { dict, data });
  }
}

async function rewriteStreams(
  engine: Engine,
  file: string,
  structure: Structure,
  revision: Revision,
): Promise<void> {
  const files = await engine.exportStreams({ path: file }, [...structure.renumberedStreams.keys()]);
  for (const [ref, dict] of structure.renumberedStreams) {
    const data = files.get(ref);
    if (data !== undefined) revision.setStream(ref, { dict, data });
  }
}
