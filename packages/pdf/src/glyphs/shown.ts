import { type Box, mappedBox, type Matrix, product } from '../steps/geometry.ts';
import { isString, type PdfValue, stringBytes } from '../model/values.ts';
import type { Code, ShownFont } from './font.ts';

/** The places of the glyphs that an operator shows (ISO 32000-2, 9.3 and 9.4). */

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
export const [DESCENT, ASCENT] = [-0.25, 0.75];

/** A glyph or, without a code, a gap. */
export interface ShownPiece {
  code: Code | undefined;
  /** The movement to the next piece, in text coordinates: to the right, or upwards in vertical fonts. */
  distance: number;
  /** Its start, in text coordinates. */
  x: number;
  y: number;
}

/**
 * Calls `found` with each glyph and each gap of a shown text.
 *
 * @param operand of `TJ`, or of `Tj` as its only element
 * @returns the end of the last one, in text coordinates
 */
export function layOut(
  operand: readonly PdfValue[],
  state: TextState,
  found: (piece: ShownPiece) => void,
): readonly [x: number, y: number] {
  const { font, size, charSpace, wordSpace, stretch } = state;
  const isVertical = font?.isVertical === true;
  const unit = size * (isVertical ? 1 : stretch);
  let [x, y] = [0, 0];
  const piece = (code: Code | undefined, distance: number): void => {
    found({ code, distance, x, y });
    if (isVertical) y += distance;
    else x += distance;
  };
  for (const element of operand) {
    if (typeof element === 'number') piece(undefined, (-element / 1000) * unit);
    if (!isString(element) || font === undefined) continue;
    for (const code of font.codes(stringBytes(element))) {
      const isBlank = code.bytes.length === 1 && code.bytes[0] === 0x20;
      const distance = code.advance * size + charSpace + (isBlank ? wordSpace : 0);
      piece(code, isVertical ? distance : distance * stretch);
    }
  }
  return [x, y];
}

/** A parallelogram: a corner, and the vectors along the base line and upwards. */
export interface Quad {
  x: number;
  y: number;
  along: readonly [x: number, y: number];
  up: readonly [x: number, y: number];
}

/** A box without an area overlaps nothing, so a glyph without a width gets the minimum one. */
const LEAST = 0.01;

/** The area of a glyph. @param matrix from text coordinates */
export function quadOf({ code, x, y }: ShownPiece, state: TextState, matrix: Matrix): Quad {
  const { size, stretch, rise, font } = state;
  const advance = code?.advance ?? 0;
  const width = Math.max(LEAST, Math.abs(advance));
  const box: Box =
    font?.isVertical === true
      ? { x: -0.5, y: Math.min(0, advance), width: 1, height: width }
      : { x: Math.min(0, advance), y: DESCENT, width, height: ASCENT - DESCENT };
  const [a, b, c, d, e, f] = product([size * stretch, 0, 0, size, x, y + rise], matrix);
  return {
    x: a * box.x + c * box.y + e,
    y: b * box.x + d * box.y + f,
    along: [a * box.width, b * box.width],
    up: [c * box.height, d * box.height],
  };
}

export function boundsOf({ x, y, along, up }: Quad): Box {
  return mappedBox({ x: 0, y: 0, width: 1, height: 1 }, [...along, ...up, x, y]);
}

/** Returns whether the middle of one of the quads is in the other one. */
export function overlap(one: Quad, other: Quad): boolean {
  return hasMiddle(one, other) || hasMiddle(other, one);
}

function hasMiddle({ x, y, along: [a, b], up: [c, d] }: Quad, other: Quad): boolean {
  const determinant = a * d - b * c;
  const px = other.x + (other.along[0] + other.up[0]) / 2 - x;
  const py = other.y + (other.along[1] + other.up[1]) / 2 - y;
  const [s, t] = [(px * d - py * c) / determinant, (py * a - px * b) / determinant];
  return s >= 0 && s <= 1 && t >= 0 && t <= 1;
}
