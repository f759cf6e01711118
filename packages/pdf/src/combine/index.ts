import { createHash } from 'node:crypto';
import type { Reachable } from '../model/stored.ts';
import { openPdf, type PdfFile } from '../model/index.ts';
import type { ScriptNote } from '../notes.ts';
import { readNumbers } from '../model/name-tree.ts';
import { pageGeometry } from '../model/page-geometry.ts';
import { isDict, isRef, isString, pdfText, textOf } from '../model/values.ts';
import type { PdfDict, PdfValue, Ref } from '../model/values.ts';
import { keysOfContents } from './contents.ts';
import { destinationsOf, withPage } from './destinations.ts';
import { byBytes, TreeWriter } from './tree-writer.ts';
import { moved, movedName, movedRef, type Moves } from './moved.ts';
import { Shared } from './shared.ts';
import { CombinedStructure, keptOf, structureOf } from './structure.ts';
import { StreamedPdf, type Write } from './writer.ts';

export type { Write };

/** Number of documents below one node of the page tree. */
const GROUP = 64;
/** Minimum size of streams that are deduplicated. */
const REPEATED = 512;
/** Maximum number of remembered streams; each takes 32 bytes and an entry of a map. */
const MAX_REMEMBERED = 20_000;

/** An outline entry that is written once its successor is known. */
interface Entry {
  ref: Ref;
  dict: PdfDict;
}

/**
 * Combines many documents into one PDF that is written while they arrive: memory use grows by only some hundred
 * bytes per document. Tags, destinations, links, outline, page labels, form fields, layers and attachments of each
 * document are kept, and each document gets an entry in the outline. The documents must be undamaged and not
 * encrypted, as engines write them.
 */
export class PdfCombiner {
  readonly #out: StreamedPdf;
  readonly #shared = new Shared();
  readonly #tree: Ref;
  #groups: Ref[] = [];
  #group: { ref: Ref; kids: Ref[]; pages: number } | undefined;
  #documents = 0;
  #pages = 0;
  readonly #outline: Ref;
  #first: Ref | undefined;
  #waiting: Entry | undefined;
  readonly #structure: CombinedStructure;
  readonly #destinations: TreeWriter;
  readonly #labels: [number, PdfValue][] = [];
  #hasLabels = false;
  /** The written streams by their contents. */
  readonly #streams = new Map<string, Ref>();

  /** @param write receives the file from its beginning to its end */
  constructor(write: Write) {
    const out = new StreamedPdf(write);
    this.#out = out;
    [this.#tree, this.#outline] = [out.allocate(), out.allocate()];
    this.#structure = new CombinedStructure(out);
    this.#destinations = new TreeWriter(out, '/Names');
  }

  /** Number of documents so far. */
  get documents(): number {
    return this.#documents;
  }

  /** The notes about the documents so far. */
  get notes(): ScriptNote[] {
    const { unsureScripts } = this.#shared;
    return unsureScripts.length === 0 ? [] : [{ unsureScripts }];
  }

  /**
   * Appends a document.
   *
   * @param title of its outline entry; a function can choose the title from the one that the document declares
   * @returns its number of pages
   * @throws PlatenError `pdf_damaged`, `pdf_too_complex`; errors of `write`
   */
  async add(pdf: Uint8Array, title: (own: string) => string): Promise<number> {
    const file = await openPdf(pdf);
    const pages = file.pages();
    const prefix = `${String(this.#documents).padStart(7, '0')}.`;
    const structure = structureOf(file);
    const outline = file.dict(file.catalog['/Outlines']);
    const entry = this.#out.allocate();
    const others = new Map<Ref, Ref>();
    const [outlines, root] = [file.catalog['/Outlines'], file.catalog['/StructTreeRoot']];
    if (isRef(outlines)) others.set(outlines, entry);
    if (isRef(root)) others.set(root, this.#structure.top);
    const tree = file.catalog['/Pages'];
    if (!isRef(tree)) throw new Error('a document without a page tree');
    const group = await this.#place();
    const destinations = destinationsOf(file);
    const kept: PdfValue[] = [
      tree,
      ...keptOf(structure),
      outline['/First'] ?? null,
      ...destinations.map(([, value]) => value),
      ...this.#shared.keep(file),
    ];
    const written = await this.#writeObjects(file, { tree, group: group.ref, others, prefix, kept });
    this.#shared.add(file, written);
    await this.#structure.add(structure, written);
    await this.#addDestinations(destinations, written);
    await this.#addEntry(file, written, { ref: entry, title, outline, page: pages[0] });
    this.#addLabels(file, pages.length, written);
    group.kids.push(movedRef(tree, written));
    group.pages += pages.length;
    this.#pages += pages.length;
    this.#documents += 1;
    return pages.length;
  }

  /**
   * Ends the file.
   *
   * @param title of the combined document
   */
  async finish(title: string): Promise<void> {
    const out = this.#out;
    await this.#endGroup();
    await out.value(idOf(this.#tree), {
      '/Type': '/Pages',
      '/Kids': this.#groups,
      '/Count': this.#pages,
    });
    const catalog: PdfDict = { '/Type': '/Catalog', '/Pages': this.#tree };
    const names: PdfDict = {};
    if (this.#waiting !== undefined) {
      const { ref, dict } = this.#waiting;
      await out.value(idOf(ref), dict);
      const ends = { '/First': this.#first ?? null, '/Last': ref };
      await out.value(idOf(this.#outline), { '/Type': '/Outlines', ...ends, '/Count': this.#documents });
      catalog['/Outlines'] = this.#outline;
      catalog['/PageMode'] = '/UseOutlines';
    }
    const destinations = await this.#destinations.finish();
    if (destinations !== undefined) names['/Dests'] = destinations;
    await this.#structure.finish(catalog);
    if (this.#hasLabels) catalog['/PageLabels'] = { '/Nums': this.#labels.flat() };
    const info = await this.#shared.finish(out, catalog, names);
    if (Object.keys(names).length > 0) catalog['/Names'] = names;
    const [catalogId, infoId] = [out.reserve(1), out.reserve(1)];
    await out.value(catalogId, catalog);
    await out.value(infoId, { ...plainInfo(info), '/Title': pdfText(title.toWellFormed()) });
    const id = `b:${createHash('sha256').update(`${title} ${this.#documents} ${this.#pages}`).digest('hex').slice(0, 32)}`;
    await out.finish({ '/Root': `${catalogId} 0 R`, '/Info': `${infoId} 0 R`, '/ID': [id, id] });
  }

  /** Returns the node of the page tree that becomes the parent of the next document. */
  async #place(): Promise<{ ref: Ref; kids: Ref[]; pages: number }> {
    if (this.#group !== undefined && this.#group.kids.length >= GROUP) await this.#endGroup();
    this.#group ??= { ref: this.#out.allocate(), kids: [], pages: 0 };
    return this.#group;
  }

  async #endGroup(): Promise<void> {
    const group = this.#group;
    if (group === undefined) return;
    this.#group = undefined;
    this.#groups.push(group.ref);
    await this.#out.value(idOf(group.ref), {
      '/Type': '/Pages',
      '/Parent': this.#tree,
      '/Kids': group.kids,
      '/Count': group.pages,
    });
  }

  async #writeObjects(
    file: PdfFile,
    {
      tree,
      group,
      others,
      prefix,
      kept,
    }: { tree: Ref; group: Ref; others: Map<Ref, Ref>; prefix: string; kept: PdfValue[] },
  ): Promise<Moves> {
    const out = this.#out;
    const objects = reachableFrom(file, kept, [...others.keys()]);
    const pages = file.pages();
    const numbered = (value: PdfValue): PdfValue[] | undefined => withPage(file, pages, value);
    const moves = {
      base: out.reserve(file.nextId),
      others,
      parents: this.#structure.nextKey,
      prefix,
      numbered,
    };
    const keyOf = keysOfContents(file);
    // Streams come first, because other objects refer to their replacements.
    for (const { id, object } of objects) {
      const { value, stream } = object;
      if (stream === undefined || !isDict(value) || stream.length < REPEATED) continue;
      const key = keyOf(`${id} 0 R`);
      if (key === null) continue;
      const known = this.#streams.get(key);
      if (known !== undefined) others.set(`${id} 0 R`, known);
      else if (this.#streams.size < MAX_REMEMBERED) this.#streams.set(key, `${moves.base + id} 0 R`);
    }
    for (const { id, object } of objects) {
      const ref = `${id} 0 R`;
      if (others.has(ref)) continue;
      const value = moved(object.value, moves);
      const target = moves.base + id;
      if (object.stream !== undefined && isDict(value)) await out.stream(target, value, object.stream.raw);
      else await out.value(target, ref === tree && isDict(value) ? { ...value, '/Parent': group } : value);
    }
    return moves;
  }

  async #addDestinations(
    destinations: readonly (readonly [string, PdfValue])[],
    moves: Moves,
  ): Promise<void> {
    const entries = destinations.map(([name, value]): [string, PdfValue] => [
      movedName(name, moves),
      moved(value, moves),
    ]);
    await this.#destinations.add(entries.sort(byBytes));
  }

  async #addEntry(
    file: PdfFile,
    moves: Moves,
    {
      ref,
      title,
      outline,
      page,
    }: { ref: Ref; title: (own: string) => string; outline: PdfDict; page: Ref | undefined },
  ): Promise<void> {
    const own = textOf(file.resolve(file.dict(file.trailer['/Info'])['/Title'])).trim();
    const shown = title(own);
    const view = page === undefined ? undefined : pageGeometry(file, page);
    const entry: PdfDict = {
      '/Title': pdfText(shown.toWellFormed()),
      '/Parent': this.#outline,
      '/Prev': this.#waiting?.ref ?? null,
      '/Dest':
        page === undefined || view === undefined
          ? null
          : [movedRef(page, moves), '/XYZ', view.left, view.top, null],
    };
    const count = file.resolve(outline['/Count']);
    if (isRef(outline['/First']) && isRef(outline['/Last'])) {
      entry['/First'] = movedRef(outline['/First'], moves);
      entry['/Last'] = movedRef(outline['/Last'], moves);
      entry['/Count'] = -Math.max(1, typeof count === 'number' ? Math.abs(count) : 1);
    }
    this.#first ??= ref;
    if (this.#waiting !== undefined) {
      await this.#out.value(idOf(this.#waiting.ref), { ...this.#waiting.dict, '/Next': ref });
    }
    this.#waiting = { ref, dict: entry };
  }

  #addLabels(file: PdfFile, pages: number, moves: Moves): void {
    const own = readNumbers(file, file.catalog['/PageLabels']);
    if (own.length > 0 && !this.#hasLabels) {
      this.#hasLabels = true;
      // The pages before it are labelled by their numbers.
      if (this.#pages > 0) this.#labels.push([0, { '/S': '/D' }]);
    }
    if (!this.#hasLabels) return;
    if (own.length === 0) this.#labels.push([this.#pages, { '/S': '/D', '/St': this.#pages + 1 }]);
    for (const [start, label] of own.sort(([a], [b]) => a - b)) {
      if (start < pages) this.#labels.push([this.#pages + start, moved(file.resolve(label), moves)]);
    }
  }
}

/** Collects the objects that some values refer to, except those that the combined file replaces by its own. */
function reachableFrom(file: PdfFile, kept: PdfValue[], replaced: readonly Ref[]): Reachable['objects'] {
  const { catalogRef, catalog } = file;
  const info = file.trailer['/Info'] ?? null;
  const values = replaced.map((ref) => [ref, file.get(ref)?.value ?? null] as const);
  for (const [ref] of values) file.set(ref, null);
  file.set(catalogRef, { '/Kept': kept });
  file.setTrailer('/Info', null);
  const { objects } = file.reachable();
  file.set(catalogRef, catalog);
  file.setTrailer('/Info', info);
  for (const [ref, value] of values) file.set(ref, value);
  const root = idOf(catalogRef);
  return objects.filter(({ id }) => id !== root);
}

/** Returns the description's strings, which contain only data of this document. */
function plainInfo(info: PdfDict): PdfDict {
  return Object.fromEntries(Object.entries(info).filter(([, value]) => isString(value)));
}

function idOf(ref: Ref): number {
  return Number.parseInt(ref, 10);
}
