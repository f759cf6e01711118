import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { HtmlPrinter } from '../../packages/print/src/print.ts';
import { testedDocuments } from '../print/scripts.ts';
import { expectSteady } from '../print/steadiness.ts';
import { printOnce, startEngine } from './engine.ts';
import { pdfFonts } from './pdf.ts';

describe('a document that was printed before', () => {
  it(
    'changes no pixel of the documents printed after it, in any order of scripts',
    { timeout: 240_000 },
    async () => {
      const seen = await expectSteady(startEngine, [1, 2, 3]);
      expect(seen.size).toBe(testedDocuments().length);
      // Nothing was blank, and no two were alike by chance.
      expect(new Set(seen.values()).size).toBe(seen.size);
    },
  );
});

describe('the fonts of a document', () => {
  let printer: HtmlPrinter;
  let stop: () => Promise<void>;
  beforeAll(async () => {
    ({ printer, stop } = await startEngine());
  });
  afterAll(() => stop());

  const fonts = async (html: string): Promise<string[]> =>
    pdfFonts(await printOnce(printer, html))
      .map(({ name }) => name.replace(/^[A-Z]{6}\+/, ''))
      .toSorted();

  it('in Japanese have whole letters for other alphabets, and joined ones for Arabic (I-20)', async () => {
    expect(await fonts('<html lang="ja"><p>日本語<p>č Čech Ελληνικά')).toEqual([
      'NotoSans-Regular',
      'NotoSansJP-Regular',
    ]);
    expect(await fonts('<html lang="ja"><p>日本語<p>مرحبا')).toEqual([
      'NotoSansArabic-Regular',
      'NotoSansJP-Regular',
    ]);
    expect(await fonts('<html lang="zh"><p>中文<p>مرحبا')).toEqual([
      'NotoSansArabic-Regular',
      'NotoSansSC-Regular',
    ]);
  });

  it('for ideographs have a serif if a serif family is requested', async () => {
    expect(await fonts('<html lang="ja"><p style="font-family:serif">日本語')).toEqual([
      'NotoSerifJP-Regular',
    ]);
    expect(await fonts('<html lang="zh-TW"><p style="font-family:serif">繁體')).toEqual([
      'NotoSerifTC-Regular',
    ]);
  });

  it('are those of the product in each generic family', async () => {
    const text = (family: string): string => `<p style="font-family:${family}">a <b>b</b> <i>i</i>`;
    expect(await fonts(`<html lang="en"><p>standard${text('serif')}`)).toEqual([
      'Tinos-Bold',
      'Tinos-Italic',
      'Tinos-Regular',
    ]);
    expect(await fonts(`<html lang="en">${text('sans-serif')}${text('monospace')}`)).toEqual([
      'Arimo-Bold',
      'Arimo-Italic',
      'Arimo-Regular',
      'Cousine-Bold',
      'Cousine-Italic',
      'Cousine-Regular',
    ]);
  });
});
