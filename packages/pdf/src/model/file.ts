import { isDict, isRef, type PdfDict, type PdfValue, type Ref } from '../values.ts';
import { type ByteSource, HeldBytes, MemorySource, type StreamBytes, versionOf } from './bytes.ts';
import { type CrossReferences, highestNumber, readCrossReferences } from './cross-references.ts';
import { pagesOf, type Page } from './pages.ts';
import { type Found, Links } from './found.ts';
import { type Moved, movedBytes, NOTHING, type PlainTable, ImportedValues } from './plain.ts';
import type { Entry, PdfObject } from './entries.ts';
import { Source } from './source.ts';
import { type Reachable, type Stored, StoredMoved } from './stored.ts';
import { damaged, generationOf, idOf, Parser } from './syntax.ts';
import { appendChanges, type IncrementalOptions, type Appended } from './incremental.ts';
import { inFile, inMemory } from './output.ts';
import { type SaveOptions, writeAll } from './write.ts';
import { PlatenError } from '@platen/core/errors';

/** The data of a stream with its filters undone. */
export interface StreamData {
  data: Uint8Array;
  /** Filters that are left, the outermost first: those of pictures, such as `/DCTDecode`. */
  filters: readonly string[];
}

interface Change {
  generation: number;
  /** Undefined: it was removed. */
  object: PdfObject | undefined;
}

/** Bytes a stream may have when it is decoded, unless another bound is named. */
const MAX_STREAM = 256 << 20;

/** A PDF with its objects, which can be read, changed and written. */
export class PdfFile {
  readonly #source: Source;
  readonly #crossReferences: CrossReferences | undefined;
  readonly #changes = new Map<number, Change>();
  /** Objects of other files, until they are read or changed. */
  readonly #taken = new ImportedValues();
  readonly #takenIds: number[] = [];
  /** What the trailer says of the document, not of how the file is arranged. */
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

  /** What its first line says, such as `1.7`; the catalog may name a higher one. */
  get version(): string {
    return versionOf(this.#source.bytes) ?? '1.7';
  }

  /** Whether the file it was read from has objects in object streams (ISO 32000-2, 7.5.7), or may have. */
  get isPacked(): boolean {
    return this.#crossReferences?.kind === 'stream';
  }

  /** The lowest number above those of all objects. */
  get nextId(): number {
    return this.#lastId + 1;
  }

  /** Objects of the file it was read from, free ones among them. */
  get count(): number {
    return this.#source.entries.size;
  }

  /** Bytes of the file it was read from. */
  get length(): number {
    return this.#source.bytes.length;
  }

  /** /Root, /Info, /ID and whatever else is said there of the document. */
  get trailer(): Readonly<PdfDict> {
    return this.#trailer;
  }

  /** @param value null takes the entry away */
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
   * An object, or undefined where there is none. It is shared: what is changed of it is handed to `set`, else it may or
   * may not be written.
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
    // From here on it may be changed where it is.
    const object = { value: this.#valueOf(moved) };
    this.#changes.set(id, { generation: 0, object });
    return object;
  }

  #valueOf(moved: Moved): PdfValue {
    const bytes = movedBytes(moved);
    return new Parser(bytes, 0, bytes.length, this.#source.names).value();
  }

  /** What of the file it was read from may be written with other references, and otherwise as it stands. */
  get plains(): PlainTable {
    return this.#source.plains;
  }

  /**
   * The number among `plains` of an object of generation 0; -1 for any other, and for what was changed.
   *
   * @throws PlatenError `pdf_damaged`, `pdf_too_complex`
   */
  plain(id: number): number {
    const entry = this.#changes.has(id) ? undefined : this.#source.entries.get(id);
    return entry === undefined || entry.kind === 'free' ? -1 : this.#source.plainOf(entry);
  }

  /**
   * Takes an object over from another file, under a number that has been allocated for it.
   *
   * @param moved gives the number of an object here for that of one in the other file, or `NOTHING`
   */
  takeOver(id: number, table: PlainTable, member: number, moved: (id: number) => number): void {
    this.#taken.add(id, table, member, moved);
    this.#takenIds.push(id);
  }

  /** The value itself, whether direct or referred to; null where there is none. */
  resolve(value: PdfValue | undefined): PdfValue {
    let current = value;
    for (let step = 0; isRef(current); step++) {
      if (step > MAX_CHAIN) throw damaged('references lead to one another');
      current = this.get(current)?.value;
    }
    return current ?? null;
  }

  /** The dictionary, whether direct or referred to; empty where there is none. */
  dict(value: PdfValue | undefined): PdfDict {
    const resolved = this.resolve(value);
    return isDict(resolved) ? resolved : {};
  }

  /** The array, whether direct or referred to; empty where there is none. */
  array(value: PdfValue | undefined): PdfValue[] {
    const resolved = this.resolve(value);
    return Array.isArray(resolved) ? resolved : [];
  }

  /**
   * The data of a stream with every filter undone but those of pictures; undefined for what is no stream.
   *
   * @param most bytes that it may have
   * @throws PlatenError `pdf_damaged`; `pdf_too_complex` for more than `most`
   */
  streamData(ref: Ref, most = MAX_STREAM): StreamData | undefined {
    const object = this.get(ref);
    return object?.stream === undefined ? undefined : this.#source.decode(object, most);
  }

  /** All references there are, in the order of object numbers. */
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
   * The pages in order; one that is there twice, twice.
   *
   * @throws PlatenError `pdf_damaged` for a page tree that goes in circles, `pdf_too_complex` for too many pages
   */
  pages(): readonly Ref[] {
    return this.#pageList().map(({ ref }) => ref);
  }

  /** Page dictionaries in order, with what they have from the nodes above them; not to be changed. */
  pageDicts(): PdfDict[] {
    return this.#pageList().map((_, place) => this.pageDict(place));
  }

  /** One of them, by its place among `pages`. */
  pageDict(place: number): PdfDict {
    const page = this.#pageList()[place];
    return page === undefined ? {} : { ...page.inherited, ...this.dict(page.ref) };
  }

  #pageList(): readonly Page[] {
    this.#pages ??= pagesOf(this);
    return this.#pages;
  }

  /** A reference for an object that is yet to be set. */
  allocate(): Ref {
    return `${this.allocateId()} 0 R`;
  }

  /** The number of an object that is yet to be set. What is appended to a file is none that the file refers to already. */
  allocateId(): number {
    do this.#lastId++;
    while (this.#source.numbers.dangling.has(this.#lastId));
    return this.#lastId;
  }

  /** @param stream data of a stream, encoded as the filters of its dictionary say */
  add(value: PdfValue, stream?: Uint8Array): Ref {
    const ref = this.allocate();
    this.set(ref, value, stream);
    return ref;
  }

  /**
   * Changes an object, or makes one of a number that was free.
   *
   * @param stream data of a stream, encoded as the filters of its dictionary say; without it a stream keeps its own
   */
  set(ref: Ref, value: PdfValue, stream?: Uint8Array | StreamBytes): void {
    const given = stream instanceof Uint8Array ? new HeldBytes(stream) : stream;
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
   * Writes the document anew: what its trailer leads to, everything else is left out. The same document always gives
   * the same bytes.
   *
   * @throws PlatenError `pdf_damaged`, `pdf_too_complex`; the signal's reason when it is aborted
   */
  async save(options: SaveOptions = {}): Promise<Uint8Array> {
    return inMemory(await writeAll(this, options));
  }

  /** Writes the document as `save` does, into another file than it was read from, without a copy of it all. */
  async saveTo(path: string, options: SaveOptions = {}): Promise<void> {
    await inFile(path, await writeAll(this, options), options.signal);
  }

  /**
   * Writes the document with its changes after what it was read from, byte for byte, so that signatures stay valid.
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

  /** The objects that the trailer leads to, as they are written. */
  reachable(signal?: AbortSignal): Reachable {
    const { ids, next } = this.found(signal);
    return { objects: Array.from(ids, (id) => this.stored(id)), next };
  }

  /**
   * The numbers of the objects that the trailer leads to; all of them are read.
   *
   * @param isRead into values, as the caller needs them; else what is written as it stands is only looked at for references
   * @throws PlatenError `pdf_damaged`, `pdf_too_complex`; the signal's reason when it is aborted
   */
  found(signal?: AbortSignal, isRead = false): Found {
    const links = new Links();
    links.addValue(this.#trailer);
    return links.follow((id, generation) => this.#leadsOn(id, generation, links, isRead), signal);
  }

  /** Adds what an object leads to. @returns whether there is such an object */
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

  /** What is written as it stands, but for its references. */
  #movedOf(id: number, entry: Entry | undefined): Moved | undefined {
    const taken = this.#takenIds.length === 0 ? undefined : this.#taken.get(id);
    if (taken !== undefined) return taken;
    if (entry === undefined || entry.kind === 'free' || entry.object !== undefined) return undefined;
    const plain = this.#source.plainOf(entry);
    return plain === -1 ? undefined : this.#source.plains.untouched(plain);
  }

  /** An object that was found, as it is written. */
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

/** References to references. */
const MAX_CHAIN = 100;

/** Keys of a trailer that say how the file is arranged, and of cross-reference streams. */
const ARRANGEMENT = new Set(
  '/Size /Prev /XRefStm /DocChecksum /Type /W /Index /Length /Filter /DecodeParms'.split(' '),
);
