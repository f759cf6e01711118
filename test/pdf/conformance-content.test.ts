import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { conform } from '../../packages/pdf/src/conformance/index.ts';
import { openPdf } from '../../packages/pdf/src/model/index.ts';
import { rawPdf, rawStream, workspace } from './fixtures.ts';

/** What stands within what a page shows, and trees that bring readers down (ISO 19005-2 and -3). */

interface Parts {
  catalog?: string;
  tree?: string;
  resources?: string;
  content?: string;
  /** From number 5 on. */
  more?: readonly string[];
}

/** A document of one page. */
function onePage({
  catalog = '',
  tree = '/Kids [3 0 R] /Count 1',
  resources,
  content,
  more = [],
}: Parts): Buffer {
  return readFileSync(
    rawPdf(workspace()('page.pdf'), [
      `<< /Type /Catalog /Pages 2 0 R ${catalog} >>`,
      `<< /Type /Pages ${tree} >>`,
      `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 99 99] /Contents 4 0 R /Resources << ${resources ?? ''} >> >>`,
      rawStream('', content ?? ''),
      ...more,
    ]),
  );
}

async function rulesOf(parts: Parts): Promise<string[]> {
  const { violations } = await conform(onePage(parts), { levels: ['pdf/a-3b'], onViolation: 'warn' });
  return violations.map(({ rule }) => rule.replace('ISO 19005-3, ', ''));
}

const CMYK = '0 0 0 1 k 0 0 9 9 re f';
/** An output intent of the document itself, which covers RGB only. */
const RGB = '/OutputIntents [<< /S /GTS_PDFA1 /DestOutputProfile << /N 3 >> >>]';
const FORM = '/Type /XObject /Subtype /Form /BBox [0 0 9 9]';
const TILES = '/Type /Pattern /PatternType 1 /PaintType 1 /TilingType 1 /BBox [0 0 9 9] /XStep 9 /YStep 9';
const drawn = (glyph: string, resources = ''): string[] => [
  `<< /Type /Font /Subtype /Type3 /FontBBox [0 0 1 1] /FontMatrix [1 0 0 1 0 0] /CharProcs << /a 6 0 R >>
    /Encoding << /Differences [97 /a] >> /FirstChar 97 /LastChar 97 /Widths [1] ${resources} >>`,
  rawStream('', glyph),
];
const OWN = '/Resources << /Font << /F 5 0 R >> >>';
const font = { resources: '/Font << /F 5 0 R >>', content: 'BT /F 9 Tf (a) Tj ET' };
const tiled = { resources: '/Pattern << /P 5 0 R >>', content: '/Pattern cs /P scn 0 0 9 9 re f' };

/** Forms that show the next one so often, and the last one nothing. */
const forms = (levels: number, times: number): Parts => ({
  resources: '/XObject << /X 5 0 R >>',
  content: '/X Do',
  more: Array.from({ length: levels }, (_, level) =>
    level === levels - 1
      ? rawStream(FORM, '')
      : rawStream(`${FORM} /Resources << /XObject << /X ${level + 6} 0 R >> >>`, '/X Do '.repeat(times)),
  ),
});

/** Tags of so many levels. */
const tags = (levels: number): Parts => ({
  catalog: '/MarkInfo << /Marked true >> /StructTreeRoot 5 0 R',
  more: [
    '<< /Type /StructTreeRoot /K 6 0 R >>',
    ...Array.from(
      { length: levels },
      (_, at) =>
        `<< /Type /StructElem /S /Sect /P ${at + 5} 0 R ${at === levels - 1 ? '' : `/K [${at + 7} 0 R]`} >>`,
    ),
  ],
});

const inks = (other: string): Parts => ({
  resources: `/ColorSpace << /A [/Separation /Gold /DeviceRGB 5 0 R] /B [/Separation /Gold /DeviceRGB ${other}] >>`,
  content: '/A cs 1 scn 0 0 9 9 re f /B cs 1 scn 0 0 9 9 re f',
  more: [
    '<< /FunctionType 2 /Domain [0 1] /N 1 /C0 [1 1 1] /C1 [1 0 0] >>',
    '<< /N 1 /FunctionType 2 /Domain [0 1] /C0 [1 1 1] /C1 [1 0 0] >>',
    '<< /FunctionType 2 /Domain [0 1] /N 1 /C0 [1 1 1] /C1 [0 1 0] >>',
  ],
});

it.each<[string, string, Parts]>([
  ['colours of a device in a pattern', '6.2.4.3', { ...tiled, catalog: RGB, more: [rawStream(TILES, CMYK)] }],
  [
    'colours of a device in a shading as a pattern',
    '6.2.4.3',
    {
      ...tiled,
      catalog: RGB,
      more: ['<< /PatternType 2 /Shading << /ShadingType 2 /ColorSpace /DeviceCMYK >> >>'],
    },
  ],
  ['colours of a device in a glyph', '6.2.4.3', { ...font, catalog: RGB, more: drawn(`1 0 d0 ${CMYK}`) }],
  ['a glyph that shows itself', '6.2.2', { ...font, more: drawn('1 0 d0 BT /F 1 Tf (a) Tj ET', OWN) }],
  ['a font that is among its resources', '6.2.2', { ...font, more: drawn('1 0 d0 0 0 1 1 re f', OWN) }],
  [
    'a form that shows itself',
    '6.2.2',
    {
      resources: '/XObject << /X 5 0 R >>',
      content: '/X Do',
      more: [rawStream(`${FORM} /Resources << /XObject << /X 5 0 R >> >>`, '/X Do')],
    },
  ],
  ['forms that are shown a million times', '6.1.13', forms(8, 10)],
  ['42 forms within one another', '6.1.13', forms(42, 1)],
  ['tags of 1,002 levels', '6.1.13', tags(1002)],
  ['inks of one name that look different', '6.2.4.4', inks('7 0 R')],
])('names %s (ISO 19005-2, %s)', async (_, rule, parts) => {
  expect(await rulesOf(parts)).toEqual([rule]);
});

it.each<[string, Parts]>([
  ['a pattern of colours that are known', { ...tiled, more: [rawStream(TILES, '1 0 0 rg 0 0 9 9 re f')] }],
  ['a glyph', { ...font, more: drawn('1 0 d0 0 0 1 1 re f') }],
  ['forms that are shown a hundred thousand times', forms(6, 10)],
  ['forty forms within one another', forms(40, 1)],
  ['tags of a thousand levels', tags(1000)],
  ['an ink that is there twice', inks('6 0 R')],
])('accepts %s', async (_, parts) => {
  expect(await rulesOf(parts)).toEqual([]);
});

it.each([
  ['counts wrong', 1, 7],
  ['is 1,100 levels deep', 1100, 1],
])('rewrites a page tree that %s', async (_, levels, count) => {
  const nodes = Array.from(
    { length: levels },
    (_each, at) => `<< /Type /Pages /Count ${count} /Kids [${at === levels - 1 ? 3 : at + 6} 0 R] >>`,
  );
  const tree = `/Count ${count} /MediaBox [0 0 9 9] /Rotate 90 /Kids [5 0 R]`;
  const { pdf } = await conform(onePage({ tree, more: nodes }), { levels: ['pdf/a-3b'] });
  const file = await openPdf(pdf);
  const { '/Pages': root } = file.catalog;
  const [page] = file.pages();
  expect(file.dict(root)).toEqual({ '/Type': '/Pages', '/Kids': [page], '/Count': 1 });
  expect(file.dict(page)).toMatchObject({ '/Parent': root, '/Rotate': 90, '/MediaBox': [0, 0, 99, 99] });
});

it('rewrites a name tree that is 1,100 levels deep', async () => {
  const nodes = Array.from({ length: 1100 }, (_, at) => `<< /Kids [${at + 6} 0 R] /Limits [(a) (b)] >>`);
  const leaf = '<< /Limits [(a) (b)] /Names [(a) [3 0 R /Fit] (b) [3 0 R /Fit]] >>';
  const bytes = onePage({ catalog: '/Names << /Dests 5 0 R >>', more: [...nodes, leaf] });
  const file = await openPdf((await conform(bytes, { levels: ['pdf/a-3b'] })).pdf);
  const { '/Names': names } = file.dict(file.dict(file.catalog['/Names'])['/Dests']);
  expect(names).toHaveLength(4);
});

/** A box of the format of JPEG 2000. */
function box(type: string, ...parts: readonly Buffer[]): Buffer {
  const data = Buffer.concat(parts);
  const head = Buffer.alloc(8);
  head.writeUInt32BE(8 + data.length);
  head.write(type, 4, 'latin1');
  return Buffer.concat([head, data]);
}

/** The header of a picture, without one. */
function jpeg2000(channels: number, bits: number, ...spaces: readonly number[][]): Buffer {
  const size = box('ihdr', Buffer.from([0, 0, 0, 1, 0, 0, 0, 1, 0, channels, bits, 7, 0, 0]));
  const colours = spaces.map((bytes) => box('colr', Buffer.from(bytes)));
  return Buffer.concat([box('jP  ', Buffer.from('\r\n\u0087\n', 'latin1')), box('jp2h', size, ...colours)]);
}

const SRGB = [1, 0, 0, 0, 0, 0, 16];
it.each<[string, boolean, Buffer, string?]>([
  ['of sRGB', true, jpeg2000(3, 7, SRGB)],
  [
    'of two spaces, one of which is its own',
    true,
    jpeg2000(3, 7, [1, 0, 2, 0, 0, 0, 12], [1, 0, 1, 0, 0, 0, 16]),
  ],
  [
    'of CMYK that the document explains',
    true,
    jpeg2000(4, 7, [1, 0, 0, 0, 0, 0, 12]),
    '/ColorSpace /DeviceRGB',
  ],
  ['of CMYK', false, jpeg2000(4, 7, [1, 0, 0, 0, 0, 0, 12])],
  ['of two spaces', false, jpeg2000(3, 7, SRGB, SRGB)],
  ['of no space', false, jpeg2000(3, 7)],
  ['of two channels', false, jpeg2000(2, 7, SRGB)],
  ['of 39 bits', false, jpeg2000(3, 38, SRGB)],
  ['of channels that differ', false, jpeg2000(3, 255, SRGB)],
  ['without a header', false, Buffer.from('ff4fff51', 'hex')],
  ['whose header is cut off', false, jpeg2000(3, 7, SRGB).subarray(0, 30)],
])('checks a picture in JPEG 2000 %s: %s (ISO 19005-2, 6.2.8.3)', async (_, isRight, data, colours = '') => {
  const image = `/Type /XObject /Subtype /Image /Width 1 /Height 1 /Filter /JPXDecode ${colours}`;
  const shown = { resources: '/XObject << /X 5 0 R >>', content: '/X Do' };
  const rules = await rulesOf({ ...shown, more: [rawStream(image, data.toString('latin1'))] });
  expect(rules).toEqual(isRight ? [] : ['6.2.8.3']);
});

it('colours in CMYK without an output intent get one, and those in RGB beside them a profile (6.2.4.3)', async () => {
  const image = rawStream(
    '/Type /XObject /Subtype /Image /Width 1 /Height 1 /BitsPerComponent 8 /ColorSpace /DeviceCMYK',
    'abcd',
  );
  const content = '/X Do 1 0 0 rg 0 0 9 9 re f';
  const printed = onePage({ resources: '/XObject << /X 5 0 R >>', content, more: [image] });
  const { pdf, violations, notes } = await conform(printed, { levels: ['pdf/a-3b'], title: 'x' });
  expect(violations).toEqual([]);
  expect(notes).toEqual(['cmyk_assumed']);
  const file = await openPdf(pdf);
  const [intent] = file.array(file.catalog['/OutputIntents']);
  expect(file.dict(file.dict(intent)['/DestOutputProfile'])['/N']).toBe(4);
  const [page] = file.pageDicts();
  const spaces = file.dict(file.dict(page?.['/Resources'])['/ColorSpace']);
  expect(Object.keys(spaces)).toEqual(['/DefaultRGB']);
  // Without a group, transparent colours would be blended in the inks of the output intent.
  expect(file.dict(page?.['/Group'])['/CS']).toEqual(spaces['/DefaultRGB']);
});

it('colours in RGB alone get an output intent of sRGB and no note', async () => {
  const { pdf, notes } = await conform(onePage({ content: '1 0 0 rg 0 0 9 9 re f' }), {
    levels: ['pdf/a-3b'],
    title: 'x',
  });
  expect(notes).toEqual([]);
  const file = await openPdf(pdf);
  const [intent] = file.array(file.catalog['/OutputIntents']);
  expect(file.dict(file.dict(intent)['/DestOutputProfile'])['/N']).toBe(3);
  expect(file.dict(file.pageDicts()[0]?.['/Resources'])).not.toHaveProperty('/ColorSpace');
});
