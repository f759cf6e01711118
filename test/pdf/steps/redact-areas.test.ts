import { describe, expect, it } from 'vitest';
import { pageTexts, rawPdf, rawStream, run, workspace } from '../fixtures.ts';
import { chain } from './chain.ts';
import { hits, redacted } from './redacted.ts';

/** Text in a redacted area is removed, whatever font moves it there (I-46); poppler tells the place of a word. */

const CJK = (encoding: string, ordering: string, widths: string): string[] => [
  `<< /Type /Font /Subtype /Type0 /BaseFont /Odd /Encoding /${encoding} /DescendantFonts [6 0 R] >>`,
  `<< /Type /Font /Subtype /CIDFontType0 /BaseFont /Odd /DW 1000 ${widths} /FontDescriptor 7 0 R ` +
    `/CIDSystemInfo << /Registry (Adobe) /Ordering (${ordering}) /Supplement 2 >> >>`,
  '<< /Type /FontDescriptor /FontName /Odd /Flags 4 /FontBBox [0 -200 1000 800] /ItalicAngle 0 /Ascent 800 /Descent -200 /CapHeight 700 /StemV 80 >>',
];

/** Fonts without widths of their own, and a text in each, before which no reader has to guess. */
const FONTS: Record<string, { font: string[]; before: string }> = {
  MacRomanEncoding: {
    font: ['<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /MacRomanEncoding >>'],
    before: '80'.repeat(8),
  },
  StandardEncoding: {
    font: ['<< /Type /Font /Subtype /Type1 /BaseFont /Times-Roman >>'],
    before: 'aeaf'.repeat(5),
  },
  'glyphs of other code pages': {
    font: [
      '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica-Bold /Encoding << /Differences [128 /W /lslash /Lslash /zdotaccent] >> >>',
    ],
    before: '80818283'.repeat(4),
  },
  Symbol: { font: ['<< /Type /Font /Subtype /Type1 /BaseFont /Symbol >>'], before: '57c7ce'.repeat(5) },
  ZapfDingbats: {
    font: ['<< /Type /Font /Subtype /Type1 /BaseFont /ZapfDingbats >>'],
    before: '21222a'.repeat(4),
  },
  'Latin letters of UniJIS-UTF16-H': {
    font: CJK('UniJIS-UTF16-H', 'Japan1', '/W [1 95 400]'),
    before: '0041004200430044002000610062006365e5672c',
  },
  'half-width letters and katakana of 90ms-RKSJ-H': {
    font: CJK('90ms-RKSJ-H', 'Japan1', '/W [231 389 500]'),
    before: '41424344b1b2b3b493fa',
  },
  'GBK-EUC-H': { font: CJK('GBK-EUC-H', 'GB1', '/W [814 907 500 7716 [500]]'), before: '41422043444546d6d0' },
  'KSCms-UHC-HW-H': {
    font: CJK('KSCms-UHC-HW-H', 'Korea1', '/W [8094 8190 500]'),
    before: '414243444546b0a1',
  },
  'letters without a width in 90msp-RKSJ-H': { font: CJK('90msp-RKSJ-H', 'Japan1', ''), before: '414293fa' },
};

function document(path: string, { font, before }: { font: string[]; before: string }): string {
  const content = `BT /O 20 Tf 20 200 Td <${before}> Tj /F 20 Tf (SECRET) Tj 0 -50 Td (public) Tj ET`;
  return rawPdf(path, [
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 /MediaBox [0 0 400 300] >>',
    `<< /Type /Page /Parent 2 0 R /Contents 4 0 R /Resources << /Font << /O 5 0 R /F ${5 + font.length} 0 R >> >> >>`,
    rawStream('', content),
    ...font,
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>',
  ]);
}

const CM = 2.54 / 72;

/** The area of a word as MuPDF finds it, in cm from the upper left corner. */
function areaOf(path: string, word: string): { page: number; x: number; y: number; w: number; h: number } {
  const chars = Array.from(
    run('mutool', 'draw', '-q', '-F', 'stext', path).matchAll(/<char quad="([^"]*)"[^>]* c="([^"]*)"/g),
    ([, quad = '', text = '']) => ({ text, quad: quad.split(' ').map(Number) }),
  );
  const at = chars
    .map(({ text }) => text[0])
    .join('')
    .indexOf(word);
  const quads = chars.slice(at, at + word.length).map(({ quad }) => quad);
  const [left, right] = [Math.min(...quads.map(([x = 0]) => x)), Math.max(...quads.map(([, , x = 0]) => x))];
  const [top, bottom] = [quads[0]?.[1] ?? 0, quads[0]?.[5] ?? 0];
  return {
    page: 1,
    x: (left + 1) * CM,
    y: (top + 6) * CM,
    w: (right - left - 2) * CM,
    h: (bottom - top - 12) * CM,
  };
}

describe.each(Object.entries(FONTS))('behind %s', (_, font) => {
  it('no letter of a word is left in its area, and no other is removed', async () => {
    const at = workspace();
    const input = document(at('in.pdf'), font);
    const output = await redacted(input, at('out.pdf'), { areas: [areaOf(input, 'SECRET')] });
    expect(hits(output, ['SEC', 'CRE', 'RET', 'ECR'])).toEqual([]);
    const text = (path: string): string => run('pdftotext', path, '-').replaceAll(/\s/g, '');
    expect(text(output)).toBe(text(input).replace('SECRET', ''));
  });
});

it('text of whose place readers disagree is refused', async () => {
  const at = workspace();
  const narrow = {
    font: CJK('UniJIS-UTF16-H', 'Japan1', '/W [1000 9000 300]'),
    before: '65e5672c'.repeat(4),
  };
  const input = document(at('in.pdf'), narrow);
  await expect(redacted(input, at('out.pdf'), { areas: [areaOf(input, 'SECRET')] })).rejects.toMatchObject({
    code: 'option_not_supported',
    faults: [{ field: 'steps[0].redact.areas' }],
  });
});

it.each([
  ['without a filter', '/W 10 /H 10 /CS /G /BPC 8', `${'\x01'.repeat(40)} EI Q ${'\x02'.repeat(54)}`],
  [
    'with a filter',
    '/W 10 /H 10 /CS /G /BPC 8 /F /RL',
    `\x63${'\x01'.repeat(40)} EI \x02\x7f${'\x03'.repeat(54)}\x80`,
  ],
])('text after an inline image whose data contain its end is kept, %s', async (_, entries, data) => {
  const at = workspace();
  const input = rawPdf(at('in.pdf'), [
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 /MediaBox [0 0 400 300] >>',
    '<< /Type /Page /Parent 2 0 R /Contents 4 0 R /Resources << /Font << /F 5 0 R >> >> >>',
    rawStream(
      '',
      `q 10 0 0 10 300 100 cm BI ${entries} ID ${data}\nEI Q\nBT /F 20 Tf 20 200 Td (kept) Tj ET`,
    ),
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
  ]);
  await chain([input], at('out.pdf'), [{ name: 'page_numbers', options: {} }]);
  expect(pageTexts(at('out.pdf'))[0]).toContain('kept');
});
