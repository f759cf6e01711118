import { PlatenError } from '@platen/core/errors';
import { append } from './lists.ts';
import { closeSync, fstatSync, openSync, readFileSync, readSync } from 'node:fs';
import { isDict, isRef } from './values.ts';
import type { PdfDict, PdfValue, Ref } from './values.ts';

export interface PdfObject {
  /** For a stream: its dictionary. */
  value: PdfValue;
  stream: boolean;
}

/** Maximum length of a chain of references, and depth of a tree. */
const MAX_DEPTH = 500;

/** Maximum bytes of one object without the data of a stream; parsed, it takes up to twenty times as much. */
const MAX_OBJECT = 32 << 20;

const CHUNK = 1 << 20;
/** Maximum size of a file that is read as a whole, which saves a system call for each object. */
const IN_MEMORY = 32 << 20;
const MARK = Buffer.from('\n      "');

/**
 * The objects of a PDF in qpdf's JSON. Those of a large document are read one by one from disk: memory holds
 * only their positions, even for a million objects.
 */
export class ObjectFile {
  readonly trailer: PdfDict;
  /** The highest object number. */
  readonly maxId: number;
  readonly #file: number;
  /** The whole file, if it is not large. */
  readonly #bytes: Buffer | undefined;
  /** Sorted by object number, as qpdf writes them. */
  readonly #ids: number[] = [];
  readonly #starts: number[] = [];
  #end = 0;
  #pages: readonly Ref[] | undefined;

  /**
   * @param path JSON written with `--json=2 --json-key=qpdf`
   * @param inMemory maximum size of a file that is read as a whole, in bytes
   */
  constructor(path: string, inMemory = IN_MEMORY) {
    this.#file = openSync(path, 'r');
    if (fstatSync(this.#file).size <= inMemory) this.#bytes = readFileSync(this.#file);
    const trailerStart = this.#index();
    this.maxId = this.#ids.at(-1) ?? 0;
    const trailer = trailerStart === undefined ? undefined : objectOf(this.#slice(trailerStart, this.#end));
    this.trailer = isDict(trailer?.value) ? trailer.value : {};
  }

  close(): void {
    closeSync(this.#file);
  }

  /** The object, or undefined if there is none. Each call returns a new copy that may be changed. */
  get(ref: Ref): PdfObject | undefined {
    const text = this.#text(ref, MAX_OBJECT);
    return text === undefined ? undefined : objectOf(text);
  }

  /** The data of a stream, if the JSON contains it (`--json-stream-data=inline`). */
  data(ref: Ref): Buffer | undefined {
    const text = this.#text(ref, Infinity);
    const data = text === undefined ? undefined : parsed(text).stream?.data;
    return data === undefined ? undefined : Buffer.from(data, 'base64');
  }

  /** The value itself, direct or by reference. */
  resolve(value: PdfValue | undefined): PdfValue {
    let current = value;
    for (let depth = 0; isRef(current) && depth < MAX_DEPTH; depth++) current = this.get(current)?.value;
    return isRef(current) ? null : (current ?? null);
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

  get catalog(): PdfDict {
    return this.dict(this.trailer['/Root']);
  }

  /** All references, in the order of object numbers. */
  *refs(): Generator<Ref> {
    for (const id of this.#ids) yield `${id} 0 R`;
  }

  /** The pages in order, as the page tree has them. */
  pages(): readonly Ref[] {
    this.#pages ??= this.#readPages();
    return this.#pages;
  }

  #readPages(): Ref[] {
    const pages: Ref[] = [];
    const seen = new Set<Ref>();
    const stack: PdfValue[] = [this.catalog['/Pages'] ?? null];
    while (stack.length > 0) {
      const ref = stack.pop();
      if (!isRef(ref) || seen.has(ref)) continue;
      seen.add(ref);
      const node = this.dict(ref);
      const kids = this.resolve(node['/Kids']);
      if (Array.isArray(kids)) append(stack, kids.toReversed());
      else if (Object.keys(node).length > 0) pages.push(ref);
    }
    return pages;
  }

  /** Records the offset of each object, and returns that of the trailer. */
  #index(): number | undefined {
    let trailer: number | undefined;
    let position = 0;
    let rest: Buffer = Buffer.alloc(0);
    for (;;) {
      const from = position + rest.length;
      const chunk = this.#bytes?.subarray(from) ?? this.#read(from, CHUNK);
      const { length } = chunk;
      const text = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
      // A label that may continue in the next chunk is examined with that chunk.
      const whole = length === 0 ? text.length : text.length - 64;
      let at = text.indexOf(MARK);
      let done = 0;
      while (at !== -1 && at < whole) {
        const label = text.toString('latin1', at + MARK.length, at + 64);
        const id = /^obj:(\d+) \d+ R": /.exec(label);
        if (id !== null) {
          this.#ids.push(Number(id[1]));
          this.#starts.push(position + at + MARK.length + id[0].length);
        } else if (label.startsWith('trailer": ')) {
          trailer = position + at + MARK.length + 'trailer": '.length;
        }
        done = at + MARK.length;
        at = text.indexOf(MARK, done);
      }
      // The possible start of a mark, or an incomplete label, is examined again.
      const keep = at === -1 ? Math.max(done, text.length - MARK.length) : at;
      position += keep;
      rest = text.subarray(keep);
      if (length === 0) break;
    }
    this.#end = position + rest.length;
    return trailer;
  }

  #find(id: number): number {
    let low = 0;
    let high = this.#ids.length - 1;
    while (low <= high) {
      const middle = (low + high) >> 1;
      const found = this.#ids[middle] ?? 0;
      if (found === id) return middle;
      if (found < id) low = middle + 1;
      else high = middle - 1;
    }
    return -1;
  }

  /** @throws PlatenError `pdf_too_complex` when it is longer than that */
  #text(ref: Ref, most: number): string | undefined {
    const place = this.#find(Number.parseInt(ref, 10));
    const start = this.#starts[place];
    if (start === undefined) return undefined;
    const end = this.#starts[place + 1] ?? this.#end;
    if (end - start > most) {
      throw new PlatenError('pdf_too_complex', 'An object of the PDF needs more memory than is allowed.');
    }
    return this.#slice(start, end);
  }

  #read(start: number, length: number): Buffer {
    const bytes = Buffer.allocUnsafe(length);
    return bytes.subarray(0, readSync(this.#file, bytes, 0, length, start));
  }

  #slice(start: number, end: number): string {
    const bytes = this.#bytes?.subarray(start, end) ?? this.#read(start, end - start);
    // Nested content has a greater indentation.
    const close = bytes.indexOf('\n      }');
    return bytes.toString('utf8', 0, close === -1 ? bytes.length : close + 8);
  }
}

interface ObjectJson {
  value?: PdfValue;
  stream?: { dict: PdfDict; data?: string };
}

function objectOf(text: string): PdfObject {
  const { value, stream } = parsed(text);
  return stream === undefined
    ? { value: value ?? null, stream: false }
    : { value: stream.dict, stream: true };
}

/** A string of JSON, or a number with a plus sign, which JSON does not permit. */
// bounded: qpdf closes every string, within an object of at most MAX_OBJECT bytes
const SIGNED = /"(?:[^"\\]|\\.)*"|\+(\.?)(?=\d)/g;

/**
 * qpdf copies real numbers from the PDF, where `+.5` is permitted (ISO 32000-2, 7.3.3).
 *
 * @throws PlatenError `pdf_damaged` for text that is not JSON even then
 */
function parsed(text: string): ObjectJson {
  try {
    return JSON.parse(text) as ObjectJson;
  } catch {
    const unsigned = text.replace(SIGNED, (token: string, point?: string) =>
      token.startsWith('"') ? token : point === '.' ? '0.' : '',
    );
    try {
      return JSON.parse(unsigned) as ObjectJson;
    } catch (cause) {
      throw new PlatenError('pdf_damaged', 'The PDF has an invalid number.', { cause });
    }
  }
}
