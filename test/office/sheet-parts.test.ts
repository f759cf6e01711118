import { describe, expect, it } from 'vitest';
import { all } from '../../packages/office/src/xml/tree.ts';
import { XML } from './build.ts';
import { fill, part } from './fill.ts';
import { odf, tp } from './odf.ts';
import { type SheetSource, xlsx } from './xlsx.ts';

/** Parts of workbooks that refer to rows: pivot tables, sparklines, scenarios, newer charts. */

const MAIN = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
const X14 = 'http://schemas.microsoft.com/office/spreadsheetml/2009/9/main';
const SHEET = 'xl/worksheets/sheet1.xml';
const DATA = { rows: [{ n: 'a', c: 1 }, { n: 'b', c: 2 }, { n: 'c', c: 3 }], nothing: [] }; // prettier-ignore
const ROWS: SheetSource['rows'] = [
  ['Name', 'Count'],
  ['{% for r in rows %}'],
  ['{{ r.n }}', '{{ r.c }}', 4, null, '=SUM(B3:C3)'],
  ['{% endfor %}'],
  ['end', 7],
  ['below'],
];

async function filled(
  sheet: Partial<SheetSource>,
  options: Parameters<typeof xlsx>[1] = {},
): Promise<Uint8Array> {
  return await fill(await xlsx([{ name: 'S', rows: ROWS, ...sheet }], options), DATA, { format: 'xlsx' });
}

/** Texts of elements, each list on its own. */
async function textsOf(bytes: Uint8Array, ...tags: string[]): Promise<string[][]> {
  const root = await part(bytes, SHEET);
  return tags.map((tag) => all(root, tag).map((element) => element.textContent()));
}

describe('a pivot table', () => {
  // ClosedXML keeps caches beside the folder of the workbook.
  const CACHE = 'pivotCache/pivotCacheDefinition1.xml';
  const TABLE = 'xl/pivotTables/pivotTable1.xml';
  const pivoted = async (source: string) => {
    const bytes = await filled(
      { relations: [{ id: 'rId1', type: 'pivotTable', target: '../pivotTables/pivotTable1.xml' }] },
      {
        relations: [{ id: 'rId92', type: 'pivotCacheDefinition', target: `/${CACHE}` }],
        parts: {
          [CACHE]: `${XML}<pivotCacheDefinition xmlns="${MAIN}"><cacheSource type="worksheet"><worksheetSource ${source}/></cacheSource><cacheFields count="0"/></pivotCacheDefinition>`,
          [TABLE]: `${XML}<pivotTableDefinition xmlns="${MAIN}"><location ref="A6:B8" firstHeaderRow="1"/></pivotTableDefinition>`,
        },
      },
    );
    const cache = await part(bytes, CACHE);
    const [element] = all(cache, 'x:worksheetSource');
    const [location] = all(await part(bytes, TABLE), 'x:location');
    return {
      isRefreshed: cache.get('refreshOnLoad'),
      source: [element?.get('sheet'), element?.get('ref')],
      place: location?.get('ref'),
    };
  };

  it('has its grown source, wherever the file keeps it, is refreshed, and stays below the rows', async () => {
    const whole = { isRefreshed: '1', source: ['S', 'A1:B4'], place: 'A6:B8' };
    expect(await pivoted('sheet="S" ref="A1:B4"')).toEqual(whole);
    expect(await pivoted('sheet="S" ref="A1:B3"')).toEqual(whole);
    expect(await pivoted('name="T"')).toEqual({ ...whole, source: [undefined, undefined] });
  });

  it('below a loop that grows moves down with its rows', async () => {
    const rows = [...ROWS.slice(0, 3), ['{{ r.n }}'], ...ROWS.slice(3)];
    const bytes = await filled(
      { rows, relations: [{ id: 'rId1', type: 'pivotTable', target: '/pivot.xml' }] },
      { parts: { 'pivot.xml': `<pivotTableDefinition xmlns="${MAIN}"><location ref="A7:B9"/></pivotTableDefinition>` } }, // prettier-ignore
    );
    const [location] = all(await part(bytes, 'pivot.xml'), 'x:location');
    expect(location?.get('ref')).toBe('A9:B11');
  });
});

describe('sparklines', () => {
  const group = (...sparklines: [range: string, cell: string][]): string =>
    `<extLst><ext uri="{05C60535-1F16-4fd2-B633-F4F36F0B64E0}" xmlns:x14="${X14}"><x14:sparklineGroups xmlns:xm="http://schemas.microsoft.com/office/excel/2006/main"><x14:sparklineGroup><x14:sparklines>${sparklines.map(([range, cell]) => `<x14:sparkline><xm:f>${range}</xm:f><xm:sqref>${cell}</xm:sqref></x14:sparkline>`).join('')}</x14:sparklines></x14:sparklineGroup></x14:sparklineGroups></ext></extLst>`;

  it('of a repeated row are one for each row; another one shows all rows', async () => {
    const after = group(['S!B3:C3', 'D3'], ['S!B3:B3', 'B6']);
    expect(await textsOf(await filled({ after }), 'xm:f', 'xm:sqref')).toEqual([
      ['S!B2:C2', 'S!B3:C3', 'S!B4:C4', 'S!B2:B4'],
      ['D2', 'D3', 'D4', 'B6'],
    ]);
  });

  it('and merged cells are not repeated again when a formula needs an empty row', async () => {
    const rows = [...ROWS, ['{% for r in nothing %}'], ['{{ r }}'], ['{% endfor %}'], ['=SUM(A8:A8)']];
    const after = `<mergeCells count="1"><mergeCell ref="A3:B3"/></mergeCells>${group(['S!B3:C3', 'D3'])}`;
    const bytes = await filled({ rows, after });
    const merged = all(await part(bytes, SHEET), 'x:mergeCell').map((one) => one.get('ref'));
    expect(merged).toEqual(['A2:B2', 'A3:B3', 'A4:B4']);
    expect(await textsOf(bytes, 'xm:sqref')).toEqual([['D2', 'D3', 'D4']]);
  });

  it('of rows that are gone go with them', async () => {
    const rows = ROWS.map((row) => row.map((cell) => (cell === '{% for r in rows %}' ? '{% for r in nothing %}' : cell))); // prettier-ignore
    const bytes = await filled({ rows, after: group(['S!B3:C3', 'D3']) });
    expect(all(await part(bytes, SHEET), 'x:extLst', 'x14:sparklineGroup')).toEqual([]);
  });
});

it('formats and names belong to the rows of a block to which they refer, and not to those between them', async () => {
  const rows = [...ROWS.slice(0, 3), ['tax', '=B3*2'], ...ROWS.slice(3)];
  const after =
    '<conditionalFormatting sqref="B3 A3:B4"><cfRule type="cellIs" priority="1" operator="greaterThan"><formula>5</formula></cfRule></conditionalFormatting>';
  const bytes = await filled({ rows, after }, { names: '<definedName name="net">S!$B$3</definedName>' });
  const [format] = all(await part(bytes, SHEET), 'x:conditionalFormatting');
  expect(format?.get('sqref')).toBe('B2 B4 B6 A2:B7');
  const [name] = all(await part(bytes, 'xl/workbook.xml'), 'x:definedName');
  expect(name?.textContent()).toBe('(S!$B$2,S!$B$4,S!$B$6)');
});

describe('a page break', () => {
  const breaksAfter = async (...rows: number[]): Promise<(string | undefined)[]> => {
    const after = `<rowBreaks count="${rows.length}" manualBreakCount="${rows.length}">${rows.map((row) => `<brk id="${row}" max="16383" man="1"/>`).join('')}</rowBreaks>`;
    const block = [...ROWS.slice(0, 3), ['second'], ...ROWS.slice(3)];
    const root = await part(await filled({ rows: block, after }), SHEET);
    const found = all(root, 'x:brk').map((one) => one.get('id'));
    expect(all(root, 'x:rowBreaks')[0]?.get('count')).toBe(String(found.length));
    return found;
  };

  it('in a repeated block is in each pass, and another one stays with its row', async () => {
    expect(await breaksAfter(4)).toEqual(['3', '5', '7']);
    expect(await breaksAfter(2)).toEqual(['1', '3', '5']);
    expect(await breaksAfter(5)).toEqual(['7']);
    expect(await breaksAfter(1, 3, 6)).toEqual(['1', '2', '4', '6', '8']);
  });
});

it('frozen rows are those that remain of them, and the view begins behind them', async () => {
  const views = '<sheetViews><sheetView workbookViewId="0"><pane xSplit="1" ySplit="4" topLeftCell="B5" activePane="bottomRight" state="frozen"/></sheetView></sheetViews>'; // prettier-ignore
  const rows = [['{% if no %}'], ['gone'], ['{% endif %}'], ...ROWS.map((row) => row.slice(0, 2))];
  const root = await part(await filled({ rows, after: views }), SHEET);
  const [pane] = all(root, 'x:pane');
  expect([pane?.get('ySplit'), pane?.get('topLeftCell')]).toEqual(['1', 'B2']);
});

it('a picture of the template in a repeated row has a warning that names it, and one below has none', async () => {
  const warnings = async (row: number): Promise<string[]> => {
    const found: string[] = [];
    const drawing = `${XML}<xdr:wsDr xmlns:xdr="http://schemas.openxmlformats.org/drawingml/2006/spreadsheetDrawing"><xdr:oneCellAnchor><xdr:from><xdr:col>3</xdr:col><xdr:row>${row}</xdr:row></xdr:from><xdr:pic/><xdr:clientData/></xdr:oneCellAnchor></xdr:wsDr>`;
    const relations = [{ id: 'rId1', type: 'drawing', target: '../drawings/drawing1.xml' }];
    const sheets = [{ name: 'S', rows: ROWS, after: '<drawing r:id="rId1"/>', relations }];
    const template = await xlsx(sheets, { parts: { 'xl/drawings/drawing1.xml': drawing } });
    await fill(template, DATA, { format: 'xlsx', warn: (text) => found.push(text) });
    return found;
  };
  expect(await warnings(2)).toEqual([
    expect.stringContaining('pictures and controls at S!D3 are in the first'),
  ]);
  expect(await warnings(4)).toEqual([]);
});

it('scenarios move with the cells that they change and show', async () => {
  const rows = [...ROWS.slice(0, 3), ['{{ r.n }}'], ...ROWS.slice(3)];
  const after =
    '<scenarios current="0" show="0" sqref="B6 B7"><scenario name="s" count="1"><inputCells r="B6" val="5"/></scenario></scenarios>';
  const root = await part(await filled({ rows, after }), SHEET);
  expect(all(root, 'x:scenarios')[0]?.get('sqref')).toBe('B8 B9');
  expect(all(root, 'x:inputCells')[0]?.get('r')).toBe('B8');
});

it('a chart of Excel 2016, such as a waterfall, shows all rows', async () => {
  const CX = 'http://schemas.microsoft.com/office/drawing/2014/chartex';
  const path = 'xl/charts/chartEx1.xml';
  const dimension = (kind: string, column: string, point: string): string =>
    `<cx:${kind}Dim type="x"><cx:f>S!$${column}$3:$${column}$3</cx:f><cx:lvl ptCount="1"><cx:pt idx="0">${point}</cx:pt></cx:lvl></cx:${kind}Dim>`;
  const bytes = await filled(
    {
      after: '<drawing r:id="rId1"/>',
      relations: [{ id: 'rId1', type: 'drawing', target: '../drawings/drawing1.xml' }],
    },
    {
      parts: {
        'xl/drawings/drawing1.xml': `${XML}<xdr:wsDr xmlns:xdr="http://schemas.openxmlformats.org/drawingml/2006/spreadsheetDrawing"/>`,
        'xl/drawings/_rels/drawing1.xml.rels': `${XML}<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="rId1" Type="http://schemas.microsoft.com/office/2014/relationships/chartEx" Target="../charts/chartEx1.xml"/></Relationships>`,
        [path]: `${XML}<cx:chartSpace xmlns:cx="${CX}"><cx:chartData><cx:data id="0">${dimension('str', 'A', '{{ r.n }}')}${dimension('num', 'B', '0')}</cx:data></cx:chartData></cx:chartSpace>`,
      },
    },
  );
  const root = await part(bytes, path);
  expect(all(root, 'cx:f').map((one) => one.textContent())).toEqual(['S!$A$2:$A$4', 'S!$B$2:$B$4']);
  expect(all(root, 'cx:pt').map((one) => one.textContent())).toEqual(['a', 'b', 'c', '1', '2', '3']);
  expect(all(root, 'cx:lvl').map((one) => one.get('ptCount'))).toEqual(['3', '3']);
});

it('sparklines of OpenDocument are one for each row', async () => {
  const cell = (text: string): string =>
    `<table:table-cell office:value-type="string">${tp(text)}</table:table-cell>`;
  const row = (...texts: string[]): string =>
    `<table:table-row>${texts.map(cell).join('')}</table:table-row>`;
  const line = (at: string, range: string): string =>
    `<calcext:sparkline calcext:cell-address="S.${at}" calcext:data-range="${range}"/>`;
  const template = await odf(
    'ods',
    `<table:table table:name="S"><table:table-column table:number-columns-repeated="4"/>${row('{% for r in rows %}')}${row('{{ r.n }}', '{{ r.c }}', '{{ r.c }}')}${row('{% endfor %}')}${row('all')}<calcext:sparkline-groups xmlns:calcext="urn:org:documentfoundation:names:experimental:calc:xmlns:calcext:1.0"><calcext:sparkline-group calcext:id="{1F3A5B2C-0000-4000-8000-000000000001}" calcext:type="line"><calcext:sparklines>${line('D2', 'S.B2:S.C2')}${line('D4', 'S.B2:S.B2')}</calcext:sparklines></calcext:sparkline-group></calcext:sparkline-groups></table:table>`,
  );
  const bytes = await fill(template, DATA, { format: 'ods' });
  const lines = all(await part(bytes, 'content.xml'), 'calcext:sparkline');
  expect(lines.map((one) => [one.get('calcext:cell-address'), one.get('calcext:data-range')])).toEqual([
    ['S.D1', 'S.B1:S.C1'],
    ['S.D2', 'S.B2:S.C2'],
    ['S.D3', 'S.B3:S.C3'],
    ['S.D4', 'S.B1:S.B3'],
  ]);
});
