import { describe, expect, it } from 'vitest';
import { conditionResult } from '../../packages/office/src/docx/fields.ts';
import { all } from '../../packages/office/src/xml/tree.ts';
import { docx } from './build.ts';
import { fill, part } from './fill.ts';

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
