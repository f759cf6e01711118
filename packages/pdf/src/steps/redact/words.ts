/**
 * Finds words as a reader sees them: regardless of case, of the normalization of their characters, and of line
 * ends.
 */

/** Invisible characters: soft hyphens, joiners, direction marks. */
const INVISIBLE_CHARACTERS = /[\u00ad\u200b-\u200f\u2060\ufeff]/gu;

/** The place of a word among pieces of text: from one index to before another. */
export interface WordMatch {
  from: number;
  to: number;
}

export class WordFinder {
  readonly #words: readonly string[];

  constructor(words: readonly string[]) {
    const folded = words.map((word) => folding(word).replace(/\s+/gu, ' ').trim());
    this.#words = [...new Set(folded)].filter((word) => word !== '');
  }

  get isEmpty(): boolean {
    return this.#words.length === 0;
  }

  /**
   * All places of the words.
   *
   * @param pieces of a text, such as its characters
   */
  find(pieces: readonly string[]): WordMatch[] {
    const text: string[] = [];
    const places: number[] = [];
    for (const [index, piece] of pieces.entries()) {
      for (const unit of folding(piece)) {
        const isBlank = /\s/u.test(unit);
        if (isBlank && (text.length === 0 || text.at(-1) === ' ')) continue;
        // A character outside of the BMP has two units, as in the searched text.
        for (const half of isBlank ? ' ' : unit.split('')) {
          text.push(half);
          places.push(index);
        }
      }
    }
    const whole = text.join('');
    const found: WordMatch[] = [];
    for (const word of this.#words) {
      for (let at = whole.indexOf(word); at !== -1; at = whole.indexOf(word, at + word.length)) {
        found.push({ from: places[at] ?? 0, to: (places[at + word.length - 1] ?? 0) + 1 });
      }
    }
    return found;
  }

  isIn(text: string): boolean {
    return this.find([...text]).length > 0;
  }

  /** The text with each word replaced by other characters. */
  masked(text: string, mask: string): string {
    const characters = [...text];
    for (const { from, to } of this.find(characters)) characters.fill(mask, from, to);
    return characters.join('');
  }

  /** Returns whether bytes contain one of the words in any readable encoding. */
  isInBytes(bytes: Buffer): boolean {
    const swapped = (): Buffer => Buffer.from(bytes.subarray(0, bytes.length & ~1)).swap16();
    const readings = [
      () => bytes.toString('latin1'),
      () => bytes.toString('utf8'),
      () => bytes.toString('utf16le'),
      () => swapped().toString('utf16le'),
    ];
    return readings.some((reading) => {
      const text = folding(reading());
      return this.#words.some((word) => text.includes(word));
    });
  }
}

function folding(text: string): string {
  return text.normalize('NFKC').toLowerCase().replace(INVISIBLE_CHARACTERS, '');
}
