import { pdfNumber } from '../../content.ts';
import { layOut, type Quad, quadOf, type TextState } from '../../glyphs/shown.ts';
import type { PdfValue } from '../../values.ts';
import type { Matrix } from '../geometry.ts';

/** Removes glyphs from a shown text (ISO 32000-2, 9.4). */

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
 * @param goes whether the glyph in that area is removed: called for each glyph, in order
 */
export function withoutGlyphs(
  operand: readonly PdfValue[],
  state: TextState,
  matrix: Matrix,
  goes: (quad: Quad) => { isFound: boolean; isCovered: () => boolean },
): LeftText {
  const unit = state.size * (state.font?.isVertical === true ? 1 : state.stretch);
  const parts: string[] = [];
  let [removed, gap] = [0, 0];
  /** Whether the last glyph with a width was removed; undefined if there is none. */
  let hasGone: boolean | undefined;
  let shown: Buffer[] = [];
  /** Writes the pending text. */
  const flush = (): void => {
    if (shown.length > 0) parts.push(`<${Buffer.concat(shown).toString('hex')}>`);
    shown = [];
  };
  /** Writes the gap before the next text. */
  const settle = (): void => {
    if (gap !== 0 && unit !== 0) parts.push(pdfNumber((-1000 * gap) / unit));
    gap = 0;
  };
  const moved = layOut(operand, state, (piece) => {
    const { code, distance } = piece;
    if (code === undefined) {
      flush();
      gap += distance;
      return;
    }
    const { isFound, isCovered } = goes(quadOf(piece, state, matrix));
    // A glyph without a width, such as an accent, is removed with its base.
    const isGone = isFound || ((code.advance === 0 ? hasGone : undefined) ?? isCovered());
    if (code.advance !== 0) hasGone = isGone;
    if (isGone) {
      flush();
      gap += distance;
      removed++;
    } else {
      settle();
      shown.push(code.bytes);
    }
  });
  flush();
  settle();
  return { operand: `[${parts.join(' ')}]`, removed, moved };
}
