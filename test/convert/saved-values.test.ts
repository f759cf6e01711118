import { type CellObject, read } from '@e965/xlsx';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { pdfWords } from '../chrome/pdf.ts';
import { unzip, XML, zip } from '../office/build.ts';
import { fill } from '../office/fill.ts';
import { type Cell, xlsx } from '../office/xlsx.ts';
import { startOffice, type TestOffice } from './support.ts';

/** Values that Excel saved with the formulas of a finished or filled workbook. */

let started: TestOffice;
beforeAll(() => {
  started = startOffice();
});
afterAll(() => started.close());

/** A workbook whose formulas have those saved values, in order. */
async function workbook(
  rows: readonly (readonly Cell[])[],
  saved: readonly (number | string)[],
  change: (sheet: string) => string = (sheet) => sheet,
): Promise<Buffer> {
  const parts = Object.fromEntries(await unzip(await xlsx([{ name: 'S', rows }])));
  const path = 'xl/worksheets/sheet1.xml';
  let next = 0;
  const sheet = String(parts[path]).replaceAll('<v>99</v>', () => `<v>${saved[next++]}</v>`);
  return await zip({ ...parts, [path]: change(sheet) });
}

async function printed(document: Uint8Array): Promise<{ words: string[]; warnings: string[] }> {
  const warnings: string[] = [];
  const pdf = await started.office.convert({
    document,
    from: 'xlsx',
    to: 'pdf',
    title: null,
    warn: (text) => void warnings.push(text),
    timeout: 120_000,
  });
  return { words: pdfWords(pdf).map(({ text }) => text), warnings };
}

it('are printed as they are, of functions that LibreOffice lacks, too', async () => {
  const rows = [
    ['=_xlfn.XLOOKUP("b",D1:D2,E1:E2)', '=_xlfn.LET(_xlpm.x,4,_xlpm.x*2)', '=MYADDIN(1)', 'b', 7],
    ['=CUBEVALUE("x","y")', '=A1+1'],
  ];
  const { words, warnings } = await printed(await workbook(rows, [71, 82, 93, 64, 72]));
  expect(words).toEqual(['71', '64', '82', '72', '93', 'b', '7']);
  expect(warnings).toEqual([]);
});

it('stay in a filled workbook where filling changed nothing on which they depend', async () => {
  const rows = [['{{ n }}', '=A1*2', '=_xlfn.XLOOKUP(A2,A2,A2)', '=SUM(A2:A3)'], [5], [6]];
  const template = await workbook(rows, [1, 2, 11]);
  const { words, warnings } = await printed(await fill(template, { n: 21 }, { format: 'xlsx' }));
  expect(words).toEqual(['21', '5', '6', '42', '2', '11']);
  expect(warnings).toEqual(['LibreOffice cannot calculate S!C1: shown is the value saved in the file.']);
});

it('are calculated if filling changed them or what they depend on, and if there are none', async () => {
  const rows = [['{{ n }}', '=A1*2', '=B1+1', '=SUM(A2:A3)'], [5], [6]];
  const template = await workbook(rows, [1, 2, ''], (sheet) => sheet.replace('<v></v>', ''));
  expect((await printed(await fill(template, { n: 21 }, { format: 'xlsx' }))).words).toEqual(['21', '5', '6', '42', '43', '11']); // prettier-ignore
});

it('of SUBTOTAL count the rows that someone hid, but not those that a filter hides', async () => {
  const hide = (sheet: string): string =>
    sheet
      .replace('<row r="3">', '<row r="3" hidden="1">')
      .replace('</sheetData>', '</sheetData><autoFilter ref="A1:A4"/>');
  const rows = [['Amount'], ['{{ n }}'], [20], [40], [], ['=SUBTOTAL(9,A2:A4)', '=SUBTOTAL(109,A2:A4)']];
  const bytes = await fill(await workbook(rows, [0, 0], hide), { n: 10 }, { format: 'xlsx' });
  expect((await printed(bytes)).words).toEqual(['Amount', '10', '40', '70', '50']);
});

it('of cells without a format keep their look', async () => {
  const rows = [['=DATE(2023,3,16)', '=TODAY()*0+0.5', 45_001]];
  expect((await printed(await workbook(rows, [45_001, 0.5]))).words).toEqual(['45001', '0.5', '45001']);
});

it('links of HYPERLINK into the workbook, which have no target in the PDF, are named', async () => {
  const rows = [
    ['=HYPERLINK("#S!A9","here")', '=HYPERLINK("https://a.test/","there")'],
    ['=IF(1,HYPERLINK("#S!A"&9,"too"),0)', 'HYPERLINK("#S!A9")'],
  ];
  const { warnings } = await printed(await workbook(rows, ['here', 'there', 'too']));
  expect(warnings).toEqual(['Links of HYPERLINK into the workbook lead nowhere in the PDF: S!A1, S!A2.']);
});

it('references to tables are addresses in xls, where LibreOffice would write NA()', async () => {
  const table = `${XML}<table xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main" id="1" name="Sales" displayName="Sales" ref="A1:B3"><autoFilter ref="A1:B3"/><tableColumns count="2"><tableColumn id="1" name="Item"/><tableColumn id="2" name="Price"/></tableColumns></table>`;
  const rows = [
    ['Item', 'Price', '=SUM(Sales[Price])', '=COUNTA(Sales[[#All],[Item]])'],
    ['a', 3, '=Sales[[#This Row],[Price]]*10'],
    ['b', 4],
  ];
  const document = await xlsx(
    [
      {
        name: 'S',
        rows,
        after: '<tableParts count="1"><tablePart r:id="rId1"/></tableParts>',
        relations: [{ id: 'rId1', type: 'table', target: '../tables/table1.xml' }],
      },
    ],
    {
      parts: { 'xl/tables/table1.xml': table },
      types: {
        'xl/tables/table1.xml': 'application/vnd.openxmlformats-officedocument.spreadsheetml.table+xml',
      },
    },
  );
  const parts = Object.fromEntries(await unzip(document));
  const path = 'xl/worksheets/sheet1.xml';
  const sheet = String(parts[path]).replaceAll('<v>99</v>', '');
  const bytes = await started.office.convert({
    document: await zip({ ...parts, [path]: sheet }),
    from: 'xlsx',
    to: 'xls',
    title: null,
    timeout: 120_000,
  });
  const cells = read(bytes).Sheets['S'] ?? {};
  const shown = ['C1', 'D1', 'C2'].map((name) => {
    const cell = cells[name] as CellObject | undefined;
    return [cell?.v, cell?.f?.replaceAll(/S!|\$/g, '')];
  });
  expect(shown).toEqual([
    [7, 'SUM(B2:B3)'],
    [3, 'COUNTA(A1:A3)'],
    [30, 'B2*10'],
  ]);
});
