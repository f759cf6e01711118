import { describe, expect, it } from 'vitest';
import { docx, p, partText, table } from './build.ts';
import { fill, paragraphs, rows } from './fill.ts';
import { odf, odfTable, tp } from './odf.ts';
import { ap, pptx } from './pptx.ts';
import { xlsx } from './xlsx.ts';

/** Content of the document that macros, `set`, `call` and `capture` hold (I-18). */

const SECTION = '<w:sectPr><w:pgSz w:w="9000" w:h="9000"/></w:sectPr>';

describe('paragraphs of a macro', () => {
  const MACRO = [p('{%p macro terms(n) %}'), p('Pay in {{ n }} days.'), p('Or not.'), p('{%p endmacro %}')];

  it.each<[string, string[], string[]]>([
    ['replace the paragraph of a call with a prefix', ['{{p terms(3) }}'], ['Pay in 3 days.', 'Or not.']],
    ['replace a paragraph that has nothing else', [' {{ terms(3) }} '], ['Pay in 3 days.', 'Or not.']],
    [
      'divide the paragraph of a call between texts',
      ['You ', 'agree: {{ terms(3) }} Yours'],
      ['You agree: ', 'Pay in 3 days.', 'Or not.', ' Yours'],
    ],
    [
      'stand as often as they are called',
      ['{{ terms(1) }}{{ terms(2) }}!'],
      ['Pay in 1 days.', 'Or not.', 'Pay in 2 days.', 'Or not.', '!'],
    ],
  ])('%s', async (_, call, expected) => {
    const template = await docx(MACRO.join('') + p(...call) + p('End'));
    expect(await paragraphs(await fill(template, {}))).toEqual([...expected, 'End']);
  });

  it('can call others, and have conditions and loops', async () => {
    const template = await docx(
      p('{% macro item(x) %}') +
        p('{{ x }}') +
        p('{% endmacro %}') +
        p('{% macro list(xs) %}') +
        p('{% for x in xs %}') +
        p('- {{ item(x) }}') +
        p('{% endfor %}') +
        p('{% endmacro %}') +
        p('{{ list([1, 2]) }}'),
    );
    expect(await paragraphs(await fill(template, {}))).toEqual(['- ', '1', '- ', '2']);
  });

  it('can be given by a caller, or a set', async () => {
    const template = await docx(
      p('{% macro box() %}') +
        p('<{{ caller() }}>') +
        p('{% endmacro %}') +
        p('{% call box() %}') +
        p('In it') +
        p('{% endcall %}') +
        p('{% set t %}') +
        p('Held') +
        p('{% endset %}') +
        p('a{{ t }}'),
    );
    expect(await paragraphs(await fill(template, {}))).toEqual(['<', 'In it', '>', 'a', 'Held']);
  });

  it('come from a capture in Liquid', async () => {
    const template = await docx(
      p('{% capture t %}') + p('Held') + p('{% endcapture %}') + p('a{{ t }}b') + p('{{p t }}'),
    );
    expect(await paragraphs(await fill(template, {}, { engine: 'liquid' }))).toEqual([
      'a',
      'Held',
      'b',
      'Held',
    ]);
  });

  it('stand in cells, with tables', async () => {
    const template = await docx(
      p('{% macro m() %}') + p('Text') + table(['a', 'b']) + p('{% endmacro %}') + table(['{{ m() }}', '2']),
    );
    const filled = await fill(template, {});
    expect(await rows(filled)).toEqual([
      ['Text¶a¶b¶', '2'],
      ['a', 'b'],
    ]);
    expect(await partText(filled, 'word/document.xml')).toContain('</w:tbl><w:p/></w:tc>');
  });

  it('end the section of the paragraph in which they stand', async () => {
    const end = (text: string): string => p(text).replace('<w:p>', `<w:p><w:pPr>${SECTION}</w:pPr>`);
    for (const [call, last] of [
      ['a {{ m() }}', 'Held'],
      ['{{ m() }} b', ' b'],
    ] as const) {
      const template = await docx(
        p('{% macro m() %}') + p('Held') + p('{% endmacro %}') + end(call) + p('End'),
      );
      const xml = await partText(await fill(template, {}), 'word/document.xml');
      expect(xml.split(SECTION)).toHaveLength(2);
      const [before = '', after = ''] = xml.split(SECTION);
      expect(before + after.split('</w:p>', 1)[0]).toContain(last);
      expect(after.split('</w:p>').slice(1).join('')).not.toContain(last);
    }
  });

  it.each(['odt', 'pptx'] as const)('stand in %s', async (format) => {
    const LINES = ['{% macro m(x) %}', 'Held {{ x }}', '{% endmacro %}', 'a {{ m(1) }} b', '{{p m(2) }}'];
    const [template, path] =
      format === 'odt'
        ? [
            await odf('odt', LINES.map((line) => tp(line)).join('') + odfTable(['c{{ m(3) }}'])),
            'content.xml',
          ]
        : [
            await pptx([{ shapes: [LINES.map((line) => ap(line)).join(''), 'c{{ m(3) }}'] }]),
            'ppt/slides/slide1.xml',
          ];
    const filled = await fill(template, {}, { format });
    expect(await paragraphs(filled, path)).toEqual(['a ', 'Held 1', ' b', 'Held 2', 'c', 'Held 3']);
  });

  it('have references to their own call', async () => {
    const content =
      '<w:p><w:bookmarkStart w:id="1" w:name="B"/><w:r><w:t>{{ n }}</w:t></w:r><w:bookmarkEnd w:id="1"/><w:fldSimple w:instr=" REF B "><w:r><w:t>old</w:t></w:r></w:fldSimple></w:p>';
    for (const call of ['{{ m(1) }}', '{{p m(1) }}']) {
      const template = await docx(
        p('{% macro m(n) %}') + content + p('{% endmacro %}') + p(call) + p(call.replace('1', '2')),
      );
      const xml = await partText(await fill(template, {}), 'word/document.xml');
      expect(xml.match(/ REF \w+/g)).toEqual([' REF B', ' REF B_2']);
    }
  });

  it('give their text to an attribute', async () => {
    const link = '<w:hyperlink w:tooltip="{{ m() }}"><w:r><w:t>{{ 1 }}</w:t></w:r></w:hyperlink>';
    const template = await docx(
      p('{% macro m() %}') + p('Held') + p('{% endmacro %}') + `<w:p>${link}</w:p>`,
    );
    expect(await partText(await fill(template, {}), 'word/document.xml')).toContain('w:tooltip="Held"');
  });
});

describe('runs of a macro', () => {
  const RUN = '<w:r><w:rPr><w:b/></w:rPr><w:t>{{ x }}</w:t></w:r>';

  it('keep their format within another run', async () => {
    const tag = (body: string): string => `<w:r><w:t>{%r ${body} %}</w:t></w:r>`;
    const template = await docx(
      `<w:p>${tag('macro bold(x)')}${RUN}${tag('endmacro')}</w:p>` +
        p('a {{ bold("b") }} c {{r bold("d") }}'),
    );
    const filled = await fill(template, {});
    expect(await paragraphs(filled)).toEqual(['', 'a b c d']);
    const xml = await partText(filled, 'word/document.xml');
    expect(
      [...xml.matchAll(/<w:r><w:rPr><w:b\/><\/w:rPr><w:t[^>]*>(.)<\/w:t><\/w:r>/g)].map(([, x]) => x),
    ).toEqual(['b', 'd']);
    expect(xml).not.toMatch(/<w:t[ >][^<]*<w:/);
  });
});

describe('what cannot stand in a text', () => {
  it('is refused: rows of a table', async () => {
    const template = await docx(
      table(['{%tr macro m() %}', ''], ['a', 'b'], ['{%tr endmacro %}', ''], ['{{ m() }}', '']),
    );
    await expect(fill(template, {})).rejects.toThrow('a macro or variable holds w:tr');
  });

  it('is refused: rows of a sheet', async () => {
    const template = await xlsx([
      {
        name: 'S',
        rows: [
          ['{% macro m() %}', ''],
          ['a', 'b'],
          ['{% endmacro %}', ''],
          ['{{ m() }}', 'c'],
        ],
      },
    ]);
    await expect(fill(template, {}, { format: 'xlsx' })).rejects.toThrow('a macro or variable holds row');
  });

  it('is refused: content for a filter of formatted text', async () => {
    const template = await docx(p('{% set t %}') + p('Held') + p('{% endset %}') + p('{{p t|html }}'));
    await expect(fill(template, {})).rejects.toThrow('a filter for formatted text');
  });
});
