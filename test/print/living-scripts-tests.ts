import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { HtmlPrinter } from '../../packages/print/src/print.ts';
import { printOnce } from '../chrome/engine.ts';
import { pdfFonts } from '../chrome/pdf.ts';
import type { Start } from './engine.ts';
import { LIVING_SCRIPTS } from './living-scripts.ts';
import { compareScripts, LIKE } from './script-page.ts';

/** Compares a selection of scripts with their pictures by HarfBuzz; `npm run verify -- scripts` compares all. */
const SELECTION = [
  'Arabic',
  'NKo',
  'Devanagari',
  'Bengali',
  'Tamil',
  'Khmer',
  'Myanmar',
  'Tibetan',
  'Ethiopic',
  'Thai',
  'Balinese',
];

export function testLivingScripts(start: Start): void {
  let printer: HtmlPrinter;
  let stop: () => Promise<void>;
  beforeAll(async () => {
    ({ printer, stop } = await start());
  });
  afterAll(() => stop());

  it('words with marks and conjuncts are set as HarfBuzz sets them with the font of their script', async () => {
    const scripts = LIVING_SCRIPTS.filter(({ name }) => SELECTION.includes(name));
    const compared = await compareScripts(printer, scripts);
    expect(compared.map(({ script }) => script.name).sort()).toEqual(SELECTION.toSorted());
    for (const { script, similarity, boxes } of compared) {
      expect(boxes, script.name).toBe(0);
      expect(similarity, script.name).toBeGreaterThan(LIKE);
    }
  });

  it.each(ARABIC)('%s: two readers find the letters with their dots', async (language, text) => {
    const paragraph = `<p lang="${language}" dir="rtl" style="font:20px Arial">${text}</p>`;
    const pdf = await printOnce(printer, paragraph);
    expect(wordsOf(read(pdf, 'pdftotext', (file) => [file, '-']))).toEqual(
      expect.arrayContaining(wordsOf(text)),
    );
    // MuPDF returns the shapes of the letters, from left to right.
    const drawn = [...read(pdf, 'mutool', (file) => ['draw', '-q', '-F', 'txt', file])].toReversed().join('');
    expect(wordsOf(drawn)).toEqual(expect.arrayContaining(wordsOf(text)));
  });

  it.each(['ja', 'zh-hans', 'ko'])('punctuation is of the font of its ideographs: %s', async (language) => {
    const html = `<html lang="${language}"><p>漢字。次、「引用」です《書》（一）。</p><p style="font-family:sans-serif">漢字。</p>`;
    const names = pdfFonts(await printOnce(printer, html)).map(({ name }) => name);
    expect(names.length).toBeGreaterThan(0);
    expect(names.filter((name) => !/Noto-?Sans-?(?:JP|SC|KR|TC)|Tinos|Arimo/.test(name))).toEqual([]);
  });

  it('lines of Arabic are little higher than lines of Latin', async () => {
    const endAfter = async (line: string): Promise<number> => {
      const html = `<div style="font:16px Arial">${line.repeat(20)}<b>END</b></div>`;
      const boxes = read(await printOnce(printer, html), 'pdftotext', (file) => ['-bbox', file, '-']);
      return Number(/yMin="([\d.]+)"[^>]*>END</.exec(boxes)?.[1]);
    };
    const start = await endAfter('');
    const latin = (await endAfter('<div>A line of a contract</div>')) - start;
    const arabic = (await endAfter('<div dir="rtl">المادة الأولى: يلتزم الطرف</div>')) - start;
    expect(latin).toBeGreaterThan(100);
    expect(arabic / latin).toBeLessThan(1.3);
  });
}

/** Texts without lam and alef side by side, which poppler returns in the order of their one glyph. */
const ARABIC = [
  ['ar', 'فاتورة ضريبية رقم العميل شركة المثال للتجارة يلتزم بتسليم البضاعة يوما'],
  ['fa', 'پارسی تهران فاکتور چهارشنبه گزارش ژاله پنج کتاب'],
  ['ur', 'اردو پاکستان ٹیلی ڈاکٹر ہمارے بھائی چھوٹے گھڑی'],
] as const;

function read(pdf: Uint8Array, program: string, args: (file: string) => string[]): string {
  const folder = mkdtempSync(path.join(tmpdir(), 'platen-test-'));
  try {
    const file = path.join(folder, 'a.pdf');
    writeFileSync(file, pdf);
    return execFileSync(program, args(file), { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** The words of a text in Unicode's letters instead of their shapes, without directional marks. */
function wordsOf(text: string): string[] {
  return text
    .normalize('NFKC')
    .replace(/\p{Cf}/gu, '')
    .split(/\s+/);
}
