import { BLANK, BROKEN, type Letter, lettersOf, separation, type Separation } from '../../glyphs/letters.ts';
import { placedGlyphs } from '../../glyphs/pdfium.ts';
import type { Glyph } from '../../glyphs/reader.ts';
import { readingsOf } from '../../glyphs/readings.ts';
import { boundsOf, overlap, type Quad } from '../../glyphs/shown.ts';
import type { PageText } from '../../pdfium/text.ts';
import type { WordFinder } from './words.ts';

/** Locates words among the glyphs of a page. */

/**
 * The glyphs of all words, in any order in which a reader may read the page.
 *
 * @param gone areas of removed glyphs: letters on both sides of one are no neighbours
 */
export function glyphsOfWords(
  readings: readonly Letter[][],
  words: WordFinder,
  gone: readonly Quad[] = [],
): Set<Glyph> {
  const hits = new Set<Glyph>();
  for (const reading of readings) {
    for (const { from, to } of words.find(reading, separation)) {
      const letters = reading.slice(from, to);
      if (!isDivided(letters, gone)) addGlyphs(hits, letters);
    }
  }
  return hits;
}

/** Returns whether a removed glyph stood between two of the letters, or between the lines of them. */
function isDivided(letters: readonly Letter[], gone: readonly Quad[]): boolean {
  if (gone.length === 0) return false;
  const seen = letters.filter(({ text }) => !BLANK.test(text));
  return seen.some((letter, at) => {
    const next = seen[at + 1];
    if (next === undefined) return false;
    const quads = [...letter.glyphs, ...next.glyphs].map(({ quad }) => quad);
    const boxes = quads.map(boundsOf);
    const [bottom, top] = [
      Math.min(...boxes.map(({ y }) => y)),
      Math.max(...boxes.map(({ y, height }) => y + height)),
    ];
    const [left, right] = [
      Math.min(...boxes.map(({ x }) => x)),
      Math.max(...boxes.map(({ x, width }) => x + width)),
    ];
    const isBroken = separation(letter, next) === BROKEN;
    return gone.some((wall) => {
      const [x, y] = [wall.x + (wall.along[0] + wall.up[0]) / 2, wall.y + (wall.along[1] + wall.up[1]) / 2];
      const isBetween = y > bottom && y < top && (isBroken || (x > left && x < right));
      return isBetween && !quads.some((quad) => overlap(quad, wall));
    });
  });
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
 *
 * @param gone as for `glyphsOfWords`, in points of the displayed page
 */
export function areasByPdfium(page: PageText, words: WordFinder, gone: readonly Quad[]): Quad[] {
  const { chars, width, height } = page;
  const placed = placedGlyphs(page);
  const hits = glyphsOfWords(readingsOf([...placed.values()]), words, gone);
  for (const order of [chars, chars.toReversed()]) {
    for (const { from, to } of words.find(order)) {
      const glyphs = order.slice(from, to).flatMap((char) => placed.get(char) ?? []);
      if (!isDivided(lettersOf(glyphs, false), gone)) for (const glyph of glyphs) hits.add(glyph);
    }
  }
  return Array.from(hits, ({ quad: { x, y, along, up } }) => ({
    x: x / width,
    y: y / height,
    along: [along[0] / width, along[1] / height],
    up: [up[0] / width, up[1] / height],
  }));
}

/** Returns whether glyphs show any character; blanks and unknown ones do not count. */
export function hasText(glyphs: readonly Glyph[]): boolean {
  return lettersOf(glyphs, true).some(({ text }) => /[^\s\ufffd]/u.test(text));
}
