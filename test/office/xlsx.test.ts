import { describe, expect, it } from 'vitest';
import { all } from '../../packages/office/src/xml/tree.ts';
import { partText, png, unzip, XML, zip } from './build.ts';
import { fill, part } from './fill.ts';
import { cells, sheetList, xlsx, type SheetSource } from './xlsx.ts';

/** Excel: typed cells, and everything that names rows follows them. */

const SHEET = 'xl/worksheets/sheet1.xml';

async function filled(
  sheets: readonly SheetSource[],
  data: unknown,
  options: Parameters<typeof xlsx>[1] = {},
) {
  return await fill(await xlsx(sheets, options), data, { format: 'xlsx', images: { logo: png(96, 48) } });
}

const INVOICE: SheetSource = {
  name: 'Invoice',
  rows: [
    ['Item', 'Count', 'Price', 'Sum'],
    ['{% for i in items %}'],
    ['{{ i.n }}', '{{ i.c }}', '@2 {{ i.p }}', '=B3*C3'],
    ['{% endfor %}'],
    ['Total', '=SUM(B3:B3)', null, '=SUM(D3)'],
    ['VAT', null, null, '=D5*0.2+D3'],
  ],
};
const items = [
  { n: 'a', c: 2, p: 1.5 },
  { n: '<b>', c: 3, p: 10 },
  { n: 'c', c: 4, p: 0.25 },
];

describe('the height of a row', () => {
  const heights = async (rows: SheetSource['rows'], after = ''): Promise<(string | undefined)[]> => {
    const bytes = await filled([{ name: 'S', rows, after }], {
      t: 'one\ntwo',
      l: 'word '.repeat(20),
      s: 'short',
    });
    return all(await part(bytes, SHEET), 'x:row').map((row) => row.get('ht'));
  };

  it('fits the lines of a value, and those that a narrow column wraps', async () => {
    expect(await heights([['{{ t }}'], ['{{ s }}'], ['{{ t }}{{ l }}', '{{ t }}']])).toEqual([
      '30',
      undefined,
      // 8.43 characters a line, of which two are lost at its end.
      String(15 * (1 + Math.ceil(103 / 6.43))),
    ]);
  });

  it('is left unchanged if the user set it, or if the number of lines is the same', async () => {
    const template = await xlsx([{ name: 'S', rows: [['{{ t }}'], ['{{ t }}'], ['{{ t }}'], ['{{ t }}']] }]);
    const parts = new Map(await unzip(template));
    const heights = ['ht="12" customHeight="true"', 'ht="12" customHeight="1"', 'ht="31.2"', 'ht="80"'];
    const rows = heights.reduce(
      (xml, height, i) => xml.replace(`<row r="${i + 1}"`, `<row r="${i + 1}" ${height}`),
      parts.get(SHEET)?.toString() ?? '',
    );
    parts.set(SHEET, Buffer.from(rows));
    const bytes = await fill(await zip(Object.fromEntries(parts)), { t: 'one\ntwo' }, { format: 'xlsx' });
    const found = all(await part(bytes, SHEET), 'x:row').map((row) => row.get('ht'));
    expect(found).toEqual(['12', '12', '31.2', '30']);
  });

  it('follows the width of merged cells', async () => {
    const merged = '<mergeCells count="1"><mergeCell ref="A1:J1"/></mergeCells>';
    expect(await heights([['{{ t }}{{ l }}']], merged)).toEqual([String(15 * (1 + Math.ceil(103 / 82.3)))]);
  });
});

describe('a cell', () => {
  it('with a single output has the type of its value, and keeps its format', async () => {
    const rows = [
      [
        '{{ i }}',
        '{{ f }}',
        '{{ b }}',
        '{{ t }}',
        '{{ z }}',
        '{{ n }}',
        '@1 {{ d }}',
        '{{ d }}',
        'x{{ i }}',
        '{{ i }}{{ i }}',
        '{{ big }}',
      ],
    ];
    const data = {
      i: 7,
      f: 2.5,
      b: true,
      t: '007',
      z: '',
      n: null,
      d: '2024-05-01',
      big: 12345678901234567000,
    };
    const bytes = await filled([{ name: 'S', rows }], data);
    expect(await cells(bytes)).toEqual({
      A1: 7,
      B1: 2.5,
      C1: 'TRUE',
      D1: '007',
      G1: 45413,
      H1: '2024-05-01',
      I1: 'x7',
      J1: '77',
      K1: '12345678901234567000',
    });
    const [date] = all(await part(bytes, SHEET), 'x:c').filter((cell) => cell.get('r') === 'G1');
    expect(date?.get('s')).toBe('1');
  });

  it('breaks its lines at the line breaks of a value', async () => {
    const bytes = await filled([{ name: 'S', rows: [['{{ v }}']] }], { v: 'a\nb & <c>' });
    expect(await cells(bytes)).toEqual({ A1: 'a\nb & <c>' });
    const style = all(await part(bytes, SHEET), 'x:c')[0]?.get('s');
    const [formats] = all(await part(bytes, 'xl/styles.xml'), 'x:cellXfs');
    const format = formats?.elements().at(Number(style));
    expect(format?.first('x:alignment')?.get('wrapText')).toBe('1');
  });

  it('shows a picture at its corner', async () => {
    const bytes = await filled([{ name: 'S', rows: [[], ['x', '<image src="{{logo}}" width="2">']] }], {});
    const drawing = await part(bytes, 'xl/drawings/drawing1.xml');
    expect([all(drawing, 'xdr:col')[0]?.textContent(), all(drawing, 'xdr:row')[0]?.textContent()]).toEqual([
      '1',
      '1',
    ]);
    expect(all(drawing, 'xdr:ext')[0]?.get('cx')).toBe('720000');
    expect(await partText(bytes, '[Content_Types].xml')).toContain('/xl/drawings/drawing1.xml');
    expect(await partText(bytes, SHEET)).toMatch(/<drawing r:id="rId1"\/>/);
  });
});

describe('a loop over rows', () => {
  it('adjusts formulas in the rows and below them', async () => {
    expect(await cells(await filled([INVOICE], { items }))).toEqual({
      A1: 'Item',
      B1: 'Count',
      C1: 'Price',
      D1: 'Sum',
      A2: 'a',
      B2: 2,
      C2: 1.5,
      D2: '=B2*C2',
      A3: '<b>',
      B3: 3,
      C3: 10,
      D3: '=B3*C3',
      A4: 'c',
      B4: 4,
      C4: 0.25,
      D4: '=B4*C4',
      A5: 'Total',
      B5: '=SUM(B2:B4)',
      D5: '=SUM(D2:D4)',
      A6: 'VAT',
      D6: '=D5*0.2+D4',
    });
  });

  it('leaves no value of the template behind, and has everything calculated', async () => {
    const bytes = await filled([INVOICE], { items });
    expect(await partText(bytes, SHEET)).not.toContain('<v>99</v>');
    expect(await partText(bytes, 'xl/workbook.xml')).toContain('fullCalcOnLoad="1"');
  });

  it('leaves an empty row for an empty list, so that sums are zero', async () => {
    expect(await cells(await filled([INVOICE], { items: [] }))).toEqual({
      A1: 'Item',
      B1: 'Count',
      C1: 'Price',
      D1: 'Sum',
      A3: 'Total',
      B3: '=SUM(B2:B2)',
      D3: '=SUM(D2)',
      A4: 'VAT',
      D4: '=D3*0.2+D2',
    });
  });

  it('keeps sums of an inner loop to their own pass', async () => {
    const rows = [
      ['{% for g in gs %}'],
      ['{{ g.n }}'],
      ['{% for v in g.vs %}'],
      [null, '{{ v }}'],
      ['{% endfor %}'],
      ['sum', '=SUM(B4:B4)'],
      [],
      ['{% endfor %}'],
      ['all', '=SUM(B6)'],
    ];
    const gs = [
      { n: 'g', vs: [1, 2] },
      { n: 'h', vs: [3] },
      { n: 'i', vs: [] },
    ];
    expect(await cells(await filled([{ name: 'S', rows }], { gs }))).toEqual({
      A1: 'g',
      B2: 1,
      B3: 2,
      A4: 'sum',
      B4: '=SUM(B2:B3)',
      A6: 'h',
      B7: 3,
      A8: 'sum',
      B8: '=SUM(B7:B7)',
      A10: 'i',
      A12: 'sum',
      B12: '=SUM(B11:B11)',
      A14: 'all',
      B14: '=SUM(B4,B8,B12)',
    });
  });

  it('adjusts merged cells, conditional formats, validations, names, print areas and other sheets', async () => {
    const rows = [['{% for x in xs %}'], ['{{ x }}', null, '{{ x }}'], ['note'], ['{% endfor %}'], ['end']];
    const after =
      '<mergeCells count="2"><mergeCell ref="A2:B2"/><mergeCell ref="A5:C5"/></mergeCells>' +
      '<conditionalFormatting sqref="C2:C3"><cfRule type="expression" priority="1"><formula>$C2&gt;$A$5</formula></cfRule></conditionalFormatting>' +
      '<dataValidations count="1"><dataValidation sqref="A5" type="list"><formula1>$A$2:$A$3</formula1></dataValidation></dataValidations>' +
      '<hyperlinks><hyperlink ref="A3" location="x"/></hyperlinks>' +
      '<rowBreaks count="1"><brk id="5" max="9"/></rowBreaks>';
    const names =
      '<definedName name="Data">S!$A$2:$C$3</definedName><definedName name="_xlnm.Print_Area" localSheetId="0">S!$A$1:$C$5</definedName>';
    const sheets = [
      { name: 'S', rows, after },
      { name: "It's", rows: [['=S!A5&"S!A5"', '=SUM(S!C2:C3)', '=A1']] },
    ];
    const bytes = await filled(sheets, { xs: [1, 2] }, { names });
    const root = await part(bytes, SHEET);
    const areas = (tag: string, attribute: string): (string | undefined)[] =>
      all(root, tag).map((one) => one.get(attribute));
    expect(areas('x:mergeCell', 'ref').toSorted()).toEqual(['A1:B1', 'A3:B3', 'A5:C5']);
    expect(areas('x:conditionalFormatting', 'sqref')).toEqual(['C1:C4']);
    expect(all(root, 'x:formula')[0]?.textContent()).toBe('$C1>$A$5');
    expect(areas('x:dataValidation', 'sqref')).toEqual(['A5']);
    expect(all(root, 'x:formula1')[0]?.textContent()).toBe('$A$1:$A$4');
    expect(areas('x:hyperlink', 'ref')).toEqual(['A2', 'A4']);
    expect(areas('x:brk', 'id')).toEqual(['5']);
    const defined = all(await part(bytes, 'xl/workbook.xml'), 'x:definedName').map((one) =>
      one.textContent(),
    );
    expect(defined).toEqual(['S!$A$1:$C$4', 'S!$A$1:$C$5']);
    expect(await cells(bytes, 'xl/worksheets/sheet2.xml')).toEqual({
      A1: '=S!A5&"S!A5"',
      B1: '=SUM(S!C1:C4)',
      C1: '=A1',
    });
  });

  it.each([
    [1, ['A2:C2', 'D2:E2 G2']],
    [2, ['A2:C3', 'D2:E3 G2:G3']],
  ])('keeps the columns of formats and validations over %d rows', async (count, wanted) => {
    const after =
      '<conditionalFormatting sqref="A3:C3"><cfRule type="cellIs" operator="lessThan" priority="1"><formula>1</formula></cfRule></conditionalFormatting>' +
      '<dataValidations count="1"><dataValidation type="whole" sqref="D3:E3 G3"><formula1>1</formula1></dataValidation></dataValidations>';
    const rows = [['head'], ['{% for r in rows %}'], ['{{ r }}'], ['{% endfor %}']];
    const template = await xlsx([{ name: 'S', rows, after }]);
    const bytes = await fill(template, { rows: Array(count).fill(1) }, { format: 'xlsx' });
    const found = all(
      await part(bytes, 'xl/worksheets/sheet1.xml'),
      'x:conditionalFormatting',
      'x:dataValidation',
    );
    expect(found.map((one) => one.get('sqref'))).toEqual(wanted);
  });

  it('adjusts the references of validations, in both places where a workbook has them', async () => {
    const rows = [['{% for x in xs %}'], ['{{ x }}', 'pick'], ['{% endfor %}'], ['end']];
    const list = { name: 'L', rows: [['{% for x in xs %}'], ['{{ x }}'], ['{% endfor %}']] };
    const after =
      '<dataValidations count="2"><dataValidation sqref="B2" type="custom"><formula1>COUNTIF($A$2:$A$2,A2)=1</formula1></dataValidation>' +
      '<dataValidation sqref="B2 A4" type="whole"><formula1>$A$2</formula1><formula2>$A$4</formula2></dataValidation></dataValidations>' +
      '<extLst><ext xmlns:x14="http://schemas.microsoft.com/office/spreadsheetml/2009/9/main"><x14:dataValidations xmlns:xm="http://schemas.microsoft.com/office/excel/2006/main"><x14:dataValidation type="list"><x14:formula1><xm:f>L!$A$2:$A$2</xm:f></x14:formula1><xm:sqref>B2</xm:sqref></x14:dataValidation></x14:dataValidations></ext></extLst>';
    const root = await part(await filled([{ name: 'S', rows, after }, list], { xs: [1, 2, 3] }), SHEET);
    expect(all(root, 'x:dataValidation').map((one) => one.get('sqref'))).toEqual(['B1:B3', 'B1:B3 A4']);
    const texts = (...tags: string[]): string[] => all(root, ...tags).map((one) => one.textContent());
    expect(texts('x:formula1', 'x:formula2')).toEqual(['COUNTIF($A$1:$A$3,A1)=1', '$A$1', '$A$4']);
    expect(texts('xm:f', 'xm:sqref')).toEqual(['L!$A$1:$A$3', 'B1:B3']);
  });

  it('over columns moves the cells after it', async () => {
    const rows = [['n', '{% for c in cs %}', '{{ c }}', '{% endfor %}', 'end']];
    expect(await cells(await filled([{ name: 'S', rows }], { cs: [1, 2, 3] }))).toEqual({
      A1: 'n',
      B1: 1,
      C1: 2,
      D1: 3,
      E1: 'end',
    });
  });

  it('extends tables, charts and their cached values', async () => {
    const { sheet, parts } = chartedSheet();
    const bytes = await filled([sheet], { items, h: 'Count', t: 'x' }, { parts });
    const tableRoot = await part(bytes, 'xl/tables/table1.xml');
    expect(tableRoot.get('ref')).toBe('A1:B4');
    expect(all(tableRoot, 'x:tableColumn').map((one) => one.get('name'))).toEqual(['Name', 'Count']);
    const chartRoot = await part(bytes, 'xl/charts/chart1.xml');
    expect(all(chartRoot, 'c:f').map((one) => one.textContent())).toEqual(['S!$A$2:$A$4', 'S!$B$2:$B$4']);
    expect(all(chartRoot, 'c:v').map((one) => one.textContent())).toEqual(['a', '<b>', 'c', '2', '3', '4']);
    expect(all(chartRoot, 'a:t')[0]?.textContent()).toBe('T x');
    const edges = all(await part(bytes, 'xl/drawings/drawing1.xml'), 'xdr:row').map((one) =>
      one.textContent(),
    );
    expect(edges).toEqual(['6', '16']);
  });

  it('take comments along, with their boxes, wherever the file keeps them', async () => {
    const rel = (id: string, type: string, target: string) => ({ id, type, target });
    const comment = (ref: string, author: number, text: string): string =>
      `<comment ref="${ref}" authorId="${author}"><text><t>${text}</t></text></comment>`;
    const box = (id: number, row: number): string =>
      `<v:shape id="_x0000_s${id}"><y:ClientData ObjectType="Note"><y:Anchor>3, 15, ${row}, 2, 5, 15, ${row + 4}, 4</y:Anchor><y:Row>${row}</y:Row><y:Column>1</y:Column></y:ClientData></v:shape>`;
    const sheet: SheetSource = {
      name: 'S',
      rows: [
        ['n', 'c'],
        ['{% for i in items %}'],
        ['{{ i.n }}', '{{ i.c }}'],
        ['{% endfor %}'],
        ['e', 'f'],
        ['g', 'h'],
      ],
      relations: [
        rel('rId1', 'comments', '../comments/comment7.xml'),
        rel('rId2', 'vmlDrawing', '../drawings/notes.vml'),
        rel('rId3', 'threadedComment', '../threadedComments/threadedComment1.xml'),
      ],
    };
    const parts = {
      'xl/comments/comment7.xml': `${XML}<comments xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><authors><author>A</author><author>tc={1}</author></authors><commentList>${comment('B3', 0, 'row of {{ t }}')}${comment('B5', 0, 'end')}${comment('B6', 1, 'talk')}</commentList></comments>`,
      'xl/drawings/notes.vml': `<xml xmlns:v="urn:schemas-microsoft-com:vml" xmlns:y="urn:schemas-microsoft-com:office:excel">${box(1025, 2)}${box(1026, 4)}${box(1027, 5)}</xml>`,
      'xl/threadedComments/threadedComment1.xml': `${XML}<ThreadedComments xmlns="http://schemas.microsoft.com/office/spreadsheetml/2018/threadedcomments"><threadedComment ref="B6" id="{1}"><text>talk</text></threadedComment></ThreadedComments>`,
    };
    const types = {
      'xl/comments/comment7.xml': 'application/vnd.openxmlformats-officedocument.spreadsheetml.comments+xml',
    };
    const bytes = await filled([sheet], { items: [...items, { n: 'd', c: 5 }], t: 'x' }, { parts, types });
    const comments = all(await part(bytes, 'xl/comments/comment7.xml'), 'x:comment');
    expect(comments.map((one) => [one.get('ref'), one.textContent()])).toEqual([
      ['B2', 'row of x'],
      ['B3', 'row of x'],
      ['B4', 'row of x'],
      ['B5', 'row of x'],
      ['B6', 'end'],
      ['B7', 'talk'],
    ]);
    const boxes = all(await part(bytes, 'xl/drawings/notes.vml'), 'v:shape').map((one) => [
      one.get('id'),
      all(one, 'xvml:Row')[0]?.textContent(),
      all(one, 'xvml:Anchor')[0]?.textContent(),
    ]);
    expect(boxes).toEqual([
      ['_x0000_s1025', '1', '3, 15, 1, 2, 5, 15, 5, 4'],
      ['_x0000_s1026', '5', '3, 15, 5, 2, 5, 15, 9, 4'],
      ['_x0000_s1027', '6', '3, 15, 6, 2, 5, 15, 10, 4'],
      ['_x0000_s1028', '2', '3, 15, 2, 2, 5, 15, 6, 4'],
      ['_x0000_s1029', '3', '3, 15, 3, 2, 5, 15, 7, 4'],
      ['_x0000_s1030', '4', '3, 15, 4, 2, 5, 15, 8, 4'],
    ]);
    const [thread] = (await part(bytes, 'xl/threadedComments/threadedComment1.xml')).elements();
    expect(thread?.get('ref')).toBe('B7');
  });

  it('adjusts the names of table columns in formulas', async () => {
    const { sheet, parts } = chartedSheet();
    const rows = sheet.rows.map((row, i) =>
      i === 2
        ? [...row, '=T[[#This Row],[{{ h }}]]*2']
        : i === 4
          ? [...row, '=SUM(T[{{ h }}])+OtherT[{{ h }}]+LEN("T[{{ h }}]")+T[[#Totals],[name]]']
          : row,
    );
    const bytes = await filled([{ ...sheet, rows }], { items, h: "N'o", t: 'x' }, { parts });
    const { C2, B5 } = await cells(bytes);
    expect(C2).toBe("=T[[#This Row],[N''o]]*2");
    expect(B5).toBe(`=SUM(T[N''o])+OtherT[{{ h }}]+LEN("T[{{ h }}]")+T[[#Totals],[name]]`);
    const table = await part(bytes, 'xl/tables/table1.xml');
    expect(all(table, 'x:tableColumn').map((one) => one.get('name'))).toEqual(['Name', "N'o"]);
  });

  it('keeps the cached values of a chart for a formula with a name', async () => {
    const { sheet, parts } = chartedSheet();
    const path = 'xl/charts/chart1.xml';
    const chart = parts[path]?.replace('S!$B$3:$B$3', '[0]!Growth').replace('<c:v>0<', '<c:v>42<') ?? '';
    const bytes = await filled(
      [sheet],
      { items, h: 'Count', t: 'x' },
      { parts: { ...parts, [path]: chart } },
    );
    const root = await part(bytes, path);
    expect(all(root, 'c:f').map((one) => one.textContent())).toEqual(['S!$A$2:$A$4', '[0]!Growth']);
    expect(all(root, 'c:v').map((one) => one.textContent())).toEqual(['a', '<b>', 'c', '42']);
  });

  it('keep an empty row for a chart without data', async () => {
    const { sheet, parts } = chartedSheet();
    const bytes = await filled([sheet], { items: [], h: 'Count', t: 'x' }, { parts });
    const chart = await part(bytes, 'xl/charts/chart1.xml');
    expect(all(chart, 'c:f').map((one) => one.textContent())).toEqual(['S!$A$2:$A$2', 'S!$B$2:$B$2']);
    expect(all(chart, 'c:v')).toEqual([]);
    expect(await cells(bytes)).toEqual({ A1: 'Name', B1: 'Count', A3: 'end' });
  });
});

describe('sheets', () => {
  it('are named by the data, and references to them follow', async () => {
    const sheets = [
      { name: '{{ n }}', rows: [['{{ n }}']] },
      { name: 'B', rows: [["='{{ n }}'!A1"]] },
    ];
    const bytes = await filled(sheets, { n: 'A/B: [x] and much more than thirty-one letters' });
    const [first] = await sheetList(bytes);
    expect(first?.name).toBe('A B x and much more than thirty');
    expect(await cells(bytes, 'xl/worksheets/sheet2.xml')).toEqual({
      A1: "='A B x and much more than thirty'!A1",
    });
  });

  it('repeat, each with its own formulas, and names no two alike', async () => {
    const sheets = [
      {
        name: '{{ m.n }}',
        rows: [
          ['{%sheet for m in ms %}', '{{ m.n }}'],
          ['{% for v in m.vs %}'],
          ['{{ v }}'],
          ['{% endfor %}'],
          ['=SUM(A3:A3)'],
        ],
      },
      { name: 'End', rows: [['end']] },
    ];
    const ms = [
      { n: 'Jan', vs: [1, 2] },
      { n: 'jan', vs: [3] },
    ];
    const bytes = await filled(sheets, { ms });
    const list = await sheetList(bytes);
    expect(list.map(({ name }) => name)).toEqual(['Jan', 'jan (2)', 'End']);
    expect(await cells(bytes, list[0]?.path)).toEqual({ B1: 'Jan', A2: 1, A3: 2, A4: '=SUM(A2:A3)' });
    expect(await cells(bytes, list[1]?.path)).toEqual({ B1: 'jan', A2: 3, A3: '=SUM(A2:A2)' });
    const types = await partText(bytes, '[Content_Types].xml');
    for (const { path } of list) expect(types).toContain(`/${path}"`);
  });

  it('are removed by a condition', async () => {
    const sheets = [
      { name: 'A', rows: [['a']] },
      { name: 'B', rows: [['{%sheet if x %}', 'b']] },
    ];
    const bytes = await filled(sheets, { x: false });
    expect((await sheetList(bytes)).map(({ name }) => name)).toEqual(['A']);
    expect((await unzip(bytes)).has('xl/worksheets/sheet2.xml')).toBe(false);
    const hidden = Object.fromEntries(await unzip(await xlsx(sheets)));
    const workbook = String(hidden['xl/workbook.xml']).replace('name="A"', '$& state="hidden"');
    const template = await zip({ ...hidden, 'xl/workbook.xml': workbook });
    await expect(fill(template, { x: false }, { format: 'xlsx' })).rejects.toMatchObject({
      code: 'template_render',
      message: expect.stringContaining('no visible sheet') as string,
    });
    await expect(fill(template, { x: true }, { format: 'xlsx' })).resolves.toBeDefined();
  });
});

/** Rows of a loop with a table around them and a chart of them, which remembers the tags as Excel does. */
function chartedSheet(): { sheet: SheetSource; parts: Record<string, string> } {
  const chart = `${XML}<c:chartSpace xmlns:c="http://schemas.openxmlformats.org/drawingml/2006/chart" xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main"><c:chart><c:title><c:tx><c:rich><a:p><a:r><a:t>T {{ t }}</a:t></a:r></a:p></c:rich></c:tx></c:title><c:plotArea><c:barChart><c:ser><c:cat><c:strRef><c:f>S!$A$3:$A$3</c:f><c:strCache><c:ptCount val="1"/><c:pt idx="0"><c:v>{{ i.n }}</c:v></c:pt></c:strCache></c:strRef></c:cat><c:val><c:numRef><c:f>S!$B$3:$B$3</c:f><c:numCache><c:formatCode>General</c:formatCode><c:ptCount val="1"/><c:pt idx="0"><c:v>0</c:v></c:pt></c:numCache></c:numRef></c:val></c:ser></c:barChart></c:plotArea></c:chart></c:chartSpace>`;
  const drawing = `${XML}<xdr:wsDr xmlns:xdr="http://schemas.openxmlformats.org/drawingml/2006/spreadsheetDrawing"><xdr:twoCellAnchor><xdr:from><xdr:col>0</xdr:col><xdr:colOff>0</xdr:colOff><xdr:row>6</xdr:row><xdr:rowOff>0</xdr:rowOff></xdr:from><xdr:to><xdr:col>4</xdr:col><xdr:colOff>0</xdr:colOff><xdr:row>16</xdr:row><xdr:rowOff>0</xdr:rowOff></xdr:to><xdr:clientData/></xdr:twoCellAnchor></xdr:wsDr>`;
  const table = `${XML}<table xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main" id="1" name="T" displayName="T" ref="A1:B4"><autoFilter ref="A1:B4"/><tableColumns count="2"><tableColumn id="1" name="Name"/><tableColumn id="2" name="{{ h }}"/></tableColumns></table>`;
  const rel = (id: string, type: string, target: string) => ({ id, type, target });
  const sheet: SheetSource = {
    name: 'S',
    rows: [
      ['Name', '{{ h }}'],
      ['{% for i in items %}'],
      ['{{ i.n }}', '{{ i.c }}'],
      ['{% endfor %}'],
      ['end'],
    ],
    after: '<drawing r:id="rId1"/><tableParts count="1"><tablePart r:id="rId2"/></tableParts>',
    relations: [
      rel('rId1', 'drawing', '../drawings/drawing1.xml'),
      rel('rId2', 'table', '../tables/table1.xml'),
    ],
  };
  const parts = {
    'xl/drawings/drawing1.xml': drawing,
    'xl/drawings/_rels/drawing1.xml.rels': `${XML}<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="rId1" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/chart" Target="../charts/chart1.xml"/></Relationships>`,
    'xl/charts/chart1.xml': chart,
    'xl/tables/table1.xml': table,
  };
  return { sheet, parts };
}

it('errors name the cell as formulas do, even if the file omits its address', async () => {
  const sheets = (text: string) => [
    { name: 'First', rows: [['x']] },
    { name: "Bill's list", rows: [['a'], [], ['{% for i in items %}'], [null, text], ['{% endfor %}']] },
  ];
  const wrong = (text: string) => filled(sheets(text), { items: [1] });
  await expect(wrong('{{ 1 / 0 }}')).rejects.toMatchObject({
    code: 'template_render',
    message: expect.stringContaining("xl/worksheets/sheet2.xml, 'Bill''s list'!B4, {{ 1 / 0 }}: ") as string,
    faults: [{ file: 'xl/worksheets/sheet2.xml', cell: "'Bill''s list'!B4" }],
  });
  for (const text of ['{{ a', '{{ a b }}', '{% nope %}']) {
    await expect(wrong(text)).rejects.toMatchObject({
      code: 'template_syntax',
      faults: [{ cell: "'Bill''s list'!B4" }],
    });
  }
});
