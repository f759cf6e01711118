import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { paperPoints } from '../../packages/print/src/paper.ts';
import type { HtmlPrinter, Margins } from '../../packages/print/src/print.ts';
import { ALL_AUTHOR_PAGES } from '../../packages/print/src/page-rules.ts';
import { PAPER_FORMATS } from '../../packages/print/src/paper-names.ts';
import { document, PLAIN, printOnce } from '../chrome/engine.ts';
import type { Start } from './engine.ts';
import { pdfCheck, pdfInfo, pdfRaster, pdfText } from '../chrome/pdf.ts';

/** Fills more than the printable area of the first page with red. */
const RED_AREA = '<body style="margin:0"><div style="background:#f00;height:300cm"></div>';
const isRed = ([r, g, b]: [number, number, number]): boolean => r > 200 && g < 60 && b < 60;
const DPI = 144;
/** Returns the pixels of a length in centimetres. */
const px = (centimetres: number): number => (centimetres / 2.54) * DPI;

/** Tests printable area, paper, margins, scale, backgrounds and page ranges; all engines must pass them. */
export function testSheet(start: Start): void {
  let printer: HtmlPrinter;
  let stop: () => Promise<void>;
  beforeAll(async () => {
    ({ printer, stop } = await start());
  });
  afterAll(() => stop());

  describe('a document', () => {
    it('has as much room for scripts to measure as it has on the paper', async () => {
      const html =
        '<body style="margin:0"><p id="p"><script>p.textContent = `${innerWidth} x ${innerHeight}`</script>';
      // (21 - 2) and (29.7 - 4) centimetres at 96 pixels to the inch.
      expect(pdfText(await printOnce(printer, html))).toContain('718 x 971');
      const margins = { top: 1, right: 0, bottom: 1, left: 0 };
      expect(pdfText(await printOnce(printer, html, { landscape: true, scale: 0.5, margins }))).toContain(
        '2245 x 1436',
      );
    });

    it('is printed with others side by side, each with its own text', async () => {
      const session = printer.session('batch');
      const pdfs = await Promise.all(
        Array.from({ length: 20 }, (_, n) => session.print(document(`<p>record ${n} end`), PLAIN)),
      );
      pdfs.forEach((pdf, n) => expect(pdfText(pdf)).toContain(`record ${n} end`));
      await session.close();
    });
  });

  describe('paper', () => {
    for (const landscape of [false, true]) {
      it.each(PAPER_FORMATS)(
        `%s has its exact size in ${landscape ? 'landscape' : 'portrait'}`,
        async (paper) => {
          const pdf = await printOnce(printer, '<p>x', { paper, landscape });
          pdfCheck(pdf);
          const exact = paperPoints(paper, landscape);
          const { width, height } = pdfInfo(pdf);
          expect(width).toBeCloseTo(exact.width, 1);
          expect(height).toBeCloseTo(exact.height, 1);
        },
      );
    }

    it('of ISO sizes is that of ISO 216, in millimetres', async () => {
      const { width, height } = pdfInfo(await printOnce(printer, '<p>x', { paper: 'A0' }));
      expect((width / 72) * 25.4).toBeCloseTo(841, 1);
      expect((height / 72) * 25.4).toBeCloseTo(1189, 1);
    });
  });

  describe('a sheet of its own lengths (I-49)', () => {
    const margins = { top: 0.5, right: 0.5, bottom: 0.5, left: 0.5 };

    it('has them', async () => {
      const paper = { width: 62 / 25.4, height: 4 };
      const pdf = await printOnce(printer, '<p>x', { paper, margins });
      pdfCheck(pdf);
      const { width, height, pages } = pdfInfo(pdf);
      expect(pages).toBe(1);
      expect(width).toBeCloseTo((62 / 25.4) * 72, 1);
      expect(height).toBeCloseTo(288, 1);
    });

    it('is one page as long as its content, whatever breaks pages in it', async () => {
      const author = { ...ALL_AUTHOR_PAGES, paper: false, orientation: false };
      const long = { paper: { width: 8 / 2.54, height: 1 }, margins, author, fitsContent: true };
      const lines = (count: number): string =>
        `<style>@page{size:A4;margin:1cm}</style><body style="margin:0">${'<p style="break-after:page">line</p>'.repeat(count)}<b>end</b>`;
      const heights = await Promise.all(
        [1, 40, 80].map(async (count) => {
          const pdf = await printOnce(printer, lines(count), long);
          pdfCheck(pdf);
          expect(pdfText(pdf).match(/line|end/g)).toHaveLength(count + 1);
          expect(pdfInfo(pdf)).toMatchObject({ pages: 1 });
          expect(pdfInfo(pdf).width).toBeCloseTo((8 / 2.54) * 72, 1);
          return pdfInfo(pdf).height;
        }),
      );
      const [one = 0, forty = 0, eighty = 0] = heights;
      // The document's own margins of a centimetre at both ends, and little more than the height of its content.
      expect(one).toBeGreaterThan((2 / 2.54) * 72);
      expect(one).toBeLessThan((2 / 2.54) * 72 + 80);
      expect(Math.abs(eighty - forty - (forty - one))).toBeLessThan(60);
    });

    it.each([
      ['a body of its least height', 'body{min-height:100vh}', '<p>text'],
      [
        'boxes of its height',
        'body{margin:0}.m{height:100vh}',
        '<div class="m">a</div><div class="m">b</div>',
      ],
      [
        'percentages',
        'html,body{height:100%;margin:0}.a{min-height:100%}',
        '<div class="a">a</div><div>b</div>',
      ],
    ])('does not grow for what fills the window: %s', async (_, style, html) => {
      const long = { paper: { width: 8 / 2.54, height: 1 }, margins, fitsContent: true };
      const pdf = await printOnce(printer, `<!doctype html><style>${style}</style>${html}`, long);
      expect(pdfInfo(pdf)).toMatchObject({ pages: 1 });
      expect(pdfInfo(pdf).height).toBeLessThan((5 / 2.54) * 72);
    });

    it('is as wide as the document says where nobody else does', async () => {
      const html = '<style>@page{size:6cm 30cm;margin:1cm}</style><p>x';
      const { width, height } = pdfInfo(await printOnce(printer, html, { fitsContent: true }));
      expect(width).toBeCloseTo((6 / 2.54) * 72, 1);
      expect(height).toBeLessThan((5 / 2.54) * 72);
    });

    it('is refused where it were longer than a page can be', async () => {
      const html = '<div style="height:6m;height:600cm">x</div>';
      const long = { paper: { width: 3, height: 1 }, fitsContent: true };
      await expect(printOnce(printer, html, long)).rejects.toMatchObject({ code: 'document_too_large' });
    });
  });

  describe('margins', () => {
    it.each<[string, Margins]>([
      ['the defaults', { top: 2, right: 1, bottom: 2, left: 1 }],
      ['four different ones with fractions', { top: 0.5, right: 3.25, bottom: 4.75, left: 1.8 }],
      ['none at all', { top: 0, right: 0, bottom: 0, left: 0 }],
    ])('are in centimetres on the sheet: %s', async (_, margins) => {
      for (const scale of [1, 0.5, 1.7]) {
        const page = await pdfRaster(await printOnce(printer, RED_AREA, { margins, scale }), 1, DPI);
        const box = page.box(isRed);
        // Within half a millimetre, because Chromium lays out in whole pixels of the screen.
        const near = px(0.05);
        expect(Math.abs((box?.left ?? -99) - px(margins.left))).toBeLessThan(near);
        expect(Math.abs((box?.top ?? -99) - px(margins.top))).toBeLessThan(near);
        expect(Math.abs(page.width - 1 - (box?.right ?? -99) - px(margins.right))).toBeLessThan(near);
        expect(Math.abs(page.height - 1 - (box?.bottom ?? -99) - px(margins.bottom))).toBeLessThan(near);
      }
    });
  });

  describe('scale and backgrounds', () => {
    it('draws lengths at the scale', async () => {
      const square = '<body style="margin:0"><div style="background:#f00;width:4cm;height:4cm"></div>';
      for (const scale of [0.1, 0.5, 1, 2]) {
        const box = (await pdfRaster(await printOnce(printer, square, { scale }), 1, DPI)).box(isRed);
        expect(Math.abs((box?.right ?? 0) - (box?.left ?? 0) + 1 - px(4 * scale))).toBeLessThan(2);
      }
    });

    it('prints backgrounds, or not', async () => {
      const shown = await pdfRaster(await printOnce(printer, RED_AREA, { printBackground: true }));
      const hidden = await pdfRaster(await printOnce(printer, RED_AREA, { printBackground: false }));
      expect(shown.box(isRed)).not.toBeNull();
      expect(hidden.box(isRed)).toBeNull();
    });
  });

  describe('page ranges (I-21)', () => {
    const eight = Array.from(
      { length: 8 },
      (_, n) => `<p style="break-after:${n < 7 ? 'page' : 'auto'}">page ${n + 1} here`,
    ).join('');
    const pagesOf = (pdf: Uint8Array): number[] =>
      [...pdfText(pdf).matchAll(/page (\d+) here/g)].map((match) => Number(match[1]));

    it.each([
      ['1-3,5,8-', [1, 2, 3, 5, 8]],
      ['-3', [1, 2, 3]],
      ['7-', [7, 8]],
      ['8', [8]],
      [' 2 , 4 - 5 ', [2, 4, 5]],
      ['5,1,1-2', [1, 2, 5]],
      ['1-8', [1, 2, 3, 4, 5, 6, 7, 8]],
      ['2-5,4-,3', [2, 3, 4, 5, 6, 7, 8]],
    ])('%s selects those pages, in the order of the document', async (pageRange, expected) => {
      const pdf = await printOnce(printer, eight, { pageRange });
      expect(pagesOf(pdf)).toEqual(expected);
      pdfCheck(pdf);
    });

    it.each(['9', '1-9', '9-', '7-12', '1,3,20', '1-3,9-'])(
      '%s is outside eight pages: the error says how many there are',
      async (pageRange) => {
        const print = printOnce(printer, eight, { pageRange });
        await expect(print).rejects.toMatchObject({
          code: 'page_range_outside_document',
          message: expect.stringContaining('8 pages'),
        });
      },
    );

    it.each(['', ',', 'a', '1-2-3', '3-1', '1;2', '-', '1,,2', '１'])(
      '%j is no page range',
      async (pageRange) => {
        await expect(printOnce(printer, eight, { pageRange })).rejects.toMatchObject({
          code: 'page_range_invalid',
        });
      },
    );

    it('0 is no page', async () => {
      await expect(printOnce(printer, eight, { pageRange: '0' })).rejects.toMatchObject({
        code: 'page_range_outside_document',
      });
    });

    it('leaves the total in the footer that of the whole document', async () => {
      const footer =
        '<p style="font-size:9px">sheet <span class="pageNumber"></span> of <span class="totalPages"></span></p>';
      const pdf = await printOnce(printer, eight, { pageRange: '3,6-7', footer });
      expect(pdfText(pdf)).toContain('sheet 3 of 8');
      expect(pdfText(pdf)).toContain('sheet 7 of 8');
      expect(pdfText(pdf)).not.toContain('of 3');
    });
  });
}
