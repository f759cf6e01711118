import { APART, BROKEN, JOINED, type Separation } from '../../glyphs/letters.ts';
import { folded } from './folding.ts';
import { isNear, permutations, REORDERED } from './permutations.ts';

/**
 * Finds words as a reader sees them: regardless of case, of the normalization of their characters, of line ends,
 * and of blanks that a document does not have or has between all letters.
 */

/** The place of a word among pieces of text: from one index to before another. */
export interface WordMatch {
  from: number;
  to: number;
}

/** A part of a text, such as a letter. */
export interface Piece {
  text: string;
}

/** A word without blanks. */
interface Word {
  given: string;
  letters: string;
  /** With single blanks. */
  text: string;
  /** The letters that follow a blank. */
  afterBlank: ReadonlySet<number>;
  /** Whether its letters may be drawn in another order than that of the text. */
  isReordered: boolean;
}

/** A text as units of UTF-16 without blanks. */
interface Units {
  text: string;
  /** The index of the piece of each unit. */
  places: number[];
  /** The separation before each unit. */
  before: Separation[];
}

/** Scripts without blanks between words, which are spread over lines letter by letter. */
const UNSPACED =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u;
/** Minimum number of letters of a word that may have a blank between all of them. */
const SPREAD = 3;

export class WordFinder {
  readonly #words: readonly Word[];
  readonly #found = new Set<Word>();
  /** Units of the longest word. */
  readonly #longest: number;

  constructor(words: readonly string[]) {
    const known = new Map<string, Word>();
    for (const given of words) {
      const word = wordOf(given);
      if (word.letters !== '' && !known.has(word.text)) known.set(word.text, word);
    }
    this.#words = [...known.values()];
    this.#longest = this.#words.reduce((most, { letters }) => Math.max(most, letters.length), 0);
  }

  get isEmpty(): boolean {
    return this.#words.length === 0;
  }

  /** The words that have not been found anywhere, as they were given. */
  get missing(): string[] {
    return this.#words.filter((word) => !this.#found.has(word)).map(({ given }) => given);
  }

  /**
   * All places of the words.
   *
   * @param pieces of a text, such as its characters
   * @param separation of two consecutive pieces that are not blank
   */
  find<P extends Piece>(
    pieces: readonly P[],
    separation: (one: P, next: P) => Separation = () => JOINED,
  ): WordMatch[] {
    const units = unitsOf(pieces, separation);
    const unmarked = withoutLineMarks(units);
    const texts = unmarked === undefined ? [units] : [units, unmarked];
    return texts.flatMap((text) => this.#words.flatMap((word) => this.#matches(word, text)));
  }

  isIn(text: string): boolean {
    return this.#placesIn(text).next().done !== true;
  }

  /** The text with each character of the words replaced by another one. */
  masked(text: string, mask: string): string {
    let masked = '';
    // Text that is put together piece by piece takes about 100 bytes for each piece.
    let pieces: string[] = [];
    let at = 0;
    for (const { from, to } of this.#placesIn(text)) {
      if (to <= at) continue;
      const start = Math.max(at, from);
      pieces.push(text.slice(at, start), mask.repeat(Array.from(text.slice(start, to)).length));
      at = to;
      if (pieces.length < SECTION) continue;
      masked += pieces.join('');
      pieces = [];
    }
    return masked + pieces.join('') + text.slice(at);
  }

  /** The places of the words in a text in order, as units of UTF-16. */
  *#placesIn(text: string): Generator<WordMatch> {
    for (const { start, section } of sections(text, this.#longest)) {
      const pieces = characters(section);
      const matches = this.find(pieces).toSorted((one, other) => one.from - other.from);
      if (matches.length === 0) continue;
      const offsets = [start];
      for (const piece of pieces) offsets.push((offsets.at(-1) ?? 0) + piece.text.length);
      for (const { from, to } of matches) yield { from: offsets[from] ?? 0, to: offsets[to] ?? 0 };
    }
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
      const text = folded(reading());
      const found = this.#words.filter((word) => text.includes(word.text));
      for (const word of found) this.#found.add(word);
      return found.length > 0;
    });
  }

  #matches(word: Word, units: Units): WordMatch[] {
    const { text, places } = units;
    const size = word.letters.length;
    const exact = occurrences(text, word.letters).filter((start) => isSeparatedAs(word, units, start));
    const others = word.isReordered ? permutations(text, word.letters) : [];
    const starts = [...exact, ...others.filter((start) => isReordering(word, units, start))];
    if (starts.length > 0) this.#found.add(word);
    return starts.map((start) => {
      // In another order, the last unit need not be of the last piece.
      const own = places.slice(start, start + size);
      return { from: Math.min(...own), to: Math.max(...own) + 1 };
    });
  }
}

/** Units of a text that are searched at a time: each takes about 200 bytes. */
const SECTION = 65_536;

/** The sections of a text. Each begins so long before the end of the one before it that a word is in one of them. */
function* sections(text: string, longest: number): Generator<{ start: number; section: string }> {
  let start = 0;
  let end = wholeAt(text, SECTION);
  for (; end < text.length; end = wholeAt(text, end + SECTION)) {
    yield { start, section: text.slice(start, end) };
    // Blanks and invisible characters may stand between the letters.
    let letters = 0;
    for (start = end; start > 0 && letters <= longest; start--)
      if (folded(text.charAt(start - 1)).trim() !== '') letters++;
    start = wholeAt(text, start);
  }
  yield { start, section: text.slice(start) };
}

/** Returns an index that does not divide a character of two units. */
function wholeAt(text: string, index: number): number {
  const unit = text.charCodeAt(index);
  return unit >= 0xdc00 && unit <= 0xdfff ? index + 1 : index;
}

function characters(text: string): Piece[] {
  return Array.from(text, (char) => ({ text: char }));
}

function wordOf(given: string): Word {
  const text = folded(given).replace(/\s+/gu, ' ').trim();
  const { text: letters, before } = unitsOf(characters(text), () => JOINED);
  const afterBlank = new Set(before.flatMap((blank, at) => (at > 0 && blank !== JOINED ? [at] : [])));
  const isReordered = REORDERED.test(letters);
  return { given, text, letters, afterBlank, isReordered };
}

const MARK = /\p{M}/u;
/** Vowel signs that are drawn before their consonants, and so after the marks of the word before (Unicode, InPC=Left). */
const DRAWN_FIRST = /[\u093f\u094e\u09bf\u09c7\u09c8\u0a3f\u0abf\u0b47\u0bc6-\u0bc8\u0d46-\u0d48\u0dd9\u0ddb\u1031\u1084\u17c1-\u17c3\u1a19\u1a6e-\u1a72\u1b3e\u1b3f\ua9ba\ua9bb\uaa2f\uaa30]/u; // prettier-ignore
const BLANK = /\s/u;
const LINE_END = /[\n\r\u2028]/u;

function unitsOf<P extends Piece>(pieces: readonly P[], separation: (one: P, next: P) => Separation): Units {
  const parts: string[] = [];
  const places: number[] = [];
  const before: Separation[] = [];
  let last: P | undefined;
  let pending: Separation = JOINED;
  // Consecutive marks, which are sorted: their order does not matter.
  let marks: { mark: string; place: number }[] = [];
  const push = (char: string, place: number): void => {
    parts.push(char);
    for (const _ of char.split('')) {
      places.push(place);
      before.push(pending);
      pending = JOINED;
    }
  };
  const flush = (): void => {
    if (marks.length > 1) marks.sort((a, b) => (a.mark < b.mark ? -1 : 1));
    for (const { mark, place } of marks) push(mark, place);
    if (marks.length > 0) marks = [];
  };
  for (const [place, piece] of pieces.entries()) {
    const text = folded(piece.text);
    if (text === '') continue;
    const isBlank = text.trim() === '';
    if (!isBlank) {
      const gap = last === undefined ? JOINED : separation(last, piece);
      if (gap !== JOINED) flush();
      pending = Math.max(pending, gap) as Separation;
      last = piece;
    }
    for (const char of text) {
      if (MARK.test(char)) {
        if (DRAWN_FIRST.test(char)) flush();
        marks.push({ mark: char, place });
      } else {
        flush();
        if (!BLANK.test(char)) push(char, place);
        else pending = Math.max(pending, LINE_END.test(char) ? BROKEN : APART) as Separation;
      }
    }
  }
  flush();
  return { text: parts.join(''), places, before };
}

const BULLET = /[\u2022\u2023\u2043\u25a0-\u25ff\uf0a7\uf0b7-]/u;

/** The text without hyphens at the ends of lines, and bullets at their starts; undefined if there are none. */
function withoutLineMarks({ text, places, before }: Units): Units | undefined {
  const isKept = (at: number): boolean =>
    !(text[at] === '-' && before[at + 1] === BROKEN) &&
    !(before[at] === BROKEN && BULLET.test(text[at] ?? ''));
  const kept = places.flatMap((_, at) => (isKept(at) ? [at] : []));
  if (kept.length === places.length) return undefined;
  return {
    text: kept.map((at) => text[at]).join(''),
    places: kept.map((at) => places[at] ?? 0),
    // The line ends before a bullet.
    before: kept.map((at) => (at > 0 && !isKept(at - 1) ? BROKEN : (before[at] ?? JOINED))),
  };
}

function occurrences(text: string, word: string): number[] {
  const starts: number[] = [];
  for (let at = text.indexOf(word); at !== -1; at = text.indexOf(word, at + word.length)) starts.push(at);
  return starts;
}

/**
 * Returns whether a text is separated where a word has blanks, or nowhere: by line ends, which may divide words, or
 * between all letters alike.
 */
function isSeparatedAs({ letters, afterBlank }: Word, { text, before }: Units, start: number): boolean {
  let [separated, unexpected] = [0, 0];
  for (let at = 1; at < letters.length; at++) {
    if (before[start + at] !== JOINED) separated++;
    if (before[start + at] !== APART || afterBlank.has(at)) continue;
    const isUnspaced = UNSPACED.test(text[start + at] ?? '') && UNSPACED.test(text[start + at - 1] ?? '');
    if (!isUnspaced) unexpected++;
  }
  return unexpected === 0 || (letters.length >= SPREAD && separated === letters.length - 1);
}

/**
 * Returns whether a permutation of a word may be the word in the order in which it is drawn: it lies between its
 * separations, and does not borrow characters from a neighbour of the word.
 */
function isReordering({ letters, afterBlank }: Word, { text, before }: Units, start: number): boolean {
  const size = letters.length;
  let separated = 0;
  for (let at = start + 1; at < start + size; at++) if (before[at] !== JOINED) separated++;
  if (separated > afterBlank.size) return false;
  if (!isNear(letters, text.slice(start, start + size))) return false;
  const near = text.slice(Math.max(0, start - size + 1), start + 2 * size - 1);
  return !near.includes(letters);
}
