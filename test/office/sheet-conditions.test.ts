import { describe, expect, it } from 'vitest';
import { all, type Element } from '../../packages/office/src/xml/tree.ts';
import { unzip, zip } from './build.ts';
import { fill, part } from './fill.ts';
import { ODF_NAMESPACES } from './odf.ts';
import { type Rows, type Spreadsheet, spreadsheet } from './sheets.ts';

/** Conditional formats and validations of repeated rows, whose formulas belong to the first cell of their area. */

const ROWS: Rows = [
  ['Text', 'Amount'],
  ['{% for r in rows %}'],
  ['{{ r.t }}', '{{ r.a }}'],
  ['{% endfor %}'],
  ['Total', '=SUM(B3:B3)'],
];
const LEDGER = { rows: [{ t: 'x', a: 10 }, { t: 'y', a: -30 }, { t: 'z', a: 5 }] }; // prettier-ignore

/** What is added to the sheet, and in OpenDocument before all sheets. */
interface Added {
  sheet: string;
  before?: string;
}

async function filled(
  format: Spreadsheet,
  { sheet, before = '' }: Added,
): Promise<{ root: Element; warnings: string[] }> {
  const parts = Object.fromEntries(await unzip(await spreadsheet(format, { S: ROWS })));
  const [name, end] =
    format === 'xlsx' ? ['xl/worksheets/sheet1.xml', '</sheetData>'] : ['content.xml', '</table:table>'];
  parts[name] = Buffer.from(
    String(parts[name])
      .replace(end, format === 'xlsx' ? `${end}${sheet}` : `${sheet}${end}`)
      .replace('<office:spreadsheet>', `$&${before}`)
      .replace(
        ODF_NAMESPACES,
        `$& xmlns:calcext="urn:org:documentfoundation:names:experimental:calc:xmlns:calcext:1.0"`,
      ),
  );
  const warnings: string[] = [];
  const bytes = await fill(await zip(parts), LEDGER, { format, warn: (text) => warnings.push(text) });
  return { root: await part(bytes, name), warnings };
}

/** A format for an area; its formula is that of its first cell, by which OpenDocument names it. */
function excelFormat(area: string, formula: string): Added {
  return {
    sheet: `<conditionalFormatting sqref="${area}"><cfRule type="expression" priority="1"><formula>${formula}</formula></cfRule></conditionalFormatting>`,
  };
}

function openFormat(area: string, formula: string): Added {
  const [first = '', last = ''] = area.split(':');
  return {
    sheet: `<calcext:conditional-formats><calcext:conditional-format calcext:target-range-address="S.${first}:S.${last}"><calcext:condition calcext:apply-style-name="Red" calcext:value="formula-is(${formula})" calcext:base-cell-address="S.${first}"/></calcext:conditional-format></calcext:conditional-formats>`,
  };
}

describe('a conditional format', () => {
  it.each([
    ['of the repeated row', 'A3:B3'],
    ['that begins with a row of tags', 'A2:B4'],
  ])('%s has the formula of the first pass', async (_, area) => {
    const first = area === 'A3:B3' ? 3 : 2;
    const excel = await filled('xlsx', excelFormat(area, `$B${first}&lt;$B${first - 1}`));
    expect(excel.warnings).toEqual([]);
    const [format] = all(excel.root, 'x:conditionalFormatting');
    expect([format?.get('sqref'), format?.textContent()]).toEqual(['A2:B4', '$B2<$B1']);
    const open = await filled('ods', openFormat(area, `[.$B${first}]&lt;[.$B${first - 1}]`));
    expect(open.warnings).toEqual([]);
    const [condition] = all(open.root, 'calcext:condition');
    expect(condition?.parent?.get('calcext:target-range-address')).toBe('S.A2:S.B4');
    expect(condition?.get('calcext:value')).toBe('formula-is([.$B2]<[.$B1])');
    expect(condition?.get('calcext:base-cell-address')).toBe('S.A2');
  });

  it('keeps what its formula fixes', async () => {
    const { root } = await filled('xlsx', excelFormat('A2:B4', 'B2&gt;AVERAGE(B$3:B$3)+B$5'));
    expect(all(root, 'x:formula')[0]?.textContent()).toBe('B2>AVERAGE(B$2:B$4)+B$5');
  });
});

it('a validation of the repeated row has the formula of the first pass', async () => {
  const excel = await filled('xlsx', {
    sheet:
      '<dataValidations count="1"><dataValidation type="custom" sqref="B3"><formula1>B3&gt;B$5</formula1></dataValidation></dataValidations>',
  });
  expect(all(excel.root, 'x:dataValidation')[0]?.get('sqref')).toBe('B2:B4');
  expect(all(excel.root, 'x:formula1')[0]?.textContent()).toBe('B2>B$5');
  const open = await filled('ods', {
    before:
      '<table:content-validations><table:content-validation table:name="V" table:condition="of:is-true-formula([.B3]&gt;[.B$5])" table:base-cell-address="$S.$B$3"/></table:content-validations>',
    sheet: '',
  });
  expect([...excel.warnings, ...open.warnings]).toEqual([]);
  const [validation] = all(open.root, 'table:content-validation');
  expect(validation?.get('table:condition')).toBe('of:is-true-formula([.B2]>[.B$5])');
  expect(validation?.get('table:base-cell-address')).toBe('$S.$B$2');
});
