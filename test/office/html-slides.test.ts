import { expect, it } from 'vitest';
import { all } from '../../packages/office/src/xml/tree.ts';
import { docx, p, partText, png, unzip, zip } from './build.ts';
import { fill, part } from './fill.ts';
import { odf, odfTable, page, tp } from './odf.ts';
import { ap, atable, pptx } from './pptx.ts';
import { xlsx } from './xlsx.ts';

/** I-42: tables and pictures of html where text does not flow: on slides, in sheets, beside other text. */

const DOT = `data:image/png;base64,${png(40, 40).toString('base64')}`;

function nth<T>(list: readonly T[], index: number): T {
  const found = list[index];
  if (found === undefined) throw new Error(`there is none at ${index}`);
  return found;
}

/** Adds a part of the presentation. */
async function withPart(bytes: Buffer, name: string, content: string): Promise<Buffer> {
  const parts = new Map(await unzip(bytes));
  const relations = 'ppt/_rels/presentation.xml.rels';
  const added = `<Relationship Id="rId99" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/${name}" Target="${name}.xml"/></Relationships>`;
  const changed = parts.get(relations)?.toString().replace('</Relationships>', added) ?? '';
  return await zip({ ...Object.fromEntries(parts), [`ppt/${name}.xml`]: content, [relations]: changed });
}

it('tables and pictures stand between the texts around them, with spans and in the style of new tables', async () => {
  const template = await withPart(
    await pptx([{ shapes: [ap('Before {{ x | html }} after'), ap('other')] }]),
    'tableStyles',
    '<a:tblStyleLst xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main" def="{STYLE}"/>',
  );
  const picture = `<img src="${DOT}" alt="dot" width="40">`;
  const table = `<table><tr><th>H</th><th colspan="2">I</th></tr><tr><td rowspan="2" bgcolor="#ff0000">a</td><td>${picture}</td><td align="right">c</td></tr><tr><td>d</td><td><b>e</b></td></tr></table>`;
  const x = `<p>one</p>${picture}<p>two</p>${table}`;
  const filled = await fill(template, { x }, { format: 'pptx' });
  const root = await part(filled, 'ppt/slides/slide1.xml');
  const [tree] = all(root, 'p:spTree');
  const shapes = (tree?.elements() ?? []).filter(({ tag }) => /:(sp|pic|graphicFrame)$/.test(tag));
  const lines = shapes.map(({ tag }, i) => [
    tag.slice(2),
    all(nth(shapes, i), 'a:t')
      .map((leaf) => leaf.textContent())
      .join(''),
  ]);
  // The picture of the cell lies on the table.
  expect(lines).toEqual([
    ['sp', 'Before one'],
    ['pic', ''],
    ['sp', 'two'],
    ['graphicFrame', 'HIacde'],
    ['pic', ''],
    ['sp', ' after'],
    ['sp', 'other'],
  ]);
  const tops = shapes.map((shape) => Number(all(shape, 'a:off')[0]?.get('y')));
  expect(tops[4]).toBeGreaterThan(nth(tops, 3));
  const below = tops.toSpliced(4, 1).slice(0, 5);
  for (const [i, top] of below.entries()) if (i > 0) expect(top).toBeGreaterThan(below[i - 1] ?? top);
  const ids = all(root, 'p:cNvPr').map((one) => one.get('id'));
  expect(new Set(ids).size).toBe(ids.length);

  const rows = all(root, 'a:tr').map((row) =>
    row
      .elements('a:tc')
      .map((cell) => ['gridSpan', 'rowSpan', 'hMerge', 'vMerge'].map((name) => cell.get(name) ?? '').join()),
  );
  expect(rows).toEqual([
    [',,,', '2,,,', ',,1,'],
    [',2,,', ',,,', ',,,'],
    [',,,1', ',,,', ',,,'],
  ]);
  expect(all(root, 'a:tableStyleId')[0]?.textContent()).toBe('{STYLE}');
  expect(all(root, 'a:tblPr')[0]?.get('firstRow')).toBe('1');
  const columns = all(root, 'a:gridCol').map((column) => Number(column.get('w')));
  const width = Number(all(nth(shapes, 3), 'a:ext')[0]?.get('cx'));
  expect(columns.reduce((sum, one) => sum + one, 0)).toBeGreaterThan(width - 4);
  const cell = nth(all(root, 'a:tc'), 3);
  expect(all(cell, 'a:tcPr')[0]?.first('a:solidFill')?.first('a:srgbClr')?.get('val')).toBe('FF0000');
  expect(all(root, 'a:tc')[5]?.first('a:txBody')?.first('a:p')?.first('a:pPr')?.get('algn')).toBe('r');
});

it('a table alone takes the place of its shape, with lines where no style is; in a cell it is lines', async () => {
  const shape = ap('{{ x | html }}');
  const bytes = await fill(
    await pptx([{ shapes: [shape, atable(['{{ x | html }}'])] }]),
    { x: `<table><tr><td>a<td>b<img src="${DOT}"></table>` },
    { format: 'pptx' },
  );
  const root = await part(bytes, 'ppt/slides/slide1.xml');
  expect(all(root, 'p:sp')).toHaveLength(0);
  const frame = nth(all(root, 'p:graphicFrame'), 0);
  expect(all(frame, 'p:cNvPr')[0]?.get('id')).toBe('2');
  expect([all(frame, 'a:off')[0]?.get('x'), all(frame, 'a:off')[0]?.get('y')]).toEqual(['720000', '360000']);
  expect(all(frame, 'a:lnB')).toHaveLength(2);
  const tables = all(root, 'a:tbl');
  expect(tables.map((table) => all(table, 'a:tc').length)).toEqual([2, 1]);
  expect(
    all(nth(tables, 1), 'a:t')
      .map((leaf) => leaf.textContent())
      .join(''),
  ).toBe('a\tb');
  // One in each table.
  expect(all(root, 'p:pic')).toHaveLength(2);
});

it('xlsx, ods, odp, and beside text in docx and odt: pictures of html are shown, too', async () => {
  const x = `a <img src="${DOT}" alt="dot"> b`;
  const sheet = await fill(
    await xlsx([{ name: 'S', rows: [['{{ x | html }}']] }]),
    { x },
    { format: 'xlsx' },
  );
  const drawing = await partText(sheet, 'xl/drawings/drawing1.xml');
  expect(drawing.match(/descr="dot"/g)).toHaveLength(1);
  expect(await partText(sheet, 'xl/worksheets/sheet1.xml')).toMatch(/>a <.*> b</s);
  // The picture is 40 pixels high, 30 points, and the text below it a line of 15.
  expect(await partText(sheet, 'xl/worksheets/sheet1.xml')).toMatch(/<row [^>]*ht="45"/);
  const two = await fill(
    await xlsx([{ name: 'S', rows: [['{{ x | html }}']] }]),
    { x: x + x },
    { format: 'xlsx' },
  );
  const offsets = (await partText(two, 'xl/drawings/drawing1.xml')).match(/<xdr:rowOff>\d+/g);
  expect(offsets).toEqual(['<xdr:rowOff>0', `<xdr:rowOff>${30 * 12_700}`]);
  const word = await fill(await docx(p('text {{ x | html }}')), { x });
  expect((await partText(word, 'word/document.xml')).match(/<w:drawing>/g)).toHaveLength(1);
  for (const [format, body] of [
    ['odt', tp('text {{ x | html }}')],
    ['odp', page('P', '{{ x | html }}')],
    ['ods', odfTable(['{{ x | html }}'])],
  ] as const) {
    const filled = await fill(await odf(format, body), { x }, { format });
    expect((await partText(filled, 'content.xml')).match(/<draw:image/g), format).toHaveLength(1);
  }
});
