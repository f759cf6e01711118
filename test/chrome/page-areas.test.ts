import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ALL_AUTHOR_PAGES } from '../../packages/print/src/page-rules.ts';
import type { HtmlReader, PrintOptions } from '../../packages/print/src/print.ts';
import { printOnce, startEngine } from './engine.ts';
import { pdfInfo } from './pdf.ts';

const CENTIMETRE = 72 / 2.54;
const PIXEL = 72 / 96;

/** Chromium's own sizes of pages, which `size`, `width` and `height` of `@page` make (css-page-3, 4.1; csswg-drafts 5437). */
describe('a page of Chromium', () => {
  let printer: HtmlReader;
  let stop: () => Promise<void>;
  beforeAll(async () => {
    ({ printer, stop } = await startEngine());
  });
  afterAll(() => stop());

  const size = async (css: string, options: Partial<PrintOptions> = {}): Promise<[number, number]> => {
    const { width, height } = pdfInfo(await printOnce(printer, `<style>${css}</style><p>x`, options));
    return [width, height];
  };
  /** The sheet of the options is five by three inches, as in the Web Platform Tests. */
  const SHEET = { paper: { width: 5, height: 3 } };

  it.each<[css: string, width: number, height: number]>([
    ['@page{width:150vw;height:200vh;margin:0;size:1234px}', 7.5 * 72, 6 * 72],
    ['@page{size:1234px;width:150vw;height:200vh;margin:20vw 0 0}', 7.5 * 72, 7 * 72],
    ['@page{size:200vh 100vw;margin:10vw}', 6 * 72, 5 * 72],
    ['@page{size:50vmax 100svmin;margin:0}', 2.5 * 72, 3 * 72],
  ])('measures vw and vh against the sheet of the options: %s', async (css, width, height) => {
    const [across, down] = await size(css, SHEET);
    expect(across).toBeCloseTo(width, 1);
    expect(down).toBeCloseTo(height, 1);
  });

  it.each<[css: string, width: number, height: number]>([
    ['@page{width:10cm;height:7cm;margin:1cm}', 12 * CENTIMETRE, 9 * CENTIMETRE],
    [
      '@page{width:10cm;height:7cm;margin:1cm;border:2px solid;padding:3mm}',
      12.6 * CENTIMETRE + 4 * PIXEL,
      9.6 * CENTIMETRE + 4 * PIXEL,
    ],
    // The margins of the options, left and right 1 cm, and the height of A5.
    ['@page{size:A5;width:9.7cm}', 11.7 * CENTIMETRE, 21 * CENTIMETRE],
    ['@page :first{size:A4;width:111px;height:222px;margin:0}', 111 * PIXEL, 222 * PIXEL],
    ['@page{size:7.3cm 11.11cm;margin:0;page-orientation:rotate-left}', 11.11 * CENTIMETRE, 7.3 * CENTIMETRE],
  ])('is as large as its area asks for, exactly: %s', async (css, width, height) => {
    const [across, down] = await size(css);
    expect(Math.abs(across - width)).toBeLessThan(0.01);
    expect(Math.abs(down - height)).toBeLessThan(0.01);
  });

  it('has the lengths of the options, if these set the sheet', async () => {
    const author = { ...ALL_AUTHOR_PAGES, paper: false, orientation: false };
    expect(await size('@page{size:A6;width:10cm;height:7cm}', { ...SHEET, author })).toEqual([360, 216]);
  });
});
