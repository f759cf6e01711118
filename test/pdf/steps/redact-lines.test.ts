import { expect, it } from 'vitest';
import { rawStream, run, workspace } from '../fixtures.ts';
import { hits, page, redacted } from './redacted.ts';

/** Words are found as they are seen, however their lines run and whatever their characters are (I-46). */

const degrees = (angle: number): [number, number] => [
  Math.cos((angle * Math.PI) / 180),
  Math.sin((angle * Math.PI) / 180),
];

/** Lines about the middle of a page, turned by an angle, of pieces of two letters that are put in their places one by one. */
function turned(angle: number): string {
  const [cos, sin] = degrees(angle);
  const lines = ['Nullam imperdiet felis sed', 'mauris wammwiller ante'];
  const pieces = lines.flatMap((line, row) =>
    (line.match(/..?/g) ?? []).map((piece, index) => {
      // The letters of Courier are 0.6 of its size wide.
      const [x, y] = [index * 2 * 8.4 - 110, -row * 18];
      const matrix = [cos, sin, -sin, cos, 200 + x * cos - y * sin, 150 + x * sin + y * cos];
      return `${matrix.map((one) => one.toFixed(5)).join(' ')} Tm (${piece}) Tj`;
    }),
  );
  return `BT /C 14 Tf ${pieces.join('\n')} ET`;
}

it.each([30, 45, 90, 135, 150, 180, 200, 225, 270, 315])(
  'in lines that are turned by %i degrees',
  async (angle) => {
    const at = workspace();
    const input = page(at('in.pdf'), turned(angle));
    const output = await redacted(input, at('out.pdf'), { words: ['imperdiet', 'Wammwiller ante'] });
    expect(hits(output, ['mper', 'wammw', 'ante'])).toEqual([]);
    const text = run('mutool', 'draw', '-q', '-F', 'txt', output);
    // Boxes of turned letters are upright: they reach into the next letter of another word.
    for (const word of ['Nulla', 'elis', 'mauri']) expect(text).toContain(word);
    for (const word of ['perdiet', 'wammwiller', 'ante']) expect(text).not.toContain(word);
  },
);

it.each([90, 180, 270])('on a page that is turned by %i degrees, in lines that are not', async (angle) => {
  const at = workspace();
  const input = page(at('in.pdf'), turned(angle), `/Rotate ${angle}`);
  const output = await redacted(input, at('out.pdf'), { words: ['imperdiet', 'wammwiller'] });
  expect(hits(output, ['mper', 'wammw'])).toEqual([]);
  expect(run('pdftotext', output, '-')).toMatch(/Nullam[^]*felis/);
});

it('with characters outside of the first plane', async () => {
  const at = workspace();
  const codes = [...'𠁔𠁨𠁩𠁳😃'].map((one) => Buffer.from(one, 'utf16le').swap16().toString('hex'));
  const mapped = codes.map((code, index) => `<${(65 + index).toString(16)}> <${code}>`).join('\n');
  const cmap = `/CIDInit /ProcSet findresource begin 12 dict begin begincmap /CMapName /X def /CMapType 2 def
1 begincodespacerange <00> <ff> endcodespacerange
${codes.length} beginbfchar
${mapped}
endbfchar
endcmap CMapName currentdict /CMap defineresource pop end end`;
  const font =
    '<< /Type /Font /Subtype /Type1 /BaseFont /Courier /FirstChar 65 /LastChar 69 /Widths [600 600 600 600 600] /ToUnicode 9 0 R >>';
  const form = '/Type /XObject /Subtype /Form /BBox [0 0 400 300] /Resources << /Font << /X 8 0 R >> >>';
  const input = page(at('in.pdf'), '/X Do', '', [
    rawStream(form, 'BT /X 14 Tf 20 100 Td (ABCD) Tj 0 -30 Td (EA) Tj ET'),
    font,
    rawStream('', cmap),
  ]);
  expect(run('pdftotext', input, '-')).toContain('𠁔𠁨𠁩𠁳');
  const output = await redacted(input, at('out.pdf'), { words: ['𠁨𠁩', '😃'] });
  const text = run('pdftotext', output, '-');
  expect(text).not.toMatch(/𠁨|𠁩|😃/u);
  expect(text).toMatch(/𠁔[^]*𠁳/u);
});
