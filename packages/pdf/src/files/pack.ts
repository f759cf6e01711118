import { isWhite, startsWith, Tokens } from '../rebuild/tokens.ts';
import { repeatedStreams, withoutRepeated } from './repeated-streams.ts';
import {
  crossReferenceStream,
  Deflater,
  headOf,
  isStreamFull,
  ObjectStreams,
  Places,
  type StreamContent,
} from '../model/object-streams.ts';
import { isDict, type PdfDict } from '../model/values.ts';

/** An object that is in use according to the cross-reference table. */
interface Entry {
  id: number;
  /** Its offset, and that of the next object. */
  start: number;
  end: number;
}

/** A document with one cross-reference table. */
interface Layout {
  /** In file order. */
  entries: Entry[];
  places: Places;
  trailer: PdfDict;
  /** The lowest unused object number. */
  size: number;
}

/**
 * Compresses a PDF with objects in plain text, as Chromium and LibreOffice write it: moves all objects that are
 * not streams to object streams (ISO 32000-2, 7.5.7), byte for byte; streams stay unchanged. A table of sixty rows
 * has seven hundred such objects in its tags. Files with an unusual arrangement, and files that would not become
 * smaller, stay unchanged. Streams that are there several times are stored once.
 *
 * @returns the smaller file, or the given one
 * @throws the signal's reason when it is aborted
 */
export async function packPdf(pdf: Uint8Array, signal?: AbortSignal): Promise<Uint8Array> {
  const bytes = Buffer.from(pdf.buffer, pdf.byteOffset, pdf.byteLength);
  const layout = layoutOf(bytes);
  if (layout === undefined) return pdf;
  const repeated = repeatedIn(bytes, layout);
  if (repeated.size > 0) return await withoutRepeated(pdf, repeated, signal);
  const { entries, places, trailer } = layout;
  const output = new Output(bytes, entries[0]?.start ?? 0);
  let { size } = layout;
  const deflater = new Deflater();
  const packed: Buffer[] = [];
  await using streams = new ObjectStreams(deflater, (_, stream) => packed.push(stream));
  let members: Entry[] = [];
  let length = 0;
  const pack = async (): Promise<boolean> => {
    signal?.throwIfAborted();
    const { values, content } = joined(bytes, members, length);
    // An object that is missing from the table, or a signature that covers these bytes.
    if (HIDDEN.some((word) => values.includes(word)) || refersPast(values, layout.size)) return false;
    const stream = size++;
    for (const [index, { id }] of members.entries()) places.put(id, 2, stream, index);
    members = [];
    length = 0;
    await streams.add(stream, content);
    return true;
  };
  for (const entry of entries) {
    const body = plainBody(bytes, entry);
    if (body === undefined) return pdf;
    if (body === STREAM) {
      places.put(entry.id, 1, output.keep(entry), 0);
      continue;
    }
    members.push(body);
    length += body.end - body.start + 1;
    if (isStreamFull(members.length, length) && !(await pack())) return pdf;
  }
  if (members.length > 0 && !(await pack())) return pdf;
  await streams.finish();
  for (const [index, stream] of packed.entries()) {
    places.set(layout.size + index, { type: 'offset', offset: output.add(stream) });
  }
  places.set(size, { type: 'offset', offset: output.length });
  const start = output.length;
  output.add(await crossReferenceStream(size, places, { ...trailer, '/Size': size + 1 }, deflater));
  output.add(Buffer.from(`startxref\n${start}\n%%EOF\n`));
  return output.length < bytes.length ? output.bytes() : pdf;
}

/** Returns a PDF of the same kind whose equal streams are stored once, but which is not packed; or the given one. */
export async function withSingleStreams(pdf: Uint8Array, signal?: AbortSignal): Promise<Uint8Array> {
  const bytes = Buffer.from(pdf.buffer, pdf.byteOffset, pdf.byteLength);
  const layout = layoutOf(bytes);
  const repeated = layout === undefined ? undefined : repeatedIn(bytes, layout);
  return repeated === undefined || repeated.size === 0 ? pdf : await withoutRepeated(pdf, repeated, signal);
}

function repeatedIn(bytes: Buffer, { entries }: Layout): ReturnType<typeof repeatedStreams> {
  return repeatedStreams(
    bytes,
    entries.filter((entry) => plainBody(bytes, entry) === STREAM),
  );
}

/** Words that do not occur in a single plain value. */
const HIDDEN = ['endobj', 'endstream', '/ByteRange'];

/** A reference in the usual notation. */
const REFERENCE = /\b(\d{1,10})\s\d{1,5}\sR\b/g;

/** Returns whether a value refers to a missing object whose number a new object gets. */
function refersPast(values: Buffer, size: number): boolean {
  for (const [, id] of values.toString('latin1').matchAll(REFERENCE)) if (Number(id) >= size) return true;
  return false;
}

const STREAM = Symbol('stream');

/** Returns where the value of an object is; undefined if its bytes are not exactly one object. */
function plainBody(bytes: Buffer, { id, start, end }: Entry): Entry | typeof STREAM | undefined {
  const label = `${id} 0 obj`;
  if (!startsWith(bytes, label, start)) return undefined;
  const close = beforeWord(bytes, 'endobj', end);
  if (close === undefined) return undefined;
  if (beforeWord(bytes, 'endstream', close) !== undefined) return STREAM;
  let from = start + label.length;
  while (isWhite(bytes[from])) from++;
  let to = close;
  while (to > from && isWhite(bytes[to - 1])) to--;
  return to > from ? { id, start: from, end: to } : undefined;
}

/**
 * Returns the values of objects, each with a line end after it, and the object stream of them.
 *
 * @param length of all of them, with the line ends
 */
function joined(
  bytes: Buffer,
  members: readonly Entry[],
  length: number,
): { values: Buffer; content: StreamContent } {
  const values = Buffer.allocUnsafe(length);
  const offsets: { id: number; offset: number }[] = [];
  let at = 0;
  for (const { id, start, end } of members) {
    offsets.push({ id, offset: at });
    at += bytes.copy(values, at, start, end);
    values[at++] = LINE_FEED;
  }
  return { values, content: { count: members.length, head: headOf(offsets), bodies: [values] } };
}

const LINE_FEED = 0x0a;

/** Returns the start of the last word before a position. */
function beforeWord(bytes: Buffer, word: string, end: number): number | undefined {
  let at = end;
  while (isWhite(bytes[at - 1])) at--;
  at -= word.length;
  return at >= 0 && startsWith(bytes, word, at) ? at : undefined;
}

/** Bytes of a row of a cross-reference table (7.5.4). */
const ROW = 20;
/** The bytes before the first object: the version, and a comment that marks the file as binary. */
const MAX_HEADER = 64;

/**
 * @returns undefined for any file except those with a single table, whose objects are neither encrypted nor
 * replaced
 */
function layoutOf(bytes: Buffer): Layout | undefined {
  if (!/^%PDF-(?:1\.[0-7]|2\.0)[\r\n]/.test(bytes.toString('latin1', 0, 9))) return undefined;
  const tail = bytes.toString('latin1', Math.max(0, bytes.length - 64));
  const table = Number(/startxref\s+(\d{1,10})\s+%%EOF\s*$/.exec(tail)?.[1]);
  if (!(table < bytes.length)) return undefined;
  const { sections, size, end } = sectionsOf(bytes, table);
  const trailer = trailerAt(bytes, end);
  const rowCount = sections.reduce((sum, { count }) => sum + count, 0);
  if (sections[0]?.first !== 0 || size > MAX_NUMBERS * rowCount) return undefined;
  if (trailer === undefined || trailer['/Size'] !== size) return undefined;
  if (['/Prev', '/XRefStm', '/Encrypt'].some((key) => key in trailer)) return undefined;
  // LibreOffice's checksum of the original bytes.
  delete trailer['/DocChecksum'];

  const entries: Entry[] = [];
  const places = new Places();
  let next = 0;
  for (const { first, count, rows } of sections) {
    // Numbers outside of all sections are free (7.5.4).
    for (; next < first; next++) places.set(next, NO_OBJECT);
    next += count;
    for (let index = 0; index < count; index++) {
      const [id, row] = [first + index, rows + index * ROW];
      const [position, generation] = [digits(bytes, row, 10), digits(bytes, row + 11, 5)];
      const kind = bytes[row + 17];
      if (kind === FREE) places.set(id, { type: 'free', next: position, generation });
      else if (kind !== USED || generation !== 0 || Number.isNaN(position)) return undefined;
      else entries.push({ id, start: position, end: table });
    }
  }
  entries.sort((a, b) => a.start - b.start);
  entries.forEach((entry, index) => (entry.end = entries[index + 1]?.start ?? table));
  const [first] = entries;
  const last = entries.at(-1);
  if (first === undefined || last === undefined || last.start >= table) return undefined;
  return first.start > 0 && first.start <= MAX_HEADER ? { entries, places, trailer, size } : undefined;
}

/** Maximum number of entries per object: a file of few objects must not declare a million of them. */
const MAX_NUMBERS = 8;
/** The entry of an unused number, in a free list of its own. */
const NO_OBJECT = { type: 'free', next: 0, generation: 65_535 } as const;

/** A section of the table: consecutive numbers. */
interface TableSection {
  first: number;
  count: number;
  /** Offset of its first row. */
  rows: number;
}

/** @returns the sections in order, the number after the last one, and the end offset */
function sectionsOf(bytes: Buffer, table: number): { sections: TableSection[]; size: number; end: number } {
  const sections: TableSection[] = [];
  let size = 0;
  let end = table + (/^xref\s+/.exec(bytes.toString('latin1', table, table + 8))?.[0].length ?? 0);
  for (;;) {
    const head = /^(\d{1,7}) (\d{1,7})[ \r\n]+/.exec(bytes.toString('latin1', end, end + 24));
    const [first, count] = [Number(head?.[1]), Number(head?.[2])];
    if (head === null || first < size || end + count * ROW > bytes.length) return { sections, size, end };
    const rows = end + head[0].length;
    sections.push({ first, count, rows });
    size = first + count;
    end = rows + count * ROW;
  }
}

/** Markers of a row: the object is in use, or free. */
const [USED, FREE] = [0x6e, 0x66];

/** A number with a fixed count of digits; NaN if there are other characters. */
function digits(bytes: Buffer, at: number, length: number): number {
  let value = 0;
  for (let place = at; place < at + length; place++) {
    const digit = (bytes[place] ?? 0) - 0x30;
    value = digit >= 0 && digit <= 9 ? value * 10 + digit : NaN;
  }
  return value;
}

function trailerAt(bytes: Buffer, at: number): PdfDict | undefined {
  const tokens = new Tokens(bytes, at);
  if (!tokens.takes('trailer')) return undefined;
  const value = tokens.value();
  return isDict(value) && !tokens.broken && tokens.takes('startxref') ? value : undefined;
}

/** A file that is assembled from parts of another one, and new parts. */
class Output {
  readonly #source: Buffer;
  readonly #parts: Buffer[] = [];
  /** Pending range of the source that is copied, and not among the parts yet. */
  #from = 0;
  #to: number;
  #length = 0;

  /** @param header bytes of the source before its first object */
  constructor(source: Buffer, header: number) {
    this.#source = source;
    this.#to = header;
    this.#length = header;
  }

  get length(): number {
    return this.#length;
  }

  /**
   * Adds an object of the source.
   *
   * @returns its new offset
   */
  keep({ start, end }: Entry): number {
    if (start !== this.#to) {
      this.#flush();
      this.#from = start;
    }
    this.#to = end;
    const place = this.#length;
    this.#length += end - start;
    return place;
  }

  /** @returns its new offset */
  add(bytes: Buffer): number {
    this.#flush();
    this.#parts.push(bytes);
    const place = this.#length;
    this.#length += bytes.length;
    return place;
  }

  bytes(): Buffer {
    const bytes = Buffer.concat(this.#parts);
    // Object streams were introduced with PDF 1.5.
    if (/^%PDF-1\.[0-4]/.test(bytes.toString('latin1', 0, 8))) bytes.write('5', 7, 'latin1');
    return bytes;
  }

  #flush(): void {
    if (this.#to > this.#from) this.#parts.push(this.#source.subarray(this.#from, this.#to));
    this.#from = this.#to;
  }
}
