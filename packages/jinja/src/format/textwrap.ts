import { raise } from '../errors.ts';
import { spend } from '../budget.ts';
import { SPACE, textLength } from '../values/text.ts';

interface WrapOptions {
  width: number;
  breakLongWords: boolean;
  breakOnHyphens: boolean;
}

const WHITE = '[\\t\\n\\v\\f\\r ]';
const NOT_WHITE = '[^\\t\\n\\v\\f\\r ]';
const WORD_OR_PUNCTUATION = '[\\p{L}\\p{N}_!"\'&.,?]';
const LETTER = '[\\p{L}_]';
const WORD = '[\\p{L}\\p{N}_]';
/**
 * White space; a dash between words; a word, or a part of one up to a hyphen. Python's `textwrap` has the same.
 *
 * bounded: each match ends at the end of a word at the latest, and the next one starts after it
 */
const CHUNKS = new RegExp(
  `(${WHITE}+` +
    `|(?<=${WORD_OR_PUNCTUATION})-{2,}(?=${WORD})` +
    `|${NOT_WHITE}+?(?:-(?:(?<=${LETTER}{2}-)|(?<=${LETTER}-${LETTER}-))(?=${LETTER}-?${LETTER})` +
    `|(?=${WHITE}|$)` +
    `|(?<=${WORD_OR_PUNCTUATION})(?=-{2,}${WORD})))`,
  'u',
);
const SIMPLE_CHUNKS = new RegExp(`(${WHITE}+)`, 'u');
const BLANK = new RegExp(`^[${SPACE}]*$`, 'u');

/** `textwrap.wrap` of one line, with white space as it is. Lengths are in code points. */
export function wrapText(text: string, options: WrapOptions): string[] {
  const { width } = options;
  if (width <= 0) raise('ValueError', `invalid width ${width} (must be > 0)`);
  spend(text.length * 8);
  const pieces = text.split(options.breakOnHyphens ? CHUNKS : SIMPLE_CHUNKS).filter((piece) => piece !== '');
  // The last chunk comes first, so that it can be popped.
  const chunks = pieces.map((piece) => new Chunk(piece)).reverse();
  const lines: string[] = [];
  while (chunks.length > 0) {
    const line = takeLine(chunks, lines.length > 0, options);
    if (line !== '') lines.push(line);
  }
  return lines;
}

/** A piece of text that is only broken when it is longer than a line. */
class Chunk {
  readonly #text: string;
  /** The characters, once the piece is broken. */
  #chars: readonly string[] | undefined;
  #from = 0;
  /** The next character that is not blank, found once for all characters before it. */
  #solid = -1;
  /** In code points. */
  length: number;

  constructor(text: string) {
    this.#text = text;
    this.length = textLength(text);
  }

  get text(): string {
    return this.#chars === undefined ? this.#text : this.#chars.slice(this.#from).join('');
  }

  get isBlank(): boolean {
    const chars = this.#chars;
    if (chars === undefined) return isBlank(this.#text);
    if (this.#solid < this.#from) this.#solid = this.#from;
    while (this.#solid < chars.length && isBlank(chars[this.#solid])) this.#solid++;
    return this.#solid === chars.length;
  }

  /** Returns the first characters. */
  first(count: number): readonly string[] {
    this.#chars ??= Array.from(this.#text);
    return this.#chars.slice(this.#from, this.#from + count);
  }

  /** Removes the first characters. */
  drop(count: number): void {
    this.#from += count;
    this.length -= count;
  }
}

function isBlank(text: string | undefined): boolean {
  return text !== undefined && BLANK.test(text);
}

/** Takes the chunks that fit on one line. */
function takeLine(chunks: Chunk[], hasLines: boolean, options: WrapOptions): string {
  const { width } = options;
  const line: string[] = [];
  let length = 0;
  if (hasLines && chunks.at(-1)?.isBlank === true) chunks.pop();
  for (let next = chunks.at(-1); next !== undefined && length + next.length <= width; next = chunks.at(-1)) {
    line.push(next.text);
    length += next.length;
    chunks.pop();
  }
  const long = chunks.at(-1);
  if (long !== undefined && long.length > width) breakLongWord(chunks, long, line, width - length, options);
  if (isBlank(line.at(-1))) line.pop();
  return line.join('');
}

/** Breaks a word longer than a line: its beginning goes on this line, or all of it on a line of its own. */
function breakLongWord(
  chunks: Chunk[],
  word: Chunk,
  line: string[],
  space: number,
  { breakLongWords, breakOnHyphens }: WrapOptions,
): void {
  if (!breakLongWords) {
    if (line.length === 0) {
      line.push(word.text);
      chunks.pop();
    }
    return;
  }
  const chars = word.first(space);
  let end = space;
  if (breakOnHyphens && word.length > space) {
    const hyphen = chars.lastIndexOf('-');
    if (hyphen > 0 && chars.slice(0, hyphen).some((char) => char !== '-')) end = hyphen + 1;
  }
  line.push(chars.slice(0, end).join(''));
  word.drop(end);
}
