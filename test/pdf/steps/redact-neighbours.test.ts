import { spawnSync } from 'node:child_process';
import { expect, it } from 'vitest';
import { rawPdf, rawStream, run, workspace } from '../fixtures.ts';
import { redacted } from './redacted.ts';

/** What stands beside a redacted word stays, and stays to be seen (I-46). */

/** A page of 300 by 200 points with a font with letters of 600, and marks `0` to `9` without a width. */
function page(path: string, content: string, descriptor = ''): string {
  const widths = Array.from({ length: 0x5b }, (_, index) => (index < 10 ? 0 : 600));
  return rawPdf(path, [
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 /MediaBox [0 0 300 200] >>',
    '<< /Type /Page /Parent 2 0 R /Contents 4 0 R /Resources << /Font << /F 5 0 R >> >> >>',
    rawStream('', content),
    `<< /Type /Font /Subtype /TrueType /BaseFont /ABCDEF+Tall /Encoding /WinAnsiEncoding /FirstChar 48 /LastChar 138 /Widths [${widths.join(' ')}] /FontDescriptor 6 0 R >>`,
    `<< /Type /FontDescriptor /FontName /ABCDEF+Tall /Flags 32 /ItalicAngle 0 /StemV 80 /CapHeight 700 ${descriptor} >>`,
  ]);
}

/** Share of dark pixels in an area of the page, in points from the lower left corner. */
function darkness(path: string, [x, y, width, height]: readonly [number, number, number, number]): number {
  const area = ['-x', x, '-y', 200 - y - height, '-W', width, '-H', height].map(String);
  const { stdout } = spawnSync('pdftoppm', ['-r', '72', '-gray', ...area, path]);
  const pixels = stdout.subarray(-width * height);
  return pixels.filter((pixel) => pixel < 128).length / pixels.length;
}

const TALL = '/FontBBox [-100 -1000 1000 2000] /Ascent 2000 /Descent -1000';

it.each([
  ['upright', (row: number) => `1 0 0 1 40 ${140 - 16 * row}`],
  ['turned', (row: number) => `0 1 -1 0 ${60 + 16 * row} 40`],
  ['scaled', (row: number) => `.5 0 0 .5 40 ${140 - 16 * row}`],
])('lines above and below of a font with tall glyphs, %s', async (name, matrix) => {
  const at = workspace();
  const size = name === 'scaled' ? 24 : 12;
  const lines = ['first', 'other', 'secret', 'fourth', 'fifths'];
  const content = lines.map((word, row) => `BT /F ${size} Tf ${matrix(row)} Tm (${word}) Tj ET`);
  const input = page(at('in.pdf'), content.join('\n'), TALL);
  const output = await redacted(input, at('out.pdf'), { words: ['secret'] });
  const left = run('pdftotext', output, '-').split(/\s+/u).filter(Boolean);
  expect(left.toSorted()).toEqual(lines.filter((word) => word !== 'secret').toSorted());
  const strip = (row: number): readonly [number, number, number, number] =>
    name === 'turned' ? [60 + 16 * row - 8, 40, 6, 40] : [40, 140 - 16 * row + 2, 40, 6];
  expect(darkness(output, strip(2))).toBeGreaterThan(0.9);
  for (const row of [0, 1, 3, 4]) expect(darkness(output, strip(row)), `line ${row}`).toBeLessThan(0.6);
});

it('a mark without a width that is drawn by itself after its letter, at the start of the redacted word', async () => {
  const at = workspace();
  const content =
    'BT /F 10 Tf 1 0 0 1 40 100 Tm (kept) Tj 1 0 0 1 64 101 Tm (7) Tj 1 0 0 1 64 100 Tm (secret) Tj ET';
  const output = await redacted(page(at('in.pdf'), content), at('out.pdf'), { words: ['secret'] });
  expect(run('qpdf', '--qdf', '--object-streams=disable', output, '-')).toMatch(/[(<](?:7|37)[)>]/u);
});

it('goes with a mark without a width that is drawn by itself after one of its letters', async () => {
  const at = workspace();
  const content =
    'BT /F 10 Tf 1 0 0 1 40 100 Tm (secret) Tj 1 0 0 1 76 101 Tm (7) Tj 1 0 0 1 76 100 Tm (kept) Tj ET';
  const output = await redacted(page(at('in.pdf'), content), at('out.pdf'), { words: ['secret'] });
  expect(run('qpdf', '--qdf', '--object-streams=disable', output, '-')).not.toMatch(/[(<](?:7|37)[)>]/u);
});
