import { isDict, isRef, type PdfDict, type PdfValue } from '../values.ts';
import type { ByteSource, StreamBytes } from './bytes.ts';
import { type Decoded, decoded } from './filters.ts';
import type { Links } from './found.ts';
import { type Entry, Entries, type PdfObject, type Span } from './entries.ts';
import { Integers } from './integers.ts';
import { PlainTable } from './plain.ts';
import { damaged, generationOf, idOf, OTHER_GENERATION, Parser, tooComplex } from './syntax.ts';
import { KnownNumbers, Names } from './words.ts';

/** What stands before the data of a stream, and where it ends. */
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

/** An object with its numbers, and how it stands in the file. */
interface Read extends Pick<Header, 'id' | 'generation' | 'body' | 'firstLink' | 'endOfLinks'> {
  object: PdfObject;
}

interface ObjectStream {
  data: Buffer;
  ids: number[];
  /** Where the values begin in `data`. */
  starts: number[];
}

/** Bytes that the object streams and cross-reference streams of a document may have together. */
const MAX_INFLATED = 256 << 20;
/** How often each byte may be read: for its references and for its value, where objects lie one within the other. */
const OVERLAP = 4;
/** References to references. */
const MAX_CHAIN = 100;

/** Bytes in which an object is looked for at first, without the data of a stream. */
const FIRST_LOOK = 1 << 12;
/** Bytes behind a value that say whether it has ended. */
const MARGIN = 16;

const [LF, CR] = [0x0a, 0x0d];

/** The objects of a file, read as they are asked for. */
export class Source {
  readonly bytes: ByteSource;
  readonly entries = new Entries();
  readonly names = new Names();
  readonly numbers = new KnownNumbers();
  /** What was not read into values. */
  readonly plains = new PlainTable(this.numbers);
  /** The numbers of the objects that those that were read refer to. */
  readonly links = new Integers();
  readonly #streams = new Map<number, ObjectStream>();
  #inflated = 0;
  /** Bytes that objects were read of. */
  #read = 0;

  constructor(bytes: ByteSource) {
    this.bytes = bytes;
  }

  /**
   * The object, or undefined where there is none.
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
   * Adds what an object refers to.
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

  /** The value itself, whether direct or referred to. */
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

  /** Inflates what leads to objects, all of which together is bounded. */
  unpack(object: PdfObject): Buffer {
    const { data, filters } = this.decode(object, MAX_INFLATED - this.#inflated);
    if (filters.length > 0) throw damaged('an object stream has a filter of pictures');
    this.#inflated += data.length;
    return data;
  }

  /** The object that stands at an offset: its numbers, its value and its data. */
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

  /** An object up to the data of its stream. @param isHeld what it is read of stays in memory, so that parts of it may be kept */
  #header(parser: Parser, isHeld: boolean): Header {
    const [id, generation] = [parser.integer(), parser.integer()];
    if (id < 0 || generation < 0 || !parser.takes('obj'))
      throw damaged('an object is not where it should be');
    parser.skip();
    const start = parser.at;
    const dangling = this.numbers.count;
    // Without any value it is null (7.3.10).
    const firstLink = this.links.length;
    parser.links = this.links;
    const value = parser.takes('endobj') ? null : parser.value();
    const endOfLinks = this.links.length;
    // A part of what was read around it would hold all of that.
    const isWhole = isHeld && dangling === this.numbers.count;
    const body = isWhole ? { bytes: parser.bytes, start, end: parser.at } : undefined;
    const isStream = isDict(value) && parser.takes('stream');
    return { id, generation, value, body, firstLink, endOfLinks, isStream, end: parser.at };
  }

  /**
   * Reads what begins at a place, in as many bytes as that takes.
   *
   * @param read is called once more with more bytes where those it was given may have ended too early
   * @returns what it gives, and the place where it ended
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

  /** Undefined where there is none to be found as it should be. */
  #placeInFile({ id, kind, place }: Entry): { bytes: Buffer; start: number; limit: number } | undefined {
    if (kind === 'free' || !this.bytes.isHeld || !(place >= 0 && place < this.bytes.length)) return undefined;
    const { names } = this;
    const { bytes } = this.bytes.window(place, 0);
    const parser = new Parser(bytes, place, bytes.length, names);
    if (parser.integer() !== id || parser.integer() !== 0 || !parser.takes('obj')) return undefined;
    parser.skip();
    return { bytes, start: parser.at, limit: bytes.length };
  }

  /** Whether an object of the file has its end here: with data after its dictionary it is a stream. */
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
    // No number is without a digit, so that the data bounds how many there are.
    for (let index = 0; index < count; index++) {
      const [member, start] = [head.integer(), head.integer()];
      if (member < 0 || start < 0) throw damaged('an object stream has fewer objects than it says');
      stream.ids.push(member);
      stream.starts.push(first + start);
    }
    this.#streams.set(id, stream);
    return stream;
  }

  /** @param at the end of the word `stream` (7.3.8.1) */
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

  /** Filters and their parameters with nothing referred to. */
  #direct(value: PdfValue | undefined): PdfValue {
    const resolved = this.resolve(value);
    if (Array.isArray(resolved)) return resolved.map((entry) => this.#direct(this.#flat(entry)));
    if (!isDict(resolved)) return resolved;
    return Object.fromEntries(Object.entries(resolved).map(([key, entry]) => [key, this.resolve(entry)]));
  }

  /** An array within one of filters has no meaning, and may hold itself. */
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
