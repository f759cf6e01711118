import { readFileSync, writeFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { conform, type ConformanceLevel } from '../../packages/pdf/src/conformance/index.ts';
import { openPdf } from '../../packages/pdf/src/model/index.ts';
import type { PdfDict } from '../../packages/pdf/src/model/values.ts';
import { expectSound, rawPdf, rawStream, workspace } from './fixtures.ts';

/** What claims PDF/A and PDF/UA has tags that hold together, and names and content that can be read. */

/** A type with its attributes, such as `TD /A <<…>>`, and what is in the element: others, or what stands there as it is. */
type Tag = readonly [type: string, ...kids: (Tag | string)[]];

/** A document of one page with such tags in it. */
function tagged(tags: readonly Tag[], content = '', more: { roles?: string; page?: string } = {}): Buffer {
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R /StructTreeRoot 4 0 R /MarkInfo << /Marked true >> /Lang (en) >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 99 99] /StructParents 0 /Contents 6 0 R ${more.page ?? ''} >>`,
    '',
    '<< /Nums [0 [7 0 R]] >>',
    rawStream('', content),
  ];
  const add = ([type, ...kids]: Tag, parent: number): string => {
    const number = objects.push('');
    const inner = kids.map((kid) => (typeof kid === 'string' ? kid : add(kid, number))).join(' ');
    objects[number - 1] = `<< /Type /StructElem /S /${type} /P ${parent} 0 R /Pg 3 0 R /K [${inner}] >>`;
    return `${number} 0 R`;
  };
  const whole = add(['Document', ...tags], 4);
  objects[3] = `<< /Type /StructTreeRoot /K ${whole} /ParentTree 5 0 R /RoleMap << ${more.roles ?? ''} >> >>`;
  return readFileSync(rawPdf(workspace()('tagged.pdf'), objects));
}

async function rulesOf(pdf: Buffer, level: ConformanceLevel = 'pdf/ua-1'): Promise<unknown[]> {
  const { violations } = await conform(pdf, { levels: [level], title: 'x', onViolation: 'warn' });
  return violations.map(({ rule, element }) => [rule, element]);
}

/** The tags of a document that has been repaired, with some of what they say. */
async function repairedTags(pdf: Buffer, shown: (dict: PdfDict) => unknown): Promise<unknown> {
  const conformed = await conform(pdf, { levels: ['pdf/ua-1'], title: 'x' });
  const path = workspace()('mended.pdf');
  writeFileSync(path, conformed.pdf);
  expectSound(path);
  const file = await openPdf(conformed.pdf);
  const tree = (value: PdfDict): unknown => {
    const kids = [file.resolve(value['/K'])].flat().map((kid) => file.dict(kid));
    return [shown(value), ...kids.filter((kid) => kid['/S'] !== undefined).map(tree)];
  };
  return tree(file.dict(file.dict(file.dict(file.catalog['/StructTreeRoot'])['/K'])));
}

const span = (rows: number, columns = 1): string =>
  `TD /A [<< /O /Table /RowSpan ${rows} >> 0 << /O /Table /ColSpan ${columns} >>]`;

it('limits the row spans of cells to the existing rows (ISO 14289-1, 7.2)', async () => {
  const table: Tag = [
    'Table',
    ['THead', ['TR', [span(8)], ['TD']]],
    ['TBody', ['TR', [span(0)], [span(2)], [span(9)]], ['NonStruct', ['TR', ['TD']]]],
  ];
  const shown = await repairedTags(tagged([table]), ({ '/S': type = null, '/A': attributes }) =>
    attributes === undefined ? type : [type, attributes],
  );
  const spans = (rows: number): unknown => [
    ['/TD', [{ '/O': '/Table', '/RowSpan': rows }, 0, { '/O': '/Table', '/ColSpan': 1 }]],
  ];
  const head = ['/THead', ['/TR', spans(1), ['/TD'], ['/TD']]];
  const body = ['/TBody', ['/TR', spans(1), spans(2), spans(2)], ['/NonStruct', ['/TR', ['/TD']]]];
  expect(shown).toEqual(['/Document', ['/Table', head, body]]);
  expect(await rulesOf(tagged([['Table', ['TR', ['TD'], [span(2)], ['TD']], ['TR', [span(1, 3)]]]]))).toEqual(
    [['ISO 14289-1, 7.2', 'TR 2']],
  );
});

it.each<[string, Tag, string]>([
  ['a cell in no row', ['Table', ['TD']], 'TD 1'],
  ['a row in no table', ['Sect', ['TR', ['TD']]], 'TR 1'],
  ['a body in no table', ['TBody', ['TR', ['TD']]], 'TBody 1'],
  ['an item in no list', ['P', ['LI', ['LBody']]], 'LI 1'],
  ['the body of an item in none', ['L', ['LBody']], 'LBody 1'],
  ['a paragraph in a row', ['Table', ['TR', ['TD'], ['P']]], 'TR 1'],
  ['two captions', ['Table', ['Caption'], ['TR', ['TD']], ['Caption']], 'Table 1'],
  ['a caption in the middle', ['L', ['LI', ['LBody']], ['Caption'], ['LI', ['LBody']]], 'L 1'],
  ['a head without a body', ['Table', ['THead', ['TR', ['TH']]]], 'Table 1'],
  ['two heads', ['Table', ['THead'], ['THead'], ['TBody', ['TR', ['TD']]]], 'Table 1'],
  ['an entry in no table of contents', ['Sect', ['TOCI']], 'TOCI 1'],
])('names %s (ISO 14289-1, 7.2)', async (_, tag, element) => {
  expect(await rulesOf(tagged([tag]))).toContainEqual(['ISO 14289-1, 7.2', element]);
});

it('ignores grouping elements between lists, tables and their parts (ISO 32000-1, 14.8.4.2)', async () => {
  const tags: Tag[] = [
    [
      'Table',
      ['NonStruct', ['Caption'], ['THead', ['Div', ['TR', ['Part', ['TH']]]]]],
      ['TBody', ['TR', ['TD']]],
    ],
    ['L', ['NonStruct', ['LI', ['Div', ['Lbl'], ['LBody']]], ['LI', ['LBody']]]],
    ['TOC', ['Caption'], ['Div', ['TOCI']], ['TOC', ['TOCI']]],
  ];
  expect(await rulesOf(tagged(tags))).toEqual([]);
  const types = JSON.stringify(await repairedTags(tagged(tags), ({ '/S': type = null }) => type));
  expect(types.match(/"\/LI"/g)).toHaveLength(2);
});

it('accepts headings with levels, or one without for each part (ISO 14289-1, 7.4.4)', async () => {
  expect(await rulesOf(tagged([['Sect', ['H'], ['Sect', ['H']]]]))).toEqual([]);
  expect(await rulesOf(tagged([['Sect', ['Div', ['H']], ['H']]]))).toEqual([
    ['ISO 14289-1, 7.4.4', 'Sect 1'],
  ]);
  expect(await rulesOf(tagged([['H1'], ['Sect', ['H']]]))).toEqual([['ISO 14289-1, 7.4.4', 'H 1']]);
});

it('names objects among the tags that are no elements (ISO 19005-2, 6.7.3.4; ISO 14289-1, 7.1)', async () => {
  const wrong = async (kid: string): Promise<void> => {
    const pdf = tagged([['P', kid]]);
    expect(await rulesOf(pdf)).toContainEqual(['ISO 14289-1, 7.1', 'P 1']);
    expect(await rulesOf(pdf, 'pdf/a-2a')).toContainEqual(['ISO 19005-2, 6.7.3.4', 'P 1']);
  };
  await wrong('<< /Type /StructElem /K 0 >>');
  await wrong('<< /Type /StructElem /S /Figure >>');
  await wrong('7 0 R');
  const content = '0 << /Type /MCR /MCID 1 >> << /Type /OBJR >>';
  expect(await rulesOf(tagged([['P', content]]))).toEqual([]);
});

it('names content whose element is not in the tags (ISO 19005-2, 6.7.3.3; ISO 14289-1, 7.1)', async () => {
  const content = '/Document << /MCID 0 >> BDC 1 1 9 9 re f EMC';
  expect(await rulesOf(tagged([], content))).toEqual([]);
  const lost = Buffer.from(
    tagged([['P']], content)
      .toString('latin1')
      .replace('/K 7 0 R', '/K 8 0 R'),
    'latin1',
  );
  expect(await rulesOf(lost)).toEqual([['ISO 14289-1, 7.1', null]]);
  expect(await rulesOf(lost, 'pdf/a-3a')).toEqual([['ISO 19005-3, 6.7.3.3', null]]);
});

it('names content that cannot be read (ISO 19005-2, 6.2.2)', async () => {
  for (const content of ['BT 569> Tj ET', '72.D. 0 m', 'BT (Tj ET', '{ 1 w }', '1) w', 'BI /W 1 ID x'])
    expect(await rulesOf(tagged([], content), 'pdf/a-2b'), content).toContainEqual([
      'ISO 19005-2, 6.2.2',
      null,
    ]);
  for (const content of [
    'BT <569> Tj (a\\)b(c)) Tj ET',
    '-.5 +1 m n',
    '/P << /A <41> /B [(>) << /C 1 >>] >> DP',
  ])
    expect(await rulesOf(tagged([], content), 'pdf/a-2b'), content).toEqual([]);
});

it('reads strings within the properties of marks as such', async () => {
  const shown = '/Span << /ActualText (1 > 0 f BT) /Lang <656e> >> BDC 1 1 9 9 re f EMC';
  const { pdf } = await conform(tagged([], shown), { levels: ['pdf/ua-1'], title: 'x' });
  const file = await openPdf(pdf);
  const [page = {}] = file.pageDicts();
  const content = Buffer.from(file.streamData(String(page['/Contents']))?.data ?? []).toString();
  expect(content.trim()).toBe(shown.replace('1 1 9', '/Artifact BMC\n1 1 9').replace(' EMC', '\nEMC EMC'));
});

it('names fonts, inks and types whose names are no UTF-8 (ISO 19005-2, 6.1.8)', async () => {
  const rule = ['ISO 19005-2, 6.1.8', null];
  const wrong = async (pdf: Buffer): Promise<void> => {
    expect(await rulesOf(pdf, 'pdf/a-2b')).toEqual([rule]);
  };
  await wrong(tagged([['N#f6n']], '', { roles: '/N#f6n /P' }));
  await wrong(tagged([], '', { roles: '/N#f6n /P' }));
  const resources = (inner: string): Buffer => tagged([], '', { page: `/Resources << ${inner} >>` });
  await wrong(resources('/Font << /F << /Type /Font /Subtype /Type1 /BaseFont /N#f6n >> >>'));
  await wrong(resources('/ColorSpace << /C [/Separation /N#f6n /DeviceGray << >>] >>'));
  await wrong(resources('/ColorSpace << /C [/DeviceN [/Red /N#f6n] /DeviceRGB << >>] >>'));
  expect(
    await rulesOf(resources('/Font << /N#f6n << /Type /Font /BaseFont /N#c3#b6n >> >>'), 'pdf/a-2b'),
  ).toEqual([]);
});

it('takes figures that only group other elements as groups, and no others', async () => {
  const types = async (figure: Tag): Promise<string> =>
    JSON.stringify(await repairedTags(tagged([figure]), ({ '/S': type = null }) => type));
  expect(await types(['Figure', ['Table', ['TR', ['TD']]], ['Caption']])).toContain('["/Div",["/Table"');
  expect(await types(['Figure', ['NonStruct', ['Code']]])).toContain('["/Div",["/NonStruct"');
  const [picture, marked]: Tag[] = [['Figure'], ['Figure', ['Span', '0']]];
  for (const tag of [picture, marked])
    expect(await rulesOf(tagged([tag as Tag]))).toContainEqual(['ISO 14289-1, 7.3', 'Figure 1']);
});
