import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { HtmlReader, PrintOptions } from '../../packages/print/src/print.ts';
import { document, printOnce, startEngine } from './engine.ts';
import { pdfRaster, pdfText, pdfWords } from './pdf.ts';

/** Points of a millimetre. */
const POINTS = 72 / 25.4;

describe('a document with boxes wider than its pages', () => {
  let printer: HtmlReader;
  let stop: () => Promise<void>;
  beforeAll(async () => {
    ({ printer, stop } = await startEngine());
  });
  afterAll(() => stop());

  const PAGE = '@page{size:100mm;margin:20mm}body{margin:0}';

  /** How large a word of 12 pixels is drawn compared with that, and what was warned of. */
  async function sizeOf(
    style: string,
    body: string,
    options: Partial<PrintOptions> = {},
  ): Promise<{ size: number; warnings: string[]; pdf: Uint8Array }> {
    const widthOf = (pdf: Uint8Array): number => {
      const word = pdfWords(pdf).find(({ text }) => text === 'measured');
      return word === undefined ? 0 : word.right - word.left;
    };
    const text = '<p>measured</p>';
    const warnings: string[] = [];
    const wide = {
      ...document(`<style>p{font:12px Arial}${style}</style>${text}${body}`),
      warn: (message: string) => void warnings.push(message),
    };
    const pdf = await printOnce(printer, wide, options);
    const plain = await printOnce(printer, `<style>p{font:12px Arial}${PAGE}</style>${text}`, options);
    return { size: widthOf(pdf) / widthOf(plain), warnings, pdf };
  }

  it('keeps its lengths if nothing of them is seen (0086)', async () => {
    const empty = '<h1 style="width:100%;margin-left:30mm;font:12px Arial">Title</h1>';
    const { size, warnings, pdf } = await sizeOf(PAGE, empty);
    expect(size).toBeCloseTo(1, 2);
    expect(warnings).toEqual([]);
    expect(pdfText(pdf)).toContain('Title');
    // The same where pages have margins by name or place alone, and at another scale.
    for (const rule of ['@page :first{margin:20mm}', '@page{margin:20mm}'])
      expect((await sizeOf(`@page{size:100mm}${rule}body{margin:0}`, empty)).size).toBeCloseTo(1, 2);
    expect((await sizeOf(PAGE, empty, { scale: 0.8 })).size).toBeCloseTo(1, 2);
  });

  it('keeps its lengths if a background runs over the edge of the paper', async () => {
    const band = '<div style="margin:0 -25mm;height:20mm;background:#f00"></div>';
    for (const style of [PAGE, PAGE.replace('margin:0}', 'margin:0 5mm}')]) {
      const { size, warnings, pdf } = await sizeOf(style, band);
      expect(size).toBeCloseTo(1, 2);
      expect(warnings).toEqual([]);
      // From one end of the text area to the other.
      const box = (await pdfRaster(pdf, 1, 25.4)).box(isRed);
      expect([box?.left, box?.right]).toEqual([20, 79]);
    }
  });

  it('is made smaller, with a warning, if text, pictures or borders would be lost', async () => {
    const picture = '<svg width="80mm" height="5mm"></svg>';
    const cases = [
      '<div style="width:90mm"><p style="text-align:right">far</p></div>',
      `<div>${picture}</div>`,
      '<div style="width:80mm;border:1px solid">framed</div>',
      '<div style="width:70mm;background:#ff0">ends on the paper</div>',
      '<div style="position:relative" class="badge">badge</div>',
    ];
    const badge = '.badge::after{content:"new";position:absolute;left:75mm}';
    for (const body of cases) {
      const { size, warnings, pdf } = await sizeOf(PAGE + badge, body);
      expect(size, body).toBeLessThan(0.95);
      expect(warnings).toEqual([
        expect.stringMatching(
          /^The content is wider than the pages \(.*\): it is printed at \d\d% of its size\.$/,
        ),
      ]);
      for (const word of pdfWords(pdf)) expect(word.right).toBeLessThan(80.2 * POINTS);
    }
  });

  it('is printed as by Chromium if it says nothing of its pages, or may not', async () => {
    const empty = '<div style="width:300mm">x</div>';
    const none = await sizeOf('body{margin:0}', empty, { margins: { top: 2, right: 2, bottom: 2, left: 2 } });
    expect(none.size).toBeLessThan(0.95);
    expect(none.warnings).toEqual([
      expect.stringMatching(/^The content is wider than the pages \(body > div\): /),
    ]);
  });

  it.each([
    [`<p style="white-space:nowrap">${'word '.repeat(60)}<br>next</p>`, 'body > p:nth-of-type(2)'],
    ['<iframe srcdoc="text" style="width:300mm"></iframe>', 'body > iframe'],
  ])('is named as its author knows it: %s', async (body, name) => {
    const { warnings } = await sizeOf('body{margin:0}', body, {
      margins: { top: 2, right: 2, bottom: 2, left: 2 },
    });
    expect(warnings).toEqual([expect.stringContaining(`wider than the pages (${name}): `)]);
  });

  it('repeats what is fixed, and paints the page, as before', async () => {
    const style = `${PAGE}html{background:#0f0}.fixed{position:fixed;bottom:0;right:0;font:12px Arial}`;
    const body =
      '<div style="width:70mm">x</div><p class="fixed">fixed</p><p style="break-before:page">second</p>';
    const { size, pdf } = await sizeOf(style, body);
    expect(size).toBeCloseTo(1, 2);
    for (const page of [1, 2]) {
      expect(pdfText(pdf, page)).toContain('fixed');
      expect((await pdfRaster(pdf, page, 25.4)).at(50, 60)).toEqual([0, 255, 0]);
    }
  });
});

function isRed([red, green, blue]: readonly [number, number, number]): boolean {
  return red > 200 && green < 80 && blue < 80;
}

describe('pictures behind pages', () => {
  let printer: HtmlReader;
  let stop: () => Promise<void>;
  beforeAll(async () => {
    ({ printer, stop } = await startEngine());
  });
  afterAll(() => stop());

  /** 20 × 40 pixels, red above, blue below. */
  const SVG = `data:image/svg+xml,${encodeURIComponent(
    '<svg xmlns="http://www.w3.org/2000/svg" width="20" height="40"><path fill="red" d="M0 0h20v20H0z"/><path fill="blue" d="M0 20h20v20H0z"/></svg>',
  )}`;

  /** The box in millimetres that is not white. */
  async function boxOf(background: string, more = ''): Promise<number[]> {
    const style = `@page{size:100mm 150mm;margin:10mm;background:url("${SVG}") no-repeat ${background};${more}}`;
    const pdf = await printOnce(printer, `<style>${style}</style>`);
    const box = (await pdfRaster(pdf, 1, 25.4)).box(([, green]) => green < 128);
    return box === null ? [] : [box.left, box.top, box.right + 1, box.bottom + 1];
  }

  it.each([
    // Boxes of the area between the margins, as WeasyPrint draws them.
    ['center/cover', '', [10, -5, 90, 155]],
    ['center/contain', '', [18, 10, 83, 140]],
    ['0 0/100% 100%', '', [10, 10, 90, 140]],
    ['100% 100%/20mm', '', [70, 100, 90, 140]],
    ['right 5mm bottom 10%/auto 30mm', '', [70, 100, 85, 130]],
    ['0 0/20mm 20mm', 'padding:5mm;border:5mm solid #fff;background-origin:content-box', [20, 20, 40, 40]],
    ['center/cover', 'margin:0', [0, -25, 100, 175]],
  ])('are where the style sheet has them: %s', async (background, more, expected) => {
    const box = await boxOf(background, more);
    const onPaper = expected.map((edge, index) => Math.min(Math.max(edge, 0), index % 2 === 0 ? 100 : 150));
    for (const [index, edge] of onPaper.entries())
      expect(Math.abs((box[index] ?? NaN) - edge)).toBeLessThan(2);
  });
});
