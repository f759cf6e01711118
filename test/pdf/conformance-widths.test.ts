import { readFileSync, writeFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { conform } from '../../packages/pdf/src/conformance/index.ts';
import { rawPdf, rawStream, run, workspace } from './fixtures.ts';
import { trueType } from './true-type.ts';
import { type1 } from './type1.ts';

/** Widths, names and codes of simple fonts (ISO 19005-2, 6.2.11.4 to 6.2.11.8; ISO 14289-1, 7.21). */

const OTHER = ['6.2.11.5', 'The font Two has glyphs whose widths differ from those in the document'];
const LACKS = ['6.2.11.4.1', 'The font Two lacks a glyph that the document shows'];
const EMPTY = ['6.2.11.8', 'A character is shown as the empty box of the font Two, which does not have it'];

async function rulesOf(pdf: Uint8Array): Promise<unknown> {
  const options = { levels: ['pdf/a-3b'], title: 'x', language: 'en', onViolation: 'warn' } as const;
  const { violations } = await conform(pdf, options);
  return violations
    .filter(({ rule }) => rule.includes('6.2.11'))
    .map(({ rule, detail }) => [
      rule.replace('ISO 19005-3, ', ''),
      detail.split(/[:]| and does| and has/)[0],
    ]);
}

interface Font {
  /** Of the font, the descriptor and the stream. */
  subtype: string;
  key: string;
  dictionary?: string;
  program: Buffer;
  encoding?: string;
  flags?: number;
  /** Of the codes from 65 on. */
  widths?: string;
  shown?: string;
}

function written({ subtype, key, dictionary = '', program, ...font }: Font): Buffer {
  const { encoding = '/Encoding /WinAnsiEncoding', flags = 32, widths = '600', shown = '(A) Tj' } = font;
  const path = rawPdf(workspace()('text.pdf'), [
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 99 99] /Resources << /Font << /F 4 0 R >> >> /Contents 7 0 R >>',
    `<< /Type /Font /Subtype /${subtype} /BaseFont /AAAAAA+Two ${encoding} /FontDescriptor 5 0 R ` +
      `/FirstChar 65 /LastChar 66 /Widths [${widths} 700] >>`,
    `<< /Type /FontDescriptor /FontName /AAAAAA+Two /Flags ${flags} ${key} 6 0 R >>`,
    rawStream(dictionary, program.toString('latin1')),
    rawStream('', `BT /F 9 Tf ${shown} ET`),
  ]);
  return readFileSync(path);
}

const words = (...values: number[]): Buffer =>
  Buffer.from(values.flatMap((value) => [value >> 8, value & 0xff]));

/** A font of two glyphs, 500 and 600 units wide of 1000, of which the second is that of A. @param encodings of its maps */
function mapped(encodings: readonly (readonly [platform: number, encoding: number])[]): Buffer {
  const map = (first: number): Buffer =>
    words(4, 32, 0, 4, 4, 1, 0, first, 0xffff, 0, first, 0xffff, (1 - first) & 0xffff, 1, 0, 0);
  const cmap = Buffer.concat([
    words(0, encodings.length),
    ...encodings.map(([platform, encoding], at) =>
      words(platform, encoding, 0, 4 + 8 * encodings.length + 32 * at),
    ),
    ...encodings.map(([, encoding]) => map(encoding === 0 ? 0xf041 : 65)),
  ]);
  return trueType({ cmap, post: words(3, 0) });
}

const latin = { subtype: 'TrueType', key: '/FontFile2', program: mapped([[3, 1]]) };

it('names widths of a simple TrueType font that are not those of the font', async () => {
  expect(await rulesOf(written(latin))).toEqual([]);
  expect(await rulesOf(written({ ...latin, widths: '601' }))).toEqual([]);
  expect(await rulesOf(written({ ...latin, widths: '610' }))).toEqual([OTHER]);
  expect(await rulesOf(written({ ...latin, widths: '610', shown: '3 Tr (A) Tj' }))).toEqual([]);
});

it('names glyphs that a simple TrueType font does not have, and codes that are of no glyph', async () => {
  expect(await rulesOf(written({ ...latin, shown: '(B) Tj' }))).toEqual([LACKS]);
  expect(
    await rulesOf(
      written({
        ...latin,
        shown: '(B) Tj',
        encoding: '/Encoding << /BaseEncoding /WinAnsiEncoding /Differences [66 /A] >>',
        widths: '600',
      }),
    ),
  ).toEqual([OTHER]);
  expect(await rulesOf(written({ ...latin, shown: String.raw`(\020) Tj` }))).toEqual([EMPTY]);
});

it('names encodings of which codes become other glyphs with each reader (6.2.11.6)', async () => {
  const fault = async (font: Partial<Font>): Promise<unknown> =>
    await rulesOf(written({ ...latin, ...font }));
  const other = [
    '6.2.11.6',
    'The font Two has an encoding other than `WinAnsiEncoding` and `MacRomanEncoding`',
  ];
  expect(await fault({ encoding: '' })).toEqual([other]);
  expect(await fault({ encoding: '/Encoding << /Differences [65 /A] >>' })).toEqual([other]);
  expect(await fault({ encoding: '/Encoding /MacRomanEncoding' })).toEqual([]);
  const named = ['6.2.11.6', 'The font Two has codes whose glyph names represent no character'];
  expect(
    await fault({ encoding: '/Encoding << /BaseEncoding /WinAnsiEncoding /Differences [66 /g12] >>' }),
  ).toEqual([named]);
  expect(await fault({ flags: 4 })).toEqual([['6.2.11.6', 'The font Two is symbolic']]);
  expect(await fault({ flags: 4, encoding: '' })).toEqual([]);
  const symbols = mapped([
    [3, 0],
    [1, 1],
  ]);
  expect(await fault({ flags: 4, encoding: '', program: symbols })).toEqual([]);
  expect(await fault({ flags: 4, encoding: '', program: symbols, widths: '500' })).toEqual([OTHER]);
  expect(
    await fault({
      flags: 4,
      encoding: '',
      program: mapped([
        [3, 1],
        [1, 1],
      ]),
    }),
  ).toEqual([['6.2.11.6', 'The font Two is symbolic']]);
});

it.each([
  ['bytes', type1()],
  ['hexadecimal digits', type1((hidden) => Buffer.from(hidden.toString('hex').replace(/.{64}/g, '$&\n')))],
])('reads a font of Type 1 in %s', async (_, program) => {
  const font = { subtype: 'Type1', key: '/FontFile', program };
  expect(await rulesOf(written(font))).toEqual([]);
  expect(await rulesOf(written({ ...font, widths: '598' }))).toEqual([OTHER]);
  expect(await rulesOf(written({ ...font, shown: '(B) Tj' }))).toEqual([LACKS]);
  // Its own encoding has A at 66, whose width is said to be 700.
  expect(await rulesOf(written({ ...font, encoding: '', shown: '(B) Tj' }))).toEqual([OTHER]);
  expect(await rulesOf(written({ ...font, encoding: '/Encoding << /Differences [65 /.notdef] >>' }))).toEqual(
    [EMPTY],
  );
});

const DAMAGED = ['6.2.11.4.1', 'The font Two is damaged in the file'];

it('names a font of Type 1 that ends too early, or has the headers of a file of its own (ISO 32000-1, 9.9)', async () => {
  const font = { subtype: 'Type1', key: '/FontFile', widths: '1' };
  const program = type1();
  for (let length = program.indexOf('eexec') + 5; length < program.length - 60; length += 9)
    expect(await rulesOf(written({ ...font, program: program.subarray(0, length) }))).toEqual([DAMAGED]);
  expect(await rulesOf(written({ ...font, program, dictionary: '/Length2 0' }))).toEqual([DAMAGED]);
  expect(await rulesOf(written({ ...font, widths: '600', program, dictionary: '/Length2 9' }))).toEqual([]);
  const header = Buffer.from([0x80, 1, program.length & 0xff, program.length >> 8, 0, 0]);
  const segment = Buffer.concat([header, program]);
  expect(await rulesOf(written({ ...font, program: segment }))).toEqual([DAMAGED]);
});

it('names a font without a name (6.2.11.2)', async () => {
  const text = written(latin).toString('latin1').replace('/BaseFont /AAAAAA+Two', '/BaseFont (AAAAAATwo)');
  expect(await rulesOf(Buffer.from(text, 'latin1'))).toEqual([['6.2.11.2', 'A font has no name']]);
});

it('names a font that a text without characters needs', async () => {
  const lacking = ['6.2.11.4.1', 'The font Two is not embedded'];
  const other = { ...latin, key: '/Absent' };
  expect(await rulesOf(written({ ...other, shown: '() Tj' }))).toEqual([lacking]);
  expect(await rulesOf(written({ ...other, shown: '3 Tr () Tj' }))).toEqual([]);
  expect(await rulesOf(written({ ...other, shown: '' }))).toEqual([]);
  expect(await rulesOf(written({ ...latin, shown: '() Tj' }))).toEqual([]);
});

it('names a drawn glyph .notdef (6.2.11.8)', async () => {
  const drawn = (shown: string): Buffer =>
    readFileSync(
      rawPdf(workspace()('drawn.pdf'), [
        '<< /Type /Catalog /Pages 2 0 R >>',
        '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
        '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 99 99] /Resources << /Font << /F 4 0 R >> >> /Contents 6 0 R >>',
        '<< /Type /Font /Subtype /Type3 /Name /Two /FontBBox [0 0 9 9] /FontMatrix [0.001 0 0 0.001 0 0] /Resources << >> ' +
          '/FirstChar 0 /LastChar 1 /Widths [500 500] /Encoding << /Differences [0 /.notdef /a] >> ' +
          '/CharProcs << /.notdef 5 0 R /a 5 0 R >> >>',
        rawStream('', '500 0 d0 0 0 9 9 re f'),
        rawStream('', `BT /F 9 Tf ${shown} ET`),
      ]),
    );
  expect(await rulesOf(drawn('<01> Tj'))).toEqual([]);
  expect(await rulesOf(drawn('<0100> Tj'))).toEqual([EMPTY]);
  expect(await rulesOf(drawn('<02> Tj'))).toEqual([
    ['6.2.11.4.1', 'The font Two lacks a glyph that the document shows'],
  ]);
});

it('reads the fonts in CFF that Ghostscript writes', async () => {
  const path = workspace();
  const text = '/Times-Roman findfont 20 scalefont setfont 50 700 moveto (Widths) show showpage';
  writeFileSync(path('text.ps'), `<< /NeverEmbed [] >> setdistillerparams\n${text}\n`);
  run(
    'gs',
    '-q',
    '-dBATCH',
    '-dNOPAUSE',
    '-sDEVICE=pdfwrite',
    `-sOutputFile=${path('text.pdf')}`,
    path('text.ps'),
  );
  run('qpdf', '--qdf', '--object-streams=disable', path('text.pdf'), path('plain.pdf'));
  const pdf = readFileSync(path('plain.pdf'), 'latin1');
  expect(pdf).toContain('/Type1C');
  expect(await rulesOf(Buffer.from(pdf, 'latin1'))).toEqual([]);
  const [, widths = ''] = /\/Widths \[([^\]]*)\]/.exec(pdf) ?? [];
  const wider = widths.replace('944', '946');
  expect(wider).not.toBe(widths);
  const [[rule] = []] = (await rulesOf(Buffer.from(pdf.replace(widths, wider), 'latin1'))) as string[][];
  expect(rule).toBe('6.2.11.5');
});

it('names widths that differ from those in drawn glyphs', async () => {
  const drawn = (width: string): Buffer =>
    readFileSync(
      rawPdf(workspace()('drawn.pdf'), [
        '<< /Type /Catalog /Pages 2 0 R >>',
        '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
        '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 99 99] /Resources << /Font << /F 4 0 R >> >> /Contents 6 0 R >>',
        '<< /Type /Font /Subtype /Type3 /Name /Two /FontBBox [0 0 9 9] /FontMatrix [0.1 0 0 0.1 0 0] /CharProcs << /A 5 0 R >> ' +
          `/Encoding << /Differences [65 /A] >> /FirstChar 65 /LastChar 65 /Widths [${width}] /Resources << >> >>`,
        rawStream('', '6 0 0 0 5 5 d1 0 0 5 5 re f'),
        rawStream('', 'BT /F 9 Tf (A) Tj ET'),
      ]),
    );
  expect(await rulesOf(drawn('6'))).toEqual([]);
  expect(await rulesOf(drawn('8'))).toEqual([OTHER]);
});
