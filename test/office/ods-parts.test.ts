import { describe, expect, it } from 'vitest';
import { all, type Element } from '../../packages/office/src/xml/tree.ts';
import { unzip, zip } from './build.ts';
import { fill, part } from './fill.ts';
import { escaped, odf, ODF_NAMESPACES, tp } from './odf.ts';
import { recalculated } from './recalculated.ts';
import { xlsx } from './xlsx.ts';

/** Calc: charts, merged cells, page breaks and names in repeated rows and sheets. */

const CHART_NAMES = `${ODF_NAMESPACES} xmlns:chart="urn:oasis:names:tc:opendocument:xmlns:chart:1.0"`;
const CHART_TYPE = 'application/vnd.oasis.opendocument.chart';
const STYLES =
  '<style:style style:name="break" style:family="table-row"><style:table-row-properties fo:break-before="page"/></style:style><style:style style:name="plain" style:family="table-row"><style:table-row-properties fo:break-before="auto"/></style:style>';

/** A row of cells; its first cell may be preceded by a picture of the chart, and the row may begin a page. */
interface Row {
  cells: readonly string[];
  isBreak?: boolean;
}

function cell(value: string): string {
  if (value.startsWith('<')) return value;
  if (value === '') return '<table:table-cell/>';
  if (value.startsWith('of:'))
    return `<table:table-cell table:formula="${escaped(value)}" office:value-type="float" office:value="0"/>`;
  return `<table:table-cell office:value-type="string">${tp(value)}</table:table-cell>`;
}

function sheet(name: string, rows: readonly (Row | readonly string[])[], after = ''): string {
  const body = rows.map((one) => {
    const row: Row = 'cells' in one ? one : { cells: one };
    return `<table:table-row table:style-name="${row.isBreak === true ? 'break' : 'plain'}">${row.cells.map(cell).join('')}</table:table-row>`;
  });
  return `<table:table table:name="${escaped(name)}"><table:table-column table:number-columns-repeated="4"/>${body.join('')}<table:table-row table:number-rows-repeated="1000" table:style-name="plain"><table:table-cell table:number-columns-repeated="4"/></table:table-row>${after}</table:table>`;
}

const frame = (object: string): string =>
  `<draw:frame draw:name="Chart" svg:width="8cm" svg:height="5cm"><draw:object xlink:href="./${object}" xlink:type="simple"/></draw:frame>`;

/** A package of that kind with one chart. */
async function withChart(kind: 'ods' | 'odt' | 'odp', body: string, chart: string): Promise<Uint8Array> {
  const parts = new Map(await unzip(await odf(kind, body, { styles: STYLES })));
  const manifest = String(parts.get('META-INF/manifest.xml')).replace(
    '</manifest:manifest>',
    `<manifest:file-entry manifest:full-path="Object 1/" manifest:media-type="${CHART_TYPE}"/><manifest:file-entry manifest:full-path="Object 1/content.xml" manifest:media-type="text/xml"/></manifest:manifest>`,
  );
  parts.set('META-INF/manifest.xml', Buffer.from(manifest));
  const { mimetype, ...others } = Object.fromEntries(parts);
  // LibreOffice saves objects before the document that shows them.
  return await zip({
    mimetype: mimetype ?? '',
    'Object 1/content.xml': `<?xml version="1.0" encoding="UTF-8"?><office:document-content ${CHART_NAMES} office:version="1.3"><office:body><office:chart><chart:chart chart:class="chart:bar" svg:width="8cm" svg:height="5cm">${chart}</chart:chart></office:chart></office:body></office:document-content>`,
    ...others,
  });
}

/** The objects that the frames of a document show, in order, with their content. */
async function objects(bytes: Uint8Array): Promise<Element[]> {
  const shown = all(await part(bytes, 'content.xml'), 'draw:object');
  const folders = shown.map((one) => (one.get('xlink:href') ?? '').replace('./', ''));
  expect(new Set(folders).size).toBe(folders.length);
  const listed = all(await part(bytes, 'META-INF/manifest.xml'), 'manifest:file-entry').map((entry) => [
    entry.get('manifest:full-path'),
    entry.get('manifest:media-type'),
  ]);
  for (const folder of folders) {
    expect(listed).toContainEqual([`${folder}/`, CHART_TYPE]);
    expect(listed).toContainEqual([`${folder}/content.xml`, 'text/xml']);
  }
  return await Promise.all(folders.map(async (folder) => await part(bytes, `${folder}/content.xml`)));
}

const MONTHS = {
  ms: [
    { n: 'May', vs: [1, 2] },
    { n: 'June', vs: [3, 4, 5] },
  ],
};

it('a copied sheet has validations of its own, whose lists are its rows', async () => {
  const validations = `<table:content-validations><table:content-validation table:name="V" table:condition="of:cell-content-is-in-list([.$A$3:.$A$3])" table:base-cell-address="$'{{ m.n }}'.B5"/></table:content-validations>`;
  const rows = [
    ['{%sheet for m in ms %}'],
    ['{% for v in m.vs %}'],
    ['{{ v }}'],
    ['{% endfor %}'],
    ['', '<table:table-cell table:content-validation-name="V"/>'],
  ];
  const bytes = await fill(await odf('ods', validations + sheet('{{ m.n }}', rows)), MONTHS, {
    format: 'ods',
  });
  const root = await part(bytes, 'content.xml');
  const found = new Map(
    all(root, 'table:content-validation').map((one) => [
      one.get('table:name'),
      [one.get('table:base-cell-address'), one.get('table:condition')],
    ]),
  );
  const used = all(root, 'table:table-cell').flatMap((one) => one.get('table:content-validation-name') ?? []);
  expect(used.map((name) => found.get(name))).toEqual([
    ['$May.B4', 'of:cell-content-is-in-list([.$A$2:.$A$3])'],
    ['$June.B5', 'of:cell-content-is-in-list([.$A$2:.$A$4])'],
  ]);
  expect(found.size).toBe(2);
});

describe('a sheet that is repeated', () => {
  const names =
    '<table:named-expressions><table:named-range table:name="Values" table:base-cell-address="$\'{{ m.n }}\'.$A$1" table:cell-range-address="$\'{{ m.n }}\'.$A$3:.$A$3"/></table:named-expressions>';
  const body = sheet(
    '{{ m.n }}',
    [
      ['{%sheet for m in ms %}'],
      ['{% for v in m.vs %}'],
      ['{{ v }}'],
      ['{% endfor %}'],
      ['of:=SUM(Values)', `<table:table-cell>${frame('Object 1')}</table:table-cell>`],
    ],
    names,
  );
  const chart = `<chart:title>${tp('Sales of {{ m.n }}')}</chart:title><chart:plot-area table:cell-range-address="'{{ m.n }}'.A3:'{{ m.n }}'.A3"><chart:series chart:values-cell-range-address="'{{ m.n }}'.A3:'{{ m.n }}'.A3"/></chart:plot-area>`;
  const filled = async (drawn: string): Promise<Uint8Array> =>
    await fill(await withChart('ods', body, drawn), MONTHS, { format: 'ods' });

  it('has a chart of its own, with the rows and the variables of its pass', async () => {
    const charts = await objects(await filled(chart));
    const areas = charts.map((root) => all(root, 'chart:series')[0]?.get('chart:values-cell-range-address'));
    expect(areas).toEqual(['May.A2:May.A3', 'June.A2:June.A4']);
    expect(charts.map((root) => all(root, 'text:p')[0]?.textContent())).toEqual([
      'Sales of May',
      'Sales of June',
    ]);
  });

  it('has a chart of its own if that has no tags', async () => {
    const charts = await objects(await filled(chart.replace('{{ m.n }}</text:p>', 'a month</text:p>')));
    const areas = charts.map((root) => all(root, 'chart:plot-area')[0]?.get('table:cell-range-address'));
    expect(areas).toEqual(['May.A2:May.A3', 'June.A2:June.A4']);
  });

  it('has names of its own, which its formulas mean', async () => {
    const bytes = await filled(chart);
    const ranges = all(await part(bytes, 'content.xml'), 'table:named-range');
    expect(ranges.map((one) => one.get('table:cell-range-address'))).toEqual([
      '$May.$A$2:.$A$3',
      '$June.$A$2:.$A$4',
    ]);
    const shown = await recalculated({ 'a.ods': bytes });
    expect([shown['a.ods/May']?.at(-1), shown['a.ods/June']?.at(-1)]).toEqual([['3'], ['12']]);
  });
});

it('copies of a sheet have filters of their own, over their own rows', async () => {
  const range = (name: string): string =>
    `<table:database-range table:name="${name}" table:target-range-address="'{{ m.n }}'.A1:'{{ m.n }}'.A3" table:display-filter-buttons="true"/>`;
  const body =
    sheet('First', [['x']]) +
    sheet('{{ m.n }}', [['{%sheet for m in ms %}'], ['{% for v in m.vs %}'], ['{{ v }}'], ['{% endfor %}']]) +
    `<table:database-ranges>${range('__Anonymous_Sheet_DB__1')}${range('Named')}</table:database-ranges>`;
  const bytes = await fill(await odf('ods', body), MONTHS, { format: 'ods' });
  const ranges = all(await part(bytes, 'content.xml'), 'table:database-range');
  expect(
    ranges.map((one) => [one.get('table:name'), one.get('table:target-range-address')]).toSorted(),
  ).toEqual([
    ['Named', 'May.A1:May.A3'],
    ['Named_2', 'June.A1:June.A4'],
    ['__Anonymous_Sheet_DB__1', 'May.A1:May.A3'],
    ['__Anonymous_Sheet_DB__2', 'June.A1:June.A4'],
  ]);
});

it.each([
  ['no text', '', ['S.A1:S.A3']],
  ['a title', '{{ vs | length }} values', ['S.A1:S.A3']],
  ['a title with the variable of the loop', 'Value {{ v }}', Array(3).fill('S.A1:S.A3')],
])('a chart with %s beside a repeated row is one, unless its text differs', async (_, title, expected) => {
  const body = sheet('S', [
    ['{% for v in vs %}'],
    ['{{ v }}', `<table:table-cell>${frame('Object 1')}</table:table-cell>`],
    ['{% endfor %}'],
  ]);
  const chart = `<chart:title>${tp(title)}</chart:title><chart:plot-area><chart:series chart:values-cell-range-address="S.A2:S.A2"/></chart:plot-area>`;
  const bytes = await fill(await withChart('ods', body, chart), { vs: [1, 2, 3] }, { format: 'ods' });
  const areas = (await objects(bytes)).map((root) =>
    all(root, 'chart:series')[0]?.get('chart:values-cell-range-address'),
  );
  expect(areas).toEqual(expected);
  const paths = [...(await unzip(bytes)).keys()].filter((path) => path.startsWith('Object'));
  expect(paths.length).toBe(expected.length);
});

it.each([
  [
    'odt',
    `<text:p>{% for m in ms %}</text:p><text:p>${frame('Object 1')}</text:p><text:p>{% endfor %}</text:p>`,
  ],
  [
    'odp',
    `<draw:page draw:name="{{ m.n }}" draw:master-page-name="Standard"><draw:frame svg:width="9cm" svg:height="2cm"><draw:text-box>${tp('{%slide for m in ms %}')}</draw:text-box></draw:frame>${frame('Object 1')}</draw:page>`,
  ],
] as const)('a chart in a loop of %s has the variables of its pass', async (kind, body) => {
  const chart = `<chart:title>${tp('Sales of {{ m.n }}')}</chart:title><chart:plot-area><chart:series chart:values-cell-range-address="local-table.$B$2:.$B$2"/></chart:plot-area><table:table table:name="local-table"><table:table-row><table:table-cell>${tp('{% for v in m.vs %}')}</table:table-cell></table:table-row><table:table-row><table:table-cell>${tp('{{ v }}')}</table:table-cell></table:table-row><table:table-row><table:table-cell>${tp('{% endfor %}')}</table:table-cell></table:table-row></table:table>`;
  const charts = await objects(await fill(await withChart(kind, body, chart), MONTHS, { format: kind }));
  expect(charts.map((root) => all(root, 'text:p').map((one) => one.textContent()))).toEqual([
    ['Sales of May', '1', '2'],
    ['Sales of June', '3', '4', '5'],
  ]);
  const none = await fill(await withChart(kind, body, chart), { ms: [] }, { format: kind });
  expect([...(await unzip(none)).keys()].filter((path) => path.startsWith('Object'))).toEqual([]);
});

describe('merged cells', () => {
  const merged = (rows: number, columns: number, content: string): string =>
    `<table:table-cell table:number-rows-spanned="${rows}" table:number-columns-spanned="${columns}" office:value-type="string">${tp(content)}</table:table-cell>`;
  const covered = '<table:covered-table-cell/>';
  const wide = '<table:covered-table-cell table:number-columns-repeated="2"/>';

  /** The merged areas: row, column, rows, columns, and text of the first cell. */
  async function areas(bytes: Uint8Array): Promise<string[]> {
    const [table] = all(await part(bytes, 'content.xml'), 'table:table');
    const found: string[] = [];
    const covers = new Set<string>();
    const free = new Set<string>();
    let row = 0;
    for (const line of table?.elements('table:table-row').slice(0, -1) ?? []) {
      row += 1;
      let column = 1;
      for (const one of line.elements()) {
        const rows = Number(one.get('table:number-rows-spanned') ?? 1);
        const columns = Number(one.get('table:number-columns-spanned') ?? 1);
        if (rows > 1 || columns > 1)
          found.push([row, column, rows, columns, one.textContent()].join(' ').trim());
        for (let i = 0; i < Number(one.get('table:number-columns-repeated') ?? 1); i += 1) {
          const place = `${row} ${column}`;
          if (one.tag === 'table:covered-table-cell') free.add(place);
          for (let y = 0; y < rows; y += 1)
            for (let x = 0; x < columns; x += 1)
              if (x + y > 0) {
                expect(covers).not.toContain(`${row + y} ${column + x}`);
                covers.add(`${row + y} ${column + x}`);
              }
          column += 1;
        }
      }
    }
    // Every covered cell belongs to one area, and every cell of an area is covered.
    expect([...free].toSorted()).toEqual([...covers].toSorted());
    return found;
  }

  const groups = sheet('S', [
    ['{% for g in gs %}'],
    [merged(4, 2, '{{ g.n }}'), covered, '{{ g.t }}'],
    [wide, '{% for i in g.is %}'],
    [wide, '{{ i }}'],
    [wide, '{% endfor %}'],
    ['{% endfor %}'],
  ]);
  const GROUPS = { gs: [4, 1, 0].map((n, i) => ({ n: `g${i}`, t: 't', is: Array(n).fill(n) })) };
  const fillIt = async (body: string, data: unknown): Promise<Uint8Array> =>
    await fill(await odf('ods', body, { styles: STYLES }), data, { format: 'ods' });

  it('cover the rows of an inner loop, however many there are (carbone 98)', async () => {
    expect(await areas(await fillIt(groups, GROUPS))).toEqual(['1 1 5 2 g0', '6 1 2 2 g1', '8 1 1 2 g2']);
  });

  it('cover the same rows in xlsx', async () => {
    const bytes = await fill(
      await xlsx([
        {
          name: 'S',
          rows: [
            ['{% for g in gs %}'],
            ['{{ g.n }}', null, '{{ g.t }}'],
            [null, null, '{% for i in g.is %}'],
            [null, null, '{{ i }}'],
            [null, null, '{% endfor %}'],
            ['{% endfor %}'],
          ],
          after: '<mergeCells count="1"><mergeCell ref="A2:B5"/></mergeCells>',
        },
      ]),
      GROUPS,
      { format: 'xlsx' },
    );
    const merged = all(await part(bytes, 'xl/worksheets/sheet1.xml'), 'x:mergeCell');
    expect(merged.map((one) => one.get('ref'))).toEqual(['A1:B5', 'A6:B7', 'A8:B8']);
  });

  it('cover the rows that are left when a condition removes the first one', async () => {
    const body = sheet('S', [
      ['{% if first %}'],
      [merged(5, 2, 'area'), covered, 'x'],
      [wide, '{% endif %}'],
      [wide, 'y'],
      [wide, 'z'],
      [wide, 'end'],
    ]);
    // The area also has the row of the tag.
    expect(await areas(await fillIt(body, { first: true }))).toEqual(['1 1 4 2 area']);
    expect(await areas(await fillIt(body, { first: false }))).toEqual(['1 1 3 2']);
  });

  it('are one area around a loop', async () => {
    const body = sheet('S', [
      [merged(5, 1, 'side'), 'a'],
      [covered, '{% for i in is %}'],
      [covered, '{{ i }}'],
      [covered, '{% endfor %}'],
      [covered, 'b'],
    ]);
    expect(await areas(await fillIt(body, { is: [1, 2, 3] }))).toEqual(['1 1 5 1 side']);
    expect(await areas(await fillIt(body, { is: [] }))).toEqual(['1 1 2 1 side']);
  });
});

describe('page breaks', () => {
  const rows = (...lines: [cells: string, isBreak?: boolean][]): Row[] =>
    lines.map(([text, isBreak = false]) => ({ cells: [text], isBreak }));
  const LOOP = '{% for i in is %}';

  /** The text of the rows; `|` precedes a row that begins a page. */
  async function pages(lines: readonly Row[], data: unknown): Promise<string> {
    const bytes = await fill(await odf('ods', sheet('S', lines), { styles: STYLES }), data, {
      format: 'ods',
    });
    const root = await part(bytes, 'content.xml');
    const begins = new Map(
      all(root, 'style:style').map((style) => [
        style.get('style:name'),
        style.first('style:table-row-properties')?.get('fo:break-before') === 'page',
      ]),
    );
    return all(root, 'table:table-row')
      .map((row) => {
        const before = begins.get(row.get('table:style-name')) === true ? '|' : '';
        return row.get('table:number-rows-repeated') === undefined || before !== ''
          ? before + row.textContent()
          : '';
      })
      .join(' ')
      .trim();
  }

  it.each([
    [
      'before the row of a tag, once',
      [['a'], [LOOP, true], ['{{ i }}'], ['{% endfor %}'], ['b']],
      'a |1 2 3 b',
    ],
    [
      'before the repeated row, in each pass',
      [['a'], [LOOP], ['{{ i }}', true], ['{% endfor %}'], ['b']],
      'a |1 |2 |3 b',
    ],
    [
      'between repeated rows, in each pass',
      [[LOOP], ['{{ i }}'], ['x', true], ['{% endfor %}']],
      '1 |x 2 |x 3 |x',
    ],
    [
      'before the end of the block, after each pass',
      [['a'], [LOOP], ['{{ i }}'], ['{% endfor %}', true], ['b']],
      'a 1 |2 |3 |b',
    ],
    ['behind the block, once', [['a'], [LOOP], ['{{ i }}'], ['{% endfor %}'], ['b', true]], 'a 1 2 3 |b'],
    ['after each pass at the end of the sheet', [[LOOP], ['{{ i }}'], ['{% endfor %}', true]], '1 |2 |3 |'],
  ] as [string, [string, boolean?][], string][])('are %s, as in xlsx', async (_, lines, expected) => {
    expect(await pages(rows(...lines), { is: [1, 2, 3] })).toBe(expected);
  });

  it('stay where a condition removes the row that they precede', async () => {
    const lines = rows(['a'], ['{% if x %}'], ['b', true], ['{% endif %}'], ['c']);
    expect(await pages(lines, { x: false })).toBe('a |c');
    expect(await pages(lines, { x: true })).toBe('a |b c');
  });
});
