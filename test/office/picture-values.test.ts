import { describe, expect, it } from 'vitest';
import { addPixels, drawingsWithoutPixels } from '../../packages/office/src/pictures/pixels.ts';
import { OfficePackage } from '../../packages/office/src/package.ts';
import { all } from '../../packages/office/src/xml/tree.ts';
import { docx, p, png, unzip, zip } from './build.ts';
import { fill, part } from './fill.ts';
import { odf, page, tp } from './odf.ts';
import { ap, pptx } from './pptx.ts';
import { xlsx } from './xlsx.ts';

/** Values that are pictures become the picture where no `<image src>` is around them. */

const pngUrl = `data:image/png;base64,${png(96, 48).toString('base64')}`;
const svg =
  '<svg xmlns="http://www.w3.org/2000/svg" width="40" height="20"><rect width="9" height="9"/></svg>';
const svgUrl = `data:image/svg+xml;base64,${Buffer.from(svg).toString('base64')}`;
const sales = { xAxis: { data: ['a'] }, yAxis: {}, series: [{ type: 'bar', data: [1] }] };
const data = { pngUrl, svgUrl, sales };

const TEMPLATES = {
  docx: (tag: string) => docx(p(`A ${tag} B`)),
  odt: (tag: string) => odf('odt', tp(`A ${tag} B`)),
  pptx: (tag: string) => pptx([{ shapes: [ap(`A ${tag} B`)] }]),
  odp: (tag: string) => odf('odp', page('a', `A ${tag} B`)),
  xlsx: (tag: string) => xlsx([{ name: 'A', rows: [['x', tag]] }]),
  ods: (tag: string) =>
    odf(
      'ods',
      `<table:table table:name="T"><table:table-row><table:table-cell>${tp(tag)}</table:table-cell></table:table-row></table:table>`,
    ),
} as const;
const CONTENTS = {
  docx: 'word/document.xml',
  odt: 'content.xml',
  pptx: 'ppt/slides/slide1.xml',
  odp: 'content.xml',
  xlsx: 'xl/worksheets/sheet1.xml',
  ods: 'content.xml',
} as const;

describe.each(Object.keys(TEMPLATES) as (keyof typeof TEMPLATES)[])('in %s', (format) => {
  const filled = async (tag: string, engine: 'jinja2' | 'liquid' = 'jinja2'): Promise<Uint8Array> =>
    await fill(await TEMPLATES[format](tag), data, { format, engine });
  const picturesIn = async (bytes: Uint8Array): Promise<string[]> =>
    [...(await unzip(bytes)).keys()].filter((path) => /\.(?:png|svg)$/.test(path));

  it.each([
    ['{{ pngUrl }}', 'jinja2'],
    ['{{ pngUrl }}', 'liquid'],
    ['{{ chart(sales) }}', 'jinja2'],
    ['{{ "ABC"|barcode("code128") }}', 'jinja2'],
    ['<image src="{{ svgUrl }}">', 'jinja2'],
    ['{% set c %}{{ pngUrl }}{% endset %}<image src="{{ c }}">', 'jinja2'],
  ] as const)('%s (%s) is shown as a picture', async (tag, engine) => {
    const escaped = format.startsWith('od') ? tag : tag.replaceAll('<', '&lt;');
    const bytes = await filled(format === 'xlsx' ? tag : escaped, engine);
    expect(await picturesIn(bytes)).toHaveLength(1);
    const root = await part(bytes, CONTENTS[format]);
    expect(root.textContent()).not.toMatch(/base64|iVBOR/);
  });

  it('no other text is', async () => {
    const bytes = await filled('{{ "data:image/png is a picture" }}');
    expect(await picturesIn(bytes)).toEqual([]);
  });
});

it('a drawing has pixels beside it in a document that does not declare the namespace of addresses', async () => {
  const parts = Object.fromEntries(await unzip(await odf('odt', tp('<image src="{{ svgUrl }}">'))));
  const content = String(parts['content.xml']).replace(/ xmlns:xlink="[^"]*"/, '');
  const bytes = await fill(await zip({ ...parts, 'content.xml': content }), data, { format: 'odt' });
  const drawings = await drawingsWithoutPixels(bytes);
  const file = await OfficePackage.open(bytes);
  addPixels(file, new Map(Array.from(drawings.keys(), (path) => [path, png(40, 20)])));
  const images = all(await part(file.save(), 'content.xml'), 'draw:image');
  expect(images.map((one) => one.get('xlink:href'))).toEqual([
    'Pictures/picture1.svg',
    'Pictures/picture1.png',
  ]);
});
