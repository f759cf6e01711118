import { readFileSync, writeFileSync } from 'node:fs';
import { deflateSync } from 'node:zlib';
import { expect, it } from 'vitest';
import { conform } from '../../packages/pdf/src/conformance/index.ts';
import { rawPdf, rawStream, run, workspace } from './fixtures.ts';
import { trueType } from './true-type.ts';
import { type1 } from './type1.ts';

/** Fonts in documents that came in damaged (ISO 19005-2, 6.2.11.4.1 and 6.2.11.5; ISO 14289-1, 7.21). */

interface Text {
  /** Of the font in the composite one. */
  kind?: string;
  /** Of the descriptor, and the dictionary of the stream. */
  key?: string;
  dictionary?: string;
  program: Buffer;
  shown?: string;
  widths?: string;
  /** What the font says of its codes, and what it is in besides. */
  encoding?: string;
  entries?: string;
  /** Objects from 9 on. */
  more?: readonly string[];
}

const LEVELS = ['pdf/a-3b', 'pdf/ua-1'] as const;

function written({ key = '/FontFile2', dictionary = '', program, ...text }: Text): Buffer {
  const {
    kind = 'CIDFontType2',
    shown = '<0001> Tj',
    widths = '1 [600]',
    encoding = '/Identity-H',
    entries = '',
    more = [],
  } = text;
  const path = rawPdf(workspace()('text.pdf'), [
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 99 99] /Resources << /Font << /F 4 0 R >> >> /Contents 8 0 R >>',
    `<< /Type /Font /Subtype /Type0 /BaseFont /AAAAAA+Two /Encoding ${encoding} /DescendantFonts [5 0 R] >>`,
    `<< /Type /Font /Subtype /${kind} /BaseFont /AAAAAA+Two /FontDescriptor 6 0 R /W [${widths}] /DW 600 ${entries} >>`,
    `<< /Type /FontDescriptor /FontName /AAAAAA+Two /Flags 4 ${key} 7 0 R >>`,
    rawStream(dictionary, program.toString('latin1')),
    rawStream('', `BT /F 9 Tf ${shown} ET`),
    ...more,
  ]);
  return readFileSync(path);
}

async function rulesOf(text: Text): Promise<unknown> {
  const options = { levels: LEVELS, title: 'x', language: 'en', onViolation: 'warn' } as const;
  const { violations } = await conform(written(text), options);
  const ofFonts = violations.filter(({ rule }) => rule.startsWith('ISO 19005-3, 6.2.11'));
  return ofFonts.map(({ rule, page, detail }) => [rule, page, detail.split(':')[0]]);
}

const DAMAGED = [['ISO 19005-3, 6.2.11.4.1', 1, 'The font Two is damaged in the file']];

it('accepts a complete font', async () => {
  expect(await rulesOf({ program: trueType() })).toEqual([]);
  const dictionary = '/Filter /FlateDecode';
  expect(await rulesOf({ program: deflateSync(trueType()), dictionary })).toEqual([]);
});

it('names a font whose data cannot be decoded, or end too early', async () => {
  const dictionary = '/Filter /FlateDecode';
  const wrong = deflateSync(trueType());
  wrong.fill(0xff, 10, 20);
  expect(await rulesOf({ program: wrong, dictionary })).toEqual(DAMAGED);
  const half = deflateSync(trueType());
  expect(await rulesOf({ program: half.subarray(0, half.length / 2), dictionary })).toEqual(DAMAGED);
  for (let length = 0; length < trueType().length; length += 7)
    expect(await rulesOf({ program: trueType().subarray(0, length) })).toEqual(DAMAGED);
});

it('names a font whose tables are not those of a font', async () => {
  const damaged = (from: string, to: string): Buffer =>
    Buffer.from(trueType().toString('latin1').replace(from, to), 'latin1');
  expect(await rulesOf({ program: damaged('hmtx', 'hmtz') })).toEqual(DAMAGED);
  expect(await rulesOf({ program: damaged('\x5f\x0f\x3c\xf5', 'abcd') })).toEqual(DAMAGED);
});

/** A header, a list of no names, one of a dictionary that says where the glyphs are, two empty lists and a list of a glyph. */
const CFF = Buffer.from([1, 0, 4, 1, 0, 0, 0, 1, 1, 1, 3, 139 + 17, 17, 0, 0, 0, 0, 0, 1, 1, 1, 2, 14]);

it.each([
  ['Type 1', '/FontFile', '', type1()],
  ['CFF', '/FontFile3', '/Subtype /Type1C', CFF],
])('distinguishes a complete font of %s from a damaged one', async (_, key, dictionary, program) => {
  expect(await rulesOf({ key, dictionary, program })).toEqual([]);
  expect(await rulesOf({ key, dictionary, program: program.subarray(1) })).toEqual(DAMAGED);
  expect(await rulesOf({ key, dictionary, program: program.subarray(0, 10) })).toEqual(DAMAGED);
});

it('names a composite font whose program is that of a simple one (ISO 32000-1, table 126)', async () => {
  const font = { kind: 'CIDFontType0', key: '/FontFile3', program: CFF };
  const simple = 'The font Two has a program that a composite font cannot use';
  const wrong = [['ISO 19005-3, 6.2.11.4.1', 1, simple]];
  expect(await rulesOf({ ...font, dictionary: '/Subtype /Type1C' })).toEqual(wrong);
  expect(await rulesOf({ ...font, dictionary: '/Subtype /CIDFontType0C' })).toEqual([]);
  expect(await rulesOf({ ...font, key: '/FontFile', program: type1() })).toEqual(wrong);
});

it('names widths that are not those of the font', async () => {
  const program = trueType();
  const wrong = [
    ['ISO 19005-3, 6.2.11.5', 1, 'The font Two has glyphs whose widths differ from those in the document'],
  ];
  expect(await rulesOf({ program, widths: '1 [610]' })).toEqual(wrong);
  expect(await rulesOf({ program, widths: '0 1 500' })).toEqual(wrong);
  expect(await rulesOf({ program, widths: '1 1 600.9' })).toEqual([]);
  expect(await rulesOf({ program, widths: '' })).toEqual([]);
  // Text that is not painted, as behind the picture of a scanned page, has any width.
  expect(await rulesOf({ program, widths: '1 [610]', shown: 'q 3 Tr <0001> Tj Q' })).toEqual([]);
  expect(await rulesOf({ program, widths: '1 [610]', shown: 'q 3 Tr <0001> Tj Q <0001> Tj' })).toEqual(wrong);
});

it('names glyphs that the font does not have', async () => {
  const lacks = [['ISO 19005-3, 6.2.11.4.1', 1, 'The font Two lacks a glyph that the document shows']];
  expect(await rulesOf({ program: trueType(), shown: '<0002> Tj' })).toEqual(lacks);
});

/** What qpdf reads of the font in a composite font, once it has been made to conform. */
async function fontOf(text: Omit<Text, 'program'>): Promise<Record<string, unknown>> {
  const program = trueType();
  const options = { levels: ['pdf/a-2b'], title: 'x', onViolation: 'warn' } as const;
  const path = workspace()('conformed.pdf');
  writeFileSync(path, (await conform(written({ program, ...text }), options)).pdf);
  const { qpdf } = JSON.parse(run('qpdf', '--json', path)) as { qpdf: [unknown, Record<string, unknown>] };
  const values = Object.values(qpdf[1]).map((one) => (one as { value?: Record<string, unknown> }).value);
  return values.find((value) => value?.['/Subtype'] === '/CIDFontType2') ?? {};
}

const collection = (ordering: string, supplement: number): string =>
  `/CIDSystemInfo << /Registry (Adobe) /Ordering (${ordering}) /Supplement ${supplement} >>`;

it('names a font of another collection of characters than its CMap (ISO 19005-2, 6.2.11.3.1)', async () => {
  const [program, shown] = [trueType(), '<0001> Tj'];
  const rules = (encoding: string, entries: string, ...more: string[]): Promise<unknown> =>
    rulesOf({ program, shown, encoding, entries, more });
  const other = [
    'ISO 19005-3, 6.2.11.3.1',
    1,
    'The font Two does not belong to the character collection of its CMap, Japan1',
  ];
  expect(await rules('/UniJIS-UCS2-H', collection('Japan1', 2))).toEqual([]);
  expect(await rules('/UniJIS-UCS2-H', collection('GB1', 2))).toEqual([other]);
  expect(await rules('/H', '')).toEqual([other]);
  const cmap = rawStream(`/Type /CMap /CMapName /Own ${collection('Japan1', 2)}`, '/WMode 0 def');
  expect(await rules('9 0 R', collection('Japan1', 2), cmap)).toEqual([]);
  expect(await rules('9 0 R', collection('Korea1', 2), cmap)).toEqual([other]);
});

it('sets the supplement of a font to that of its CMap (ISO 19005-2, 6.2.11.3.1)', async () => {
  const releaseOf = async (encoding: string, supplement: number): Promise<unknown> =>
    (await fontOf({ encoding, entries: collection('Japan1', supplement) }))['/CIDSystemInfo'];
  const info = { '/Registry': 'u:Adobe', '/Ordering': 'u:Japan1' };
  expect(await releaseOf('/UniJIS-UCS2-H', 6)).toEqual({ ...info, '/Supplement': 4 });
  expect(await releaseOf('/UniJIS-UCS2-H', 3)).toEqual({ ...info, '/Supplement': 3 });
  expect(await releaseOf('/Identity-H', 6)).toEqual({ ...info, '/Supplement': 6 });
});

it('names CMaps that are not in the file, or differ from their dictionaries (ISO 19005-2, 6.2.11.3.3)', async () => {
  const program = trueType();
  const ruleOf = async (encoding: string, ...more: string[]): Promise<unknown> => {
    const entries = collection('Japan1', 2);
    const found = (await rulesOf({ program, encoding, entries, more })) as string[][];
    return found.map(([rule, , detail]) => [rule, detail?.replace('The font Two has a CMap ', '')]);
  };
  const wrong = (detail: string): unknown => [['ISO 19005-3, 6.2.11.3.3', detail]];
  const cmap = (entries: string, text: string): string =>
    rawStream(`/Type /CMap ${collection('Japan1', 2)} ${entries}`, text);
  const missing = wrong('that is neither embedded nor predefined');
  expect(await ruleOf('/Adobe-Japan1-2')).toEqual(missing);
  expect(await ruleOf('99 0 R')).toEqual(missing);
  const turned = wrong('whose dictionary declares another writing direction than the CMap');
  expect(await ruleOf('9 0 R', cmap('/WMode 0', '/WMode 1 def'))).toEqual(turned);
  expect(await ruleOf('9 0 R', cmap('/WMode 1', ''))).toEqual(turned);
  expect(await ruleOf('9 0 R', cmap('/WMode 1', '/WMode 1 def'))).toEqual([]);
  const built = wrong('that uses one that is not predefined');
  expect(await ruleOf('9 0 R', cmap('/UseCMap /H', '/H usecmap'))).toEqual([]);
  expect(await ruleOf('9 0 R', cmap('/UseCMap /Own', ''))).toEqual(built);
  expect(await ruleOf('9 0 R', cmap('', '/Own usecmap'))).toEqual(built);
});

it('maps characters to glyphs by their numbers if the map of the font is invalid (6.2.11.3.2)', async () => {
  expect(await fontOf({ entries: '/CIDToGIDMap /NoIdentity' })).toMatchObject({
    '/CIDToGIDMap': '/Identity',
  });
});

/** A CMap of codes of one byte up to 127, and of two above. */
function cmap(mapped: string, entries = ''): string {
  const spaces = '2 begincodespacerange <00> <7f> <8000> <ffff> endcodespacerange';
  return rawStream(
    `/Type /CMap /CMapName /Own ${collection('Identity', 0)} ${entries}`,
    `${spaces}\n${mapped}`,
  );
}

it('finds glyphs through the CMap in the file (ISO 32000-1, 9.7.5)', async () => {
  const rules = async (mapped: string, shown: string, widths = '1 [600]'): Promise<unknown> => {
    const entries = collection('Identity', 0);
    const font = { program: trueType(), encoding: '9 0 R', entries, more: [cmap(mapped)], shown, widths };
    // What the characters are is not asked here.
    const found = (await rulesOf(font)) as string[][];
    return found.filter(([rule]) => rule?.includes('.7.2') === false).map(([rule]) => rule?.slice(13));
  };
  const range = '1 begincidrange <8040> <8041> 1 endcidrange 1 begincidchar <41> 1 endcidchar';
  expect(await rules(range, '<418040> Tj')).toEqual([]);
  expect(await rules(range, '<8041> Tj')).toEqual(['6.2.11.4.1']);
  expect(await rules(range, '<41> Tj', '1 [610]')).toEqual(['6.2.11.5']);
  // The code of two bytes ends before that of one begins.
  expect(await rules(range, '<804041> Tj')).toEqual([]);
  expect(await rules(range, '<42> Tj', '0 [500 600]')).toEqual(['6.2.11.8']);
  // A string ends in a code.
  expect(await rules(range, '<4180> Tj')).toEqual([]);
  expect(await rules('/Identity-H usecmap', '<8041> Tj')).toEqual(['6.2.11.4.1']);
  // Which of two ranges holds is not known.
  expect(await rules(`${range} 1 begincidrange <8000> <9000> 1 endcidrange`, '<8041> Tj')).toEqual([]);
});
