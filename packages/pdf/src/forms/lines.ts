import type { FontStyle } from '../text/font-files.ts';
import type { SetLine, TextSetter } from '../text/index.ts';

/** Text within the width of a field. */

/** Measures a text at a size of one point. */
export type Measure = (text: string) => Promise<number>;

/** Ascent and descent at a size of one point, of the fonts for most text. */
export const ASCENT = 0.905;
export const DESCENT = 0.212;
export const LINE = 1.15;

/** Text that is set at all: a field does not show more, and setting takes time. */
const MAX_SHOWN = 50_000;

/** Lines of a text that are shown. */
const MAX_LINES = 2_000;

/** Sets text of one field. */
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

/** What has no shape of its own is a blank. */
function shown(text: string): string {
  // oxlint-disable-next-line no-control-regex -- control characters are what is looked for
  return text.slice(0, MAX_SHOWN).replace(/[\u0000-\u001f\u007f-\u009f]/g, ' ');
}

/** Where lines may end, besides after blanks: between the words of scripts that part them by nothing. */
const SEGMENTER = new Intl.Segmenter('en', { granularity: 'word' });
const GRAPHEMES = new Intl.Segmenter('en', { granularity: 'grapheme' });

/** The characters of a text as readers count them. */
export function graphemesOf(text: string): string[] {
  return Array.from(GRAPHEMES.segment(text), ({ segment }) => segment);
}

/**
 * Breaks a text into lines.
 *
 * @param width that there is, for a size of one point
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
        // A word that has no room in any line is cut.
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

/** Words with the blanks and signs behind them. */
function piecesOf(paragraph: string): string[] {
  const pieces: string[] = [];
  let open = false;
  for (const { segment, isWordLike = false } of SEGMENTER.segment(paragraph)) {
    const last = pieces.length - 1;
    const begins = isWordLike && !open;
    if (last >= 0 && !begins) pieces[last] += segment;
    else pieces.push(segment);
    // What stands before a word, such as a bracket, belongs to it.
    open = !isWordLike && !/\s$/.test(segment) && (open || /^[\p{Ps}\p{Pi}"'@#$€£¥]$/u.test(segment));
  }
  return pieces;
}
