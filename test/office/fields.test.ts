import { describe, expect, it } from 'vitest';
import { conditionResult } from '../../packages/office/src/docx/fields.ts';
import { all, type Element } from '../../packages/office/src/xml/tree.ts';
import { docx } from './build.ts';
import { fill, part } from './fill.ts';
import { odf } from './odf.ts';

/** Fields of Word (ECMA-376, 17.16). */

const mark = (type: string): string => `<w:r><w:fldChar w:fldCharType="${type}"/></w:r>`;
const textRun = (text: string): string => `<w:r><w:t xml:space="preserve">${text}</w:t></w:r>`;
const code = (text: string): string => `<w:r><w:instrText xml:space="preserve">${text}</w:instrText></w:r>`;
const field = (instruction: string, result: string): string =>
  mark('begin') + instruction + mark('separate') + result + mark('end');

describe('the result of an IF field (17.16.5.22)', () => {
  it.each([
    ['IF "a" = "a" "yes" "no"', 'yes'],
    ['IF "a" = "b" "yes" "no"', 'no'],
    ['IF a <> b "yes it is" no \\* MERGEFORMAT', 'yes it is'],
    ['IF 9 < 10 "fewer"', 'fewer'],
    ['IF 10 < 9 "fewer"', ''],
    ['IF "9" >= "10" "more" "fewer"', 'fewer'],
    ['IF "Müller & Co" = "M*Co" "is" "is not"', 'is'],
    ['IF "abc" = "a?" "is" "is not"', 'is not'],
    ['IF "" = "" "empty" "full"', 'empty'],
    ['IF “a” = “a” “say \\"yes\\"” “no”', 'say "yes"'],
  ])('of %s is %s', (instruction, result) => {
    expect(conditionResult([instruction])).toBe(result);
  });

  it.each(['IF a b c d', 'IF "a = "b" "c"', 'IF', 'IF a = b c d e f'])('of %s is unknown', (instruction) => {
    expect(conditionResult([instruction])).toBeNull();
  });

  it('has the results of fields within it as operands', () => {
    expect(conditionResult(['IF ', { result: 'New York' }, ' = "New York" "here" "there"'])).toBe('here');
    expect(conditionResult(['IF "', { result: 'a "b"' }, '" = x "here" "there"'])).toBe('there');
  });
});

it('IF fields have the result that the values of their instruction give, and keep their format', async () => {
  const inner = field(code(' IF "{{ g }}" = "f" "Mrs" "Mr" '), textRun('M') + textRun('r'));
  const outer = field(code(' IF "') + inner + code('" = "Mrs" "Dear" "Hello" '), textRun('Hello'));
  const template = await docx(`<w:p>${inner}${textRun(' {{ n }}')}</w:p><w:p>${outer}</w:p>`);
  const texts = async (data: unknown): Promise<string[]> =>
    all(await part(await fill(template, data), 'word/document.xml'), 'w:t').map((text) => text.textContent());
  expect(await texts({ g: 'f', n: 'Smith' })).toEqual(['Mrs', '', ' Smith', 'Mrs', '', 'Dear']);
  expect(await texts({ g: 'm', n: 'Smith' })).toEqual(['Mr', '', ' Smith', 'Mr', '', 'Hello']);
});

describe('a value in an instruction (17.16.1)', () => {
  const value = 'a "b" C:\\';
  const instruction = ' IF "{{ g }}" = "f" "{{ g }}" "no {{ g }}" ';
  const word = async (g: string, engine: 'jinja2' | 'liquid'): Promise<Element> => {
    const attribute = instruction.replaceAll('"', '&quot;');
    const simple = `<w:p><w:fldSimple w:instr="${attribute}">${textRun('old')}</w:fldSimple></w:p>`;
    const template = await docx(`<w:p>${field(code(instruction), textRun('old'))}</w:p>${simple}`);
    return await part(await fill(template, { g }, { engine }), 'word/document.xml');
  };

  it.each(['jinja2', 'liquid'] as const)('keeps its quotes and backslashes, with %s', async (engine) => {
    const escaped = 'a \\"b\\" C:\\\\';
    const expected = ` IF "${escaped}" = "f" "${escaped}" "no ${escaped}" `;
    const root = await word(value, engine);
    expect(all(root, 'w:instrText')[0]?.textContent()).toBe(expected);
    expect(all(root, 'w:fldSimple')[0]?.get('w:instr')).toBe(expected);
    const results = all(root, 'w:t').map((text) => text.textContent());
    expect(results).toEqual([`no ${value}`, `no ${value}`]);
  });

  it('keeps its quotes in conditions and formulas of OpenDocument', async () => {
    const field = `<text:p><text:conditional-text text:condition="ooow:&quot;{{ g }}&quot; EQ &quot;f&quot;" text:string-value-if-true="{{ g }}">x</text:conditional-text></text:p>`;
    const root = await part(
      await fill(await odf('odt', field), { g: value }, { format: 'odt' }),
      'content.xml',
    );
    // LibreOffice reads a backslash before any other character as itself.
    const [found] = all(root, 'text:conditional-text');
    expect(found?.get('text:condition')).toBe('ooow:"a \\"b\\" C:\\" EQ "f"');
    expect(found?.get('text:string-value-if-true')).toBe(value);
  });

  it('that makes it unreadable leaves the saved result, with a warning, and Word computes it', async () => {
    const warnings: string[] = [];
    const template = await docx(`<w:p>${field(code(' IF {{ g }} = f "a" "b" '), textRun('old'))}</w:p>`);
    const bytes = await fill(template, { g: 'x y z' }, { warn: (text) => warnings.push(text) });
    const root = await part(bytes, 'word/document.xml');
    expect(all(root, 'w:fldChar')[0]?.get('w:dirty')).toBe('true');
    expect(all(root, 'w:t')[0]?.textContent()).toBe('old');
    expect(warnings).toEqual([
      'IF fields that cannot be read have their saved results: IF x y z = f "a" "b".',
    ]);
  });
});

describe('saved results of fields', () => {
  /** The results of fields between marks, and of simple ones, after the filling. */
  async function results(body: string, data: unknown = { xs: [1, 2, 3] }): Promise<string[]> {
    const root = await part(await fill(await docx(body), data), 'word/document.xml');
    return all(root, 'w:t').map((text) => text.textContent());
  }
  const one = (instruction: string, saved = '?'): string =>
    `<w:p>${field(code(` ${instruction} `), textRun(saved))}</w:p>`;
  const each = (body: string): string =>
    `<w:p>${textRun('{% for x in xs %}')}</w:p>${body}<w:p>${textRun('{% endfor %}')}</w:p>`;

  it('of sequences are numbers in order, each sequence by itself (17.16.5.56)', async () => {
    const simple = `<w:p><w:fldSimple w:instr=" SEQ Table ">${textRun('?')}</w:fldSimple></w:p>`;
    expect(await results(each(one('SEQ Figure \\* ARABIC') + simple) + one('SEQ figure \\c'))).toEqual([
      ...['1', '1', '2', '2', '3', '3'],
      '3',
    ]);
    expect(await results(each(one('SEQ A \\h', '')) + one('SEQ A \\n'))).toEqual(['', '', '', '4']);
  });

  it.each([
    ['SEQ A \\r 27 \\* alphabetic', 'aa'],
    ['SEQ A \\r 28 \\* ALPHABETIC \\* MERGEFORMAT', 'BB'],
    ['SEQ A \\r 1994 \\* ROMAN', 'MCMXCIV'],
    ['SEQ A \\r49 \\* roman', 'xlix'],
    ['SEQ A \\* Ordinal', '?'],
    ['SEQ A \\s 1', '?'],
  ])('of %s is %s', async (instruction, result) => {
    expect(await results(one(instruction) + each(''))).toEqual([result]);
  });

  it('of references are the text of the bookmark of their pass', async () => {
    const marked = `<w:p><w:bookmarkStart w:id="0" w:name="n"/>${textRun('No ')}${field(code('SEQ N'), textRun('?'))}<w:bookmarkEnd w:id="0"/></w:p>`;
    const texts = await results(each(marked + one('REF n \\h', 'old')));
    expect(texts).toEqual(['No ', '1', 'No 1', 'No ', '2', 'No 2', 'No ', '3', 'No 3']);
    const simple = `<w:p><w:fldSimple w:instr=" REF n ">${textRun('old')}</w:fldSimple></w:p>`;
    expect(await results(marked + simple + each(''))).toEqual(['No ', '1', 'No 1']);
  });

  it('that depend on pages, tables or several paragraphs are left to Word', async () => {
    const across = `<w:p><w:bookmarkStart w:id="0" w:name="n"/>${textRun('a')}</w:p><w:p>${textRun('b')}<w:bookmarkEnd w:id="0"/></w:p>`;
    const codes = ['REF n', 'PAGEREF n', 'REF n \\r', '=SUM(ABOVE)', 'TOC', 'PAGEREF _Toc1', 'AUTHOR'];
    const body = across + codes.map((each) => one(each)).join('') + each('');
    const root = await part(await fill(await docx(body), { xs: [] }), 'word/document.xml');
    const begins = all(root, 'w:fldChar').filter((mark) => mark.get('w:fldCharType') === 'begin');
    expect(begins.map((begin) => begin.get('w:dirty') === 'true')).toEqual([
      ...[true, true, true, true, true],
      ...[false, false],
    ]);
  });

  it('of formulas that name cells of repeated rows are announced', async () => {
    const cell = (content: string): string => `<w:tr><w:tc>${content}</w:tc></w:tr>`;
    const rows = (loop: string): string =>
      `<w:tbl><w:tblPr/><w:tblGrid><w:gridCol/></w:tblGrid>${cell(`<w:p>${textRun(loop)}</w:p>`)}${cell(`<w:p>${textRun('{{ x }}')}</w:p>`)}${cell(`<w:p>${textRun('{%tr endfor %}')}</w:p>`)}${cell(one('=SUM(A1:A3)'))}${cell(one('=SUM(ABOVE)'))}</w:tbl>`;
    const warnings: string[] = [];
    await fill(
      await docx(rows('{%tr for x in xs %}')),
      { xs: [1, 2] },
      { warn: (text) => warnings.push(text) },
    );
    expect(warnings).toEqual(['Formulas name cells of a table whose rows are repeated: =SUM(A1:A3).']);
  });
});
