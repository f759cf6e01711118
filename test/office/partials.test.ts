import { describe, expect, it } from 'vitest';
import { checkDocument, fillDocument } from '../../packages/office/src/fill.ts';
import type { LoadedJob } from '../../packages/office/src/job.ts';
import { all } from '../../packages/office/src/xml/tree.ts';
import { docx, p, png, table, unzip, XML } from './build.ts';
import { paragraphs, part } from './fill.ts';
import { keep } from './kept.ts';
import { ap, pptx } from './pptx.ts';
import { cells, xlsx } from './xlsx.ts';

/** Partials in office templates (I-39). */

const WORD = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"';

async function filled(bytes: Uint8Array, more: Partial<LoadedJob>): Promise<Uint8Array> {
  const job = {
    format: 'docx',
    engine: 'jinja2',
    data: '{"name": "Ada & <Co>"}',
    images: new Map(),
    time: 10_000,
  } as const;
  const { bytes: result } = await fillDocument({ ...job, bytes, ...more });
  keep('docx', bytes, result);
  return result;
}

it.each(['jinja2', 'flask'] as const)(
  'texts are included in %s without escaping, with their line breaks',
  async (engine) => {
    const partials = {
      'terms.txt': 'Dear {{ name }},\nall {{ n }} the best.\n',
      'm.txt': '{% macro twice(x) %}{{ x }}-{{ x }}{% endmacro %}',
      evil: 'a\ufdd0b{{ name }}',
    };
    const body =
      p('{% set n = 3 %}{% import "m.txt" as m %}') +
      p('{% include "terms.txt" %}') +
      p('{{ m.twice(name) }}, {%p include "evil" %}') +
      p('{% include "none" ignore missing %}.');
    expect(await paragraphs(await filled(await docx(body), { engine, partials }))).toEqual([
      'Dear Ada & <Co>,\nall 3 the best.',
      'Ada & <Co>-Ada & <Co>, abAda & <Co>',
      '.',
    ]);
  },
);

it('a document sees its own partials, language and variables, after another with the same template', async () => {
  const bytes = await docx(
    p(
      '{{ seen or "new" }}{% set seen = 1 %} {% include "greeting" ignore missing %} {{ 1234.5 | numberformat }}',
    ),
  );
  const germany = { locale: 'de-DE', catalogues: [] };
  const texts = async (more: Partial<LoadedJob>) => await paragraphs(await filled(bytes, more));
  expect(await texts({ partials: { greeting: 'Hello' } })).toEqual(['new Hello 1,234.5']);
  expect(await texts({ partials: { greeting: 'Hallo' }, language: germany })).toEqual(['new Hallo 1.234,5']);
  expect(await texts({})).toEqual(['new  1,234.5']);
});

it('Liquid renders and includes texts in documents', async () => {
  const partials = { 'a.txt': 'Dear {{ who }}{{ name }}\n' };
  const body = p('{% render "a.txt", who: name %}') + p('{% include "a.txt" %}');
  expect(await paragraphs(await filled(await docx(body), { engine: 'liquid', partials }))).toEqual([
    'Dear Ada & <Co>',
    'Dear Ada & <Co>',
  ]);
});

it('texts are included in slides and in cells', async () => {
  const partials = { 'a.txt': 'Dear {{ name }}' };
  const slides = await filled(await pptx([{ shapes: [ap('{% include "a.txt" %}')] }]), {
    format: 'pptx',
    partials,
  });
  expect(await paragraphs(slides, 'ppt/slides/slide1.xml')).toContain('Dear Ada & <Co>');
  const book = await filled(await xlsx([{ name: 'S', rows: [['{% include "a.txt" %}']] }]), {
    format: 'xlsx',
    partials,
  });
  expect(JSON.stringify(await cells(book))).toContain('Dear Ada & <Co>');
});

it('named partials are reported with their paragraph; extends is refused', async () => {
  const bytes = await docx(
    p('x') + p('{% include "a" %}{% include "a" %}') + p('{{p subdocument("t.docx") }}'),
  );
  expect(await checkDocument(bytes, 'docx', 'jinja2')).toMatchObject([
    {
      kind: 'text',
      names: ['a'],
      place: { file: 'word/document.xml', line: 2, source: '{% include "a" %}' },
    },
    { kind: 'document', names: ['t.docx'], place: { line: 3 } },
  ]);
  await expect(checkDocument(await docx(p('{% extends "a" %}')), 'docx', 'jinja2')).rejects.toMatchObject({
    code: 'template_syntax',
  });
});

it('an error in a partial names the line in the partial, and a missing partial the paragraph of its tag', async () => {
  const bytes = await docx(p('x') + p('{% include name %}'));
  const data = '{"name": "a.txt"}';
  await expect(filled(bytes, { data, partials: { 'a.txt': 'x\n{{ 1 / 0 }}' } })).rejects.toMatchObject({
    code: 'template_render',
    faults: [{ file: 'partials/a.txt', line: 2, message: 'division by zero' }],
  });
  await expect(filled(bytes, { data })).rejects.toMatchObject({
    faults: [{ file: 'word/document.xml', line: 2, message: 'there is no partial "a.txt"' }],
  });
});

const STYLES = (name: string, id: string, more = ''): string =>
  `${XML}<w:styles ${WORD}><w:style w:type="paragraph" w:styleId="${id}"><w:name w:val="${name}"/>${more}</w:style></w:styles>`;
const NUMBERING = `${XML}<w:numbering ${WORD}><w:abstractNum w:abstractNumId="0"><w:nsid w:val="AA"/><w:lvl w:ilvl="0"><w:start w:val="1"/><w:numFmt w:val="decimal"/><w:lvlText w:val="%1."/></w:lvl></w:abstractNum><w:num w:numId="1"><w:abstractNumId w:val="0"/></w:num></w:numbering>`;
const PICTURE = `<w:p><w:r><w:drawing><wp:inline xmlns:wp="http://schemas.openxmlformats.org/drawingml/2006/wordprocessingDrawing"><wp:extent cx="360000" cy="360000"/><wp:docPr id="1" name="i"/><a:graphic xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main"><a:graphicData uri="http://schemas.openxmlformats.org/drawingml/2006/picture"><pic:pic xmlns:pic="http://schemas.openxmlformats.org/drawingml/2006/picture"><pic:nvPicPr><pic:cNvPr id="1" name="i"/><pic:cNvPicPr/></pic:nvPicPr><pic:blipFill><a:blip r:embed="rId9"/><a:stretch><a:fillRect/></a:stretch></pic:blipFill><pic:spPr><a:xfrm><a:off x="0" y="0"/><a:ext cx="360000" cy="360000"/></a:xfrm><a:prstGeom prst="rect"><a:avLst/></a:prstGeom></pic:spPr></pic:pic></a:graphicData></a:graphic></wp:inline></w:drawing></w:r></w:p>`;

it('a document is put into another with its styles, lists, pictures and fields, as often as it is named', async () => {
  const styled = (style: string, text: string): string =>
    `<w:p><w:pPr><w:pStyle w:val="${style}"/></w:pPr><w:r><w:t>${text}</w:t></w:r></w:p>`;
  const listed =
    '<w:p><w:pPr><w:numPr><w:ilvl w:val="0"/><w:numId w:val="1"/></w:numPr></w:pPr><w:r><w:t>point</w:t></w:r></w:p>';
  const terms = await docx(
    styled('Own', 'Terms for {{ name }}') +
      styled('Heading', 'Same name') +
      listed +
      PICTURE +
      table(['cell']),
    {
      'word/styles.xml': `${XML}<w:styles ${WORD}><w:style w:type="paragraph" w:styleId="Own"><w:name w:val="Own"/><w:basedOn w:val="Base"/></w:style><w:style w:type="paragraph" w:styleId="Base"><w:name w:val="Base"/><w:rPr><w:b/></w:rPr></w:style><w:style w:type="paragraph" w:styleId="Heading"><w:name w:val="Heading 1"/></w:style></w:styles>`,
      'word/numbering.xml': NUMBERING,
      'word/media/image1.png': png(4, 4),
    },
    [
      { id: 'rId9', type: 'image', target: 'media/image1.png' },
      { id: 'rId2', type: 'styles', target: 'styles.xml' },
      { id: 'rId3', type: 'numbering', target: 'numbering.xml' },
    ],
  );
  const letter = await docx(
    p('before') +
      p('{{p subdocument("terms.docx") }}') +
      p('{% for i in [1, 2] %}') +
      p('mid{{ subdocument("terms.docx") }}') +
      p('{% endfor %}') +
      table(['{{ subdocument("terms.docx") }}']),
    { 'word/styles.xml': STYLES('heading 1', 'berschrift1'), 'word/numbering.xml': NUMBERING },
    [
      { id: 'rId2', type: 'styles', target: 'styles.xml' },
      { id: 'rId3', type: 'numbering', target: 'numbering.xml' },
    ],
  );
  const documents = new Map([['terms.docx', terms]]);
  const result = await filled(letter, { documents });
  const texts = await paragraphs(result);
  expect(texts.slice(0, 6)).toEqual(['before', 'Terms for Ada & <Co>', 'Same name', 'point', '', 'cell']);
  expect(texts.filter((text) => text.startsWith('Terms for'))).toHaveLength(4);
  const document = await part(result, 'word/document.xml');
  const values = (tag: string): (string | undefined)[] =>
    all(document, tag).map((element) => element.get('w:val'));
  expect(new Set(values('w:pStyle'))).toEqual(new Set(['Own', 'berschrift1']));
  const styles = all(await part(result, 'word/styles.xml'), 'w:style').map((style) => style.get('w:styleId'));
  expect(styles).toEqual(['berschrift1', 'Own', 'Base']);
  const lists = values('w:numId');
  expect([lists.length, new Set(lists).size, lists.includes('1')]).toEqual([4, 4, false]);
  const entries = await unzip(result);
  expect([...entries.keys()].filter((path) => path.startsWith('word/media/')).length).toBeGreaterThan(0);
  expect(all(document, 'w:sectPr')).toHaveLength(1);
  await expect(filled(letter, {})).rejects.toMatchObject({ code: 'template_render' });
  await expect(filled(letter, { documents: new Map([['terms.docx', letter]]) })).rejects.toMatchObject({
    code: 'template_budget',
  });
});

describe('a document within a paragraph', () => {
  const inner = (text: string): Promise<Buffer> => docx(p(text) + p('end'));

  it('stands between the texts before and after it', async () => {
    const letter = await docx(
      p('A {{ subdocument("x") }} C {{ subdocument("y") }}') + p('D') + p('{{ subdocument("x") }}E'),
    );
    const documents = new Map([
      ['x', await inner('X')],
      ['y', await inner('Y')],
    ]);
    const texts = (await paragraphs(await filled(letter, { documents }))).map((text) => text.trim());
    expect(texts).toEqual(['A', 'X', 'end', 'C', 'Y', 'end', 'D', 'X', 'end', 'E']);
  });

  it('keeps the section that ends with its paragraph', async () => {
    const section = '<w:pPr><w:sectPr><w:pgSz w:w="9000" w:h="9000"/></w:sectPr></w:pPr>';
    const letter = await docx(p('A{{ subdocument("x") }}').replace('<w:p>', `<w:p>${section}`) + p('B'));
    const result = await filled(letter, { documents: new Map([['x', await inner('X')]]) });
    expect(await paragraphs(result)).toEqual(['A', 'X', 'end', '', 'B']);
    const places = all(await part(result, 'word/document.xml'), 'w:p').map(
      (one) => one.first('w:pPr')?.first('w:sectPr') !== undefined,
    );
    expect(places).toEqual([false, false, false, true, false]);
  });

  it('brings its styles into a template that has none', async () => {
    const styled = '<w:p><w:pPr><w:pStyle w:val="Own"/></w:pPr><w:r><w:t>X</w:t></w:r></w:p>';
    const relations = [{ id: 'rId2', type: 'styles', target: 'styles.xml' }];
    const terms = await docx(styled, { 'word/styles.xml': STYLES('Own', 'Own') }, relations);
    const result = await filled(await docx(p('{{ subdocument("x") }}')), {
      documents: new Map([['x', terms]]),
    });
    const styles = all(await part(result, 'word/styles.xml'), 'w:style');
    expect(styles.map((style) => style.get('w:styleId'))).toEqual(['Own']);
    expect((await unzip(result)).get('word/_rels/document.xml.rels')?.toString()).toContain('styles.xml');
  });
});

describe('a document that is put into another sees the variables of its place', () => {
  const inserted = async (
    body: string,
    inner: string,
    more: Record<string, string> = {},
  ): Promise<string[]> => {
    const documents = new Map([['a.docx', await docx(p(inner))]]);
    for (const [name, text] of Object.entries(more)) documents.set(name, await docx(p(text)));
    const data = '{"items": [{"n": 1}, {"n": 2}, {"n": 3}], "name": "Ada"}';
    return await paragraphs(await filled(await docx(body), { data, documents }));
  };

  it('of loops, each pass its own, with the loop as it was', async () => {
    const body = p('{%p for i in items %}') + p('{{p subdocument("a.docx") }}') + p('{%p endfor %}');
    expect(await inserted(body, '{{ loop.index }}/{{ loop.length }} {{ i.n }} {{ name }}')).toEqual([
      '1/3 1 Ada',
      '2/3 2 Ada',
      '3/3 3 Ada',
    ]);
  });

  it('of set and with, which win over the data, and of a macro', async () => {
    const body =
      p('{% set name = "Bo" %}{% macro m(x) %}{{ subdocument("a.docx") }}{% endmacro %}') +
      p('{{p subdocument("a.docx") }}') +
      p('{% with name = "Cy" %}{{ subdocument("a.docx") }}{% endwith %}') +
      p('{{p subdocument("a.docx") }}') +
      p('{{ m(4) }}');
    expect(await inserted(body, '{{ name }}{{ x }}')).toEqual(['', 'Bo', 'Cy', 'Bo', 'Bo4']);
  });

  it('through another document and a text, which do not name them', async () => {
    const body = p('{%p for i in items %}') + p('{{p subdocument("b.docx") }}') + p('{%p endfor %}');
    expect(await inserted(body, '{{ i.n }}', { 'b.docx': '{{ subdocument("a.docx") }}' })).toEqual([
      '1',
      '2',
      '3',
    ]);
  });

  it('and is filled once if it uses none of them', async () => {
    const body = p('{%p for i in range(30) %}') + p('{{p subdocument("a.docx") }}') + p('{%p endfor %}');
    // A document of another template language is named in a warning each time that it is filled.
    const documents = new Map([['a.docx', await docx(p('Terms for {customer} in this city'))]]);
    const warnings: string[] = [];
    const job = {
      format: 'docx',
      engine: 'jinja2',
      data: '{}',
      images: new Map(),
      time: 10_000,
      documents,
    } as const;
    const { bytes } = await fillDocument(
      { ...job, bytes: await docx(body) },
      (text) => void warnings.push(text),
    );
    expect(await paragraphs(bytes)).toHaveLength(30);
    expect(warnings).toHaveLength(1);
  });
});
