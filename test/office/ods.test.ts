import { describe, expect, it } from 'vitest';
import { all } from '../../packages/office/src/xml/tree.ts';
import { png, unzip, zip } from './build.ts';
import { fill, part } from './fill.ts';
import { escaped, odf, ODF_NAMESPACES, tp } from './odf.ts';
import { recalculated } from './recalculated.ts';

/** Calc: typed cells, and everything that names rows follows them. */

const DATE =
  '<number:date-style style:name="N1"><number:year number:style="long"/></number:date-style><style:style style:name="D" style:family="table-cell" style:data-style-name="N1"/>';

/** A cell: text, or a formula that begins with `of:`; `@D ` in front gives its style. */
function cell(value: string): string {
  const [, style, text = ''] = /^(?:@(\w+) )?([^]*)$/.exec(value) ?? [];
  const name = style === undefined ? '' : ` table:style-name="${style}"`;
  if (text.startsWith('of:')) {
    return `<table:table-cell${name} table:formula="${escaped(text)}" office:value-type="float" office:value="99"><text:p>99</text:p></table:table-cell>`;
  }
  return text === ''
    ? `<table:table-cell${name}/>`
    : `<table:table-cell${name} office:value-type="string">${tp(text)}</table:table-cell>`;
}

function sheet(name: string, rows: readonly (readonly string[])[], extra = ''): string {
  const body = rows.map((row) => `<table:table-row>${row.map(cell).join('')}</table:table-row>`).join('');
  return `<table:table table:name="${escaped(name)}"${extra}><table:table-column table:number-columns-repeated="9"/>${body}<table:table-row table:number-rows-repeated="1048000"><table:table-cell table:number-columns-repeated="9"/></table:table-row></table:table>`;
}

/** A sheet that shows a chart. */
function charted(rows: readonly (readonly string[])[]): string {
  const shapes =
    '<table:shapes><draw:frame svg:width="8cm" svg:height="5cm"><draw:object xlink:href="./Object 1"/></draw:frame></table:shapes>';
  return sheet('S', rows).replace('<table:table-column', `${shapes}$&`);
}

async function filled(body: string, data: unknown): Promise<Uint8Array> {
  return await fill(await odf('ods', body, { styles: DATE }), data, {
    format: 'ods',
    images: { logo: png(96, 48) },
  });
}

/** Rows of each sheet: formulas, or type and value. */
async function values(bytes: Uint8Array): Promise<Record<string, string[][]>> {
  const root = await part(bytes, 'content.xml');
  return Object.fromEntries(
    all(root, 'table:table').map((table) => [
      table.get('table:name') ?? '',
      table
        .elements('table:table-row')
        .slice(0, -1)
        .map((row) =>
          row.elements('table:table-cell').map((one) => {
            const value =
              one.get('office:value') ?? one.get('office:date-value') ?? one.get('office:boolean-value');
            const text = all(one, 'text:p')
              .map((line) => line.textContent())
              .join('¶');
            return (
              one.get('table:formula') ??
              (value === undefined ? text : `${one.get('office:value-type')} ${value}`)
            );
          }),
        ),
    ]),
  );
}

describe('spreadsheets of OpenDocument', () => {
  it('have cells of the type of their value', async () => {
    const body = sheet('S', [
      ['{{ i }}', '{{ f }}', '{{ b }}', '{{ t }}', '{{ n }}', '@D {{ d }}', '{{ d }}', 'x{{ i }}'],
    ]);
    const bytes = await filled(body, { i: 7, f: 2.5, b: true, t: '007', n: null, d: '2024-05-01' });
    expect(await values(bytes)).toEqual({
      S: [['float 7', 'float 2.5', 'boolean true', '007', '', 'date 2024-05-01', '2024-05-01', 'x7']],
    });
  });

  it('take formulas, names and other sheets along', async () => {
    const rows = [
      ['{% for x in xs %}', ''],
      ['{{ x }}', 'of:=[.A2]*2'],
      ['{% endfor %}', ''],
      ['of:=SUM([.A2:.A2])', 'of:=SUM([.B2])'],
    ];
    const names =
      '<table:named-expressions><table:named-range table:name="N" table:base-cell-address="$S.$A$1" table:cell-range-address="$S.$A$2:.$B$2"/></table:named-expressions>';
    const body =
      sheet('S', rows, ' table:print-ranges="S.A1:S.B4"') +
      sheet('T', [['of:=SUM([$S.B2:.B2])&"[.A2]"']]) +
      names;
    const bytes = await filled(body, { xs: [1, 2, 3] });
    expect(await values(bytes)).toEqual({
      S: [
        ['float 1', 'of:=[.A1]*2'],
        ['float 2', 'of:=[.A2]*2'],
        ['float 3', 'of:=[.A3]*2'],
        ['of:=SUM([.A1:.A3])', 'of:=SUM([.B1:.B3])'],
      ],
      T: [['of:=SUM([$S.B1:.B3])&"[.A2]"']],
    });
    const root = await part(bytes, 'content.xml');
    expect(all(root, 'table:named-range')[0]?.get('table:cell-range-address')).toBe('$S.$A$1:.$B$3');
    expect(all(root, 'table:table')[0]?.get('table:print-ranges')).toBe('S.A1:S.B4');
  });

  it('adjust the references of validations and named formulas, which name their sheet once', async () => {
    const rows = [['{% for x in xs %}'], ['{{ x }}'], ['{% endfor %}'], ['end']];
    const validation = (condition: string): string =>
      `<table:content-validation table:name="V" table:condition="${condition}" table:base-cell-address="$S.A2"/>`;
    const body = `<table:content-validations>${validation('of:cell-content-is-in-list([.$A$2:.$A$2])')}${validation('of:cell-content()&lt;[.A4]+[.A2]+SUM([$T.A1:.A1])')}</table:content-validations>${sheet('T', [['first']])}${sheet('S', rows)}<table:named-expressions><table:named-expression table:name="E" table:base-cell-address="$S.$A$1" table:expression="[.$A$4]*2"/></table:named-expressions>`;
    const root = await part(await filled(body, { xs: [1, 2, 3, 4] }), 'content.xml');
    const of = (tag: string, attribute: string): (string | undefined)[] =>
      all(root, tag).map((one) => one.get(attribute));
    expect(of('table:content-validation', 'table:condition')).toEqual([
      'of:cell-content-is-in-list([.$A$1:.$A$4])',
      'of:cell-content()<[.A5]+[.A1]+SUM([$T.A1:.A1])',
    ]);
    expect(of('table:named-expression', 'table:expression')).toEqual(['[.$A$5]*2']);
  });

  it('have charts that show the rows a loop made, and not the tags of its copy of the cells', async () => {
    const rows = [['{% for x in xs %}{{ x.n }}', '{{ x.v }}', '{% endfor %}'], ['end']];
    const chart = `<office:document-content ${ODF_NAMESPACES} xmlns:chart="urn:oasis:names:tc:opendocument:xmlns:chart:1.0"><office:body><office:chart><chart:chart><chart:plot-area table:cell-range-address="S.A1:S.A1 S.B1:S.B1"><chart:categories table:cell-range-address="S.A1:S.A1"/><chart:series chart:values-cell-range-address="S.B1:S.B1"/></chart:plot-area><table:table table:name="local-table"><table:table-row><table:table-cell>${tp('{% for x in xs %}{{ x.n }}')}</table:table-cell></table:table-row></table:table></chart:chart></office:chart></office:body></office:document-content>`;
    const parts = Object.fromEntries(await unzip(await odf('ods', charted(rows))));
    const template = await zip({ ...parts, 'Object 1/content.xml': chart });
    const data = { xs: [1, 2, 3].map((v) => ({ n: `n${v}`, v })) };
    const root = await part(await fill(template, data, { format: 'ods' }), 'Object 1/content.xml');
    const [area] = all(root, 'chart:plot-area');
    expect(area?.get('table:cell-range-address')).toBe('S.A1:S.A3 S.B1:S.B3');
    expect(all(root, 'chart:series')[0]?.get('chart:values-cell-range-address')).toBe('S.B1:S.B3');
    expect(all(root, 'table:table')).toEqual([]);
  });

  it('leave a chart the cells it has itself', async () => {
    const chart = `<office:document-content ${ODF_NAMESPACES} xmlns:chart="urn:oasis:names:tc:opendocument:xmlns:chart:1.0"><office:body><office:chart><chart:chart><chart:plot-area><chart:series chart:values-cell-range-address="local-table.$B$2:.$B$3"/></chart:plot-area><table:table table:name="local-table"><table:table-row><table:table-cell>${tp('{{ t }}')}</table:table-cell></table:table-row></table:table></chart:chart></office:chart></office:body></office:document-content>`;
    const parts = Object.fromEntries(await unzip(await odf('ods', charted([['{{ t }}']]))));
    const template = await zip({ ...parts, 'Object 1/content.xml': chart });
    const root = await part(await fill(template, { t: 'x' }, { format: 'ods' }), 'Object 1/content.xml');
    expect(all(root, 'chart:series')[0]?.get('chart:values-cell-range-address')).toBe(
      'local-table.$B$2:.$B$3',
    );
    expect(all(root, 'table:table').map((one) => one.textContent())).toEqual(['x']);
  });

  it('do not fill the saved text of a formula, which shows the tag of another cell', async () => {
    const saved = (formula: string, text: string): string =>
      `<table:table-row><table:table-cell table:formula="${formula}" office:value-type="string" office:string-value="${text}"><office:annotation>${tp('of {{ t }}')}</office:annotation>${tp(text)}</table:table-cell></table:table-row>`;
    const rows = [['{% for x in xs %}'], ['{{ x }}'], ['{% endfor %}']];
    const below = saved('of:=[.A2]', '{{ x }}') + saved('of:=[.A1]', '{% for x in xs %}');
    const body = sheet('S', [...rows, ['end']]).replace(
      /<table:table-row><table:table-cell[^>]*><text:p>end/,
      `${below}$&`,
    );
    const bytes = await filled(body, { xs: [1, 2], t: 'note' });
    expect(await values(bytes)).toEqual({
      S: [['float 1'], ['float 2'], ['of:=[.A2]'], ['of:=#REF!'], ['end']],
    });
    const root = await part(bytes, 'content.xml');
    expect(all(root, 'office:annotation').map((one) => one.textContent())).toEqual(['of note', 'of note']);
    expect(root.textContent()).not.toContain('{');
  });

  it('keep an empty row if a sum has no rows', async () => {
    const rows = [['{% for x in xs %}'], ['{{ x }}'], ['{% endfor %}'], ['of:=SUM([.A2:.A2])']];
    expect(await values(await filled(sheet('S', rows), { xs: [] }))).toEqual({
      S: [[''], ['of:=SUM([.A1:.A1])']],
    });
  });

  it('count and add nothing in the empty row, whatever formulas its template has', async () => {
    const rows = [
      ['{% for x in xs %}'],
      ['{{ x }}', 'of:=[.A2]/SUM([.A$2:.A$2])', 'of:=[.A2]*2', 'of:=[.A2]-[.A3]'],
      ['{% endfor %}'],
      ['of:=COUNT([.C2])', 'of:=SUM([.B2])', 'of:=SUM([.A2])'],
    ];
    const told: string[] = [];
    const shown = async (xs: number[]): Promise<string[][] | undefined> => {
      const template = await odf('ods', sheet('S', rows));
      const bytes = await fill(template, { xs }, { format: 'ods', warn: (text) => told.push(text) });
      return (await recalculated({ 'shares.ods': bytes }))['shares.ods/S'];
    };
    expect((await shown([]))?.at(-1)).toEqual(['0', '0', '0']);
    expect(told).toEqual([]);
    expect((await shown([1, 3]))?.at(-1)).toEqual(['2', '1', '4']);
  });

  it('repeat sheets, each with its name and its own formulas', async () => {
    const rows = [
      ['{%sheet for m in ms %}', '{{ m.n }}'],
      ['{% for v in m.vs %}'],
      ['{{ v }}'],
      ['{% endfor %}'],
      ['of:=SUM([.A3:.A3])'],
    ];
    const bytes = await filled(sheet('{{ m.n }}', rows), {
      ms: [
        { n: 'a', vs: [1, 2] },
        { n: 'b', vs: [3] },
      ],
    });
    expect(await values(bytes)).toEqual({
      a: [['', 'a'], ['float 1'], ['float 2'], ['of:=SUM([.A2:.A3])']],
      b: [['', 'b'], ['float 3'], ['of:=SUM([.A2:.A2])']],
    });
  });

  it('hold pictures at the corner of their cell', async () => {
    const bytes = await filled(sheet('S', [['<image src="{{logo}}" height="1">']]), {});
    const [frame] = all(await part(bytes, 'content.xml'), 'draw:frame');
    expect(frame?.parent?.tag).toBe('table:table-cell');
    expect(frame?.get('svg:width')).toBe('2.000cm');
  });

  it('expand rows that are stored once with a repeat count if they contain a tag', async () => {
    const body =
      '<table:table table:name="S"><table:table-column/><table:table-row table:number-rows-repeated="2"><table:table-cell office:value-type="string"><text:p>{{ v }}</text:p></table:table-cell></table:table-row><table:table-row><table:table-cell/></table:table-row></table:table>';
    expect(await values(await filled(body, { v: 1 }))).toEqual({ S: [['float 1'], ['float 1']] });
  });
});

it('errors name the cell as formulas do, behind rows and cells that are repeated', async () => {
  const repeated =
    '<table:table-row table:number-rows-repeated="5"><table:table-cell/></table:table-row>' +
    `<table:table-row><table:table-cell table:number-columns-repeated="2"/>${cell('{{ 1 / 0 }}')}</table:table-row>`;
  const body = `${sheet('First', [['x']])}<table:table table:name="Second">${repeated}</table:table>`;
  await expect(filled(body, {})).rejects.toMatchObject({
    code: 'template_render',
    faults: [{ file: 'content.xml', cell: 'Second!C6' }],
  });
});
