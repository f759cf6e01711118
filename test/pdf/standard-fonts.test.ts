import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { buildFontsLayer } from '../../layers/fonts/build.ts';
import { conform, type Conformed } from '../../packages/pdf/src/conformance/index.ts';
import { rawPdf, rawStream, run, workspace } from './fixtures.ts';
import { pixels } from './steps/pixels.ts';

/** Standard fonts that a document does not contain (ISO 19005-2, 6.2.11.4.1; ISO 32000-1, 9.6.2.2). */

const { dist } = await buildFontsLayer();
const FONTS = join(dist, 'fonts', 'files');

const font = (name: string, more = '/Encoding /WinAnsiEncoding', kind = 'Type1'): string =>
  `<< /Type /Font /Subtype /${kind} /BaseFont /${name} ${more} >>`;

/** A document of one page with the fonts F0, F1 and so on. @param more objects from 5 on */
function written(
  fonts: readonly string[],
  content: string,
  more: readonly string[] = [],
  page = '',
  form = '',
): string {
  const named = fonts.map((dictionary, index) => `/F${index} ${dictionary}`).join(' ');
  return rawPdf(workspace()('in.pdf'), [
    `<< /Type /Catalog /Pages 2 0 R ${form} >>`,
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 500 500] /Contents 4 0 R /Resources << /Font << ${named} >> ${more.length > 0 ? '/XObject << /X 5 0 R >>' : ''} >> ${page} >>`,
    rawStream('', content),
    ...more,
  ]);
}

async function archived(path: string, fonts: string | null = FONTS): Promise<Conformed> {
  return await conform(readFileSync(path), { levels: ['pdf/a-3u'], onViolation: 'warn', fonts });
}

/** The words of a document, and where they begin and end, from left to right. */
function wordsOf(path: string): { text: string; from: number; to: number }[] {
  const boxes = run('pdftotext', '-bbox', path, '-').matchAll(
    /xMin="([\d.]+)".*xMax="([\d.]+)".*>(.*)<\/word>/g,
  );
  return Array.from(boxes, ([, from, to, text = '']) => ({ text, from: Number(from), to: Number(to) }));
}

/** Expects a result with all fonts, and the words and pixels of the document. */
async function expectSame(path: string, pdf: Uint8Array): Promise<void> {
  const result = workspace()('out.pdf');
  writeFileSync(result, pdf);
  expect(
    run('pdffonts', result)
      .split('\n')
      .slice(2)
      .filter((line) => / no +(?:yes|no) +(?:yes|no) +\d/.test(line)),
  ).toEqual([]);
  const [before, after] = [wordsOf(path), wordsOf(result)];
  expect(after.map(({ text }) => text)).toEqual(before.map(({ text }) => text));
  for (const [index, { from, to, text }] of after.entries()) {
    expect(from, text).toBeCloseTo(before[index]?.from ?? 0, 0);
    expect(to, text).toBeCloseTo(before[index]?.to ?? 0, 0);
  }
  const [one, other] = [await pixels(path), await pixels(result)];
  let differing = 0;
  for (let y = 0; y < one.height; y++)
    for (let x = 0; x < one.width; x++)
      differing += Math.abs((one.at(x, y)[0] ?? 0) - (other.at(x, y)[0] ?? 0));
  differing /= one.width * one.height;
  // The shapes of letters differ a little; shifted text would differ more.
  expect(differing).toBeLessThan(8);
}

const NAMES = [
  ...[
    'Helvetica',
    'Helvetica-Bold',
    'Helvetica-Oblique',
    'Helvetica-BoldOblique',
    'Arial',
    'ArialMT',
    'Arial,Bold',
  ],
  ...['Arial-BoldItalicMT', 'Times-Roman', 'Times-Bold', 'Times-Italic', 'Times-BoldItalic', 'TimesNewRoman'],
  ...['TimesNewRomanPSMT', 'TimesNewRomanPS-BoldMT', 'TimesNewRoman,Italic', 'Courier', 'Courier-Bold'],
  ...['Courier-Oblique', 'Courier-BoldOblique', 'CourierNew', 'CourierNewPS-BoldItalicMT', 'CourierNew,Bold'],
];

it.each(['Type1', 'TrueType'])('embeds the standard fonts under all their names, as %s', async (kind) => {
  // Characters of all widths, and those whose widths differ between Helvetica and Arial.
  const text = 'WAVE Hamburgefonstiv 0123 (\\267\\261\\367\\265\\257\\203) \\344\\366\\337 \\200'.replace(
    /[()]/g,
    '|',
  );
  const lines = NAMES.map((name, index) => `/F${index} 9 Tf (${name} ${text}) Tj T*`);
  const path = written(
    NAMES.map((name) => font(name, '/Encoding /WinAnsiEncoding', kind)),
    `BT 20 TL 10 480 Td ${lines.join(' ')} ET`,
  );
  const { pdf, violations, notes } = await archived(path);
  expect(violations).toEqual([]);
  expect(notes).toHaveLength(1);
  expect(notes[0]).toMatchObject({
    embeddedFonts: NAMES.map((name) => ({
      name,
      by: expect.stringMatching(/^(?:Arimo|Tinos|Cousine)/) as string,
    })),
  });
  await expectSame(path, pdf);
});

it('embeds fonts whose encodings name further characters, in the codes of the document', async () => {
  const names = 'aogonek lslash Euro Zdotaccent afii10049 uni0107 notequal uni042F alpha tcommaaccent';
  const differences = `/Encoding << /Differences [1 ${names
    .split(' ')
    .map((name) => `/${name}`)
    .join(' ')}] >>`;
  const path = written(
    [font('Helvetica', differences), font('Times-Roman', '')],
    "BT 20 TL 10 480 Td /F0 12 Tf <0102030405060708090A> Tj (a'`) Tj T* /F1 12 Tf (x'`\\256) Tj ET",
  );
  const { pdf, violations } = await archived(path);
  expect(violations).toEqual([]);
  // Poppler itself knows no widths of these characters in Helvetica.
  const result = workspace()('out.pdf');
  writeFileSync(result, pdf);
  expect(wordsOf(result).map((word) => word.text)).toEqual(wordsOf(path).map((word) => word.text));
});

it('embeds fonts of forms, of annotations, and of fields that are to be filled in', async () => {
  const own = `/Resources << /Font << /F 8 0 R >> >> /BBox [0 0 200 20]`;
  const path = written(
    [],
    '/X Do',
    [
      rawStream(`/Type /XObject /Subtype /Form ${own}`, 'BT /F 12 Tf 5 5 Td (In a form) Tj ET'),
      rawStream(`/Type /XObject /Subtype /Form ${own}`, 'BT /F 12 Tf 5 5 Td (Of an annotation) Tj ET'),
      '<< /Type /Annot /Subtype /Stamp /Rect [10 100 210 120] /F 4 /AP << /N 6 0 R >> >>',
      font('Helvetica'),
      font('Courier'),
    ],
    '/Annots [7 0 R]',
    '/AcroForm << /Fields [] /DR << /Font << /Cour 9 0 R >> >> >>',
  );
  const { pdf, violations, notes } = await archived(path);
  expect(violations).toEqual([]);
  const embeddedFonts = [
    { name: 'Helvetica', by: 'Arimo' },
    { name: 'Courier', by: 'Cousine' },
  ];
  expect(notes).toEqual([{ embeddedFonts }]);
  await expectSame(path, pdf);
  const result = workspace()('form.pdf');
  writeFileSync(result, pdf);
  const qdf = run('qpdf', '--qdf', '--object-streams=disable', result, '-');
  expect(qdf).toMatch(/\/BaseFont \/[A-Z]{6}\+Cousine/);
});

it.each([
  ['ArialNarrow', font('ArialNarrow')],
  ['HelveticaNeue', font('HelveticaNeue')],
  ['Symbol', font('Symbol', '')],
  ['ZapfDingbats', font('ZapfDingbats', '')],
  ['Helvetica', font('Helvetica', '/FirstChar 97 /LastChar 97 /Widths [999] /Encoding /WinAnsiEncoding')],
  ['Helvetica', font('Helvetica', '/Encoding << /Differences [97 /g17] >>')],
])('reports a font that no other can replace: %s', async (name, dictionary) => {
  const { violations, notes } = await archived(written([dictionary], 'BT /F0 9 Tf 9 9 Td (a) Tj ET'));
  const rule = 'ISO 19005-3, 6.2.11.4.1';
  const detail = `The font ${name} is not embedded: embed it in the program that creates the file.`;
  expect(violations).toContainEqual({ rule, page: 1, element: null, detail });
  expect(notes).toEqual([]);
});

it('reports standard fonts if the deployment has no fonts', async () => {
  const { violations } = await archived(written([font('Helvetica')], 'BT /F0 9 Tf 9 9 Td (a) Tj ET'), null);
  expect(violations).toMatchObject([{ rule: 'ISO 19005-3, 6.2.11.4.1' }]);
});
