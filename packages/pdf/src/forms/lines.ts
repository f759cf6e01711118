import type { FontStyle } from '../text/font-files.ts';
import type { SetLine, TextSetter } from '../text/index.ts';

/** Fits text into the width of a field. */

/** Measures a text at a size of one point. */
export type Measure = (text: string) => Promise<number>;

/** Ascent and descent at a size of one point, of the fonts for most text. */
export const ASCENT = 0.905;
export const DESCENT = 0.212;
export const LINE = 1.15;

/** Maximum length of text: fields show no more, and layout takes time. */
const MAX_SHOWN = 50_000;

/** Maximum number of lines. */
const MAX_LINES = 2_000;

/** Lays out the text of one field. */
export class FieldText {
  readonly #setter: TextSetter;
  readonly #style: FontStyle;
  readonly #name: string;
  readonly #widths = new Map<string, number>();

  /** @param name of the field, for errors */
  constructor(setter: TextSetter, font: string, name: string) {
    this.#setter = setter;
    this.#name = `data.${name}`;
    this.#style = setter.style(font, this.#name);
  }

  async line(text: string, size: number): Promise<SetLine> {
    return await this.#setter.line(shown(text), this.#style, size, this.#name);
  }

  /** Width at a size of one point. */
  readonly measure: Measure = async (text) => {
    const known = this.#widths.get(text);
    if (known !== undefined) return known;
    const { width } = await this.#setter.line(shown(text), this.#style, 1, this.#name);
    this.#widths.set(text, width);
    return width;
  };
}

/** Control characters have no glyphs, so spaces replace them. */
function shown(text: string): string {
  // oxlint-disable-next-line no-control-regex -- it matches control characters
  return text.slice(0, MAX_SHOWN).replace(/[\u0000-\u001f\u007f-\u009f]/g, ' ');
}

/** Break opportunities besides spaces: between the words of scripts that do not separate them. */
const SEGMENTER = new Intl.Segmenter('en', { granularity: 'word' });
const GRAPHEMES = new Intl.Segmenter('en', { granularity: 'grapheme' });

/** The characters of a text as readers count them (grapheme clusters). */
export function graphemesOf(text: string): string[] {
  return Array.from(GRAPHEMES.segment(text), ({ segment }) => segment);
}

/**
 * Breaks a text into lines.
 *
 * @param width available width for a size of one point
 */
export async function brokenLines(text: string, width: number, measure: Measure): Promise<string[]> {
  const lines: string[] = [];
  for (const paragraph of text.slice(0, MAX_SHOWN).split('\n')) {
    let line = '';
    let used = 0;
    for (const piece of piecesOf(paragraph)) {
      const word = piece.trimEnd();
      const [whole, bare] = [await measure(piece), await measure(word)];
      if (line !== '' && used + bare > width) {
        lines.push(line.trimEnd());
        [line, used] = ['', 0];
      }
      if (line === '' && bare > width) {
        // A word that is longer than a line is split.
        for (const character of graphemesOf(piece)) {
          const advance = await measure(character);
          if (line !== '' && used + advance > width) {
            lines.push(line);
            [line, used] = ['', 0];
          }
          line += character;
          used += advance;
        }
        continue;
      }
      line += piece;
      used += whole;
      if (lines.length > MAX_LINES) return lines;
    }
    lines.push(line.trimEnd());
    if (lines.length > MAX_LINES) return lines;
  }
  return lines;
}

/** Words with the spaces and punctuation that follow them. */
function piecesOf(paragraph: string): string[] {
  const pieces: string[] = [];
  let open = false;
  for (const { segment, isWordLike = false } of SEGMENTER.segment(paragraph)) {
    const last = pieces.length - 1;
    const begins = isWordLike && !open;
    if (last >= 0 && !begins) pieces[last] += segment;
    else pieces.push(segment);
    // Punctuation before a word, such as a bracket, belongs to the word.
    open = !isWordLike && !/\s$/.test(segment) && (open || /^[\p{Ps}\p{Pi}"'@#$€£¥]$/u.test(segment));
  }
  return pieces;
}
