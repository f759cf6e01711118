import { BROKEN, type Letter, lettersOf, separation, type Separation } from '../../glyphs/letters.ts';
import type { Glyph } from '../../glyphs/reader.ts';
import { readingsOf } from '../../glyphs/readings.ts';
import type { Quad } from '../../glyphs/shown.ts';
import type { PageText, TextChar } from '../../pdfium/text.ts';
import type { WordFinder } from './words.ts';

/** Locates words among the glyphs of a page. */

/** The glyphs of all words, in any order in which a reader may read the page. */
export function glyphsOfWords(readings: readonly Letter[][], words: WordFinder): Set<Glyph> {
  const hits = new Set<Glyph>();
  for (const reading of readings) {
    for (const { from, to } of words.find(reading, separation)) addGlyphs(hits, reading.slice(from, to));
  }
  return hits;
}

function addGlyphs(to: Set<Glyph>, letters: readonly Letter[]): void {
  for (const { glyphs } of letters) for (const glyph of glyphs) to.add(glyph);
}

/** Number of letters before and after the end of a page that are searched together. */
const NEAR_END = 500;

/** The glyphs of words that begin on a page and end on the next one. */
export function glyphsAcross(
  before: readonly Letter[][],
  after: readonly Letter[][],
  words: WordFinder,
): { before: Set<Glyph>; after: Set<Glyph> } {
  const hits = { before: new Set<Glyph>(), after: new Set<Glyph>() };
  for (const [index, page] of before.entries()) {
    const [end, start] = [page.slice(-NEAR_END), (after[index] ?? after[0] ?? []).slice(0, NEAR_END)];
    const next = new Set(start);
    const joined = [...end, ...start];
    const separated = (one: Letter, other: Letter): Separation =>
      next.has(one) === next.has(other) ? separation(one, other) : BROKEN;
    for (const { from, to } of words.find(joined, separated)) {
      if (from >= end.length || to <= end.length) continue;
      addGlyphs(hits.before, joined.slice(from, end.length));
      addGlyphs(hits.after, joined.slice(end.length, to));
    }
  }
  return hits;
}

/**
 * The areas of the words on a page as PDFium reads it, on the page as displayed: fractions of its width and height
 * from the lower left corner. PDFium adds blanks, and has an order of its own.
 */
export function areasByPdfium({ chars, width, height }: PageText, words: WordFinder): Quad[] {
  const placed = new Map<TextChar, Glyph>();
  for (const char of chars) {
    if (char.right > char.left && char.bottom > char.top)
      placed.set(char, glyphOf(char, placed.size, height));
  }
  const hits = glyphsOfWords(readingsOf([...placed.values()]), words);
  for (const order of [chars, chars.toReversed()]) {
    for (const { from, to } of words.find(order)) {
      for (const char of order.slice(from, to)) {
        const glyph = placed.get(char);
        if (glyph !== undefined) hits.add(glyph);
      }
    }
  }
  return Array.from(hits, ({ quad: { x, y, along, up } }) => ({
    x: x / width,
    y: y / height,
    along: [along[0] / width, along[1] / height],
    up: [up[0] / width, up[1] / height],
  }));
}

/** @param height of the page */
function glyphOf(
  { text, left, top, right, bottom, mark, turned }: TextChar,
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
  const tall = Math.max(0.01, around - width);
  const along = [width * cos, width * sin] as const;
  const up = [-tall * sin, tall * cos] as const;
  return {
    text,
    index,
    quad: { x: middleX - (along[0] + up[0]) / 2, y: middleY - (along[1] + up[1]) / 2, along, up },
    direction: [cos, sin],
    isVertical: false,
    size: tall,
    mark,
    replacement: undefined,
  };
}

/** Returns whether glyphs show any character; blanks and unknown ones do not count. */
export function hasText(glyphs: readonly Glyph[]): boolean {
  return lettersOf(glyphs, true).some(({ text }) => /[^\s\ufffd]/u.test(text));
}
