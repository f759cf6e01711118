import { isDict, isRef, type PdfDict, type PdfValue } from './values.ts';
import type { ByteSource, StreamBytes } from './bytes.ts';
import { type Decoded, decoded } from './filters.ts';
import type { Links } from './found.ts';
import { type Entry, Entries, type PdfObject, type Span } from './entries.ts';
import { Integers } from './integers.ts';
import { PlainTable } from './plain.ts';
import { damaged, generationOf, idOf, OTHER_GENERATION, Parser, tooComplex } from './syntax.ts';
import { KnownNumbers, Names } from './words.ts';

/** The part before the data of a stream, and where it ends. */
interface Header {
  id: number;
  generation: number;
  value: PdfValue;
  body: Span | undefined;
  firstLink: number;
  endOfLinks: number;
  isStream: boolean;
  end: number;
}

/** An object with its numbers and its text in the file. */
interface Read extends Pick<Header, 'id' | 'generation' | 'body' | 'firstLink' | 'endOfLinks'> {
  object: PdfObject;
}

interface ObjectStream {
  data: Buffer;
  ids: number[];
  /** Offset of the values in `data`. */
  starts: number[];
}

/** Maximum bytes of the object streams and cross-reference streams of a document together. */
const MAX_INFLATED = 256 << 20;
/** Maximum number of times that each byte is read: for its references and for its value, if objects overlap. */
const OVERLAP = 4;
/** Maximum length of a chain of references. */
const MAX_CHAIN = 100;

/** Number of bytes that are first read for an object, without the data of a stream. */
const FIRST_LOOK = 1 << 12;
/** Number of bytes after a value that show whether it has ended. */
const MARGIN = 16;

const [LF, CR] = [0x0a, 0x0d];

/** The objects of a file, read on demand. */
export class Source {
  readonly bytes: ByteSource;
  readonly entries = new Entries();
  readonly names = new Names();
  readonly numbers = new KnownNumbers();
  /** Values that have not been parsed. */
  readonly plains = new PlainTable(this.numbers);
  /** The object numbers that the read objects refer to. */
  readonly links = new Integers();
  readonly #streams = new Map<number, ObjectStream>();
  #inflated = 0;
  /** Number of bytes that have been read for objects. */
  #read = 0;

  constructor(bytes: ByteSource) {
    this.bytes = bytes;
  }

  /**
   * The object, or undefined if there is none.
   *
   * @throws PlatenError `pdf_damaged`, `pdf_too_complex`
   */
  get(id: number, generation: number): PdfObject | undefined {
    const entry = this.entries.get(id);
    if (entry === undefined || entry.kind === 'free' || entry.generation !== generation) return undefined;
    return entry.object ?? this.objectOf(entry);
  }

  objectOf(entry: Entry): PdfObject {
    if (entry.object !== undefined) return entry.object;
    if (entry.busy) throw damaged('an object is needed to read itself');
    entry.busy = true;
    try {
      if (entry.kind === 'plain') this.#readPlain(entry);
      else this.#readPacked(entry);
    } finally {
      entry.busy = false;
    }
    return entry.object ?? { value: null };
  }

  /**
   * Adds the references of an object.
   *
   * @throws PlatenError `pdf_damaged`, `pdf_too_complex`
   */
  addLinks(entry: Entry, links: Links): void {
    const { value } = this.objectOf(entry);
    for (let at = entry.firstLink; at < entry.endOfLinks; at++) {
      const id = this.links.at(at);
      if (id !== OTHER_GENERATION) links.add(id);
      else {
        links.addValue(value);
        return;
      }
    }
  }

  /**
   * The number of an object among the plain values of the file, or -1.
   *
   * @throws PlatenError `pdf_damaged`, `pdf_too_complex`
   */
  plainOf(entry: Entry): number {
    if (entry.plain !== undefined) return entry.plain;
    const place = entry.kind === 'packed' ? this.#placeInStream(entry) : this.#placeInFile(entry);
    let plain = -1;
    if (entry.generation === 0 && place !== undefined) {
      plain = this.plains.add(place.bytes, place.start, place.limit);
      if (plain !== -1) {
        const { start, end } = this.plains.span(plain);
        this.#spend(end - start);
        if (entry.kind === 'plain' && !this.#endsAt(end)) plain = -1;
      }
    }
    entry.plain = plain;
    return plain;
  }

  /** The value itself, direct or by reference. */
  resolve(value: PdfValue | undefined): PdfValue {
    let current = value;
    for (let step = 0; isRef(current); step++) {
      if (step > MAX_CHAIN) throw damaged('references lead to one another');
      current = this.get(idOf(current), generationOf(current))?.value;
    }
    return current ?? null;
  }

  /** @throws PlatenError `pdf_damaged`, `pdf_too_complex` for more bytes than `most` */
  decode({ value, stream }: PdfObject, most: number): Decoded {
    const dict = isDict(value) ? value : {};
    const filter = this.#direct(dict['/Filter'] ?? dict['/F']);
    const parameters = this.#direct(dict['/DecodeParms'] ?? dict['/DP']);
    return decoded(stream?.raw ?? Buffer.alloc(0), filter, parameters, most);
  }

  /** Inflates object streams and cross-reference streams, whose total size is limited. */
  unpack(object: PdfObject): Buffer {
    const { data, filters } = this.decode(object, MAX_INFLATED - this.#inflated);
    if (filters.length > 0) throw damaged('an object stream has a filter of pictures');
    this.#inflated += data.length;
    return data;
  }

  /** The object at an offset: its numbers, its value and its data. */
  parseAt(offset: number): Read {
    if (!(offset >= 0 && offset < this.bytes.length)) throw damaged('an object is outside of the file');
    const read = this.bytes.isHeld
      ? this.#header(
          new Parser(this.bytes.window(0, 0).bytes, offset, this.bytes.length, this.names, this.numbers),
          true,
        )
      : this.reading(offset, (parser) => this.#header(parser, false));
    const { id, generation, value, body, firstLink, endOfLinks, end, isStream } = read;
    if (!isStream || !isDict(value)) {
      this.#spend(end - offset);
      return { id, generation, object: { value }, body, firstLink, endOfLinks };
    }
    const stream = this.#streamData(value, end);
    this.#spend(end - offset + stream.length);
    return { id, generation, object: { value, stream }, body, firstLink, endOfLinks };
  }

  /**
   * An object without the data of its stream.
   *
   * @param isHeld whether its bytes stay in memory, so that slices may be kept
   */
  #header(parser: Parser, isHeld: boolean): Header {
    const [id, generation] = [parser.integer(), parser.integer()];
    if (id < 0 || generation < 0 || !parser.takes('obj'))
      throw damaged('an object is not where it should be');
    parser.skip();
    const start = parser.at;
    const dangling = this.numbers.count;
    // An object without a value is null (7.3.10).
    const firstLink = this.links.length;
    parser.links = this.links;
    const value = parser.takes('endobj') ? null : parser.value();
    const endOfLinks = this.links.length;
    // A slice would keep the whole window in memory.
    const isWhole = isHeld && dangling === this.numbers.count;
    const body = isWhole ? { bytes: parser.bytes, start, end: parser.at } : undefined;
    const isStream = isDict(value) && parser.takes('stream');
    return { id, generation, value, body, firstLink, endOfLinks, isStream, end: parser.at };
  }

  /**
   * Reads from a position as many bytes as necessary.
   *
   * @param read is called again with more bytes if the given ones may be truncated
   * @returns its result, and the end position
   */
  reading<T extends object>(offset: number, read: (parser: Parser, bytes: Buffer) => T): T & { end: number } {
    for (let size = FIRST_LOOK; ; size *= 4) {
      const { bytes, start } = this.bytes.window(offset, size);
      const parser = new Parser(bytes, offset - start, bytes.length, this.names, this.numbers);
      const isAll = start + bytes.length >= this.bytes.length;
      try {
        const found = read(parser, bytes);
        if (isAll || parser.at < bytes.length - MARGIN) return { ...found, end: start + parser.at };
      } catch (error) {
        if (isAll || parser.at < bytes.length - MARGIN) throw error;
      }
      this.#spend(bytes.length);
    }
  }

  #readPlain(entry: Entry): void {
    const { id, generation, object, body, firstLink, endOfLinks } = this.parseAt(entry.place);
    if (id !== entry.id || generation !== entry.generation) throw damaged('an object has another number');
    entry.object = object;
    entry.body = body;
    entry.firstLink = firstLink;
    entry.endOfLinks = endOfLinks;
  }

  #placeInStream(entry: Entry): { bytes: Buffer; start: number; limit: number } {
    const { data, ids, starts } = this.#objectStream(entry.place);
    const index = ids[entry.index] === entry.id ? entry.index : ids.indexOf(entry.id);
    const start = starts[index];
    if (start === undefined || start > data.length) throw damaged('an object stream lacks an object');
    return { bytes: data, start, limit: data.length };
  }

  /** Undefined if there is no valid one. */
  #placeInFile({ id, kind, place }: Entry): { bytes: Buffer; start: number; limit: number } | undefined {
    if (kind === 'free' || !this.bytes.isHeld || !(place >= 0 && place < this.bytes.length)) return undefined;
    const { names } = this;
    const { bytes } = this.bytes.window(place, 0);
    const parser = new Parser(bytes, place, bytes.length, names);
    if (parser.integer() !== id || parser.integer() !== 0 || !parser.takes('obj')) return undefined;
    parser.skip();
    return { bytes, start: parser.at, limit: bytes.length };
  }

  /** Returns whether an object ends here; if its dictionary is followed by data, it is a stream. */
  #endsAt(end: number): boolean {
    const { bytes } = this.bytes.window(end, 0);
    return new Parser(bytes, end, bytes.length, this.names).takes('endobj');
  }

  #readPacked(entry: Entry): void {
    const { bytes: data, start } = this.#placeInStream(entry);
    const parser = new Parser(data, start, data.length, this.names, this.numbers);
    parser.skip();
    const from = parser.at;
    const dangling = this.numbers.count;
    entry.firstLink = this.links.length;
    parser.links = this.links;
    entry.object = { value: parser.value() };
    entry.endOfLinks = this.links.length;
    if (dangling === this.numbers.count) entry.body = { bytes: data, start: from, end: parser.at };
    this.#spend(parser.at - start);
  }

  #objectStream(id: number): ObjectStream {
    const known = this.#streams.get(id);
    if (known !== undefined) return known;
    const holder = this.entries.get(id);
    if (holder?.kind !== 'plain') throw damaged('an object stream is none');
    const object = this.objectOf(holder);
    const dict = isDict(object.value) ? object.value : {};
    if (object.stream === undefined || dict['/Type'] !== '/ObjStm') throw damaged('an object stream is none');
    const [count, first] = [this.resolve(dict['/N']), this.resolve(dict['/First'])];
    const data = this.unpack(object);
    if (typeof count !== 'number' || typeof first !== 'number' || first > data.length) {
      throw damaged('an object stream does not say what it holds');
    }
    const stream: ObjectStream = { data, ids: [], starts: [] };
    const head = new Parser(data, 0, first, this.names);
    // Each number has at least one digit, so the size of the data limits their count.
    for (let index = 0; index < count; index++) {
      const [member, start] = [head.integer(), head.integer()];
      if (member < 0 || start < 0) throw damaged('an object stream has fewer objects than it says');
      stream.ids.push(member);
      stream.starts.push(first + start);
    }
    this.#streams.set(id, stream);
    return stream;
  }

  /** @param at position after the keyword `stream` (7.3.8.1) */
  #streamData(dict: PdfDict, at: number): StreamBytes {
    const head = this.bytes.window(at, 2);
    const [first, second] = [head.bytes[at - head.start], head.bytes[at - head.start + 1]];
    const start = first === CR && second === LF ? at + 2 : at + 1;
    if (start === at + 1 && first !== LF) throw damaged('a stream does not begin on a line of its own');
    const length = this.resolve(dict['/Length']);
    const end = start + (typeof length === 'number' ? length : -1);
    if (!(end >= start && end <= this.bytes.length && Number.isInteger(end)) || !this.#endsData(end)) {
      throw damaged('a stream is not as long as it says');
    }
    return this.bytes.data(start, end);
  }

  #endsData(at: number): boolean {
    return this.reading(at, (parser) => ({ isEnd: parser.takes('endstream') })).isEnd;
  }

  /** Filters and their parameters with resolved references. */
  #direct(value: PdfValue | undefined): PdfValue {
    const resolved = this.resolve(value);
    if (Array.isArray(resolved)) return resolved.map((entry) => this.#direct(this.#flat(entry)));
    if (!isDict(resolved)) return resolved;
    return Object.fromEntries(Object.entries(resolved).map(([key, entry]) => [key, this.resolve(entry)]));
  }

  /** A nested array of filters has no meaning, and may contain itself. */
  #flat(value: PdfValue): PdfValue {
    const resolved = this.resolve(value);
    return Array.isArray(resolved) ? null : resolved;
  }

  #spend(bytes: number): void {
    this.#read += bytes;
    if (this.#read > OVERLAP * (this.bytes.length + this.#inflated) + (1 << 16)) {
      throw tooComplex('Objects of the PDF lie one within the other.');
    }
  }
}
