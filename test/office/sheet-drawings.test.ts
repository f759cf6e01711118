import { describe, expect, it } from 'vitest';
import { all, type Element } from '../../packages/office/src/xml/tree.ts';
import { XML } from './build.ts';
import { fill, part } from './fill.ts';
import { type SheetSource, xlsx } from './xlsx.ts';

/** Drawings, form controls and links over the cells of a workbook with repeated rows. */

const X14 = 'http://schemas.microsoft.com/office/spreadsheetml/2009/9/main';
const SHEET = 'xl/worksheets/sheet1.xml';
const DATA = { rows: [{ n: 'a', c: 1 }, { n: 'b', c: 2 }, { n: 'c', c: 3 }] }; // prettier-ignore
/** Two rows more than the template has with its rows of tags. */
const MORE = { rows: [...DATA.rows, { n: 'd', c: 4 }, { n: 'e', c: 5 }] };
const ROWS: SheetSource['rows'] = [
  ['Name', 'Count'],
  ['{% for r in rows %}'],
  ['{{ r.n }}', '{{ r.c }}'],
  ['{% endfor %}'],
  ['end', 7],
  ['below'],
];

it('a drawing whose rows a condition removes stays, with a warning; one beside a row of tags has none', async () => {
  const rows: SheetSource['rows'] = [['top'], ['{% if no %}'], ['a'], ['b'], ['{% endif %}'], ['end']];
  const warnings = async (from: number, to: number): Promise<string[]> => {
    const found: string[] = [];
    const edge = (tag: string, row: number): string =>
      `<xdr:${tag}><xdr:col>1</xdr:col><xdr:colOff>0</xdr:colOff><xdr:row>${row - 1}</xdr:row><xdr:rowOff>0</xdr:rowOff></xdr:${tag}>`;
    const drawing = `${XML}<xdr:wsDr xmlns:xdr="http://schemas.openxmlformats.org/drawingml/2006/spreadsheetDrawing"><xdr:twoCellAnchor>${edge('from', from)}${edge('to', to)}<xdr:pic/><xdr:clientData/></xdr:twoCellAnchor></xdr:wsDr>`;
    const relations = [{ id: 'rId1', type: 'drawing', target: '../drawings/drawing1.xml' }];
    const sheets = [{ name: 'S', rows, after: '<drawing r:id="rId1"/>', relations }];
    const template = await xlsx(sheets, { parts: { 'xl/drawings/drawing1.xml': drawing } });
    const bytes = await fill(template, { no: false }, { format: 'xlsx', warn: (text) => found.push(text) });
    const places = all(await part(bytes, 'xl/drawings/drawing1.xml'), 'xdr:row');
    expect(places.map((one) => Number(one.textContent()) + 1)).toEqual([from === 1 ? 1 : 2, to - from + (from === 1 ? 1 : 2)]); // prettier-ignore
    return found;
  };
  expect(await warnings(3, 4)).toEqual([expect.stringContaining('the drawings at S!B3 were removed')]);
  expect(await warnings(1, 4)).toEqual([]);
  expect(await warnings(3, 6)).toEqual([]);
  expect(await warnings(5, 5)).toEqual([]);
});

describe('form controls and newer drawings of Excel', () => {
  const XDR = 'xmlns:xdr="http://schemas.openxmlformats.org/drawingml/2006/spreadsheetDrawing"';
  const MC = 'xmlns:mc="http://schemas.openxmlformats.org/markup-compatibility/2006"';
  const VML = 'xl/drawings/vmlDrawing1.vml';
  const PROPERTIES = 'xl/ctrlProps/ctrlProp1.xml';
  const edge = (tag: string, row: number): string =>
    `<${tag}><xdr:col>3</xdr:col><xdr:colOff>0</xdr:colOff><xdr:row>${row - 1}</xdr:row><xdr:rowOff>0</xdr:rowOff></${tag}>`;

  /** The rows of a check box and of a slicer, and the cells of the box, on a sheet where both are at a row. */
  async function placed(row: number, link: string) {
    const after = `<legacyDrawing r:id="rId2"/><mc:AlternateContent ${MC}><mc:Choice Requires="x14"><controls><mc:AlternateContent><mc:Choice Requires="x14"><control shapeId="1025" r:id="rId3" name="Check Box 1"><controlPr defaultSize="0"><anchor moveWithCells="1" ${XDR}>${edge('from', row)}${edge('to', row + 1)}</anchor></controlPr></control></mc:Choice></mc:AlternateContent></controls></mc:Choice></mc:AlternateContent>`;
    const warnings: string[] = [];
    const template = await xlsx(
      [
        {
          name: 'S',
          rows: ROWS,
          after: `<drawing r:id="rId1"/>${after}`,
          relations: [
            { id: 'rId1', type: 'drawing', target: '../drawings/drawing1.xml' },
            { id: 'rId2', type: 'vmlDrawing', target: '../drawings/vmlDrawing1.vml' },
            { id: 'rId3', type: 'ctrlProp', target: '../ctrlProps/ctrlProp1.xml' },
          ],
        },
      ],
      {
        parts: {
          'xl/drawings/drawing1.xml': `${XML}<xdr:wsDr ${XDR}><mc:AlternateContent ${MC}><mc:Choice Requires="sle15"><xdr:twoCellAnchor>${edge('xdr:from', row)}${edge('xdr:to', row + 1)}<xdr:graphicFrame/><xdr:clientData/></xdr:twoCellAnchor></mc:Choice></mc:AlternateContent></xdr:wsDr>`,
          [VML]: `<xml xmlns:v="urn:schemas-microsoft-com:vml" xmlns:x="urn:schemas-microsoft-com:office:excel"><v:shape id="_x0000_s1025"><x:ClientData ObjectType="Checkbox"><x:Anchor>3, 0, ${row - 1}, 0, 4, 0, ${row}, 0</x:Anchor><x:FmlaLink>${link}</x:FmlaLink></x:ClientData></v:shape></xml>`,
          [PROPERTIES]: `${XML}<formControlPr xmlns="${X14}" objectType="CheckBox" fmlaLink="${link}" fmlaRange="$A$3:$A$3"/>`,
        },
      },
    );
    const bytes = await fill(template, MORE, { format: 'xlsx', warn: (text) => warnings.push(text) });
    const rowsOf = (root: Element): number[] =>
      all(root, 'xdr:row').map((one) => Number(one.textContent()) + 1);
    const vml = await part(bytes, VML);
    const properties = await part(bytes, PROPERTIES);
    return {
      control: rowsOf(await part(bytes, SHEET)),
      slicer: rowsOf(await part(bytes, 'xl/drawings/drawing1.xml')),
      box: all(vml, 'xvml:Anchor')[0]
        ?.textContent()
        .split(',')
        .map(Number)
        .filter((_, i) => i % 4 === 2),
      links: [all(vml, 'xvml:FmlaLink')[0]?.textContent(), properties.get('fmlaLink')],
      list: properties.get('fmlaRange'),
      warnings,
    };
  }

  it('below a loop move with their rows, with the cells to which they are linked', async () => {
    expect(await placed(6, '$B$5')).toEqual({
      control: [8, 9],
      slicer: [8, 9],
      box: [7, 8],
      links: ['$B$7', '$B$7'],
      list: '$A$2:$A$6',
      warnings: [],
    });
    expect(await placed(5, 'S!$B$6')).toMatchObject({ control: [7, 8], slicer: [7, 8], box: [6, 7] });
  });

  it('above it stay, and follow their cells', async () => {
    expect(await placed(1, 'S!$B$6')).toMatchObject({
      control: [1, 2],
      slicer: [1, 2],
      box: [0, 1],
      links: ['S!$B$8', 'S!$B$8'],
      warnings: [],
    });
  });

  it('in a repeated row are in the first one, with a warning', async () => {
    const { control, warnings } = await placed(3, '$B$5');
    expect(control).toEqual([2, 3]);
    expect(warnings).toEqual([expect.stringContaining('pictures and controls at S!D3 are in the first')]);
  });
});

describe('links of cells with tags in a loop over rows', () => {
  const link = 'https://ex.org/%7B%7B%20r.n%20%7D%7D?c=%7B%7Br.c%7D%7D';
  const filledLinks = async (rows: SheetSource['rows'], data: unknown): Promise<string[]> => {
    const bytes = await fill(
      await xlsx([
        {
          name: 'S',
          rows,
          after:
            '<hyperlinks><hyperlink ref="A2" r:id="rId1" tooltip="Item {{ r.n }}"/><hyperlink ref="A4" r:id="rId2"/></hyperlinks>',
          relations: [
            { id: 'rId1', type: 'hyperlink', target: link, external: true },
            { id: 'rId2', type: 'hyperlink', target: 'https://ex.org/', external: true },
          ],
        },
      ]),
      data,
      { format: 'xlsx' },
    );
    const root = await part(bytes, SHEET);
    expect(all(root, 'x:c').flatMap((cell) => cell.attributes.map(({ name }) => name))).not.toContainEqual(
      expect.stringContaining('platen'),
    );
    const relations = all(await part(bytes, 'xl/worksheets/_rels/sheet1.xml.rels'), 'rel:Relationship');
    const targets = new Map(relations.map((one) => [one.get('Id'), one.get('Target')]));
    expect([...targets.values()]).not.toContainEqual(expect.stringContaining('%7B'));
    return all(root, 'x:hyperlink')
      .map((one) => [one.get('ref'), targets.get(one.get('r:id')), one.get('tooltip')].join(' ').trim())
      .toSorted();
  };
  const rows = (sum: string): SheetSource['rows'] => [
    ['{% for r in rows %}'],
    ['{{ r.n }}', '{{ r.c }}'],
    ['{% endfor %}'],
    ['end', sum],
  ];

  it('have the variables of their row', async () => {
    expect(await filledLinks(rows(''), DATA)).toEqual([
      'A1 https://ex.org/a?c=1 Item a',
      'A2 https://ex.org/b?c=2 Item b',
      'A3 https://ex.org/c?c=3 Item c',
      'A4 https://ex.org/',
    ]);
  });

  it('go with their rows, also if one is kept for a formula', async () => {
    expect(await filledLinks(rows(''), { rows: [] })).toEqual(['A1 https://ex.org/']);
    expect(await filledLinks(rows('=SUM(B2)'), { rows: [] })).toEqual(['A2 https://ex.org/']);
  });

  it('outside of loops have the variables of the document', async () => {
    const sheet: SheetSource['rows'] = [[], ['{{ r.n }}'], [], ['end']];
    expect((await filledLinks(sheet, { r: { n: 'x', c: 7 } }))[0]).toBe('A2 https://ex.org/x?c=7 Item x');
  });
});
