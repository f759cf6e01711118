import { describe, expect, it } from 'vitest';
import { checkDocument, documentText } from '../../packages/office/src/fill.ts';
import { docx, p, partText, relationships, table, W_NAMESPACES, XML } from './build.ts';
import { fill, type Options, paragraphs } from './fill.ts';
import { odf, odfTable, page, tp } from './odf.ts';
import { ap, atable, pptx } from './pptx.ts';
import { cells, xlsx } from './xlsx.ts';

/** Blocks that are not whole are refused when the template is added, with their place (docs/office-templates.md). */

type Format = NonNullable<Options['format']>;

/** A document of each format with a text that has a slide or sheet, or a paragraph, of its own. */
const ALONE: Readonly<
  Record<Format, { make: (text: string) => Promise<Buffer>; part: string; line: number }>
> = {
  docx: { make: (text) => docx(p('a') + p(text) + p('b')), part: 'word/document.xml', line: 2 },
  odt: { make: (text) => odf('odt', tp('a') + tp(text) + tp('b')), part: 'content.xml', line: 2 },
  pptx: {
    make: (text) => pptx([{ shapes: ['a'] }, { shapes: [text] }, { shapes: ['b'] }]),
    part: 'ppt/slides/slide2.xml',
    line: 1,
  },
  odp: {
    make: (text) => odf('odp', page('a', 'a') + page('b', text) + page('c', 'b')),
    part: 'content.xml',
    line: 2,
  },
  xlsx: {
    make: (text) =>
      xlsx([
        { name: 'A', rows: [['a']] },
        { name: 'B', rows: [[text]] },
        { name: 'C', rows: [['b']] },
      ]),
    part: 'xl/worksheets/sheet2.xml',
    line: 1,
  },
  ods: {
    make: (text) => odf('ods', odfTable(['a']) + odfTable([text]) + odfTable(['b'])),
    part: 'content.xml',
    line: 2,
  },
};
const FORMATS = Object.keys(ALONE) as Format[];

async function refused(bytes: Uint8Array, format: Format, fault: object): Promise<void> {
  const expected = { code: 'template_syntax', faults: [fault] };
  await expect(checkDocument(bytes, format, 'jinja2')).rejects.toMatchObject(expected);
  for (const data of [{}, { a: true, l: [1, 2] }])
    await expect(fill(bytes, data, { format })).rejects.toMatchObject(expected);
}

describe.each(FORMATS)('in %s, alone on its slide or sheet or in its paragraph', (format) => {
  const { make, part, line } = ALONE[format];
  it.each([
    '{% if a %}',
    '{% for i in l %}',
    '{% endif %}',
    '{% endfor %}',
    '{% else %}',
    '{%p if a %}',
    '{%r if a %}',
    '{% set x %}',
    '{% if a',
    '{{ a',
    '{# a',
    '{% raw %}',
    '{%tr endfor %}',
    '{%slide endfor %}',
    '{%sheet endfor %}',
    '{{tr a }}',
  ])('an unclosed tag, or a closing tag without an opening one, is refused: %s', async (text) => {
    await refused(await make(text), format, { file: part, line });
  });

  it.each(['slide', 'sheet'])('a tag for a %s is refused in formats without them', async (level) => {
    const isThere = (level === 'slide' ? ['pptx', 'odp'] : ['xlsx', 'ods']).includes(format);
    const bytes = await make(`{%${level} if a %}`);
    if (isThere) await expect(checkDocument(bytes, format, 'jinja2')).resolves.toEqual([]);
    else await refused(bytes, format, { file: part, line });
  });
});

/** A document of each format with one text alone. */
const ONLY: Readonly<Record<Format, (text: string) => Promise<Buffer>>> = {
  docx: (text) => docx(p(text)),
  odt: (text) => odf('odt', tp(text)),
  pptx: (text) => pptx([{ shapes: [text] }]),
  odp: (text) => odf('odp', page('a', text)),
  xlsx: (text) => xlsx([{ name: 'A', rows: [[text]] }]),
  ods: (text) => odf('ods', odfTable([text])),
};

it.each(FORMATS)('in %s, one tag that is the only content of the document is no text', async (format) => {
  for (const text of ['{% if a %}', '{% for i in l %}', '{% endif %}', '{% else %}'])
    await refused(await ONLY[format](text), format, {});
  const bytes = await ONLY[format]('{% set x = 1 %}');
  await expect(checkDocument(bytes, format, 'jinja2')).resolves.toEqual([]);
  if (format === 'xlsx' || format === 'ods') {
    // The sheet belongs to its tag, and no workbook is without one.
    const error = {
      code: 'template_render',
      message: expect.stringContaining('no visible sheet is left of it') as string,
    };
    await expect(fill(bytes, {}, { format })).rejects.toMatchObject(error);
    await expect(fill(await ONLY[format]('{%sheet if no %}'), {}, { format })).rejects.toMatchObject(error);
    return;
  }
  const filled = await fill(bytes, {}, { format });
  expect(Buffer.from(filled).toString('latin1')).not.toBe(bytes.toString('latin1'));
  await expect(documentText(filled, format, 'jinja2')).resolves.toBe('');
});

const HEADER = (text: string): string => `${XML}<w:hdr ${W_NAMESPACES}>${p(text)}</w:hdr>`;
const HEADER_RELATION = [{ id: 'rId5', type: 'header', target: 'header1.xml' }];

describe.each([
  ['{% if a %}', '{% endif %}'],
  ['{% for i in l %}', '{% endfor %}'],
])('%s with its end in another part is refused', (open, end) => {
  const [from, to] = [`q ${open}`, `w ${end}`];
  const cases: [where: string, format: Format, make: () => Promise<Buffer>][] = [
    ['in another table', 'docx', () => docx(table([from, '1']) + p('m') + table([to, '2']))],
    ['outside of the table', 'docx', () => docx(table([from, '1']) + p(to))],
    ['inside of a table', 'docx', () => docx(p(from) + table([to, '1']))],
    [
      'in the text, and it in the header',
      'docx',
      () => docx(p(to), { 'word/header1.xml': HEADER(from) }, HEADER_RELATION),
    ],
    ['in another table', 'odt', () => odf('odt', odfTable([from, '1']) + odfTable([to, '2']))],
    [
      'outside of the list',
      'odt',
      () => odf('odt', `<text:list><text:list-item>${tp(from)}</text:list-item></text:list>${tp(to)}`),
    ],
    ['on another slide', 'pptx', () => pptx([{ shapes: [from] }, { shapes: [to] }])],
    ['in another text box', 'pptx', () => pptx([{ shapes: [from, to] }])],
    ['in another table', 'pptx', () => pptx([{ shapes: [atable([from]), atable([to])] }])],
    ['in the notes', 'pptx', () => pptx([{ shapes: [from], notes: to }])],
    ['on another slide, and it alone on its own', 'pptx', () => pptx([{ shapes: [open] }, { shapes: [to] }])],
    ['on another slide', 'odp', () => odf('odp', page('a', from) + page('b', to))],
    ['in another text box', 'odp', () => odf('odp', page('a', from, to))],
    [
      'on another sheet',
      'xlsx',
      () =>
        xlsx([
          { name: 'A', rows: [[from]] },
          { name: 'B', rows: [[to]] },
        ]),
    ],
    ['on another sheet', 'ods', () => odf('ods', odfTable([from]) + odfTable([to]))],
  ];
  it.each(cases)('%s, in %s', async (_, format, make) => {
    const bytes = await make();
    await expect(checkDocument(bytes, format, 'jinja2')).rejects.toMatchObject({ code: 'template_syntax' });
    await expect(fill(bytes, { a: true, l: [1] }, { format })).rejects.toMatchObject({
      code: 'template_syntax',
    });
  });
});

describe('a block that begins in a run, link or span and ends outside of it', () => {
  it.each([
    [true, ['q x u w  v']],
    [false, ['q  v']],
  ])('acts on the text between (%s)', async (a, expected) => {
    const link = `<w:p><w:hyperlink w:anchor="z"><w:r><w:t>q {% if a %}x u</w:t></w:r></w:hyperlink><w:r><w:t> w {% endif %} v</w:t></w:r></w:p>`;
    expect(await paragraphs(await fill(await docx(link), { a }))).toEqual(expected);
    const spans = `<text:p>q <text:span>{% if a %}x u</text:span> w {% endif %} v</text:p>`;
    const filled = await fill(await odf('odt', spans), { a }, { format: 'odt' });
    expect(await paragraphs(filled, 'content.xml')).toEqual(expected);
  });

  it('is repeated with the look it has', async () => {
    const body =
      '<w:p><w:r><w:rPr><w:b/></w:rPr><w:t>{% for i in l %}{{ i }}</w:t></w:r><w:hyperlink w:anchor="z"><w:r><w:t>,{% endfor %}.</w:t></w:r></w:hyperlink></w:p>';
    expect(await paragraphs(await fill(await docx(body), { l: [1, 2] }))).toEqual(['1,2,.']);
  });
});

describe('texts in attributes', () => {
  const picture = (descr: string): string =>
    `<w:p><w:r><w:drawing><wp:inline xmlns:wp="http://schemas.openxmlformats.org/drawingml/2006/wordprocessingDrawing"><wp:docPr id="1" name="n" descr="${descr}"/></wp:inline></w:drawing></w:r></w:p>`;
  it.each(['{{ a', '{% if a', '{# a', '{{ a }} {{ b', '{% if a %}', '{% endif %}'])(
    'an alternative text with an unclosed tag is refused: %s',
    async (text) => {
      const bytes = await docx(picture(text));
      await expect(checkDocument(bytes, 'docx', 'jinja2')).rejects.toMatchObject({
        code: 'template_syntax',
        faults: [{ file: 'word/document.xml' }],
      });
    },
  );

  it('the name of a sheet, too', async () => {
    const bytes = await xlsx([{ name: 'A {{ a', rows: [['x']] }]);
    await expect(checkDocument(bytes, 'xlsx', 'jinja2')).rejects.toMatchObject({
      code: 'template_syntax',
      faults: [{ file: 'xl/worksheets/sheet1.xml' }],
    });
  });

  it('the target of a link, too', async () => {
    const bytes = await docx(`<w:p><w:hyperlink r:id="rId9"><w:r><w:t>x</w:t></w:r></w:hyperlink></w:p>`, {
      'word/_rels/document.xml.rels': relationships([
        { id: 'rId9', type: 'hyperlink', target: 'https://a.example/{{ a', external: true },
      ]),
    });
    await expect(checkDocument(bytes, 'docx', 'jinja2')).rejects.toMatchObject({ code: 'template_syntax' });
  });

  it('a comment leaves nothing', async () => {
    const filled = await fill(await docx(picture('x{# y #}z') + p('{{ a }}')), { a: 1 });
    expect(String(await paragraphs(filled))).toContain('1');
    expect(await partText(filled, 'word/document.xml')).toContain('descr="xz"');
  });
});

it('formulas may contain text like an opening tag', async () => {
  const sheet = await xlsx([{ name: 'A', rows: [['=LEN("{% if a")'], ['{{ a }}']] }]);
  await expect(checkDocument(sheet, 'xlsx', 'jinja2')).resolves.toEqual([]);
  const cell =
    '<table:table-cell table:formula="of:=LEN(&quot;{% if&quot;)+SUM({#N/A;1})" office:value-type="float" office:value="5"/>';
  const body = `<table:table table:name="T"><table:table-row>${cell}<table:table-cell>${tp('{{ a }}')}</table:table-cell></table:table-row></table:table>`;
  await expect(checkDocument(await odf('ods', body), 'ods', 'jinja2')).resolves.toEqual([]);
});

it('formulas of validations and conditional formats may refer to names that a tag fills, and contain no tags', async () => {
  const sheet = async (after: string): Promise<Buffer> =>
    await xlsx([{ name: '{{ a }}', rows: [['{{ a }}']], after }]);
  const validation = (formula: string): string =>
    `<dataValidations count="1"><dataValidation sqref="A1" type="list"><formula1>${formula}</formula1></dataValidation></dataValidations>`;
  const format = (formula: string): string =>
    `<conditionalFormatting sqref="A1"><cfRule type="expression" priority="1"><formula>${formula}</formula></cfRule></conditionalFormatting>`;
  const spreadsheet = async (condition: string): Promise<Buffer> =>
    await odf(
      'ods',
      `<table:content-validations><table:content-validation table:name="V" table:condition="of:cell-content-is-in-list(${condition})" table:base-cell-address="T.A1"/></table:content-validations><table:table table:name="T"><table:table-row><table:table-cell>${tp('{{ a }}')}</table:table-cell></table:table-row></table:table>`,
    );
  const named = "'{{ a }}'!$B$1:$B$2";
  for (const good of [validation(named), validation('"{{ a"'), format(`A1=${named}`)])
    await expect(checkDocument(await sheet(good), 'xlsx', 'jinja2')).resolves.toEqual([]);
  for (const bad of [validation('"{{ a }}"'), validation('{{ a }}'), format('A1="{% if a %}"')])
    await expect(checkDocument(await sheet(bad), 'xlsx', 'jinja2')).rejects.toMatchObject({
      code: 'template_syntax',
      message: expect.stringContaining('have the formula name that cell') as string,
    });
  const list = await spreadsheet("[$'{{ a }}'.$A$1:.$A$1]");
  await expect(checkDocument(list, 'ods', 'jinja2')).resolves.toEqual([]);
  await expect(
    checkDocument(await spreadsheet('&quot;{{ a }}&quot;'), 'ods', 'jinja2'),
  ).rejects.toMatchObject({ code: 'template_syntax', faults: [{ file: 'content.xml' }] });
});

describe('formulas of cells may not contain tags, which would be printed literally (office-templates, Spreadsheets)', () => {
  const table = (formula: string): string =>
    `<table:table table:name="T"><table:table-row><table:table-cell/><table:table-cell table:formula="of:=${formula}"/></table:table-row></table:table>`;

  it.each(['SUM({{ a }})', '"{{ a }}"', 'IF(A1,{% if a %}1{% endif %},2)', 'A1{# why #}'])(
    '%s is refused with its cell',
    async (formula) => {
      const refusal = (file: string) => ({
        code: 'template_syntax',
        message: expect.stringContaining('tags in formulas of cells are not filled') as string,
        faults: [{ file, cell: 'T!B1' }],
      });
      const sheet = await xlsx([{ name: 'T', rows: [['{{ a }}', `=${formula}`]] }]);
      await expect(checkDocument(sheet, 'xlsx', 'jinja2')).rejects.toMatchObject(
        refusal('xl/worksheets/sheet1.xml'),
      );
      const ods = await odf('ods', table(formula.replaceAll('"', '&quot;')));
      await expect(checkDocument(ods, 'ods', 'jinja2')).rejects.toMatchObject(refusal('content.xml'));
    },
  );

  it.each(["SUM('{{ a }}'!B1:B2)", 'SUM({1,2;3,4})', 'LEN("{{ a")'])('%s is no such tag', async (formula) => {
    const sheet = await xlsx([{ name: '{{ a }}', rows: [['{{ a }}', `=${formula}`]] }]);
    await expect(checkDocument(sheet, 'xlsx', 'jinja2')).resolves.toEqual([]);
  });
});

it('a comment of Liquid may hold tags that are closed nowhere', async () => {
  const body = p('{% if a %}a{% comment %}{% if b %}{% endcomment %}b{% endif %}');
  expect(await paragraphs(await fill(await docx(body), { a: true }, { engine: 'liquid' }))).toEqual(['ab']);
});

describe('rich text keeps its place among the text of its run', () => {
  const data = { v: { text: 'RICH', bold: true }, w: ['one', { text: 'two', italic: true }] };
  const text = 'a {{r v }} b {{r w }} c';
  const expected = 'a RICH b onetwo c';
  it.each<[Format, string, Promise<Buffer>]>([
    ['docx', 'word/document.xml', docx(p(text) + table([text]))],
    ['pptx', 'ppt/slides/slide1.xml', pptx([{ shapes: [ap(text), atable([text])] }])],
    ['odt', 'content.xml', odf('odt', tp(text) + odfTable([text]))],
    ['odp', 'content.xml', odf('odp', page('a', text, text))],
    ['ods', 'content.xml', odf('ods', odfTable([text], [text]))],
  ])('in %s', async (format, part, bytes) => {
    expect(await paragraphs(await fill(await bytes, data, { format }), part)).toEqual([expected, expected]);
  });

  it('in xlsx, where {{p }} makes lines', async () => {
    const bytes = await xlsx([{ name: 'A', rows: [[text, '{{r v }}', '{{p w }}']] }]);
    expect(await cells(await fill(bytes, data, { format: 'xlsx' }))).toEqual({
      A1: expected,
      B1: 'RICH',
      C1: 'one\ntwo',
    });
  });

  it('in the look of the run on both sides', async () => {
    const body = '<w:p><w:r><w:rPr><w:i/></w:rPr><w:t>a {{r v }} b</w:t></w:r></w:p>';
    const xml = await partText(await fill(await docx(body), data), 'word/document.xml');
    expect(xml.match(/<w:rPr>.*?<\/w:rPr>/g)).toEqual([
      '<w:rPr><w:i/></w:rPr>',
      '<w:rPr><w:b/><w:i/></w:rPr>',
      '<w:rPr><w:i/></w:rPr>',
    ]);
  });
});

describe.each([
  ['docx', (...texts: string[]) => docx(texts.map((text) => p(text)).join('')), 'word/document.xml'],
  ['odt', (...texts: string[]) => odf('odt', texts.map((text) => tp(text)).join('')), 'content.xml'],
  [
    'pptx',
    (...texts: string[]) => pptx([{ shapes: [texts.map((text) => ap(text)).join('')] }]),
    'ppt/slides/slide1.xml',
  ],
] as const)('in %s, a block with one tag alone in its paragraph', (format, make, path) => {
  const shown = async (...texts: string[]): Promise<string[]> => {
    const bytes = await make(...texts);
    const filled = await fill(bytes, { xs: ['A', 'B'], no: false, yes: true }, { format });
    return (await paragraphs(filled, path)).map((text) => text.trim());
  };

  it('repeats whole paragraphs if the other one begins or ends the text', async () => {
    expect(await shown('q', '{% for x in xs %}- {{ x }}', 'note', '{% endfor %}', 'z')).toEqual([
      'q',
      '- A',
      'note',
      '- B',
      'note',
      'z',
    ]);
    expect(await shown('{% for x in xs %}', '- {{ x }}', 'note{% endfor %}', 'z')).toEqual([
      '- A',
      'note',
      '- B',
      'note',
      'z',
    ]);
    expect(await shown('Names: {% for x in xs %}', '{{ x }}', '{% endfor %}')).toEqual(['Names:', 'A', 'B']);
  });

  it('leaves out whole paragraphs', async () => {
    const both = ['{% if no %}one', 'two', '{% else %}', 'three{% endif %}', 'z'] as const;
    expect(await shown(...both)).toEqual(['three', 'z']);
    expect(await shown('a', '{% if no %}one', '{% endif %}', 'z')).toEqual(['a', 'z']);
  });

  it('nests in others, which go on from within the text', async () => {
    const texts = ['{% for x in xs %}{% if yes %}{{ x }}', '{% endif %}', 'z{% endfor %}'];
    expect(await shown(...texts)).toEqual(['A', '', 'zB', '', 'z']);
  });

  it('goes on from the middle of the text, as the tags stand', async () => {
    expect(await shown('q {% for x in xs %}- {{ x }}', 'note', '{% endfor %}')).toEqual([
      'q - A',
      'note',
      '- B',
      'note',
      '',
    ]);
    const nested = ['q {% if yes %}{{ yes }}', '{% for x in xs %}{{ x }}', '{% endfor %}{% endif %}'];
    expect((await shown(...nested)).join(' ').trim()).toBe('q True A B');
  });
});
