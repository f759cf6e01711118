import type { PageText, TextChar } from '../pdfium/text.ts';
import type { Glyph } from './reader.ts';
import { ASCENT, DESCENT } from './shown.ts';

/** The glyphs that PDFium reads, as far as they have a place, on the page as displayed. */
export function pdfiumGlyphs(page: PageText | undefined): Glyph[] {
  return page === undefined ? [] : [...placedGlyphs(page).values()];
}

/** The same by character; blanks and line ends that PDFium adds are none. */
export function placedGlyphs({ chars, height }: PageText): Map<TextChar, Glyph> {
  const placed = new Map<TextChar, Glyph>();
  for (const char of chars) {
    if (char.right > char.left && char.bottom > char.top)
      placed.set(char, glyphOf(char, placed.size, height));
  }
  return placed;
}

/** @param height of the page */
function glyphOf(
  { text, left, top, right, bottom, turned, base }: TextChar,
  index: number,
  height: number,
): Glyph {
  const { angle, x, y } = turned ?? { angle: 0, x: left, y: bottom };
  const [cos, sin] = [Math.cos(angle), -Math.sin(angle)];
  const [middleX, middleY] = [(left + right) / 2, height - (top + bottom) / 2];
  // The bounding box of a rotated box has the same centre. The sum of its width and height, divided by |cos| + |sin|,
  // is the sum of those of the box.
  const width =
    turned === undefined ? right - left : 2 * Math.abs((middleX - x) * cos + (middleY - (height - y)) * sin);
  const around = (right - left + bottom - top) / (Math.abs(cos) + Math.abs(sin));
  const tall = base === undefined ? Math.max(0.01, around - width) : base.size * (ASCENT - DESCENT);
  const along = [width * cos, width * sin] as const;
  const up = [-tall * sin, tall * cos] as const;
  const corner =
    base === undefined
      ? { x: middleX - (along[0] + up[0]) / 2, y: middleY - (along[1] + up[1]) / 2 }
      : { x: base.x + up[0] * DESCENT, y: height - base.y + up[1] * DESCENT };
  return {
    text,
    index,
    quad: { ...corner, along, up },
    direction: [cos, sin],
    isVertical: false,
    size: tall,
    mark: -1,
    replacement: undefined,
  };
}
