import { IdTable, Integers } from './integers.ts';
import { Sink } from './sink.ts';
import { KINDS, type KnownNumbers, REGULAR, WHITE } from './words.ts';

/**
 * Objects that are copied as bytes with other references, without being parsed into values: in a tagged document
 * nearly all objects, hundreds per page.
 */

/** The replacements of references: numbers of objects, or `NOTHING`. */
export const NOTHING = 0;

/** Maximum depth of arrays and dictionaries; deeper values are parsed. */
const MAX_LEVELS = 64;
/** Maximum number of digits of an object number. */
const MAX_DIGITS = 7;

const [ZERO, NINE, POINT, PLUS, MINUS, BIG_R] = [0x30, 0x39, 0x2e, 0x2b, 0x2d, 0x52];
const [SLASH, OPEN, CLOSE, LESS, GREATER] = [0x2f, 0x28, 0x29, 0x3c, 0x3e];
const [OPEN_ARRAY, CLOSE_ARRAY, BACKSLASH, HASH, PERCENT] = [0x5b, 0x5d, 0x5c, 0x23, 0x25];

/** The open containers around a token: an array, or a dictionary that expects a key or a value. */
const [ARRAY, KEY, VALUE] = [1, 2, 3];

/**
 * Names that tie an object to its document without a reference: keys of the parent tree, names of destinations,
 * positions in the file, the page tree. Objects with one of them are parsed.
 */
const TIES = ['/StructParents', '/StructParent', '/ByteRange', '/Pages', '/Dest', '/ID', '/D'].map((name) =>
  Buffer.from(name),
);
/** By byte: whether it is the first letter of such a name. */
const TIE_LETTERS = new Uint8Array(256);
for (const tie of TIES) TIE_LETTERS[tie[1] ?? 0] = 1;

/** Values that are not streams, each with its references, all of generation 0. They are numbered from 0. */
export class PlainTable {
  readonly #bytes: Buffer[] = [];
  readonly #starts = new Integers();
  readonly #ends = new Integers();
  /** For each value, the index of its first reference; the next entry is the end. */
  readonly #firsts = new Integers();
  readonly #references: References = { spans: new Integers(), ids: new Integers() };
  readonly #numbers: KnownNumbers;

  /** @param numbers values that refer to a higher number are not plain */
  constructor(numbers: KnownNumbers) {
    this.#numbers = numbers;
    this.#firsts.push(0);
  }

  /**
   * Finds the references of the value that begins at `at`, as strictly as the parser.
   *
   * @returns its number; -1 for values that are not plain and have to be parsed
   */
  add(bytes: Buffer, at: number, limit: number): number {
    const { spans, ids } = this.#references;
    const end = endOf(bytes, at, limit, this.#references);
    if (end === -1 || this.#hasDangling(ids)) {
      ids.length = this.#firsts.at(this.#bytes.length);
      spans.length = 2 * ids.length;
      return -1;
    }
    this.#starts.push(at);
    this.#ends.push(end);
    this.#firsts.push(ids.length);
    return this.#bytes.push(bytes) - 1;
  }

  /** Whether a reference of the value that is being added refers to an impossible number. */
  #hasDangling(ids: Integers): boolean {
    for (let at = this.#firsts.at(this.#bytes.length); at < ids.length; at++)
      if (ids.at(at) > this.#numbers.highest) return true;
    return false;
  }

  /** Start and end of its bytes in the source. */
  span(member: number): { bytes: Buffer; start: number; end: number } {
    const bytes = this.#bytes[member] ?? Buffer.alloc(0);
    return { bytes, start: this.#starts.at(member), end: this.#ends.at(member) };
  }

  /** The index of its first reference in `ids`. */
  first(member: number): number {
    return this.#firsts.at(member);
  }

  /** How many references it has. */
  count(member: number): number {
    return this.#firsts.at(member + 1) - this.#firsts.at(member);
  }

  /** The object numbers of all references. */
  get ids(): Integers {
    return this.#references.ids;
  }

  /** Start and end of each reference. */
  get spans(): Integers {
    return this.#references.spans;
  }

  /** The unchanged bytes of a value. */
  untouched(member: number): Moved {
    return { table: this, member, ids: this.ids, first: this.first(member) };
  }
}

interface References {
  spans: Integers;
  ids: Integers;
}

/** The open containers at the current position. */
const OPEN_LEVELS = new Uint8Array(MAX_LEVELS);

/** The end of the value, or -1. */
function endOf(bytes: Buffer, from: number, limit: number, refs: References): number {
  const open = OPEN_LEVELS;
  let depth = 0;
  let at = from;
  for (;;) {
    while (at < limit && KINDS[bytes[at] ?? 0] === WHITE) at++;
    if (at >= limit) return -1;
    const byte = bytes[at] ?? 0;
    const around = depth === 0 ? 0 : open[depth - 1];
    if (around === KEY && byte !== SLASH && byte !== GREATER) return -1;
    if (byte === SLASH) {
      at = endOfName(bytes, at, limit);
      if (at !== -1 && around === KEY) {
        open[depth - 1] = VALUE;
        continue;
      }
    } else if (byte === LESS && bytes[at + 1] === LESS) {
      if (depth === MAX_LEVELS) return -1;
      open[depth++] = KEY;
      at += 2;
      continue;
    } else if (byte === OPEN_ARRAY) {
      if (depth === MAX_LEVELS) return -1;
      open[depth++] = ARRAY;
      at++;
      continue;
    } else if (byte === GREATER) {
      if (around !== KEY || bytes[at + 1] !== GREATER) return -1;
      depth--;
      at += 2;
    } else if (byte === CLOSE_ARRAY) {
      if (around !== ARRAY) return -1;
      depth--;
      at++;
    } else if (byte === OPEN) at = endOfLiteral(bytes, at, limit);
    else if (byte === LESS) at = endOfHex(bytes, at, limit);
    else if (byte >= ZERO && byte <= NINE) at = endOfReference(bytes, at, limit, refs);
    else at = endOfWord(bytes, at, limit);
    if (at === -1 || at > limit) return -1;
    if (depth === 0) return at;
    if (open[depth - 1] === VALUE) open[depth - 1] = KEY;
  }
}

function endOfName(bytes: Buffer, start: number, limit: number): number {
  let at = start + 1;
  for (; at < limit; at++) {
    const byte = bytes[at] ?? 0;
    if (KINDS[byte] !== REGULAR) break;
    if (byte === HASH || byte > 0x7e) return -1;
  }
  return isTie(bytes, start, at) ? -1 : at;
}

function isTie(bytes: Buffer, start: number, end: number): boolean {
  if (TIE_LETTERS[bytes[start + 1] ?? 0] === 0) return false;
  for (const tie of TIES) {
    if (tie.length !== end - start) continue;
    let at = 1;
    while (at < tie.length && tie[at] === bytes[start + at]) at++;
    if (at === tie.length) return true;
  }
  return false;
}

function endOfLiteral(bytes: Buffer, start: number, limit: number): number {
  let depth = 0;
  for (let at = start; at < limit; at++) {
    const byte = bytes[at];
    if (byte === BACKSLASH) at++;
    else if (byte === OPEN) depth++;
    else if (byte === CLOSE && --depth === 0) return at + 1;
  }
  return -1;
}

function endOfHex(bytes: Buffer, start: number, limit: number): number {
  for (let at = start + 1; at < limit; at++) {
    const byte = bytes[at] ?? 0;
    if (byte === GREATER) return at + 1;
    const letter = byte | 0x20;
    if (!(byte >= ZERO && byte <= NINE) && !(letter >= 0x61 && letter <= 0x66)) return -1;
  }
  return -1;
}

/** A number, or a reference, which is recorded. */
function endOfReference(bytes: Buffer, start: number, limit: number, refs: References): number {
  let at = start;
  let id = 0;
  for (let digit = (bytes[at] ?? 0) - ZERO; digit >= 0 && digit <= 9; digit = (bytes[at] ?? 0) - ZERO) {
    id = id * 10 + digit;
    if (++at >= limit) return -1;
  }
  if (KINDS[bytes[at] ?? 0] !== WHITE) return endOfWord(bytes, start, limit);
  let next = at + 1;
  while (next < limit && KINDS[bytes[next] ?? 0] === WHITE) next++;
  let end = next;
  while (end < limit && isDigit(bytes[end] ?? 0)) end++;
  if (end === next || end >= limit || KINDS[bytes[end] ?? 0] !== WHITE) return at;
  let last = end + 1;
  while (last < limit && KINDS[bytes[last] ?? 0] === WHITE) last++;
  // A comment may be between its parts.
  if (bytes[last] === PERCENT) return -1;
  if (bytes[last] !== BIG_R || (last + 1 < limit && KINDS[bytes[last + 1] ?? 0] === REGULAR)) return at;
  if (at - start > MAX_DIGITS || id === 0 || end - next !== 1 || bytes[next] !== ZERO) return -1;
  refs.spans.push(start);
  refs.spans.push(last + 1);
  refs.ids.push(id);
  return last + 1;
}

function isDigit(byte: number): boolean {
  return byte >= ZERO && byte <= NINE;
}

/** The end of a number or a keyword; -1 for any other word, and for a number in an unusual notation. */
function endOfWord(bytes: Buffer, start: number, limit: number): number {
  let at = start;
  while (at < limit && KINDS[bytes[at] ?? 0] === REGULAR) at++;
  const first = bytes[start] ?? 0;
  if (isDigit(first) || first === POINT || first === PLUS || first === MINUS) {
    let [digits, points] = [0, 0];
    for (let place = first === PLUS || first === MINUS ? start + 1 : start; place < at; place++) {
      const byte = bytes[place] ?? 0;
      if (isDigit(byte)) digits++;
      else if (byte !== POINT || ++points > 1) return -1;
    }
    return digits === 0 ? -1 : at;
  }
  const length = at - start;
  if (length !== 4 && length !== 5) return -1;
  const word = bytes.toString('latin1', start, at);
  return word === 'true' || word === 'false' || word === 'null' ? at : -1;
}

/** A plain value with replaced references. */
export interface Moved {
  table: PlainTable;
  member: number;
  /** Object numbers, or `NOTHING`; those of this value start at `first`, one for each reference. */
  ids: Integers;
  first: number;
}

/** Writes a moved value. */
export function writeMoved(sink: Sink, { table, member, ids, first }: Moved): void {
  const { bytes, start, end } = table.span(member);
  const spans = table.spans.values;
  const firstSpan = table.first(member);
  const count = table.count(member);
  let from = start;
  for (let at = 0; at < count; at++) {
    const place = 2 * (firstSpan + at);
    sink.part(bytes, from, spans[place] ?? from);
    const id = ids.values[first + at] ?? NOTHING;
    if (id === NOTHING) sink.text('null');
    else sink.reference(id);
    from = spans[place + 1] ?? end;
  }
  sink.part(bytes, from, end);
}

/** The bytes of a moved value. */
export function movedBytes(moved: Moved): Buffer {
  const sink = new Sink(1 << 8);
  writeMoved(sink, moved);
  return sink.bytes();
}

/** Plain values of other files, by their numbers in the file that has copied them. */
export class ImportedValues {
  /** By object number, 1-based. */
  readonly #records = new IdTable();
  readonly #tables: PlainTable[] = [];
  readonly #members = new Integers();
  readonly #firsts = new Integers();
  readonly #ids = new Integers();

  /** @param moved returns the number here of an object in the other file, or `NOTHING` */
  add(id: number, table: PlainTable, member: number, moved: (id: number) => number): void {
    this.#records.set(id, this.#tables.push(table));
    this.#members.push(member);
    this.#firsts.push(this.#ids.length);
    const first = table.first(member);
    const count = table.count(member);
    for (let at = first; at < first + count; at++) this.#ids.push(moved(table.ids.at(at)));
  }

  get(id: number): Moved | undefined {
    const record = this.#records.get(id) - 1;
    const table = this.#tables[record];
    if (table === undefined) return undefined;
    return { table, member: this.#members.at(record), ids: this.#ids, first: this.#firsts.at(record) };
  }
}
