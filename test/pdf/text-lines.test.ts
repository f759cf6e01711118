import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { Engine } from '../../packages/pdf/src/files/engine.ts';
import { readText } from '../../packages/pdf/src/look/text-task.ts';
import { compilePdfium } from '../../packages/pdf/src/pdfium/binary.ts';
import { compileQpdf } from '../../packages/pdf/src/files/qpdf.ts';
import { rawStream } from './fixtures.ts';
import { page } from './steps/redacted.ts';

/** Text as a reader sees it, line by line, in logical order (I-47). */

const folder = mkdtempSync(path.join(tmpdir(), 'platen-test-text-'));
afterAll(() => rmSync(folder, { recursive: true }));
const at = (name: string): string => path.join(folder, name);
const engine = new Engine(await compileQpdf(), folder);
const pdfium = await compilePdfium();

async function linesOf(input: string): Promise<string[]> {
  const task = { pdfium, input: { path: input }, output: at('out.txt'), format: 'text', range: undefined } as const;
  await readText(engine, task);
  return readFileSync(at('out.txt'), 'utf8').split(/[\n\f]+/).filter(Boolean);
} // prettier-ignore

const sample = (name: string): string => path.join(import.meta.dirname, 'steps', 'samples', `${name}.pdf`);

it('a list of short lines is not taken for vertical writing', async () => {
  const lines = await linesOf(sample('leak_in'));
  const names = ['John Smith', 'Mary Jones', 'Peter Brown', 'Anna Miller', 'Tom Lee'];
  expect(lines.slice(0, 22)).toEqual(Array.from({ length: 22 }, (_, index) => names[index % 5]));
});

it('clusters of Devanagari stay whole', async () => {
  const lines = await linesOf(sample('lst_hi_par'));
  expect(lines.slice(0, 2)).toEqual([
    'यह एक सामान्य हिन्दी वाक्य है जिसमें राष्ट्र और विद्यार्थी शब्द हैं और यह पंक्ति लम्बी है ताकि पूरी चौड़ाई भर',
    'जाए।',
  ]);
});

it('brackets, numbers and Latin words from right to left are in logical order', async () => {
  const lines = await linesOf(sample('lst_he_par'));
  expect(lines.slice(0, 2)).toEqual([
    'החשבונית הזו הונפקה על ידי חברת אבג (2020) בע"מ בתאריך 12/05/2025 בתל אביב',
    '(ישראל)',
  ]);
});

it.each([
  'राष्ट्र', 'हिन्दी', 'क्षत्रिय', 'महाराष्ट्र', 'বাংলা', 'রবীন্দ্রনাথ', 'தமிழ்', 'கொழும்பு', 'హైదరాబాద్', 'ಬೆಂಗಳೂರು', 'കൊച്ചി', 'ગુજરાતી', 'ਪੰਜਾਬੀ',
  'น้ำ', 'กรุงเทพฯ', 'ភាសាខ្មែរ', 'မြန်မာ', 'සිංහල', 'ශ්‍රී', 'الفاتورة', 'الله', 'مُحَمَّد', '(قوس)', 'می‌خواهم', 'שלום', '(סוגריים)', 'מע״מ', '[אחת]',
  'סעיף 4(א)', '50% הנחה', 'שָׁלוֹם', 'Nguyễn', 'Tiếng Việt', 'がぎぐ', '髙橋', '한국어', 'Straße', 'İstanbul',
])('a line of %s', async (line) => {
  words ??= await linesOf(sample('words1'));
  expect(words.map((one) => one.normalize('NFC'))).toContain(line.normalize('NFC'));
}); // prettier-ignore
let words: string[] | undefined;

it('text with a shadow or an outline is read once, and spaced letters are words', async () => {
  expect(await linesOf(sample('doubled'))).toEqual([
    'Kunde Mustermann zahlt.',
    'Kunde Mustermann zahlt.',
    'Kunde Mustermann Schatten',
    'Kunde Mustermann Kontur',
    'Kunde',
    'Mustermann',
    'Mustermann Mustermann',
  ]);
});

it('raised and lowered characters are in their line, and letters of other fonts in their word', async () => {
  const content = [
    'BT /F 20 Tf 20 250 Td (E = mc) Tj /F 12 Tf 7 Ts (2) Tj 0 Ts /F 20 Tf ( and H) Tj /F 12 Tf -4 Ts (2) Tj 0 Ts /F 20 Tf (O) Tj ET',
    // One font after the other, as some programs do.
    'BT /F 20 Tf 1 0 0 1 20 200 Tm (Sch) Tj 1 0 0 1 67 200 Tm (idt) Tj /C 20 Tf 1 0 0 1 54.5 200 Tm (m) Tj ET',
  ];
  expect(await linesOf(page(at('a.pdf'), content.join('\n')))).toEqual(['E = mc2 and H2O', 'Schmidt']);
});

it('letters that are shown in any order are read by their places', async () => {
  const text = ['Nullam imperdiet felis sed', 'mauris accumsan ante vitae'];
  const shown = text.flatMap((line, row) =>
    [...line].map((char, index) => `1 0 0 1 ${20 + 7.2 * index} ${250 - 16 * row} Tm (${char}) Tj`),
  );
  const mixed = shown.map((one, index) => shown[(index * 23) % shown.length] ?? one);
  expect(await linesOf(page(at('b.pdf'), `BT /C 12 Tf ${mixed.join('\n')} ET`))).toEqual(text);
});

it('columns of digits are not words, and accents over letters are part of them', async () => {
  const digits = [1, 2, 3, 4, 5, 6].map((digit, index) => `1 0 0 1 ${20 + 30 * index} 250 Tm (${digit}) Tj`);
  const accents = '1 0 0 1 20 200 Tm (M) Tj 18.9 0 Td (\\250) Tj -2.24 0 Td (u) Tj 11.12 0 Td (ller) Tj';
  const content = `BT /F 12 Tf ${digits.join(' ')} /F 20 Tf ${accents} ET`;
  expect(await linesOf(page(at('c.pdf'), content))).toEqual(['1 2 3 4 5 6', 'Müller']);
});

it('glyphs are identified by their names, ligatures as their letters', async () => {
  const form = '/Type /XObject /Subtype /Form /BBox [0 0 400 300] /Resources << /Font << /X 8 0 R >> >>';
  const input = page(at('d.pdf'), '/X Do', '', [
    rawStream(form, 'BT /X 14 Tf 20 100 Td (di\\001erent o\\002ce \\003) Tj ET'),
    '<< /Type /Font /Subtype /Type1 /BaseFont /Times-Roman /Encoding << /Differences [1 /ff /f_f_i /uni00410042] >> >>',
  ]);
  expect(await linesOf(input)).toEqual(['different office AB']);
});

it('blanks that pad a cell of a table are no gaps in the words of the next one', async () => {
  const content =
    'BT /F 12 Tf 20 250 Td (06/30/2015                              ) Tj 90 0 Td (08/29/2015) Tj ET';
  expect(await linesOf(page(at('e.pdf'), content))).toEqual(['06/30/2015 08/29/2015']);
});

it('an equation of few characters is words, not one word with spaced letters', async () => {
  const content = 'BT /F 10 Tf 20 250 Td [(df) -300 (=) -300 (1)] TJ ET';
  expect(await linesOf(page(at('f.pdf'), content))).toEqual(['df = 1']);
});

it('text beyond the edges of the page is not read', async () => {
  const content = 'BT /F 12 Tf 20 250 Td (seen) Tj 0 -300 Td (below) Tj 800 300 Td (beside) Tj ET';
  expect(await linesOf(page(at('g.pdf'), content))).toEqual(['seen']);
});

it('glyphs that only PDFium identifies are all read, wherever they stand', async () => {
  const text = 'HIDDEN LETTERS OF A FONT WITHOUT NAMES';
  const codes = Array.from({ length: 26 }, (_, index) => 65 + index);
  const procs = codes.map((code) => `/a${code} 9 0 R`).join(' ');
  const names = codes.map((code) => `/a${code}`).join(' ');
  const widths = codes.map(() => '731').join(' ');
  const form = '/Type /XObject /Subtype /Form /BBox [0 0 400 300] /Resources << /Font << /X 8 0 R >> >>';
  const lines = [0, 1, 2, 3].map((row) => `1 0 0 1 ${20 + 0.27 * row} ${100 + 20.3 * row} Tm (${text}) Tj`);
  const input = page(at('h.pdf'), '/X Do', '', [
    rawStream(form, `BT /X 10 Tf ${lines.join(' ')} ET`),
    `<< /Type /Font /Subtype /Type3 /FontBBox [0 0 731 700] /FontMatrix [.001 0 0 .001 0 0] /FirstChar 65 /LastChar 90 /Widths [${widths}] /CharProcs << ${procs} >> /Encoding << /Differences [65 ${names}] >> >>`,
    rawStream('', '731 0 0 0 731 700 d1 50 0 600 650 re f'),
  ]);
  const letters = text.replaceAll(' ', '');
  expect((await linesOf(input)).map((line) => line.replaceAll(' ', ''))).toEqual([
    letters,
    letters,
    letters,
    letters,
  ]);
});
