import { describe, expect, it } from 'vitest';
import { checkDocument } from '../../packages/office/src/fill.ts';
import { all } from '../../packages/office/src/xml/tree.ts';
import { docx, p, relationships, unzip, XML, zip } from './build.ts';
import { fill, part, paragraphs } from './fill.ts';
import { ap, pptx } from './pptx.ts';
import { type Cell, cells, xlsx } from './xlsx.ts';

/** Charts of documents and presentations: their data stand in a workbook inside of the document. */

/** Of two series, as Office writes it where the cells hold tags: numbers that are none are left out. */
const CHART = `${XML}<c:chartSpace xmlns:c="http://schemas.openxmlformats.org/drawingml/2006/chart" xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main" xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"><c:chart><c:title><c:tx><c:rich><a:p><a:r><a:t>Of {{ d.name }}</a:t></a:r></a:p></c:rich></c:tx></c:title><c:plotArea><c:barChart><c:ser><c:tx><c:strRef><c:f>Sheet1!$B$1</c:f><c:strCache><c:ptCount val="1"/><c:pt idx="0"><c:v>Sales</c:v></c:pt></c:strCache></c:strRef></c:tx><c:cat><c:strRef><c:f>Sheet1!$A$2:$A$4</c:f><c:strCache><c:ptCount val="3"/><c:pt idx="0"><c:v>{% for r in d.rows %}</c:v></c:pt><c:pt idx="1"><c:v>{{ r.name }}</c:v></c:pt><c:pt idx="2"><c:v>{% endfor %}</c:v></c:pt></c:strCache></c:strRef></c:cat><c:val><c:numRef><c:f>Sheet1!$B$2:$B$4</c:f><c:numCache><c:formatCode>0.00</c:formatCode><c:ptCount val="3"/></c:numCache></c:numRef></c:val></c:ser></c:barChart></c:plotArea></c:chart><c:externalData r:id="rId1"><c:autoUpdate val="0"/></c:externalData></c:chartSpace>`;
const ROWS: readonly Cell[][] = [
  [null, 'Sales'],
  ['{% for r in d.rows %}'],
  ['{{ r.name }}', '{{ r.sales }}'],
  ['{% endfor %}'],
];
const NORTH = {
  name: 'North',
  rows: [
    { name: 'Q1', sales: 3.5 },
    { name: '<Q2>', sales: 7 },
  ],
};
const SOUTH = { name: 'South', rows: [{ name: 'Jan', sales: 30 }] };

const book = (rows = ROWS): Promise<Buffer> => xlsx([{ name: 'Sheet1', rows }]);
const dataOf = (target: string): string => relationships([{ id: 'rId1', type: 'package', target }]);

async function charted(workbook: Uint8Array): Promise<Buffer> {
  return await docx(
    p('Report'),
    {
      'word/charts/chart1.xml': CHART,
      'word/charts/_rels/chart1.xml.rels': dataOf('../embeddings/data1.xlsx'),
      'word/embeddings/data1.xlsx': workbook,
    },
    [{ id: 'rId7', type: 'chart', target: 'charts/chart1.xml' }],
  );
}

/** Texts of the chart's own, its ranges, and what it remembers. */
async function shown(bytes: Uint8Array, path: string): Promise<Record<string, string[]>> {
  const root = await part(bytes, path);
  const texts = (tag: string): string[] => all(root, tag).map((one) => one.textContent());
  return { title: texts('a:t'), ranges: texts('c:f'), points: texts('c:v'), format: texts('c:formatCode') };
}

async function bookOf(bytes: Uint8Array, path: string): Promise<Record<string, string | number>> {
  return await cells((await unzip(bytes)).get(path) ?? Buffer.alloc(0));
}

describe('a chart in a document', () => {
  it('shows the values of its filled workbook', async () => {
    const bytes = await fill(await charted(await book()), { d: NORTH });
    expect(await bookOf(bytes, 'word/embeddings/data1.xlsx')).toEqual({
      B1: 'Sales',
      A2: 'Q1',
      B2: 3.5,
      A3: '<Q2>',
      B3: 7,
    });
    expect(await shown(bytes, 'word/charts/chart1.xml')).toEqual({
      title: ['Of North'],
      ranges: ['Sheet1!$B$1', 'Sheet1!$A$2:$A$3', 'Sheet1!$B$2:$B$3'],
      points: ['Sales', 'Q1', '<Q2>', '3.5', '7'],
      format: ['0.00'],
    });
  });

  it('shows only the rows to which it refers when a loop repeats others between them', async () => {
    const rows = [...ROWS.slice(0, 3), ['of which', '{{ r.sales / 7 }}'], ...ROWS.slice(3)];
    const template = new Map(await unzip(await charted(await book(rows))));
    const narrow = CHART.replaceAll('$2:$A$4', '$3:$A$3').replaceAll('$2:$B$4', '$3:$B$3');
    template.set('word/charts/chart1.xml', Buffer.from(narrow));
    const bytes = await fill(await zip(Object.fromEntries(template)), { d: NORTH });
    expect(await shown(bytes, 'word/charts/chart1.xml')).toMatchObject({
      ranges: ['Sheet1!$B$1', '(Sheet1!$A$2,Sheet1!$A$4)', '(Sheet1!$B$2,Sheet1!$B$4)'],
      points: ['Sales', 'Q1', '<Q2>', '3.5', '7'],
    });
  });

  it('is filled in its cached values if its workbook contains no tags', async () => {
    const plain = await charted(
      await book([
        [null, 'Sales'],
        ['a', 1],
        ['b', 2],
        ['c', 3],
      ]),
    );
    const memory = CHART.replace('{% for r in d.rows %}', 'a').replace('{{ r.name }}', '{{ d.name }}');
    const parts = new Map(await unzip(plain));
    parts.set('word/charts/chart1.xml', Buffer.from(memory.replace('{% endfor %}', 'c')));
    const bytes = await fill(await zip(Object.fromEntries(parts)), { d: NORTH });
    const { ranges, points } = await shown(bytes, 'word/charts/chart1.xml');
    expect(ranges).toEqual(['Sheet1!$B$1', 'Sheet1!$A$2:$A$4', 'Sheet1!$B$2:$B$4']);
    expect(points).toEqual(['Sales', 'a', 'North', 'c']);
  });

  it('reports the cell of a faulty tag in the workbook, also when the template is added', async () => {
    const broken = await charted(await book([[null, 'Sales'], ['{% for r in d.rows %}'], ['{{ r. }}']]));
    await expect(checkDocument(broken, 'docx', 'jinja2')).rejects.toMatchObject({
      code: 'template_syntax',
      message: expect.stringContaining('word/embeddings/data1.xlsx/xl/worksheets/sheet1.xml') as string,
    });
    await expect(checkDocument(await charted(await book()), 'docx', 'jinja2')).resolves.toEqual([]);
  });

  it('keeps a workbook that cannot be opened', async () => {
    const damaged = Buffer.from('PK\x03\x04 no workbook {{ x }}');
    const template = await charted(damaged);
    const parts = new Map(await unzip(template));
    parts.set('word/charts/chart1.xml', Buffer.from(CHART.replace(/\{%.*?%\}|\{\{ r\.name \}\}/g, 'a')));
    const bytes = await fill(await zip(Object.fromEntries(parts)), { d: NORTH });
    expect((await unzip(bytes)).get('word/embeddings/data1.xlsx')).toEqual(damaged);
    expect((await shown(bytes, 'word/charts/chart1.xml'))['title']).toEqual(['Of North']);
  });
});

describe('a chart in a loop of a document', () => {
  const drawing = `<w:p><w:r><w:drawing><c:chart xmlns:c="http://schemas.openxmlformats.org/drawingml/2006/chart" r:id="rId7"/></w:drawing></w:r></w:p>`;
  const looped = async (body: string): Promise<Buffer> =>
    await docx(
      body,
      {
        'word/charts/chart1.xml': CHART,
        'word/charts/_rels/chart1.xml.rels': dataOf('../embeddings/data1.xlsx'),
        'word/embeddings/data1.xlsx': await book(),
      },
      [{ id: 'rId7', type: 'chart', target: 'charts/chart1.xml' }],
    );
  const loop = `${p('{% for d in areas %}')}${p('{{ d.name }}')}${drawing}${p('{% endfor %}')}`;

  it('has data of its own in each pass', async () => {
    const bytes = await fill(await looped(loop), { areas: [NORTH, SOUTH] });
    expect(await paragraphs(bytes)).toEqual(['North', '', 'South', '']);
    const ids = all(await part(bytes, 'word/document.xml'), 'c:chart').map((one) => one.get('r:id'));
    const relations = all(await part(bytes, 'word/_rels/document.xml.rels'), 'rel:Relationship');
    const seen = [];
    for (const id of ids) {
      const chart = `word/${relations.find((one) => one.get('Id') === id)?.get('Target') ?? ''}`;
      const name = chart.replace(/^.*\//, '');
      const data = await target(bytes, `word/charts/_rels/${name}.rels`, 'package');
      const { title, points } = await shown(bytes, chart);
      seen.push({ title, points, A2: (await bookOf(bytes, `word/embeddings/${data}`))['A2'] });
    }
    expect(seen).toEqual([
      { title: ['Of North'], points: ['Sales', 'Q1', '<Q2>', '3.5', '7'], A2: 'Q1' },
      { title: ['Of South'], points: ['Sales', 'Jan', '30'], A2: 'Jan' },
    ]);
    expect(relations.filter((one) => one.get('Type')?.endsWith('/chart'))).toHaveLength(2);
  });

  it('is removed with a loop over an empty list', async () => {
    const bytes = await fill(await looped(loop), { areas: [] });
    const names = [...(await unzip(bytes)).keys()];
    expect(names.filter((name) => /chart|data1/.test(name))).toEqual([]);
  });

  it('is filled by itself if the text around it has no tag', async () => {
    const bytes = await fill(await looped(p('Report') + drawing), { d: NORTH });
    expect((await shown(bytes, 'word/charts/chart1.xml'))['title']).toEqual(['Of North']);
  });
});

it('a chart on a slide that a loop repeats has a workbook of its own each time', async () => {
  const slides = await pptx([{ shapes: [ap('{%slide for d in areas %}{{ d.name }}')] }]);
  const parts = Object.fromEntries(await unzip(slides));
  const links = 'ppt/slides/_rels/slide1.xml.rels';
  const chart = { id: 'rId9', type: 'chart', target: '../charts/chart1.xml' };
  const layout = { id: 'rId1', type: 'slideLayout', target: '../slideLayouts/slideLayout1.xml' };
  const template = await zip({
    ...parts,
    [links]: relationships([layout, chart]),
    'ppt/charts/chart1.xml': CHART,
    'ppt/charts/_rels/chart1.xml.rels': dataOf('../embeddings/data1.xlsx'),
    'ppt/embeddings/data1.xlsx': await book(),
  });
  const bytes = await fill(template, { areas: [NORTH, SOUTH] }, { format: 'pptx' });
  const seen = [];
  for (const slide of ['slide1', 'slide2']) {
    const [title] = await paragraphs(bytes, `ppt/slides/${slide}.xml`);
    const chartPath = await target(bytes, `ppt/slides/_rels/${slide}.xml.rels`, 'chart');
    const bookPath = await target(bytes, `ppt/charts/_rels/${chartPath}.rels`, 'package');
    const { points } = await shown(bytes, `ppt/charts/${chartPath}`);
    seen.push({ title, points, A2: (await bookOf(bytes, `ppt/embeddings/${bookPath}`))['A2'] });
  }
  expect(seen).toEqual([
    { title: 'North', points: ['Sales', 'Q1', '<Q2>', '3.5', '7'], A2: 'Q1' },
    { title: 'South', points: ['Sales', 'Jan', '30'], A2: 'Jan' },
  ]);
});

/** Name of the part that a relationship of that type leads to. */
async function target(bytes: Uint8Array, relations: string, type: string): Promise<string> {
  const found = all(await part(bytes, relations), 'rel:Relationship').find((one) =>
    one.get('Type')?.endsWith(`/${type}`),
  );
  return found?.get('Target')?.replace(/^.*\//, '') ?? '';
}
