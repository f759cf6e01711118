import { MarkAnchors } from '../../fonts/mark-anchors.ts';
import type { FontTables } from '../../fonts/sfnt.ts';

/**
 * WebKitGTK 2.50 draws all glyphs of a line at the height of the first one. It knows where the font attaches a
 * mark, but keeps only the horizontal offset (its text blobs have positions of one coordinate). So a vowel mark
 * overlaps the letter that it belongs above, and a word that begins with a mark (in right-to-left text, ends with
 * one) is off its line. This module reads the missing offsets from the font and writes them into the PDF.
 */

/** The parts of a document's font that place its marks. */
export interface MarkedFont {
  anchors: MarkAnchors;
  unitsPerEm: number;
  /** Returns the advance of a glyph, in units of the font. */
  advance(glyph: number): number;
}

/** @returns null for a font without attached marks */
export function markedFont(tables: FontTables): MarkedFont | null {
  const anchors = MarkAnchors.read(tables);
  const [head, hhea, hmtx] = ['head', 'hhea', 'hmtx'].map((tag) => tables.get(tag));
  if (anchors === null || head === undefined || hhea === undefined || hmtx === undefined) return null;
  if (head.byteLength < 20 || hhea.byteLength < 36) return null;
  const advances = Math.min(hhea.getUint16(34), Math.floor(hmtx.byteLength / 4));
  const unitsPerEm = head.getUint16(18);
  if (advances === 0 || unitsPerEm === 0) return null;
  return { anchors, unitsPerEm, advance: (glyph) => hmtx.getUint16(4 * Math.min(glyph, advances - 1)) };
}

/**
 * Matches text as Skia writes it: a font selection, or a position in the line followed by glyphs, each with
 * its distance from the one before unless that is its advance.
 */
const TEXT =
  /\/([^\s/()<>[\]{}%]+) ([-.\d]+) Tf\b|(1 0 [-.\d]+ -1 [-.\d]+) ([-.\d]+) Tm\n((?:(?:[-.\d]{1,20} [-.\d]{1,20} Td )?<[0-9A-Fa-f]+> Tj\n?)+)/g;
const SHOWN = /(?:([-.\d]{1,20}) ([-.\d]{1,20}) Td )?<([0-9A-Fa-f]+)> Tj/g;

/**
 * Places marks at the heights that their fonts define.
 *
 * @param content a content stream of WebKit
 * @param fontOf returns the font of a name; null if its glyphs stay where they are
 * @returns the same text if no mark has to be moved
 */
export function placeMarks(content: string, fontOf: (name: string) => MarkedFont | null): string {
  let font: MarkedFont | null = null;
  let size = 0;
  return content.replaceAll(
    TEXT,
    (text, name?: string, points?: string, across?: string, height?: string, shown?: string) => {
      if (name !== undefined) {
        font = fontOf(name);
        size = Number(points);
        return text;
      }
      if (font === null || size === 0 || across === undefined || shown === undefined) return text;
      const unit = size / font.unitsPerEm;
      const glyphs = readGlyphs(shown, font, unit);
      if (glyphs === null) return text;
      const heights = heightsOf(glyphs, font);
      if (heights === null) return text;
      // WebKit begins at the first glyph; the baseline is below it by its height.
      const line = Number(height) + (heights[0] ?? 0) * unit;
      return `${across} ${round(line)} Tm\n${written(glyphs, heights, unit)}`;
    },
  );
}

interface PlacedGlyph {
  glyph: number;
  /** From the beginning of the run, in units of the font. */
  x: number;
  /** Whether it is where the advance of the previous glyph ends. */
  follows: boolean;
}

/** @returns null for a run that needs no change: without marks, or with heights of WebKit's own */
function readGlyphs(shown: string, font: MarkedFont, unit: number): PlacedGlyph[] | null {
  const glyphs: PlacedGlyph[] = [];
  let hasMarks = false;
  let start = 0;
  for (const [, right, up, codes = ''] of shown.matchAll(SHOWN)) {
    if (up !== undefined && Number(up) !== 0) return null;
    if (right !== undefined) start += Number(right) / unit;
    let x = start;
    for (let at = 0; at + 4 <= codes.length; at += 4) {
      const glyph = Number.parseInt(codes.slice(at, at + 4), 16);
      hasMarks ||= font.anchors.isMark(glyph);
      glyphs.push({ glyph, x, follows: at > 0 });
      x += font.advance(glyph);
    }
  }
  return hasMarks ? glyphs : null;
}

/** The largest distance of a mark from its attachment point, in parts of an em: positions are rounded. */
const TOLERANCE = 0.004;
/** Most marks that are stacked on one letter. */
const MAX_STACKED = 8;

/**
 * Returns the height of each glyph. The horizontal offset shows which of the font's attachment points of a mark was used.
 *
 * @returns null if all glyphs are on the baseline
 */
function heightsOf(glyphs: readonly PlacedGlyph[], font: MarkedFont): number[] | null {
  // Marks follow their letter in reading order, and the text does not say in which direction that is.
  const [fromLeft, fromRight] = [attached(glyphs, font), attached(glyphs.toReversed(), font)];
  const heights = fromLeft.count >= fromRight.count ? fromLeft.heights : fromRight.heights.toReversed();
  return heights.some((height) => height !== 0) ? heights : null;
}

/** @param glyphs in reading order */
function attached(
  glyphs: readonly PlacedGlyph[],
  { anchors, unitsPerEm }: MarkedFont,
): { heights: number[]; count: number } {
  const heights: number[] = [];
  const tolerance = TOLERANCE * unitsPerEm;
  let count = 0;
  for (const [index, { glyph, x }] of glyphs.entries()) {
    heights.push(0);
    if (!anchors.isMark(glyph)) continue;
    // Attachment of marks to marks is applied after, and so overrides, attachment of marks to letters.
    for (let before = index - 1; before >= Math.max(0, index - MAX_STACKED); before--) {
      const target = glyphs[before];
      if (target === undefined) break;
      const place = anchors
        .of(glyph, target.glyph)
        .find((each) => Math.abs(target.x + each.x - x) <= tolerance);
      if (place !== undefined) {
        heights[index] = (heights[before] ?? 0) + place.y;
        count++;
        break;
      }
      if (!anchors.isMark(target.glyph)) break;
    }
  }
  return { heights, count };
}

/** Returns the glyphs as operators in text space, where positive is upwards. */
function written(glyphs: readonly PlacedGlyph[], heights: readonly number[], unit: number): string {
  let text = '';
  let open = '';
  let [left, height] = [0, 0];
  const flush = (): void => {
    if (open !== '') text += `<${open}> Tj\n`;
    open = '';
  };
  for (const [index, { glyph, x, follows }] of glyphs.entries()) {
    const up = heights[index] ?? 0;
    if (index === 0 ? x !== 0 || up !== 0 : !follows || up !== height) {
      flush();
      // Rounded first, so that rounding errors do not add up.
      const [toLeft, toHeight] = [round(x * unit), round(up * unit)];
      text += `${round(toLeft - left)} ${round(toHeight - round(height * unit))} Td `;
      [left, height] = [toLeft, up];
    }
    open += glyph.toString(16).padStart(4, '0');
  }
  flush();
  return text;
}

/** Rounds to a hundred-thousandth, as Skia does: such numbers are written without an exponent. */
function round(value: number): number {
  return Math.round(value * 1e5) / 1e5;
}
