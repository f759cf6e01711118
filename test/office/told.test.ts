import { describe, expect, it } from 'vitest';
import { docx, p, unzip, W_NAMESPACES, XML, zip } from './build.ts';
import { fill } from './fill.ts';
import { odf, tp } from './odf.ts';
import { pptx } from './pptx.ts';
import { cells, xlsx } from './xlsx.ts';

/** What authors are told about their templates, and cells that take values of their format. */

describe('a document without tags that has some of another template language', () => {
  const warnings = async (bytes: Uint8Array, format: 'docx' | 'xlsx' | 'pptx' | 'odt'): Promise<string[]> => {
    const found: string[] = [];
    const filled = await fill(bytes, {}, { format, warn: (text) => found.push(text) });
    expect([...(await unzip(filled)).keys()]).toEqual([...(await unzip(bytes)).keys()]);
    return found;
  };

  it.each(['{name}', '${name}', '<<name>>', '[[name]]', '<%= name %>', '+++INS name+++'])(
    'is returned as it is, with a warning that names %s',
    async (tag) => {
      // The end of such a command is not part of its name.
      const told = [expect.stringContaining(`has no tags, but ${tag.replace(/\+\+\+$/, '')} (`)];
      expect(await warnings(await docx(p('Dear ', tag.slice(0, 3), tag.slice(3))), 'docx')).toEqual(told);
      expect(await warnings(await xlsx([{ name: 'S', rows: [[tag]] }]), 'xlsx')).toEqual(told);
      expect(await warnings(await pptx([{ shapes: [tag] }]), 'pptx')).toEqual(told);
      expect(await warnings(await odf('odt', tp(tag)), 'odt')).toEqual(told);
    },
  );

  it.each(['a { b', '{1, 2}', '<3', '[1]', 'C+++', '$5'])('has none for %s', async (text) => {
    expect(await warnings(await docx(p(text)), 'docx')).toEqual([]);
  });

  it('names merge fields of Word', async () => {
    const field =
      '<w:p><w:fldSimple w:instr=" MERGEFIELD &quot;First name&quot; "><w:r><w:t>x</w:t></w:r></w:fldSimple></w:p>';
    expect(await warnings(await docx(field), 'docx')).toEqual([expect.stringContaining('MERGEFIELD "First')]);
  });
});

it('a header with the variable of a loop around its section is refused, and named with the variable', async () => {
  const template = await docx(
    p('{% for letter in letters %}') +
      `<w:p><w:pPr><w:sectPr><w:headerReference w:type="default" r:id="header1"/></w:sectPr></w:pPr></w:p>` +
      p('{% endfor %}'),
    { 'word/header1.xml': `${XML}<w:hdr ${W_NAMESPACES}>${p('To {{ letter.name }}')}</w:hdr>` },
    [{ id: 'header1', type: 'header', target: 'header1.xml' }],
  );
  await expect(fill(template, { letters: [{ name: 'x' }] })).rejects.toMatchObject({
    code: 'template_render',
    faults: [{ file: 'word/header1.xml', message: expect.stringContaining("'letter' is undefined") }],
  });
});

it('times become numbers in cells with a format of times, and stay text in others', async () => {
  const rows = [
    ['@3 {{ t[0] }}', '@4 {{ t[1] }}', '@3 {{ t[2] }}', '@4 {{ t[3] }}', '{{ t[0] }}', '@3 {{ t[4] }}'],
    ['=SUM(A1:D1)'],
  ];
  const bytes = await fill(
    await xlsx([{ name: 'S', rows }]),
    { t: ['08:30:00', '26:00', '12:00', 'PT1H30M', 'noon'] },
    { format: 'xlsx' },
  );
  const { A1, B1, C1, D1, E1, F1 } = await cells(bytes);
  expect([A1, B1, C1, D1].map((value) => Number(value) * 24)).toEqual(
    [8.5, 26, 12, 1.5].map((hours) => expect.closeTo(hours, 9)),
  );
  expect([E1, F1]).toEqual(['08:30:00', 'noon']);
});

it.each(['xlsx', 'ods'] as const)('a name that goes with its sheet is told once (%s)', async (format) => {
  const warnings: string[] = [];
  const sheet = (name: string, text: string): string =>
    `<table:table table:name="${name}"><table:table-row><table:table-cell>${tp(text)}</table:table-cell></table:table-row></table:table>`;
  const named =
    '<table:named-expressions><table:named-range table:name="N" table:base-cell-address="$A.$A$1" table:cell-range-address="$B.$A$1"/></table:named-expressions>';
  const template =
    format === 'xlsx'
      ? await xlsx(
          [
            { name: 'A', rows: [['a']] },
            { name: 'B', rows: [['{%sheet if x %}']] },
          ],
          { names: '<definedName name="N">B!$A$1</definedName>' },
        )
      : await odf('ods', sheet('A', 'a') + sheet('B', '{%sheet if x %}') + named);
  await fill(template, { x: false }, { format, warn: (text) => warnings.push(text) });
  expect(warnings).toEqual(['Removed with the sheet to which it leads: the name N.']);
});

it('a content types part in lower case opens', async () => {
  const parts = Object.fromEntries(await unzip(await docx(p('{{ a }}'))));
  const { '[Content_Types].xml': types = '', ...rest } = parts;
  const bytes = await fill(await zip({ '[content_types].xml': types, ...rest }), { a: 'x' });
  expect(String((await unzip(bytes)).get('word/document.xml'))).toContain('>x<');
});

describe('formulas of OpenDocument', () => {
  const MATHML = 'xmlns="http://www.w3.org/1998/Math/MathML"';
  /** @param shown in MathML; @param source in StarMath, whose braces are groups */
  const withFormula = async (shown: string, source: string, text = 'Dear {{ name }}'): Promise<string[]> => {
    const parts = Object.fromEntries(await unzip(await odf('odt', tp(text))));
    const formula = `<math ${MATHML}><semantics><mrow>${shown}</mrow><annotation encoding="StarMath 5.0">${source}</annotation></semantics></math>`;
    const found: string[] = [];
    const document = await zip({ ...parts, 'Object 1/content.xml': formula });
    await fill(document, { name: 'Ada', a: 2 }, { format: 'odt', warn: (told) => found.push(told) });
    return found;
  };
  const TOLD = 'Tags in formulas of OpenDocument are not filled: Object 1.';

  it.each([
    ['in a text', '<mtext>{{ a }}</mtext>', '"{{ a }}"'],
    [
      'in several parts',
      '<mo>{</mo><mo>{</mo><mi>a</mi><mo>}</mo><mo>}</mo>',
      'lbrace lbrace a rbrace rbrace',
    ],
  ])('are named if they show tags, %s', async (_, shown, source) => {
    expect(await withFormula(shown, source)).toEqual([TOLD]);
    expect(await withFormula(shown, source, 'no tag')).toEqual([TOLD]);
  });

  it('are not the texts and charts of LibreOffice, which declare the namespace of MathML', async () => {
    const declared = 'xmlns:math="http://www.w3.org/1998/Math/MathML"';
    const parts = new Map(await unzip(await odf('odt', tp('Dear {name}'))));
    const text = String(parts.get('content.xml')).replace('<office:document-content', `$& ${declared}`);
    const found: string[] = [];
    const warn = (told: string): unknown => found.push(told);
    const foreign = await zip({ ...Object.fromEntries(parts), 'content.xml': text });
    await fill(foreign, {}, { format: 'odt', warn });
    expect(found).toEqual([expect.stringContaining('{name}')]);
    const chart = `<x:x xmlns:x="x" ${declared}><x:title>{{ a }}</x:title></x:x>`;
    const charted = await zip({ ...Object.fromEntries(parts), 'Object 1/content.xml': chart });
    await fill(charted, { a: 2 }, { format: 'odt', warn });
    expect(found.filter((told) => told.startsWith('Tags in formulas'))).toEqual([]);
  });

  it('have no warning for groups in their source', async () => {
    for (const text of ['Dear {{ name }}', 'no tag'])
      expect(await withFormula('<mfrac><mi>a</mi><mi>b</mi></mfrac>', '{{a} over {b}}', text)).toEqual([]);
  });
});
