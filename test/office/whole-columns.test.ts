import { describe, expect, it } from 'vitest';
import { all } from '../../packages/office/src/xml/tree.ts';
import { unzip, zip } from './build.ts';
import { fill, part } from './fill.ts';
import { escaped, odf, tp } from './odf.ts';
import { cells, xlsx } from './xlsx.ts';

/** References to sheets that name no rows: those to whole columns, and links that are kept as addresses. */

const FORMULAS = {
  xlsx: ["=SUM('{{ n }}'!B:B)", "=VLOOKUP(A1,'{{ n }}'!$A:$C,2,0)", '=SUM(B:B)', '="B:B"&1'],
  ods: [
    "of:=SUM([$'{{ n }}'.B:.B])",
    "of:=VLOOKUP([.A1];[$'{{ n }}'.$A:.$C];2;0)",
    'of:=SUM([.B:.B])',
    'of:="B:B"&1',
  ],
} as const;

describe.each(['xlsx', 'ods'] as const)('a whole column in %s', (format) => {
  const filled = async (data: unknown, tag = ''): Promise<{ formulas: unknown[]; warnings: string[] }> => {
    const warnings: string[] = [];
    const rows = FORMULAS[format].map((formula) => [formula]);
    const odsCell = ([formula = '']: readonly string[]): string =>
      `<table:table-row><table:table-cell table:formula="${escaped(formula)}"/></table:table-row>`;
    const template =
      format === 'xlsx'
        ? await xlsx([
            { name: '{{ n }}', rows: [[tag]] },
            { name: 'S', rows },
          ])
        : await odf(
            'ods',
            `<table:table table:name="{{ n }}"><table:table-row><table:table-cell>${tp(tag)}</table:table-cell></table:table-row></table:table><table:table table:name="S">${rows.map(odsCell).join('')}</table:table>`,
          );
    const bytes = await fill(template, data, { format, warn: (text) => warnings.push(text) });
    if (format === 'ods') {
      const root = await part(bytes, 'content.xml');
      const formulas = all(root, 'table:table-cell').flatMap((cell) => cell.get('table:formula') ?? []);
      return { formulas, warnings };
    }
    const name =
      tag === ''
        ? 'xl/worksheets/sheet2.xml'
        : [...(await unzip(bytes)).keys()].findLast((path) => /sheet\d/.test(path));
    return { formulas: Object.values(await cells(bytes, name)), warnings };
  };
  const [, , own, text] = FORMULAS[format];

  it('follows the name of its sheet', async () => {
    const wanted = FORMULAS[format].map((formula) => formula.replace('{{ n }}', 'Mar 26'));
    expect(await filled({ n: 'Mar 26' })).toEqual({ formulas: wanted, warnings: [] });
  });

  it('of a sheet that a condition removed is named', async () => {
    const { formulas, warnings } = await filled({ n: 'x', yes: false }, '{%sheet if yes %}');
    const lost =
      format === 'xlsx'
        ? ['=SUM(#REF!)', '=VLOOKUP(A1,#REF!,2,0)']
        : ['of:=SUM(#REF!)', 'of:=VLOOKUP([.A1];#REF!;2;0)'];
    expect(formulas).toEqual([...lost, own, text]);
    expect(warnings).toEqual(['What S!A1, S!A2 refer to was removed, and they contain #REF!.']);
  });

  it('of cells that a loop over columns moves is named', async () => {
    const template =
      format === 'xlsx'
        ? await xlsx([
            { name: 'S', rows: [['{%tc for v in vs %}', '{{ v }}', '{%tc endfor %}', 7], ['=SUM(B:B)']] },
          ])
        : await odf(
            'ods',
            `<table:table table:name="S"><table:table-row>${['{%tc for v in vs %}', '{{ v }}', '{%tc endfor %}', '7'].map((one) => `<table:table-cell>${tp(one)}</table:table-cell>`).join('')}</table:table-row><table:table-row><table:table-cell table:formula="of:=SUM([.B:.B])"/></table:table-row></table:table>`,
          );
    const warnings: string[] = [];
    await fill(template, { vs: [1, 2, 3] }, { format, warn: (one) => warnings.push(one) });
    expect(warnings.join()).toMatch(/A loop over columns moves cells to which S!A2 refer/);
  });
});

it('a link that is kept as an address follows its rows, and goes with its sheet', async () => {
  const template = await xlsx(
    [
      { name: 'S', rows: [['{% for v in vs %}'], ['{{ v }}'], ['{% endfor %}'], ['end']] },
      { name: 'Det X', rows: [['{%sheet if yes %}']] },
    ],
    {},
  );
  const parts = Object.fromEntries(await unzip(template));
  const link = (ref: string, id: string): string =>
    `<hyperlink xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships" ref="${ref}" r:id="${id}"/>`;
  parts['xl/worksheets/sheet1.xml'] = Buffer.from(
    String(parts['xl/worksheets/sheet1.xml']).replace(
      '</sheetData>',
      `$&<hyperlinks>${link('A4', 'rId91')}${link('A2', 'rId92')}</hyperlinks>`,
    ),
  );
  const relation = (id: string, target: string): string =>
    `<Relationship Id="${id}" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/hyperlink" Target="${target}" TargetMode="External"/>`;
  parts['xl/worksheets/_rels/sheet1.xml.rels'] = Buffer.from(
    `<?xml version="1.0" encoding="UTF-8"?><Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">${relation('rId91', '#S!A4')}${relation('rId92', "#'Det%20X'!A1")}</Relationships>`,
  );
  const warnings: string[] = [];
  const bytes = await fill(
    await zip(parts),
    { vs: [1, 2, 3], yes: false },
    { format: 'xlsx', warn: (text) => warnings.push(text) },
  );
  const links = all(await part(bytes, 'xl/worksheets/sheet1.xml'), 'x:hyperlink');
  expect(links.map((one) => [one.get('ref'), one.get('location'), one.get('r:id')])).toEqual([
    ['A4', 'S!A4', undefined],
  ]);
  expect(warnings).toEqual(['Removed with the sheet to which it leads: the link of S!A2.']);
  expect(String((await unzip(bytes)).get('xl/worksheets/_rels/sheet1.xml.rels'))).not.toContain('Det');
});
