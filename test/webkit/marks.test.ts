import { readFileSync } from 'node:fs';
import path from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { type MarkedFont, markedFont, placeMarks } from '../../packages/print/src/webkit/engine/marks.ts';
import { buildFontsLayer } from '../../layers/fonts/build.ts';
import { readFontTables } from '../../packages/print/src/fonts/sfnt.ts';
import { charactersOf } from '../../layers/fonts/coverage.ts';

/** NKo: a letter (U+07CD), a tone above (U+07EB), of Noto Sans NKo. */
let font: MarkedFont;
let file: Buffer;
const LETTER = 0x07cd;
const TONE = 0x07eb;

/** The glyph of a character, by a `cmap` of format 4. */
function glyphOf(character: number): number {
  const cmap = readFontTables(file, 'ttf')[0]?.get('cmap');
  if (cmap === undefined) throw new Error('no cmap');
  for (let index = 0; index < cmap.getUint16(2); index++) {
    const at = cmap.getUint32(8 + 8 * index);
    if (cmap.getUint16(at) !== 4) continue;
    const size = cmap.getUint16(at + 6);
    for (let entry = 0; entry < size; entry += 2) {
      const [end, start] = [cmap.getUint16(at + 14 + entry), cmap.getUint16(at + 16 + size + entry)];
      if (character < start || character > end) continue;
      const offset = cmap.getUint16(at + 16 + 3 * size + entry);
      const delta = cmap.getUint16(at + 16 + 2 * size + entry);
      if (offset === 0) return (character + delta) & 0xffff;
      return cmap.getUint16(at + 16 + 3 * size + entry + offset + 2 * (character - start));
    }
  }
  throw new Error('no glyph');
}

beforeAll(async () => {
  const { dist } = await buildFontsLayer();
  file = readFileSync(path.join(dist, 'fonts', 'files', 'NotoSansNKo-Regular.ttf'));
  expect(charactersOf(file).has(TONE)).toBe(true);
  const [tables] = readFontTables(file, 'ttf');
  const read = tables && markedFont(tables);
  if (!read) throw new Error('the font attaches no marks');
  font = read;
});

const code = (glyph: number): string => glyph.toString(16).padStart(4, '0');

describe('the heights of marks in a PDF of WebKit', () => {
  /** The tone stands left of the letter, as in text from right to left, and on its place. */
  const asPrinted = (): { content: string; up: number; toLetter: number } => {
    const [letter, tone] = [glyphOf(LETTER), glyphOf(TONE)];
    const [place] = font.anchors.of(tone, letter);
    if (place === undefined) throw new Error('the font does not attach the tone');
    const unit = 20 / font.unitsPerEm;
    const [up, toLetter] = [place.y * unit, -place.x * unit];
    const content = `BT\n/F1 20 Tf\n1 0 0 -1 7 ${-up} Tm\n<${code(tone)}> Tj\n${toLetter} 0 Td <${code(letter)}> Tj\nET\n`;
    return { content, up, toLetter };
  };

  it('are those of the font, and the letters are back on their line', () => {
    const { content, up, toLetter } = asPrinted();
    expect(Math.abs(up)).toBeGreaterThan(1);
    const placed = placeMarks(content, () => font);
    const run = / 7 (\S+) Tm\n0 (\S+) Td <[0-9a-f]{4}> Tj\n(\S+) (\S+) Td </.exec(placed);
    const [line, first, right, down] = run?.slice(1) ?? [];
    expect(Number(line)).toBeCloseTo(0, 4);
    expect(Number(first)).toBeCloseTo(up, 4);
    expect(Number(right)).toBeCloseTo(toLetter, 4);
    expect(Number(down)).toBeCloseTo(-up, 4);
  });

  it('are left unchanged if WebKit has written them, if no font places the mark, and in text without marks', () => {
    const { content } = asPrinted();
    for (const unchanged of [
      content.replace(/(\S+) 0 Td/, '$1 -3 Td'),
      content.replace(/(\S+) 0 Td/, (_, right: string) => `${Number(right) + 4} 0 Td`),
      content.replaceAll(code(glyphOf(TONE)), code(glyphOf(LETTER))),
    ]) {
      expect(unchanged).not.toBe(content);
      expect(placeMarks(unchanged, () => font)).toBe(unchanged);
    }
    expect(placeMarks(content, () => null)).toBe(content);
  });

  it('are read of a font whose tables point outside of themselves, as far as they go', () => {
    const { content } = asPrinted();
    for (let seed = 1; seed < 200; seed++) {
      const broken = Buffer.from(file);
      const [tables] = readFontTables(broken, 'ttf');
      const gpos = tables?.get('GPOS');
      if (tables === undefined || gpos === undefined) throw new Error('no GPOS');
      for (let at = 10; at < gpos.byteLength; at += 1 + ((at * 31 + seed * 17) % 97))
        gpos.setUint8(at, (at * 7 + seed) & 0xff);
      expect(placeMarks(content, () => markedFont(tables))).toMatch(/ET\n$/);
    }
  });
});
