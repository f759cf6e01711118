import { isDict, isRef, type PdfDict, type PdfValue, type Ref } from './values.ts';
import { type ByteSource, held, MemorySource, type StreamBytes, versionOf } from './bytes.ts';
import { type CrossReferences, highestNumber, readCrossReferences } from './cross-references.ts';
import { pagesOf, type Page } from './pages.ts';
import { type ReachableIds, Links } from './found.ts';
import { type Moved, movedBytes, NOTHING, type PlainTable, ImportedValues } from './plain.ts';
import type { Entry, PdfObject } from './entries.ts';
import { Source } from './source.ts';
import { type Reachable, type Stored, StoredMoved } from './stored.ts';
import { damaged, generationOf, idOf, Parser } from './syntax.ts';
import { appendChanges, type IncrementalOptions, type Appended } from './incremental.ts';
import { inFile, inMemory } from './output.ts';
import { type SaveOptions, writeAll } from './write.ts';
import { PlatenError } from '@platen/core/errors';

/** The data of a stream with its filters decoded. */
export interface StreamData {
  data: Uint8Array;
  /** Filters that are not decoded, the outermost first: those of images, such as `/DCTDecode`. */
  filters: readonly string[];
}

interface Change {
  generation: number;
  /** Undefined if it was removed. */
  object: PdfObject | undefined;
}

/** Default limit for the bytes of a decoded stream. */
const MAX_STREAM = 256 << 20;

/** A PDF with its objects, which can be read, changed and written. */
export class PdfFile {
  readonly #source: Source;
  readonly #crossReferences: CrossReferences | undefined;
  readonly #changes = new Map<number, Change>();
  /** Objects of other files, until they are read or changed. */
  readonly #taken = new ImportedValues();
  readonly #takenIds: number[] = [];
  /** The entries of the trailer that describe the document, not the arrangement of the file. */
  #trailer: PdfDict;
  #lastId: number;
  #pages: readonly Page[] | undefined;

  private constructor(source: Source, crossReferences: CrossReferences | undefined, trailer: PdfDict) {
    this.#source = source;
    this.#crossReferences = crossReferences;
    this.#trailer = trailer;
    this.#lastId = crossReferences === undefined ? 0 : source.numbers.highest;
  }

  /** @throws as `openPdf` */
  static read(bytes: ByteSource, signal: AbortSignal | undefined): PdfFile {
    if (versionOf(bytes) === undefined) throw damaged('it does not begin as one');
    const source = new Source(bytes);
    const crossReferences = readCrossReferences(source, signal);
    const { trailer } = crossReferences;
    if (trailer['/Encrypt'] !== undefined) {
      throw new PlatenError('pdf_password_required', 'The PDF is encrypted.');
    }
    source.numbers.highest = highestNumber(source, trailer);
    const leadsOn = (value: PdfValue): boolean => !isRef(value) || source.numbers.has(idOf(value));
    const kept = Object.entries(trailer).filter(([key, value]) => !ARRANGEMENT.has(key) && leadsOn(value));
    const file = new PdfFile(source, crossReferences, Object.fromEntries(kept));
    if (!isRef(trailer['/Root']) || !isDict(file.resolve(trailer['/Root'])))
      throw damaged('it has no catalog');
    return file;
  }

  /** A document without any page. */
  static create(): PdfFile {
    const file = new PdfFile(new Source(new MemorySource(Buffer.alloc(0))), undefined, {});
    const pages = file.add({ '/Type': '/Pages', '/Kids': [], '/Count': 0 });
    file.setTrailer('/Root', file.add({ '/Type': '/Catalog', '/Pages': pages }));
    return file;
  }

  /** The version in the header, such as `1.7`; the catalog may name a higher one. */
  get version(): string {
    return versionOf(this.#source.bytes) ?? '1.7';
  }

  /** Whether the source file has, or may have, objects in object streams (ISO 32000-2, 7.5.7). */
  get isPacked(): boolean {
    return this.#crossReferences?.kind === 'stream';
  }

  /** The lowest number above those of all objects. */
  get nextId(): number {
    return this.#lastId + 1;
  }

  /** Number of objects of the source file, including free ones. */
  get count(): number {
    return this.#source.entries.size;
  }

  /** Size of the source file in bytes. */
  get length(): number {
    return this.#source.bytes.length;
  }

  /** /Root, /Info, /ID and other entries of the trailer about the document. */
  get trailer(): Readonly<PdfDict> {
    return this.#trailer;
  }

  /** @param value null removes the entry */
  setTrailer(key: string, value: PdfValue): void {
    const { [key]: _before, ...rest } = this.#trailer;
    this.#trailer = value === null ? rest : { ...rest, [key]: value };
  }

  get catalogRef(): Ref {
    const root = this.#trailer['/Root'];
    return isRef(root) ? root : '0 0 R';
  }

  /** The dictionary at the root of the document. */
  get catalog(): PdfDict {
    return this.dict(this.catalogRef);
  }

  /**
   * An object, or undefined if there is none. It is shared: pass changes to `set`; otherwise they may or may not
   * be written.
   *
   * @throws PlatenError `pdf_damaged`, `pdf_too_complex`
   */
  get(ref: Ref): PdfObject | undefined {
    const id = idOf(ref);
    const generation = generationOf(ref);
    const change = this.#changes.get(id);
    if (change !== undefined) return change.generation === generation ? change.object : undefined;
    const moved = generation === 0 && this.#takenIds.length > 0 ? this.#taken.get(id) : undefined;
    if (moved === undefined) return this.#source.get(id, generation);
    // From now on, it may be changed in place.
    const object = { value: this.#valueOf(moved) };
    this.#changes.set(id, { generation: 0, object });
    return object;
  }

  #valueOf(moved: Moved): PdfValue {
    const bytes = movedBytes(moved);
    return new Parser(bytes, 0, bytes.length, this.#source.names).value();
  }

  /** The objects of the source file that may be written as bytes with other references. */
  get plains(): PlainTable {
    return this.#source.plains;
  }

  /**
   * The number among `plains` of an object of generation 0; -1 for any other, and for changed objects.
   *
   * @throws PlatenError `pdf_damaged`, `pdf_too_complex`
   */
  plain(id: number): number {
    const entry = this.#changes.has(id) ? undefined : this.#source.entries.get(id);
    return entry === undefined || entry.kind === 'free' ? -1 : this.#source.plainOf(entry);
  }

  /**
   * Copies an object from another file under a number that has been allocated for it.
   *
   * @param moved returns the number here of an object in the other file, or `NOTHING`
   */
  takeOver(id: number, table: PlainTable, member: number, moved: (id: number) => number): void {
    this.#taken.add(id, table, member, moved);
    this.#takenIds.push(id);
  }

  /** The value itself, direct or by reference; null if there is none. */
  resolve(value: PdfValue | undefined): PdfValue {
    let current = value;
    for (let step = 0; isRef(current); step++) {
      if (step > MAX_CHAIN) throw damaged('references lead to one another');
      current = this.get(current)?.value;
    }
    return current ?? null;
  }

  /** The dictionary, direct or by reference; empty if there is none. */
  dict(value: PdfValue | undefined): PdfDict {
    const resolved = this.resolve(value);
    return isDict(resolved) ? resolved : {};
  }

  /** The array, direct or by reference; empty if there is none. */
  array(value: PdfValue | undefined): PdfValue[] {
    const resolved = this.resolve(value);
    return Array.isArray(resolved) ? resolved : [];
  }

  /** The items of an entry that has one value or an array of values, as a new array; empty for none. */
  items(value: PdfValue | undefined): PdfValue[] {
    const resolved = this.resolve(value);
    if (Array.isArray(resolved)) return resolved.slice();
    return value === undefined || resolved === null ? [] : [value];
  }

  /**
   * The data of a stream with all filters decoded except those of images; undefined for other objects.
   *
   * @param most maximum bytes
   * @throws PlatenError `pdf_damaged`; `pdf_too_complex` for more than `most`
   */
  streamData(ref: Ref, most = MAX_STREAM): StreamData | undefined {
    const object = this.get(ref);
    return object?.stream === undefined ? undefined : this.#source.decode(object, most);
  }

  /** All references, in the order of object numbers. */
  refs(): Ref[] {
    const refs = new Map<number, Ref>();
    for (const { id, generation, kind } of this.#source.entries.values()) {
      if (kind !== 'free' && !this.#changes.has(id)) refs.set(id, `${id} ${generation} R`);
    }
    for (const id of this.#takenIds) if (!this.#changes.has(id)) refs.set(id, `${id} 0 R`);
    for (const [id, { generation, object }] of this.#changes) {
      if (object !== undefined) refs.set(id, `${id} ${generation} R`);
    }
    return [...refs].sort(([a], [b]) => a - b).map(([, ref]) => ref);
  }

  /**
   * The pages in order; a repeated page occurs repeatedly.
   *
   * @throws PlatenError `pdf_damaged` for a cyclic page tree, `pdf_too_complex` for too many pages
   */
  pages(): readonly Ref[] {
    return this.#pageList().map(({ ref }) => ref);
  }

  /** Page dictionaries in order, with inherited entries; they must not be changed. */
  pageDicts(): PdfDict[] {
    return this.#pageList().map((_, place) => this.pageDict(place));
  }

  /** One of them, by its index in `pages`. */
  pageDict(place: number): PdfDict {
    const page = this.#pageList()[place];
    return page === undefined ? {} : { ...page.inherited, ...this.dict(page.ref) };
  }

  #pageList(): readonly Page[] {
    this.#pages ??= pagesOf(this);
    return this.#pages;
  }

  /** Returns a reference for an object that will be set later. */
  allocate(): Ref {
    return `${this.allocateId()} 0 R`;
  }

  /**
   * Returns the number of an object that will be set later. Numbers that the file already refers to are not used
   * for appended objects.
   */
  allocateId(): number {
    do this.#lastId++;
    while (this.#source.numbers.dangling.has(this.#lastId));
    return this.#lastId;
  }

  /** @param stream data of a stream, encoded by the filters of its dictionary */
  add(value: PdfValue, stream?: Uint8Array | StreamBytes): Ref {
    const ref = this.allocate();
    this.set(ref, value, stream);
    return ref;
  }

  /**
   * Changes an object, or creates one with a free number.
   *
   * @param stream data of a stream, encoded by the filters of its dictionary; without it, a stream keeps its data
   */
  set(ref: Ref, value: PdfValue, stream?: Uint8Array | StreamBytes): void {
    const given = stream instanceof Uint8Array ? held(stream) : stream;
    const data = given ?? this.get(ref)?.stream;
    const id = idOf(ref);
    this.#lastId = Math.max(this.#lastId, id);
    const object = data === undefined || !isDict(value) ? { value } : { value, stream: data };
    this.#changes.set(id, { generation: generationOf(ref), object });
    this.#pages = undefined;
  }

  remove(ref: Ref): void {
    this.#changes.set(idOf(ref), { generation: generationOf(ref), object: undefined });
    this.#pages = undefined;
  }

  /**
   * Writes the document anew with the objects that its trailer refers to. The same document always gives the same
   * bytes.
   *
   * @throws PlatenError `pdf_damaged`, `pdf_too_complex`; the signal's reason when it is aborted
   */
  async save(options: SaveOptions = {}): Promise<Uint8Array> {
    return inMemory(await writeAll(this, options));
  }

  /** Writes the document as `save` does, to another file than its source, without a copy in memory. */
  async saveTo(path: string, options: SaveOptions = {}): Promise<void> {
    await inFile(path, await writeAll(this, options), options.signal);
  }

  /**
   * Appends the changes to the unchanged source file, so that signatures stay valid.
   *
   * @throws PlatenError `pdf_damaged`, and Error for a document that was not read from a file
   */
  async saveIncremental(options: IncrementalOptions = {}): Promise<Appended> {
    if (this.#crossReferences === undefined) throw new Error('a new document has nothing to be appended to');
    const changes = [...this.#changes]
      .sort(([a], [b]) => a - b)
      .map(
        ([id, { generation }]) => [id, { generation, object: this.get(`${id} ${generation} R`) }] as const,
      );
    const bytes = this.#source.bytes.data(0, this.length).raw;
    return await appendChanges(this, bytes, this.#crossReferences, changes, options);
  }

  /** The objects that the trailer refers to, for writing. */
  reachable(signal?: AbortSignal): Reachable {
    const { ids, next } = this.found(signal);
    return { objects: Array.from(ids, (id) => this.stored(id)), next };
  }

  /**
   * The numbers of the objects that the trailer refers to; all of them are read.
   *
   * @param isRead whether all are parsed into values, as the caller needs them; otherwise plain objects are only
   * scanned for references
   * @throws PlatenError `pdf_damaged`, `pdf_too_complex`; the signal's reason when it is aborted
   */
  found(signal?: AbortSignal, isRead = false): ReachableIds {
    const links = new Links();
    links.addValue(this.#trailer);
    return links.follow((id, generation) => this.#leadsOn(id, generation, links, isRead), signal);
  }

  /**
   * Adds the references of an object.
   *
   * @returns whether it exists
   */
  #leadsOn(id: number, generation: number, links: Links, isRead: boolean): boolean {
    const change = this.#changes.get(id);
    if (change !== undefined) {
      if (change.generation !== generation || change.object === undefined) return false;
      links.addValue(change.object.value);
      return true;
    }
    const entry = this.#source.entries.get(id);
    const moved = generation === 0 && !isRead ? this.#movedOf(id, entry) : undefined;
    if (moved !== undefined) {
      const end = moved.first + moved.table.count(moved.member);
      for (let at = moved.first; at < end; at++) {
        const other = moved.ids.at(at);
        if (other !== NOTHING) links.add(other);
      }
      return true;
    }
    if (entry === undefined || entry.kind === 'free' || entry.generation !== generation) return false;
    this.#source.addLinks(entry, links);
    return true;
  }

  /** The text of an object that is written unchanged except for its references. */
  #movedOf(id: number, entry: Entry | undefined): Moved | undefined {
    const taken = this.#takenIds.length === 0 ? undefined : this.#taken.get(id);
    if (taken !== undefined) return taken;
    if (entry === undefined || entry.kind === 'free' || entry.object !== undefined) return undefined;
    const plain = this.#source.plainOf(entry);
    return plain === -1 ? undefined : this.#source.plains.untouched(plain);
  }

  /** An object for writing. */
  stored(id: number): Stored {
    const change = this.#changes.get(id);
    if (change?.object !== undefined)
      return { id, generation: change.generation, object: change.object, body: undefined, moved: undefined };
    const entry = this.#source.entries.get(id);
    const moved = this.#movedOf(id, entry);
    if (moved !== undefined) return new StoredMoved(this, id, moved);
    if (entry === undefined) throw damaged('an object is missing');
    const object = this.#source.objectOf(entry);
    return { id, generation: entry.generation, object, body: entry.body, moved: undefined };
  }
}

/** Maximum length of a chain of references. */
const MAX_CHAIN = 100;

/** Keys of trailers and cross-reference streams that describe the arrangement of the file. */
const ARRANGEMENT = new Set(
  '/Size /Prev /XRefStm /DocChecksum /Type /W /Index /Length /Filter /DecodeParms'.split(' '),
);
