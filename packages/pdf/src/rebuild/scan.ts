import { constants, inflateSync } from 'node:zlib';
import { isDict, isRef } from '../model/values.ts';
import type { PdfDict, PdfValue } from '../model/values.ts';
import { afterLineEnd, beforeLineEnd, isWhite, startsWith, Tokens } from './tokens.ts';

/** The position of an object: in the file, or in a decompressed object stream. */
export interface FoundObject {
  id: number;
  generation: number;
  /** Start of its value. */
  bytes: Buffer;
  at: number;
  /** For a stream: start and end of its data. */
  data?: readonly [start: number, end: number] | undefined;
  type: string;
  /** Whether its end is missing. */
  broken: boolean;
}

export interface Scan {
  objects: Map<number, FoundObject>;
  /** Dictionaries of trailers and of cross-reference streams, in file order. */
  trailers: PdfDict[];
  /** Object streams that could not be read, mostly encrypted ones. */
  sealed: number;
}

/** Highest number an object may have (ISO 32000-1, annex C). */
const MAX_ID = 8_388_607;
/** Maximum bytes of all object streams together. */
const MAX_INFLATED = 256 << 20;

/** Finds every object of a PDF by scanning its bytes; of several versions of an object, the last one. */
export function scan(bytes: Buffer): Scan {
  return new Scanner(bytes).run();
}

class Scanner {
  readonly #bytes: Buffer;
  readonly #result: Scan = { objects: new Map(), trailers: [], sealed: 0 };
  readonly #lengths: ReadonlyMap<string, number>;
  #left = MAX_INFLATED;
  /** The last search for each word: where it began, and the match. Searches up to the match need no repetition. */
  readonly #found = new Map<string, { from: number; place: number }>();

  constructor(bytes: Buffer) {
    this.#bytes = bytes;
    this.#lengths = integerObjects(bytes);
  }

  run(): Scan {
    let at = 0;
    for (;;) {
      const object = this.#next('obj', at);
      const trailer = this.#next('trailer', at);
      if (trailer !== -1 && (object === -1 || trailer < object)) at = this.#trailer(trailer);
      else if (object !== -1) at = this.#object(object);
      else return this.#result;
    }
  }

  #trailer(word: number): number {
    const tokens = new Tokens(this.#bytes, word + 'trailer'.length);
    const value = tokens.value();
    if (isDict(value)) this.#result.trailers.push(value);
    // A truncated dictionary may include the objects after it, so the scan continues within it.
    return tokens.broken ? word + 'trailer'.length : Math.max(tokens.at, word + 1);
  }

  #object(word: number): number {
    const after = word + 'obj'.length;
    const label = labelBefore(this.#bytes, word);
    if (label === undefined) return after;
    const tokens = new Tokens(this.#bytes, after);
    const value = tokens.value();
    const end = tokens.at;
    const { broken } = tokens;
    const isStream = isDict(value) && tokens.takes('stream');
    const data = isStream ? this.#dataOf(value, tokens.at) : undefined;
    if (value === null && !startsWith(this.#bytes, 'null', end - 4)) return after;
    const type = typeOf(value);
    if (data !== undefined && type === '/XRef') this.#result.trailers.push(value as PdfDict);
    else if (data !== undefined && type === '/ObjStm') this.#objectStream(value as PdfDict, data);
    else this.#add({ ...label, bytes: this.#bytes, at: after, data, type, broken });
    return Math.max(data?.[1] ?? (broken ? after : end), after);
  }

  #add(found: FoundObject): void {
    const known = this.#result.objects.get(found.id);
    if (known !== undefined && found.broken && !known.broken) return;
    this.#result.objects.set(found.id, found);
  }

  /** Range of a stream's data: by the declared length if it ends there, otherwise up to the end marker. */
  #dataOf(dict: PdfDict, word: number): readonly [number, number] {
    const start = afterLineEnd(this.#bytes, word);
    const stated = dict['/Length'];
    const length = isRef(stated) ? this.#lengths.get(stated) : stated;
    if (typeof length === 'number' && length >= 0 && start + length <= this.#bytes.length) {
      let end = start + length;
      while (isWhite(this.#bytes[end])) end++;
      if (startsWith(this.#bytes, 'endstream', end)) return [start, start + length];
    }
    for (const mark of ['endstream', 'endobj']) {
      const end = this.#next(mark, start);
      if (end !== -1) return [start, beforeLineEnd(this.#bytes, start, end)];
    }
    return [start, this.#bytes.length];
  }

  #objectStream(dict: PdfDict, [start, end]: readonly [number, number]): void {
    const data = this.#inflated(dict, this.#bytes.subarray(start, end));
    const first = dict['/First'];
    if (data === undefined || typeof first !== 'number') {
      this.#result.sealed++;
      return;
    }
    const head = new Tokens(data, 0);
    while (head.at < first) {
      const [id, offset] = [head.value(), head.value()];
      if (typeof id !== 'number' || typeof offset !== 'number' || head.broken) break;
      if (!isId(id) || first + offset >= data.length) continue;
      const tokens = new Tokens(data, first + offset);
      const type = typeOf(tokens.value());
      this.#add({ id, generation: 0, bytes: data, at: first + offset, type, broken: tokens.broken });
    }
  }

  #inflated(dict: PdfDict, data: Buffer): Buffer | undefined {
    const filter = [dict['/Filter'] ?? null].flat();
    if (filter[0] === null) return data;
    if (filter.length !== 1 || filter[0] !== '/FlateDecode' || isDict(dict['/DecodeParms'])) return undefined;
    try {
      // Without an end marker, the available part of a truncated stream is read.
      const options = { finishFlush: constants.Z_SYNC_FLUSH, maxOutputLength: Math.max(1, this.#left) };
      const inflated = inflateSync(data, options);
      this.#left -= inflated.length;
      return inflated;
    } catch {
      // It is damaged, encrypted, or too large.
      return undefined;
    }
  }

  #next(word: string, from: number): number {
    const known = this.#found.get(word);
    const holds = known !== undefined && from >= known.from && (known.place === -1 || from <= known.place);
    if (holds) return known.place;
    const place = this.#bytes.indexOf(word, from, 'latin1');
    this.#found.set(word, { from, place });
    return place;
  }
}

/** The objects that are only an integer, to which the lengths of streams refer. */
function integerObjects(bytes: Buffer): Map<string, number> {
  const numbers = new Map<string, number>();
  for (let word = bytes.indexOf('obj'); word !== -1; word = bytes.indexOf('obj', word + 3)) {
    const digits = /^\s+(\d{1,10})\s+endobj/.exec(bytes.toString('latin1', word + 3, word + 40))?.[1];
    const label = digits === undefined ? undefined : labelBefore(bytes, word);
    if (label !== undefined) numbers.set(`${label.id} ${label.generation} R`, Number(digits));
  }
  return numbers;
}

/** The two numbers before the word `obj`. */
function labelBefore(bytes: Buffer, word: number): { id: number; generation: number } | undefined {
  const text = bytes.toString('latin1', Math.max(0, word - 24), word);
  const match = /(?:^|[^\d])(\d{1,10})[\s\0]+(\d{1,5})[\s\0]*$/.exec(text);
  const id = Number(match?.[1]);
  return isId(id) ? { id, generation: Number(match?.[2]) } : undefined;
}

function isId(id: number): boolean {
  return Number.isSafeInteger(id) && id > 0 && id <= MAX_ID;
}

function typeOf(value: PdfValue): string {
  const type = isDict(value) ? value['/Type'] : undefined;
  return typeof type === 'string' ? type : '';
}

/** The value of a found object; for a stream, its dictionary. */
export function valueOf({ bytes, at }: FoundObject): PdfValue {
  return new Tokens(bytes, at).value();
}
