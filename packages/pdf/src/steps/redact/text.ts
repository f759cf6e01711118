import { pdfNumber } from '../../content.ts';
import type { Matrix } from '../geometry.ts';
import { mappedBox, product } from '../geometry.ts';
import { isString, type PdfValue, stringBytes } from '../../values.ts';
import type { Box } from '../geometry.ts';
import type { Code, ShownFont } from './fonts.ts';

/** Locates shown text (ISO 32000-2, 9.3 and 9.4), and removes glyphs from it. */

/** The part of the graphics state that concerns text. */
export interface TextState {
  font: ShownFont | undefined;
  size: number;
  charSpace: number;
  wordSpace: number;
  /** Of the width; 1 is as it is. */
  stretch: number;
  leading: number;
  rise: number;
}

export const INITIAL_TEXT: TextState = {
  font: undefined,
  size: 0,
  charSpace: 0,
  wordSpace: 0,
  stretch: 1,
  leading: 0,
  rise: 0,
};

/** How far glyphs reach below and above the line they stand on, in sizes of their font. */
const [DESCENT, ASCENT] = [-0.25, 0.75];

/** The remaining part of a text. */
export interface LeftText {
  /** The operand of `TJ`, in its brackets. */
  operand: string;
  /** Glyphs that went. */
  removed: number;
  /** From the place of the first glyph to the one behind the last, in the coordinates of the text. */
  moved: readonly [x: number, y: number];
}

/**
 * Takes glyphs out of a text that is shown; all others stay where they are.
 *
 * @param operand of `TJ`, or of `Tj` as its only element
 * @param matrix of the text, to the coordinates of the page
 * @param goes whether the glyph with that box goes
 */
export function withoutGlyphs(
  operand: readonly PdfValue[],
  { font, size, charSpace, wordSpace, stretch, rise }: TextState,
  matrix: Matrix,
  goes: (box: Box) => boolean,
): LeftText {
  const isVertical = font?.isVertical === true;
  const parts: string[] = [];
  let [x, y, removed, gap] = [0, 0, 0, 0];
  /** Whether the glyph before, which has a width, has gone; undefined where there is none. */
  let hasGone: boolean | undefined;
  let shown: Buffer[] = [];
  const along = (distance: number): void => {
    if (isVertical) y += distance;
    else x += distance;
  };
  /** Writes what is shown so far, or how far what is shown next is from it. */
  const flush = (): void => {
    if (shown.length > 0) parts.push(`<${Buffer.concat(shown).toString('hex')}>`);
    shown = [];
  };
  const move = (distance: number): void => {
    gap += distance;
  };
  const settle = (): void => {
    const unit = size * (isVertical ? 1 : stretch);
    if (gap !== 0 && unit !== 0) parts.push(pdfNumber((-1000 * gap) / unit));
    gap = 0;
  };
  for (const element of operand) {
    if (typeof element === 'number') {
      const distance = (-element / 1000) * size * (isVertical ? 1 : stretch);
      flush();
      move(distance);
      along(distance);
      continue;
    }
    if (!isString(element) || font === undefined) continue;
    for (const { bytes, advance } of font.codes(stringBytes(element))) {
      const distance = displacement({ bytes, advance }, { size, charSpace, wordSpace, stretch, isVertical });
      const box = glyphBox(advance, isVertical);
      const toPage = product([size * stretch, 0, 0, size, x, y + rise], matrix);
      // What has no width, such as an accent, goes with what it is put on.
      const isGone = (advance === 0 ? hasGone : undefined) ?? goes(mappedBox(box, toPage));
      if (advance !== 0) hasGone = isGone;
      if (isGone) {
        flush();
        move(distance);
        removed++;
      } else {
        if (gap !== 0) settle();
        shown.push(bytes);
      }
      along(distance);
    }
  }
  flush();
  settle();
  return { operand: `[${parts.join(' ')}]`, removed, moved: [x, y] };
}

function displacement(
  { bytes, advance }: Code,
  {
    size,
    charSpace,
    wordSpace,
    stretch,
    isVertical,
  }: Pick<TextState, 'size' | 'charSpace' | 'wordSpace' | 'stretch'> & { isVertical: boolean },
): number {
  const isBlank = bytes.length === 1 && bytes[0] === 0x20;
  const distance = advance * size + charSpace + (isBlank ? wordSpace : 0);
  return isVertical ? distance : distance * stretch;
}

/** A box without extent meets nothing: of what has no width, the width that is looked for. */
const LEAST = 0.01;

/** In sizes of the font. */
function glyphBox(advance: number, isVertical: boolean): Box {
  if (isVertical)
    return { x: -0.5, y: Math.min(0, advance), width: 1, height: Math.max(LEAST, Math.abs(advance)) };
  const width = Math.max(LEAST, Math.abs(advance));
  return { x: Math.min(0, advance), y: DESCENT, width, height: ASCENT - DESCENT };
}
