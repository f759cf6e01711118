import { pdfNumber } from '../../content/write.ts';
import { layOut, type Quad, quadOf, type TextState } from '../../glyphs/shown.ts';
import type { PdfValue } from '../../model/values.ts';
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
  /** The last glyph with a width. */
  last: Base | undefined;
}

/** A glyph with a width, over which marks are drawn. */
export interface Base {
  quad: Quad;
  isGone: boolean;
}

/** Part of the width of a glyph by which marks over it may begin beside it. */
const BESIDE = 0.1;

/** Returns whether a mark begins over a glyph or at its end, no more than its height away. */
function isOver({ x, y }: Quad, { x: left, y: low, along: [a, b], up: [c, d] }: Quad): boolean {
  const determinant = a * d - b * c;
  const [px, py] = [x - left, y - low];
  const [s, t] = [(px * d - py * c) / determinant, (py * a - px * b) / determinant];
  return s >= -BESIDE && s <= 1 + BESIDE && t > -1 && t < 1;
}

/**
 * Removes glyphs from a shown text; all others keep their places.
 *
 * @param operand of `TJ`, or of `Tj` as its only element
 * @param matrix from text coordinates to those of the page
 * @param before the last glyph with a width before the text
 * @param goes whether the glyph in that area is removed: called for each glyph, in order
 */
export function withoutGlyphs(
  operand: readonly PdfValue[],
  state: TextState,
  matrix: Matrix,
  before: Base | undefined,
  goes: (quad: Quad) => { isFound: boolean; isCovered: () => boolean },
): LeftText {
  const unit = state.size * (state.font?.isVertical === true ? 1 : state.stretch);
  const parts: string[] = [];
  let [removed, gap] = [0, 0];
  let last = before;
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
    const quad = quadOf(piece, state, matrix);
    const { isFound, isCovered } = goes(quad);
    // A glyph without a width, such as an accent, is removed with its base.
    const base = code.advance === 0 && last !== undefined && isOver(quad, last.quad) ? last : undefined;
    const isGone = isFound || (base?.isGone ?? isCovered());
    if (code.advance !== 0) last = { quad, isGone };
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
  return { operand: `[${parts.join(' ')}]`, removed, moved, last };
}
