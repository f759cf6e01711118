import { DELIMITER, KINDS, type Names, REGULAR, WHITE } from '../model/words.ts';
import { isDict, isName } from '../model/values.ts';
import type { PdfDict, PdfValue } from '../model/values.ts';

/** Reads PDF syntax (ISO 32000-1, 7.2 and 7.3) that may be invalid: invalid parts are skipped. */

/** Deeper values are treated as damaged: no real document has a hundred levels. */
const MAX_LEVELS = 100;

const [LF, CR] = [10, 13];
const [OPEN, LESS, GREATER, OPEN_ARRAY, CLOSE_ARRAY, SLASH] = [0x28, 0x3c, 0x3e, 0x5b, 0x5d, 0x2f];

/** Tokens that are not values: the end of an array, of a dictionary, and of the data. */
const CLOSE = Symbol('close');
type Token = PdfValue | typeof CLOSE;

/** Keywords that end an unclosed value. */
const ENDS = new Set(['endobj', 'stream', 'endstream', 'obj', 'xref', 'trailer', 'startxref']);

/** A name without escapes. */
const PLAIN_NAME = /^[!"$-~]*$/;

/** Reads values in sequence, in the form of qpdf's JSON (values.ts). */
export class Tokens {
  at: number;
  /** Whether a value was not closed, or nested too deeply. */
  broken = false;
  readonly #bytes: Buffer;
  readonly #names: Names | undefined;

  /** @param names a cache of names; without it, each name is a separate string */
  constructor(bytes: Buffer, at: number, names?: Names) {
    this.#bytes = bytes;
    this.at = at;
    this.#names = names;
  }

  /** Reads the value that begins here; null if there is none. */
  value(): PdfValue {
    const token = this.#token(0);
    return token === CLOSE ? null : token;
  }

  /** Returns whether a word is next; if so, skips it with the white space before it. */
  takes(word: string): boolean {
    this.#skipWhite();
    if (!startsWith(this.#bytes, word, this.at)) return false;
    this.at += word.length;
    return true;
  }

  #token(level: number): Token {
    this.#skipWhite();
    const byte = this.#bytes[this.at];
    if (byte === undefined || level > MAX_LEVELS) {
      this.broken = true;
      return CLOSE;
    }
    switch (byte) {
      case SLASH:
        return this.#name();
      case OPEN:
        return this.#literalString();
      case OPEN_ARRAY:
        this.at++;
        return this.#array(level);
      case LESS:
        if (this.#bytes[this.at + 1] !== byte) return this.#hexString();
        this.at += 2;
        return this.#dict(level);
      case GREATER:
      case CLOSE_ARRAY:
        this.at += this.#bytes[this.at + 1] === byte && byte === GREATER ? 2 : 1;
        return CLOSE;
      default:
        if (KINDS[byte] !== DELIMITER) return this.#word();
        this.at++;
        return null;
    }
  }

  #array(level: number): PdfValue[] {
    const values: PdfValue[] = [];
    for (let next = this.#token(level + 1); next !== CLOSE; next = this.#token(level + 1)) values.push(next);
    return values;
  }

  #dict(level: number): PdfDict {
    const dict: PdfDict = {};
    for (;;) {
      const key = this.#token(level + 1);
      if (key === CLOSE) return dict;
      // A dictionary that was begun twice: the entries of the second belong to the first.
      if (isDict(key)) {
        for (const [name, value] of Object.entries(key)) dict[name] ??= value;
        continue;
      }
      if (!isName(key)) continue;
      const value = this.#token(level + 1);
      if (value === CLOSE) return dict;
      dict[key] = value;
    }
  }

  /** A number, a reference, `true`, `false` or `null`; any other word counts as null. */
  #word(): Token {
    const start = this.at;
    const integer = this.#shortInteger();
    if (integer !== -1) return integer;
    const word = this.#regular(start);
    if (ENDS.has(word)) {
      this.broken = true;
      return CLOSE;
    }
    this.at += word.length;
    if (/^\d{1,10}$/.test(word)) {
      const reference = /^[\s\0]+(\d{1,5})[\s\0]+R(?![^\s\0()<>[\]{}/%])/.exec(this.#text(this.at, 32));
      if (reference !== null) {
        this.at += reference[0].length;
        return `${Number(word)} ${Number(reference[1])} R`;
      }
    }
    if (word === 'true' || word === 'false') return word === 'true';
    const number = /^[+-]*(\d*\.?\d*)/.exec(word)?.[1] ?? '';
    if (!/\d/.test(number)) return null;
    const size = Math.min(Number(number), Number.MAX_SAFE_INTEGER);
    return word.startsWith('-') ? -size : size;
  }

  /**
   * Reads a number of a few digits, which most words are.
   *
   * @returns -1 for any other word
   */
  #shortInteger(): number {
    const bytes = this.#bytes;
    let [value, at] = [0, this.at];
    for (let digit = digitAt(bytes, at); digit !== -1; digit = digitAt(bytes, ++at))
      value = 10 * value + digit;
    if (at === this.at || at - this.at > 9 || KINDS[bytes[at] ?? SLASH] === REGULAR) return -1;
    let next = at;
    while (isWhite(bytes[next])) next++;
    // A reference begins with two numbers.
    if (next > at && digitAt(bytes, next) !== -1) return -1;
    this.at = at;
    return value;
  }

  #name(): string {
    const known = this.#names?.at(this.#bytes, this.at);
    if (known !== undefined) {
      this.at += known.length;
      return known;
    }
    const raw = this.#regular(this.at + 1);
    this.at += 1 + raw.length;
    if (PLAIN_NAME.test(raw)) return `/${raw}`;
    const name = raw.replace(/#([\dA-Fa-f]{2})/g, (_, code: string) =>
      String.fromCharCode(Number.parseInt(code, 16)),
    );
    return /^[!-~]*$/.test(name) ? `/${name}` : `n:/${raw}`;
  }

  #hexString(): string {
    const end = this.#bytes.indexOf('>', this.at);
    if (end === -1) this.broken = true;
    const stop = end === -1 ? this.#bytes.length : end;
    const digits = this.#text(this.at + 1, stop - this.at - 1).replace(/[^\dA-Fa-f]/g, '');
    this.at = stop + 1;
    return `b:${digits}${digits.length % 2 === 1 ? '0' : ''}`;
  }

  #literalString(): string {
    const bytes: number[] = [];
    let depth = 1;
    this.at++;
    while (depth > 0) {
      const byte = this.#bytes[this.at++];
      if (byte === undefined) {
        this.broken = true;
        break;
      }
      if (byte === 0x5c) this.#escape(bytes);
      else {
        if (byte === 0x28) depth++;
        if (byte === 0x29) depth--;
        if (depth > 0) bytes.push(byte);
      }
    }
    return `b:${Buffer.from(bytes).toString('hex')}`;
  }

  /** The characters after a backslash (table 3). */
  #escape(bytes: number[]): void {
    const octal = /^[0-7]{1,3}/.exec(this.#text(this.at, 3))?.[0];
    if (octal !== undefined) {
      this.at += octal.length;
      bytes.push(Number.parseInt(octal, 8) & 0xff);
      return;
    }
    const byte = this.#bytes[this.at++];
    if (byte === CR && this.#bytes[this.at] === LF) this.at++;
    if (byte === undefined || byte === CR || byte === LF) return;
    const place = 'nrtbf'.indexOf(String.fromCharCode(byte));
    bytes.push(place === -1 ? byte : '\n\r\t\b\f'.charCodeAt(place));
  }

  #skipWhite(): void {
    for (;;) {
      const byte = this.#bytes[this.at];
      if (byte === 0x25) {
        while (this.at < this.#bytes.length && !isLineEnd(this.#bytes[this.at])) this.at++;
      } else if (isWhite(byte)) this.at++;
      else return;
    }
  }

  #regular(start: number): string {
    let end = start;
    while (end < this.#bytes.length && KINDS[this.#bytes[end] ?? 0] === REGULAR) end++;
    return this.#bytes.toString('latin1', start, end);
  }

  #text(start: number, length: number): string {
    return this.#bytes.toString('latin1', start, start + length);
  }
}

export function isWhite(byte: number | undefined): boolean {
  return byte !== undefined && KINDS[byte] === WHITE;
}

/** The digit at a position; -1 if there is none. */
function digitAt(bytes: Buffer, at: number): number {
  const digit = (bytes[at] ?? 0) - 0x30;
  return digit >= 0 && digit <= 9 ? digit : -1;
}

/** Returns where the data of a stream begins after the word `stream` (7.3.8.1). */
export function afterLineEnd(bytes: Buffer, at: number): number {
  if (bytes[at] === CR) return bytes[at + 1] === LF ? at + 2 : at + 1;
  return bytes[at] === LF ? at + 1 : at;
}

/** Returns where the data of a stream ends before its `endstream`. */
export function beforeLineEnd(bytes: Buffer, start: number, end: number): number {
  if (end > start && bytes[end - 1] === LF)
    return end - 1 > start && bytes[end - 2] === CR ? end - 2 : end - 1;
  return end > start && bytes[end - 1] === CR ? end - 1 : end;
}

export function startsWith(bytes: Buffer, word: string, at: number): boolean {
  for (let index = 0; index < word.length; index++) {
    if (bytes[at + index] !== word.charCodeAt(index)) return false;
  }
  return true;
}

function isLineEnd(byte: number | undefined): boolean {
  return byte === LF || byte === CR;
}
