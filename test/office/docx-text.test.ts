import { describe, expect, it } from 'vitest';
import { docx, p, partText, table, unzip } from './build.ts';
import { fill, paragraphs, rows } from './fill.ts';
import { odf, tp } from './odf.ts';
import { ap, pptx } from './pptx.ts';

/** Text in Word: the dialect of python-docx-template (I-18: values are text, whichever engine). */

describe('a tag in a paragraph', () => {
  it('is replaced by its value, even if it is split into several runs', async () => {
    const template = await docx(p('Dear {', '{ na', 'me }', '}, hello') + p('{{ a }} and {', '{ b }}'));
    const filled = await fill(template, { name: 'Ann', a: 1, b: 2 });
    expect(await paragraphs(filled)).toEqual(['Dear Ann, hello', '1 and 2']);
  });

  it.each([
    ['{{ x|default(«\u00a0none\u00a0») }}', 'none'],
    ['{{ x|default(«\u202fl’eau\u202f») }}', 'l’eau'],
    ['{{ x|default(»keine«) }}', 'keine'],
    ['{{ x|default(‹keine›) }}', 'keine'],
    ['{{ x|default(„keine“) }}', 'keine'],
    ['{{ x|default("« a »") }}', '« a »'],
    ['{% if v == « a » %}no{% else %}yes{% endif %}', 'yes'],
  ])('may have the quotes of any language: %s', async (tag, text) => {
    expect(await paragraphs(await fill(await docx(p(tag)), { v: 'a' }))).toEqual([text]);
  });

  it('may hold curly quotes, dashes and other spaces, as word processors put them', async () => {
    const template = await docx(
      p('{{ “a” ~ ‘b’ }}') + p('{{ x –\u00a01 }}') + p('{{ “it’s” }}') + p('{{ d[‘k’] }}'),
    );
    const filled = await fill(template, { x: 3, d: { k: 'v' } });
    expect(await paragraphs(filled)).toEqual(['ab', '2', 'it’s', 'v']);
  });

  it('may hold closing brackets in strings and in dicts', async () => {
    const template = await docx(p('{{ "}}" }}') + p("{{ {'a': {'b': 1}}['a']['b'] }}") + p('{{ "%}" }}'));
    expect(await paragraphs(await fill(template, {}))).toEqual(['}}', '1', '%}']);
  });

  it('shows a value as text, markup and characters XML cannot hold included', async () => {
    const value =
      '<w:p>&amp;</w:p> "q" \u0000\u0008\u{1f600} مرحبا \ufdd1\ufdd03\ufdef ]]> {{ name }} {% x %}';
    const template = await docx(p('[{{ v }}] [{{ v|e }}] [{{ v|safe }}]'));
    const filled = await fill(template, { v: value });
    const shown = '<w:p>&amp;</w:p> "q" \u{1f600} مرحبا 3 ]]> {{ name }} {% x %}';
    expect(await paragraphs(filled)).toEqual([`[${shown}] [${shown}] [${shown.replace('&amp;', '&')}]`]);
  });

  it('shows new lines, tabs and page breaks of a value as such', async () => {
    const filled = await fill(await docx(p('[{{ v }}]')), { v: 'a\nb\tc\fd' });
    expect(await paragraphs(filled)).toEqual(['[a\nb\tc\fd]']);
  });

  it('begins a new paragraph of the same format at a bell character', async () => {
    const body = '<w:p><w:pPr><w:jc w:val="center"/></w:pPr><w:r><w:t>{{ v }}!</w:t></w:r></w:p>';
    const filled = await fill(await docx(body), { v: 'a\u0007b' });
    expect(await paragraphs(filled)).toEqual(['a', 'b!']);
    expect((await partText(filled, 'word/document.xml')).match(/<w:jc/g)).toHaveLength(2);
  });

  it('fills equations, in loops too, which have only text (ECMA-376, 22.1.2.116)', async () => {
    const equation = (text: string): string =>
      `<w:p><m:oMath xmlns:m="http://schemas.openxmlformats.org/officeDocument/2006/math"><m:r><m:t>${text}</m:t></m:r></m:oMath></w:p>`;
    const template = await docx(
      equation('x={{ a }}') +
        p('{% for i in items %}') +
        equation('y={{ i }}') +
        p('{% endfor %}') +
        equation('{{ lines }}'),
    );
    const filled = await fill(template, {
      a: 1,
      items: [2, 3],
      lines: 'd\ne',
    });
    const text = await partText(filled, 'word/document.xml');
    expect(Array.from(text.matchAll(/<m:t[^>]*>([^<]*)<\/m:t>/g), ([, shown]) => shown)).toEqual([
      'x=1',
      'y=2',
      'y=3',
      'd e',
    ]);
  });

  it('keeps the white space of a value', async () => {
    const filled = await fill(await docx(p('{{ v }}')), { v: '  a  ' });
    expect(await partText(filled, 'word/document.xml')).toContain('<w:t xml:space="preserve">  a  </w:t>');
  });

  it('prints numbers as written in the data', async () => {
    const filled = await fill(
      await docx(p('{{ a }} {{ b }} {{ c }}')),
      '{"a": 1.0, "b": 1, "c": 12345678901234567890}',
    );
    expect(await paragraphs(filled)).toEqual(['1.0 1 12345678901234567890']);
  });

  it('is text if it is escaped as in python-docx-template, or raw', async () => {
    const filled = await fill(await docx(p('{_{ a }_} {_% b %_} {% raw %}{{ c }}{% endraw %}')), {});
    expect(await paragraphs(filled)).toEqual(['{{ a }} {% b %} {{ c }}']);
  });
});

describe('block tags', () => {
  it('alone in a paragraph take it away', async () => {
    const template = await docx(p('{% for x in xs %}') + p('- {{ x }}') + p('{% endfor %}') + p('end'));
    expect(await paragraphs(await fill(template, { xs: ['a', 'b'] }))).toEqual(['- a', '- b', 'end']);
  });

  it('with the prefix p remove the paragraph with all of its text', async () => {
    const template = await docx(
      p('{%p if yes %}') + p('yes') + p('{%p else %}') + p('no') + p('x {%p endif %}'),
    );
    expect(await paragraphs(await fill(template, { yes: false }))).toEqual(['no']);
  });

  it('within a paragraph act on its text', async () => {
    const template = await docx(p('a{% if x %} b', ' c{% else %} d{% endif %} e'));
    expect(await paragraphs(await fill(template, { x: true }))).toEqual(['a b c e']);
    expect(await paragraphs(await fill(template, { x: false }))).toEqual(['a d e']);
  });

  it('join paragraphs where they have a minus', async () => {
    const template = await docx(
      p('My house is located') +
        p('{%- if town -%}') +
        p(' in urban area') +
        p('{%- else -%}') +
        p(' in countryside') +
        p('{%- endif %}') +
        p(' and I love it.'),
    );
    expect(await paragraphs(await fill(template, { town: true }))).toEqual([
      'My house is located in urban area',
      ' and I love it.',
    ]);
  });

  it.each(['docx', 'odt', 'pptx'] as const)('join lines where they have a minus, in %s', async (format) => {
    const LINES = [
      'I live',
      '{%- if town -%}',
      ' in town',
      '{%- else -%}',
      ' outside',
      '{%- endif %}',
      ' now',
    ];
    const [template, path] = {
      docx: [await docx(withLines(p(...LINES), '<w:r><w:br/></w:r>', 'w:r')), 'word/document.xml'],
      odt: [await odf('odt', withLines(tp('', ...LINES), '<text:line-break/>', 'text:span')), 'content.xml'],
      pptx: [await pptx([{ shapes: [withLines(ap(...LINES), '<a:br/>', 'a:r')] }]), 'ppt/slides/slide1.xml'],
    }[format] as [Buffer, string];
    const filled = async (town: boolean): Promise<string[]> =>
      await paragraphs(await fill(template, { town }, { format }), path);
    expect(await filled(true)).toEqual(['I live in town\n now']);
    expect(await filled(false)).toEqual(['I live outside\n now']);
  });

  it('keep page breaks and what is beyond a line break', async () => {
    const template = await docx(
      '<w:p><w:r><w:t>a </w:t><w:br w:type="page"/><w:t>{%- if true -%}</w:t><w:tab/><w:t xml:space="preserve"> b{% endif %} </w:t><w:br/><w:t> {{- v }}</w:t></w:r></w:p>',
    );
    expect(await paragraphs(await fill(template, { v: 'c' }))).toEqual(['a \fb c']);
  });

  it('apply to the text between them: filters and block sets', async () => {
    const template = await docx(
      p('{% filter upper %}abc {{ v }} ', 'def{% endfilter %}') +
        p('{% set t %}x', 'y{% endset %}{{ t }}{{ t }}'),
    );
    expect(await paragraphs(await fill(template, { v: 'ä' }))).toEqual(['ABC Ä DEF', 'xyxy']);
  });

  it('can be macros', async () => {
    const template = await docx(p('{% macro m(x) %}{{ x }}!{% endmacro %}') + p('{{ m("a") }} {{ m("b") }}'));
    expect(await paragraphs(await fill(template, {}))).toEqual(['', 'a! b!']);
  });
});

describe('a table', () => {
  it('repeats the rows between rows of tags', async () => {
    const template = await docx(
      table(
        ['Item', 'Price'],
        ['{%tr for i in items %}', ''],
        ['{{ i.n }}', '{{ i.p }}'],
        ['{%tr endfor %}', ''],
      ),
    );
    const items = [
      { n: 'a', p: 1 },
      { n: 'b', p: 2.5 },
    ];
    expect(await rows(await fill(template, { items }))).toEqual([
      ['Item', 'Price'],
      ['a', '1'],
      ['b', '2.5'],
    ]);
  });

  it('does so without a prefix', async () => {
    const template = await docx(table(['{% for i in xs %}', ''], ['{{ i }}', 'x'], ['{% endfor %}', '']));
    expect(await rows(await fill(template, { xs: [1, 2] }))).toEqual([
      ['1', 'x'],
      ['2', 'x'],
    ]);
  });

  it('repeats a row whose tags are in its first and last cell', async () => {
    const template = await docx(table(['{% for i in xs %}{{ i }}', '{{ loop.index }}{% endfor %}']));
    expect(await rows(await fill(template, { xs: ['a', 'b'] }))).toEqual([
      ['a', '1'],
      ['b', '2'],
    ]);
  });

  it('repeats columns, and widens its grid', async () => {
    const template = await docx(
      table(
        ['', '{%tc for c in cols %}', '{{ c }}', '{%tc endfor %}'],
        ['r', '{% for c in cols %}', '{{ loop.index }}', '{% endfor %}'],
      ),
    );
    const filled = await fill(template, { cols: ['A', 'B', 'C', 'D', 'E'] });
    expect(await rows(filled)).toEqual([
      ['', 'A', 'B', 'C', 'D', 'E'],
      ['r', '1', '2', '3', '4', '5'],
    ]);
    expect((await partText(filled, 'word/document.xml')).match(/<w:gridCol/g)).toHaveLength(6);
  });

  it('keeps a paragraph in a cell that lost all of its own', async () => {
    const template = await docx(table([`${p('{% if x %}')}${p('a')}${p('{% endif %}')}`, 'b']));
    expect(await rows(await fill(template, {}))).toEqual([['', 'b']]);
  });

  it('is removed if all of its rows are', async () => {
    const template = await docx(table(['{%tr for i in xs %}'], ['{{ i }}'], ['{%tr endfor %}']) + p('after'));
    const filled = await fill(template, { xs: [] });
    expect(await partText(filled, 'word/document.xml')).not.toContain('<w:tbl>');
  });

  it('merges and colours cells with colspan, cellbg and hm', async () => {
    const template = await docx(
      table(
        ['{% colspan n %}wide', '{% cellbg c %}red'],
        ['{%tc for x in xs %}', '{% hm %}h{{ x }}', '{%tc endfor %}'],
        ['{%tr for x in xs %}'],
        ['{% vm %}v{{ x }}', '{{ x }}'],
        ['{%tr endfor %}'],
      ),
    );
    const filled = await fill(template, { n: 2, c: 'ff0000', xs: [1, 2, 3] });
    const xml = await partText(filled, 'word/document.xml');
    expect(xml).toContain('<w:gridSpan w:val="2"/>');
    expect(xml).toContain('w:fill="FF0000"');
    expect(xml).toContain('<w:gridSpan w:val="3"/>');
    expect(xml.match(/<w:vMerge w:val="(restart|continue)"\/>/g)).toHaveLength(3);
    expect(await rows(filled)).toEqual([['wide', 'red'], ['h1'], ['v1', '1'], ['', '2'], ['', '3']]);
  });
});

describe('a document', () => {
  it('without tags is returned byte for byte', async () => {
    const template = await docx(p('nothing { here }'));
    expect(Buffer.from(await fill(template, {})).equals(template)).toBe(true);
  });

  it('keeps the parts that hold no tag byte for byte', async () => {
    const template = await docx(p('{{ a }}'), {
      'word/styles.xml': '<w:styles  xmlns:w="urn:x"><!-- a --></w:styles>',
    });
    const filled = await unzip(await fill(template, { a: 1 }));
    expect(filled.get('word/styles.xml')?.toString()).toBe(
      '<w:styles  xmlns:w="urn:x"><!-- a --></w:styles>',
    );
  });
});

describe('the message about a tag that does not parse', () => {
  it.each([
    ['{{ first name }}', "expected token 'end of print statement', got 'name'"],
    ['{{  }}', "Expected an expression, got 'end of print statement'"],
    ['{{ a) + (b }}', "unexpected ')'"],
    ['{{ a|nothing }}', "No filter named 'nothing'"],
    ['{{ (a }}', "unexpected '}', expected ')'"],
  ])('%s is that of Jinja2 for this tag alone', async (tag, message) => {
    await expect(fill(await docx(p('x') + p(`Dear ${tag}`)), {})).rejects.toMatchObject({
      code: 'template_syntax',
      faults: [
        {
          file: 'word/document.xml',
          line: 2,
          source: tag,
          message: expect.stringContaining(message) as string,
        },
      ],
    });
  });

  it('does not come for brackets in texts', async () => {
    expect(await paragraphs(await fill(await docx(p(`{{ ")" ~ '([{' ~ a[0] }}`)), { a: ['x'] }))).toEqual([
      ')([{x',
    ]);
  });
});

describe('a new paragraph in rich text', () => {
  it.each([
    ['docx', 'word/document.xml', () => docx(p('Notes: {{r r }}!'))],
    ['docx', 'word/document.xml', () => docx(p('{{p r }}'))],
    ['odt', 'content.xml', () => odf('odt', tp('Notes: {{r r }}!'))],
    ['pptx', 'ppt/slides/slide1.xml', () => pptx([{ shapes: [ap('Notes: {{r r }}!')] }])],
  ] as const)('begins one in %s', async (format, path, make) => {
    const filled = await fill(await make(), { r: { text: 'one\u0007two\nthree', bold: true } }, { format });
    const texts = (await paragraphs(filled, path)).filter((text) => text !== '');
    expect(texts.map((text) => text.replace(/\n/g, ' '))).toHaveLength(2);
    expect(texts[0]).toMatch(/one$/);
    expect(texts[1]).toMatch(/^two/);
  });
});

/** A paragraph with a break between its runs. */
function withLines(paragraph: string, lineBreak: string, run: string): string {
  return paragraph.replaceAll(`</${run}><${run}>`, `</${run}>${lineBreak}<${run}>`);
}
