import { expect, it } from 'vitest';
import { WordFinder } from '../../../packages/pdf/src/steps/redact/words.ts';
import { rawPdf, rawStream, run, workspace } from '../fixtures.ts';
import { redacted } from './redacted.ts';

/** Words go in every order in which a reader may join the letters that a page shows (I-46). */

/** A page with lines of text, whose letters are those of the lines from left to right. */
function shown(path: string, lines: readonly (readonly [x: number, y: number, text: string])[]): string {
  const letters = [...new Set(lines.flatMap(([, , text]) => [...text]))];
  const codeOf = (letter: string): string => (0x21 + letters.indexOf(letter)).toString(16);
  const unicode = letters.map(
    (letter) => `<${codeOf(letter)}> <${(letter.codePointAt(0) ?? 0).toString(16).padStart(4, '0')}>`,
  );
  const content = lines.map(
    ([x, y, text]) => `BT /F 12 Tf 1 0 0 1 ${x} ${y} Tm <${[...text].map(codeOf).join('')}> Tj ET`,
  );
  const widths = letters.map(() => 600).join(' ');
  return rawPdf(path, [
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 /MediaBox [0 0 400 300] >>',
    '<< /Type /Page /Parent 2 0 R /Contents 4 0 R /Resources << /Font << /F 5 0 R >> >> >>',
    rawStream('', content.join('\n')),
    `<< /Type /Font /Subtype /Type1 /BaseFont /Courier /ToUnicode 6 0 R /FirstChar 33 /LastChar ${32 + letters.length} /Widths [${widths}] >>`,
    rawStream(
      '',
      `begincmap 1 begincodespacerange <00> <ff> endcodespacerange ${letters.length} beginbfchar ${unicode.join(' ')} endbfchar endcmap`,
    ),
  ]);
}

const backwards = (text: string): string => [...text].toReversed().join('');

it('finds a word before a vowel that is drawn before its consonant', () => {
  const word = 'လက်မှတ်';
  const letters = Array.from(`${word}ေကး`, (text) => ({ text }));
  expect(new WordFinder([word]).find(letters)).toEqual([{ from: 0, to: word.length }]);
});

it('finds a word whose marks are drawn in another order, and no other phrase of the same letters', () => {
  const found = (word: string, text: string): number =>
    new WordFinder([word]).find(Array.from(text, (one) => ({ text: one }))).length;
  // The vowel AM is drawn as a mark before the tone mark, and a letter.
  expect(found('น้ำดื่ม', 'น\u0e4d\u0e49\u0e32ดื่ม')).toBe(1);
  expect(found('ใบแจ้งหนี้ภาษาไทย', 'ภาษาไทยใบแจ้งหนี้')).toBe(0);
  expect(found('ลูกค้าสมชาย', 'สมชายลูกค้า')).toBe(0);
});

it('removes a phrase from right to left that ends with a period of Latin letters', async () => {
  const at = workspace();
  const lines = [
    [20, 250, `No. ${backwards('שלום')}`],
    [20, 200, backwards('חברת')],
  ] as const;
  const output = await redacted(shown(at('in.pdf'), lines), at('out.pdf'), { words: ['שלום No.'] });
  const text = run('pdftotext', output, '-');
  expect(text).not.toMatch(/No|שלום/u);
  expect(text).toContain('חברת');
});

it('removes a phrase that readers join from the right cell of a row and the left one of the next', async () => {
  const at = workspace();
  const lines = [
    [20, 250, backwards('לקוח')],
    [150, 250, backwards('תאריך')],
    [20, 230, backwards('מספר')],
    [150, 230, backwards('כתובת')],
  ] as const;
  const input = shown(at('in.pdf'), lines);
  const joined = (path: string): string =>
    run('pdftotext', '-layout', path, '-').replace(/[\s\u202a-\u202e]+/gu, ' ');
  expect(joined(input)).toContain('תאריך מספר');
  const output = await redacted(input, at('out.pdf'), { words: ['תאריך מספר'] });
  expect(joined(output)).not.toContain('תאריך מספר');
  expect(joined(output)).toMatch(/לקוח.*כתובת/u);
});
