import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { printOnce, startEngine } from '../../chrome/engine.ts';
import { Random } from '../../support/random.ts';
import { rawPdf, rawStream, run, workspace } from '../fixtures.ts';
import { process as runSteps } from './chain.ts';
import { page, redacted } from './redacted.ts';
import { htmlOf, SCRIPTS, wantedOf } from './redaction-documents.ts';
import { findersOf, plain, textsOf } from './redaction-readers.ts';

/** No reader finds a redacted word (I-46): not poppler, not mupdf, not PDFium, and not a search in all strings. */

const engine = await startEngine();
afterAll(() => engine.stop());

const sample = (name: string): string => path.join(import.meta.dirname, 'samples', `${name}.pdf`);

/** Words of documents that Chrome prints: a small part of what `npm run verify -- redaction-scripts` tries. */
it.each(['Arabic', 'Bengali', 'Khmer', 'Japanese'])(
  'redacts random words in all layouts of %s',
  async (name) => {
    const at = workspace();
    const random = new Random(7);
    const script = SCRIPTS.find((one) => one.name === name);
    if (script === undefined) throw new Error(name);
    const { html, text } = htmlOf(script, random);
    writeFileSync(at('in.pdf'), await printOnce(engine.printer, html));
    const words = wantedOf(text, random, 6);
    const output = await redacted(at('in.pdf'), at('out.pdf'), { words });
    expect((await left(output, words)).found).toEqual([]);
  },
);

/** The words that any reader finds, and the text by poppler. */
async function left(path: string, words: readonly string[]): Promise<{ found: string[]; text: string }> {
  const texts = Object.fromEntries(
    Object.entries(await textsOf(path)).map(([by, text]) => [by, plain(text)]),
  );
  const found = words.flatMap((word) => findersOf(texts, word).map((reader) => `${reader}: ${word}`));
  return { found, text: texts['poppler'] ?? '' };
}

const NAMES = ['Mary Jones', 'Peter Brown', 'Anna Miller', 'Tom Lee'];
const SENTENCE = 'यह एक सामान्य हिन्दी वाक्य है जिसमें और शब्द हैं यह पंक्ति';
const HEBREW = ['החשבונית הזו הונפקה על ידי חברת אבג', 'אביב'];
const OF_20_SCRIPTS = 'हिन्दी महाराष्ट्र রবীন্দ্রনাথ தமிழ் హైదరాబాద్ ಬೆಂಗಳೂರು മലയാളം ગુજરાતી ਸਿੰਘ น้ำ กรุงเทพฯ ភាសាខ្មែរ မြန်မာ ශ්‍රී محمد (قوس) می‌خواهم שלום [אחת] Nguyễn がぎぐ 髙橋 한국어 İstanbul Ελληνικά Straße'; // prettier-ignore

describe.each([
  ['22 short lines, which PDFium takes for vertical writing', 'leak_in', ['John Smith'], NAMES],
  ['18 and 22 lines of one word', 'lst_latin', ['Smith', 'Garcia'], ['Nguyen', 'Miller', 'Lopez', 'Brown']],
  ['clusters of Devanagari', 'lst_hi_par', ['राष्ट्र', 'विद्यार्थी शब्द'], SENTENCE.split(' ').slice(0, 6)],
  ['brackets from right to left, and numbers', 'lst_he_par', ['(ישראל)', '12/05/2025', '(2020)'], HEBREW],
  ['words of 20 scripts', 'words1', OF_20_SCRIPTS.split(' '), ['কলকাতা', 'চেন্নাই'].slice(0, 1)],
  ['text with shadows, outlines, spaced letters and hyphens', 'doubled', ['Mustermann'], ['kunde', 'zahlt.', 'schatten', 'kontur']],
] as const)('redacts %s', (_, name, words, kept) => {
  it(`in ${name}`, async () => {
    const output = await redacted(sample(name), path.join(workspace()('.'), 'out.pdf'), { words: [...words] });
    const { found, text } = await left(output, words);
    expect(found).toEqual([]);
    for (const word of kept) expect(text).toContain(plain(word));
  });
}); // prettier-ignore

it('removes a letter of the word that another font shows, and accents that are drawn over letters', async () => {
  const at = workspace();
  const content =
    'BT /F 20 Tf 20 250 Td (Kunde Schmi) Tj /C 20 Tf (d) Tj /F 20 Tf (t zahlt) Tj ET\n' +
    // As TeX does: the accent first, then the letter under it.
    'BT /F 20 Tf 20 150 Td (Herr M) Tj 63.3 0 Td (\\250) Tj -2.2 0 Td (u) Tj 11.12 0 Td (ller zahlt) Tj ET';
  const output = await redacted(page(at('in.pdf'), content), at('out.pdf'), { words: ['Schmidt', 'Müller'] });
  expect(run('pdftotext', '-layout', output, '-').replace(/\s+/g, ' ')).toBe('Kunde zahlt Herr zahlt ');
});

it('removes words that continue on the next page', async () => {
  const at = workspace();
  const input = rawPdf(at('in.pdf'), [
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [3 0 R 4 0 R] /Count 2 /MediaBox [0 0 400 300] /Resources << /Font << /F 7 0 R >> >> >>',
    '<< /Type /Page /Parent 2 0 R /Contents 5 0 R >>',
    '<< /Type /Page /Parent 2 0 R /Contents 6 0 R >>',
    rawStream('', 'BT /F 12 Tf 20 50 Td (This concerns John) Tj ET'),
    rawStream('', 'BT /F 12 Tf 20 250 Td (Smith and others) Tj ET'),
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>',
  ]);
  const output = await redacted(input, at('out.pdf'), { words: ['John Smith'] });
  expect(run('pdftotext', output, '-').split(/\s+/).join(' ')).toBe('This concerns and others ');
});

it('removes words from patterns and masks, which no page lists', async () => {
  const at = workspace();
  const font = '/Resources << /Font << /F 5 0 R >> >>';
  const hexa = Buffer.from('secret', 'latin1').toString('hex');
  const tile = `/Type /Pattern /PatternType 1 /PaintType 1 /TilingType 1 /BBox [0 0 90 20] /XStep 90 /YStep 20 ${font}`;
  const group = `/Type /XObject /Subtype /Form /BBox [0 0 400 300] /Group << /S /Transparency /CS /DeviceGray >> ${font}`;
  const input = rawPdf(at('in.pdf'), [
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 /MediaBox [0 0 400 300] >>',
    '<< /Type /Page /Parent 2 0 R /Contents 4 0 R /Resources << /Pattern << /P 6 0 R >> /ExtGState << /G << /SMask << /S /Luminosity /G 7 0 R >> >> >> >> >>',
    rawStream('', '/Pattern cs /P scn 0 0 400 100 re f /G gs 1 0 0 rg 0 100 400 200 re f'),
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>',
    rawStream(tile, `BT /F 12 Tf 2 4 Td <${hexa.slice(0, 6)}> Tj <${hexa.slice(6)}20206f70656e> Tj ET`),
    rawStream(
      group,
      `BT 1 g /F 30 Tf 20 150 Td [<${hexa.slice(0, 4)}> -20 <${hexa.slice(4)}>] TJ ( open) Tj ET`,
    ),
  ]);
  const output = await redacted(input, at('out.pdf'), { words: ['Secret'] });
  const strings = (await textsOf(output))['strings'] ?? '';
  expect(strings).not.toMatch(/secret|736563|726574|ret/);
  expect(strings).toMatch(/6f70656e|open/);
});

it('tells words that are nowhere, and pages that show pictures only', async () => {
  const at = workspace();
  const noted = async (input: string, words: string[]) => {
    const steps = [{ name: 'redact' as const, options: { words } }];
    return (await runSteps({ inputs: [{ path: input }], output: at('out.pdf'), steps })).notes;
  };
  const scan = { missing: ['John Smith'], pictures: [1], unknown: [] };
  expect(await noted(sample('scan'), ['John Smith'])).toEqual([scan]);
  const absent = { missing: ['Jane Doe'], pictures: [], unknown: [] };
  expect(await noted(sample('leak_in'), ['John Smith', 'Jane Doe'])).toEqual([absent]);
  expect(await noted(sample('leak_in'), ['John Smith'])).toEqual([]);
});

it('leaves the words around a short word', async () => {
  const at = workspace();
  const content =
    'BT /F 12 Tf 20 250 Td 14 TL (Go to the room and on to) Tj T* (her place, another day) Tj ET';
  const output = await redacted(page(at('in.pdf'), content), at('out.pdf'), { words: ['other'] });
  expect(run('pdftotext', output, '-').replace(/\s+/g, ' ')).toMatch(
    /^Go to the room and on t ?o? her place, an day/,
  );
});

it('keeps words apart that only become neighbours, and letters that a permutation would borrow', async () => {
  const at = workspace();
  const content =
    'BT /F 12 Tf 20 250 Td 14 TL (John) Tj T* (secret) Tj T* (Smith) Tj T* (one secret word) Tj ET';
  const words = ['secret', 'John Smith', 'one word'];
  const output = await redacted(page(at('in.pdf'), content), at('out.pdf'), { words });
  expect(run('pdftotext', '-layout', output, '-').split(/\s+/)).toEqual(['John', 'Smith', 'one', 'word', '']);
  // A last vowel and a word without its own are the same characters as the word.
  const hindi = await redacted(sample('words1'), at('hindi.pdf'), { words: ['दिल्ली'] });
  expect((await left(hindi, ['दिल्ली'])).text).toMatch(/कार्यालय श्री/);
});

it('finds phrases over bullets, which readers leave out', async () => {
  const at = workspace();
  const content = 'BT /F 12 Tf 20 250 Td 14 TL (\\225 Anna) Tj T* (\\225 Miller) Tj ET';
  const output = await redacted(page(at('in.pdf'), content), at('out.pdf'), { words: ['Anna Miller'] });
  expect(run('pdftotext', output, '-')).not.toMatch(/Anna|Miller/);
});
