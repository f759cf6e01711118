import type { Ref } from '../values.ts';
import { sharedText } from './text.ts';

/** The bytes and words of PDF syntax (ISO 32000-2, 7.2), and what is known of those that were read before. */

export const [REGULAR, WHITE, DELIMITER] = [0, 1, 2];
/** The kind of each byte: white space, a delimiter, or part of a word (7.2.3). */
export const KINDS = new Uint8Array(256);
for (const byte of [0, 9, 10, 12, 13, 32]) KINDS[byte] = WHITE;
for (const char of '()<>[]{}/%') KINDS[char.charCodeAt(0)] = DELIMITER;

const [SPACE, HASH] = [0x20, 0x23];

/** References that were read before: an element of the tags is named by those around it. */
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

/** Names that were read before, so that each is one string however often it is there. */
export class Names {
  readonly #slots = Array.from<string>({ length: 1024 }).fill('');
  readonly references = new References();

  /** The name that begins with a slash here; undefined for one that is not written as plainly as most are. */
  at(bytes: Buffer, slash: number): string | undefined {
    const start = slash + 1;
    let [end, hash] = [start, 0];
    for (let byte = bytes[end] ?? SPACE; KINDS[byte] === REGULAR; byte = bytes[++end] ?? SPACE) {
      if (byte === HASH || byte <= SPACE || byte > 0x7e) return undefined;
      hash = (hash * 31 + byte) | 0;
    }
    return this.get(bytes, start, end, hash ^ (hash >> 10));
  }

  /** The name whose regular characters, none of them `#`, are these bytes. */
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
 * Numbers that objects of a file can have. A reference to a higher one leads nowhere and is null (7.3.10); it may not be kept
 * as it is, since a new object would get that number one day.
 */
export class KnownNumbers {
  /** The highest that there is; without a bound until it is known. */
  highest = Infinity;
  /** Those that were referred to and are higher. */
  readonly dangling = new Set<number>();
  /** References to these that were read. */
  count = 0;

  /** Whether a reference leads to what there may be. */
  has(id: number): boolean {
    if (id <= this.highest) return true;
    this.count++;
    this.dangling.add(id);
    return false;
  }
}
