import type { Ref } from './values.ts';
import { sharedText } from './text.ts';

/** The bytes and words of PDF syntax (ISO 32000-2, 7.2), with caches of those that were read before. */

export const [REGULAR, WHITE, DELIMITER] = [0, 1, 2];
/** The kind of each byte: white space, a delimiter, or part of a word (7.2.3). */
export const KINDS = new Uint8Array(256);
for (const byte of [0, 9, 10, 12, 13, 32]) KINDS[byte] = WHITE;
for (const char of '()<>[]{}/%') KINDS[char.charCodeAt(0)] = DELIMITER;

const [SPACE, HASH] = [0x20, 0x23];

/** Cache of references: neighbouring objects of the tags refer to the same element. */
class References {
  readonly #ids = new Int32Array(1024).fill(-1);
  readonly #refs = Array.from<Ref>({ length: 1024 }).fill('');

  get(id: number): Ref {
    const slot = id & 1023;
    if (this.#ids[slot] !== id) {
      this.#ids[slot] = id;
      this.#refs[slot] = `${id} 0 R`;
    }
    return this.#refs[slot] ?? '';
  }
}

/** Cache of names, so that each is one string. */
export class Names {
  readonly #slots = Array.from<string>({ length: 1024 }).fill('');
  readonly references = new References();

  /** Returns the name that begins with a slash here; undefined for one in an unusual notation. */
  at(bytes: Buffer, slash: number): string | undefined {
    const start = slash + 1;
    let [end, hash] = [start, 0];
    for (let byte = bytes[end] ?? SPACE; KINDS[byte] === REGULAR; byte = bytes[++end] ?? SPACE) {
      if (byte === HASH || byte <= SPACE || byte > 0x7e) return undefined;
      hash = (hash * 31 + byte) | 0;
    }
    return this.get(bytes, start, end, hash ^ (hash >> 10));
  }

  /** Returns the name from its bytes, which are regular characters other than `#`. */
  get(bytes: Buffer, start: number, end: number, hash: number): string {
    const slot = hash & 1023;
    const known = this.#slots[slot] ?? '';
    if (known.length === end - start + 1) {
      let at = start;
      while (at < end && known.charCodeAt(at - start + 1) === bytes[at]) at++;
      if (at === end) return known;
    }
    const name = sharedText(`/${bytes.toString('latin1', start, end)}`);
    this.#slots[slot] = name;
    return name;
  }
}

/**
 * Object numbers that can exist in a file. A reference to a higher number is null (7.3.10); it must not be kept
 * unchanged, because a new object may get that number later.
 */
export class KnownNumbers {
  /** The highest existing number; infinite until it is known. */
  highest = Infinity;
  /** Higher numbers that were referred to. */
  readonly dangling = new Set<number>();
  /** References to these that were read. */
  count = 0;

  /** Returns whether a reference can refer to an object. */
  has(id: number): boolean {
    if (id <= this.highest) return true;
    this.count++;
    this.dangling.add(id);
    return false;
  }
}
