import { PlatenError } from '@platen/core/errors';
import type { PdfDict, PdfValue, Ref } from './values.ts';
import type { Integers } from './integers.ts';
import { stringOf, unescapedName } from './text.ts';
import { KINDS, type KnownNumbers, Names, REGULAR, WHITE } from './words.ts';

/** Reads PDF syntax (ISO 32000-2, 7.2 and 7.3) byte by byte. Unlike the repair of damaged files, it is strict. */

/** Maximum depth of arrays and dictionaries within one object. qpdf permits 499; writers use a dozen. */
const MAX_LEVELS = 499;

const [LF, CR, SPACE, ZERO, NINE] = [0x0a, 0x0d, 0x20, 0x30, 0x39];
const [HASH, PERCENT, OPEN, CLOSE, PLUS, MINUS, POINT] = [0x23, 0x25, 0x28, 0x29, 0x2b, 0x2d, 0x2e];
const [SLASH, LESS, GREATER, OPEN_ARRAY, BACKSLASH, CLOSE_ARRAY, BIG_R] = [
  0x2f, 0x3c, 0x3e, 0x5b, 0x5c, 0x5d, 0x52,
];

/** Returns the error for a file whose bytes violate the standard. */
export function damaged(what: string, cause?: unknown): PlatenError {
  return new PlatenError('pdf_damaged', `The PDF is damaged: ${what}.`, { cause });
}

/** Returns the error for a file that needs more work or memory than permitted. */
export function tooComplex(message: string): PlatenError {
  return new PlatenError('pdf_too_complex', message);
}

/** The object number of a reference. */
export function idOf(ref: Ref): number {
  let id = 0;
  for (let at = 0; at < ref.length; at++) {
    const digit = ref.charCodeAt(at) - ZERO;
    if (digit < 0 || digit > 9) break;
    id = id * 10 + digit;
  }
  return id;
}

/** The generation of a reference. */
export function generationOf(ref: Ref): number {
  const { length } = ref;
  // Nearly all references have generation 0.
  if (ref.charCodeAt(length - 3) === ZERO && ref.charCodeAt(length - 4) === SPACE) return 0;
  return Number(ref.slice(ref.indexOf(' ') + 1, -2));
}

/** Length of the rest of a reference after its number. */
const PLAIN_REF = ' 0 R'.length;

/** The highest number that `Integers` hold; no object has it. */
const MOST = 0x7fff_ffff;

/** Represents a reference of another generation than 0 among object numbers. */
export const OTHER_GENERATION = -1;

/** Reads values in sequence, in the form of values.ts. */
export class Parser {
  at: number;
  readonly bytes: Buffer;
  /** Receives the number of each referenced object. */
  links: Integers | undefined;
  readonly #end: number;
  readonly #names: Names;
  readonly #numbers: KnownNumbers | undefined;

  /**
   * @param end data from here on is not read
   * @param numbers the numbers that references may have; omitted for any
   */
  constructor(bytes: Buffer, at = 0, end = bytes.length, names = new Names(), numbers?: KnownNumbers) {
    this.bytes = bytes;
    this.at = at;
    this.#end = end;
    this.#names = names;
    this.#numbers = numbers;
  }

  /**
   * Reads the value that begins here.
   *
   * @throws PlatenError `pdf_damaged` if there is none, `pdf_too_complex` if it is nested too deeply
   */
  value(level = 0): PdfValue {
    this.skip();
    const byte = this.#byte(this.at);
    switch (byte) {
      case SLASH:
        return this.#name();
      case OPEN:
        return this.#literal();
      case LESS:
        return this.#byte(this.at + 1) === LESS ? this.#dict(level) : this.#hex();
      case OPEN_ARRAY:
        return this.#array(level);
      case PLUS:
      case MINUS:
      case POINT:
        return this.#number();
      default:
        return byte >= ZERO && byte <= NINE ? this.#numberOrRef() : this.#keyword();
    }
  }

  /** Reads an integer without a sign; -1 if there is none. */
  integer(): number {
    this.skip();
    const { bytes, at: start } = this;
    const limit = this.#end;
    let at = start;
    let value = 0;
    for (; at < limit; at++) {
      const digit = (bytes[at] ?? 0) - ZERO;
      if (digit < 0 || digit > 9) break;
      value = value * 10 + digit;
    }
    this.at = at;
    return at === start || at - start > 15 ? -1 : value;
  }

  /** Returns whether a word is next; if so, skips it with the white space before it. */
  takes(word: string): boolean {
    this.skip();
    for (let index = 0; index < word.length; index++) {
      if (this.#byte(this.at + index) !== word.charCodeAt(index)) return false;
    }
    const after = this.#byte(this.at + word.length);
    if (after !== -1 && KINDS[after] === REGULAR) return false;
    this.at += word.length;
    return true;
  }

  /** Skips white space and comments. */
  skip(): void {
    const { bytes } = this;
    const limit = this.#end;
    let { at } = this;
    for (; at < limit; at++) {
      const byte = bytes[at] ?? 0;
      if (byte === PERCENT) at = this.#endOfLine(at) - 1;
      else if (KINDS[byte] !== WHITE) break;
    }
    this.at = at;
  }

  #endOfLine(start: number): number {
    let at = start;
    for (let byte = this.#byte(at); byte !== LF && byte !== CR && byte !== -1;) byte = this.#byte(++at);
    return at;
  }

  #byte(at: number): number {
    return at < this.#end ? (this.bytes[at] ?? -1) : -1;
  }

  #array(level: number): PdfValue[] {
    if (level >= MAX_LEVELS) throw tooDeep();
    const values: PdfValue[] = [];
    this.at++;
    for (;;) {
      this.skip();
      if (this.#byte(this.at) === CLOSE_ARRAY) {
        this.at++;
        return values;
      }
      values.push(this.value(level + 1));
    }
  }

  #dict(level: number): PdfDict {
    if (level >= MAX_LEVELS) throw tooDeep();
    const dict: PdfDict = {};
    this.at += 2;
    for (;;) {
      this.skip();
      const byte = this.#byte(this.at);
      if (byte === GREATER && this.#byte(this.at + 1) === GREATER) {
        this.at += 2;
        return dict;
      }
      if (byte !== SLASH) throw damaged('a dictionary has a key that is no name');
      const key = this.#name();
      const value = this.value(level + 1);
      // A key whose value is null is equivalent to a missing key (7.3.7).
      if (value !== null) dict[key] = value;
      else delete dict[key];
    }
  }

  #name(): string {
    const { bytes } = this;
    const limit = this.#end;
    const start = this.at + 1;
    let end = start;
    let hash = 0;
    let escaped = false;
    for (; end < limit; end++) {
      const byte = bytes[end] ?? 0;
      if (KINDS[byte] !== REGULAR) break;
      if (byte === HASH || byte > 0x7e) escaped = true;
      hash = (hash * 31 + byte) | 0;
    }
    this.at = end;
    if (!escaped) return this.#names.get(bytes, start, end, hash ^ (hash >> 10));
    return unescapedName(bytes.toString('latin1', start, end));
  }

  #numberOrRef(): PdfValue {
    const start = this.at;
    const id = this.integer();
    const after = this.at;
    if (id >= 0 && this.#isPlainRef(after)) {
      this.at = after + PLAIN_REF;
      return this.#ref(id, 0);
    }
    const byte = this.#byte(after);
    if (id >= 0 && byte !== -1 && KINDS[byte] === WHITE) {
      this.skip();
      const next = this.#byte(this.at);
      const generation = next >= ZERO && next <= NINE ? this.integer() : -1;
      const gap = this.#byte(this.at);
      if (generation >= 0 && gap !== -1 && KINDS[gap] === WHITE) {
        this.skip();
        const end = this.#byte(this.at + 1);
        if (this.#byte(this.at) === BIG_R && (end === -1 || KINDS[end] !== REGULAR)) {
          this.at++;
          return this.#ref(id, generation);
        }
      }
      this.at = after;
      return id;
    }
    this.at = start;
    return this.#number();
  }

  /** Returns whether the rest of a reference is next, in the usual notation. */
  #isPlainRef(at: number): boolean {
    const { bytes } = this;
    if (at + PLAIN_REF > this.#end || bytes[at] !== SPACE || bytes[at + 1] !== ZERO) return false;
    if (bytes[at + 2] !== SPACE || bytes[at + 3] !== BIG_R) return false;
    const end = this.#byte(at + PLAIN_REF);
    return end === -1 || KINDS[end] !== REGULAR;
  }

  #ref(id: number, generation: number): PdfValue {
    if (this.#numbers?.has(id) === false) return null;
    this.links?.push(generation === 0 ? Math.min(id, MOST) : OTHER_GENERATION);
    return generation === 0 ? this.#names.references.get(id) : `${id} ${generation} R`;
  }

  #number(): number {
    const start = this.at;
    const sign = this.#byte(start);
    if (sign === PLUS || sign === MINUS) this.at++;
    let [value, digits, decimals] = [0, 0, -1];
    for (let byte = this.#byte(this.at); ; byte = this.#byte(++this.at)) {
      if (byte === POINT && decimals < 0) decimals = 0;
      else if (byte >= ZERO && byte <= NINE) {
        value = value * 10 + (byte - ZERO);
        digits++;
        if (decimals >= 0) decimals++;
      } else if (byte === -1 || KINDS[byte] !== REGULAR) break;
      else throw damaged('a number is none');
    }
    // Some writers use "." and "-." as numbers; qpdf reads them as zero.
    if (digits === 0 && decimals < 0) throw damaged('a number is none');
    if (digits > 15) return Number(this.bytes.toString('latin1', start, this.at));
    // Both are exact, so the quotient is the nearest number.
    if (decimals > 0) value /= 10 ** decimals;
    return sign === MINUS && value !== 0 ? -value : value;
  }

  #keyword(): PdfValue {
    if (this.takes('true')) return true;
    if (this.takes('false')) return false;
    if (this.takes('null')) return null;
    throw damaged('a value is missing');
  }

  #hex(): string {
    const bytes: number[] = [];
    let half = -1;
    for (let byte = this.#byte(++this.at); byte !== GREATER; byte = this.#byte(++this.at)) {
      const digit = hexDigit(byte);
      if (digit === -1) {
        if (byte !== -1 && KINDS[byte] === WHITE) continue;
        throw damaged('a string has a digit that is none');
      }
      if (half === -1) half = digit;
      else {
        bytes.push((half << 4) | digit);
        half = -1;
      }
    }
    this.at++;
    if (half !== -1) bytes.push(half << 4);
    return stringOf(Buffer.from(bytes));
  }

  #literal(): string {
    const start = this.at + 1;
    let end = start;
    for (let byte = this.#byte(end); ; byte = this.#byte(++end)) {
      if (byte === CLOSE) {
        this.at = end + 1;
        return `u:${this.bytes.toString('latin1', start, end)}`;
      }
      if (byte < SPACE || byte > 0x7e || byte === BACKSLASH || byte === OPEN) break;
    }
    return this.#escapedLiteral(start);
  }

  #escapedLiteral(start: number): string {
    const bytes: number[] = [];
    let depth = 1;
    this.at = start;
    for (;;) {
      const byte = this.#byte(this.at++);
      if (byte === -1) throw damaged('a string has no end');
      if (byte === BACKSLASH) {
        this.#escape(bytes);
        continue;
      }
      if (byte === OPEN) depth++;
      if (byte === CLOSE && --depth === 0) return stringOf(Buffer.from(bytes));
      // Any end of line counts as a line feed (7.3.4.2).
      if (byte === CR && this.#byte(this.at) === LF) this.at++;
      bytes.push(byte === CR ? LF : byte);
    }
  }

  /** The characters after a backslash (table 3). */
  #escape(bytes: number[]): void {
    const byte = this.#byte(this.at++);
    if (byte >= ZERO && byte < ZERO + 8) {
      let code = byte - ZERO;
      for (let more = 0; more < 2; more++) {
        const digit = this.#byte(this.at) - ZERO;
        if (digit < 0 || digit > 7) break;
        code = code * 8 + digit;
        this.at++;
      }
      bytes.push(code & 0xff);
      return;
    }
    if (byte === CR && this.#byte(this.at) === LF) this.at++;
    if (byte === CR || byte === LF || byte === -1) return;
    const place = 'nrtbf'.indexOf(String.fromCharCode(byte));
    bytes.push(place === -1 ? byte : '\n\r\t\b\f'.charCodeAt(place));
  }
}

function tooDeep(): PlatenError {
  return tooComplex('The PDF is nested too deeply.');
}

function hexDigit(byte: number): number {
  if (byte >= ZERO && byte <= NINE) return byte - ZERO;
  const letter = byte | 0x20;
  return letter >= 0x61 && letter <= 0x66 ? letter - 0x57 : -1;
}
