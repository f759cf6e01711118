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
  /** Horizontal scaling; 1 is the default. */
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

/** Extent of glyphs below and above the base line, in font sizes. */
const [DESCENT, ASCENT] = [-0.25, 0.75];

/** The remaining part of a text. */
export interface LeftText {
  /** The operand of `TJ`, with its brackets. */
  operand: string;
  /** Removed glyphs. */
  removed: number;
  /** From the start of the first glyph to the end of the last, in text coordinates. */
  moved: readonly [x: number, y: number];
}

/**
 * Removes glyphs from a shown text; all others keep their places.
 *
 * @param operand of `TJ`, or of `Tj` as its only element
 * @param matrix from text coordinates to those of the page
 * @param goes whether the glyph with that box is removed
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
  /** Whether the last glyph with a width was removed; undefined if there is none. */
  let hasGone: boolean | undefined;
  let shown: Buffer[] = [];
  const along = (distance: number): void => {
    if (isVertical) y += distance;
    else x += distance;
  };
  /** Writes the pending text, or the gap before the next text. */
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
      // A glyph without a width, such as an accent, is removed with its base.
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

/** A box without an area overlaps nothing, so a glyph without a width gets the minimum one. */
const LEAST = 0.01;

/** In font sizes. */
function glyphBox(advance: number, isVertical: boolean): Box {
  if (isVertical)
    return { x: -0.5, y: Math.min(0, advance), width: 1, height: Math.max(LEAST, Math.abs(advance)) };
  const width = Math.max(LEAST, Math.abs(advance));
  return { x: Math.min(0, advance), y: DESCENT, width, height: ASCENT - DESCENT };
}
