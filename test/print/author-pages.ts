import { PDFDocument, PDFName } from 'pdf-lib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { HtmlPrinter, PrintOptions } from '../../packages/print/src/print.ts';
import { requestedSettings, type TemplateOptions } from '../../functions/render/settings.ts';
import type { RenderOptions } from '../../packages/contract/src/options.ts';
import type { Fetcher } from '../../packages/print/src/fetcher/fetcher.ts';
import { document, PLAIN, printOnce } from '../chrome/engine.ts';
import { pdfCheck, pdfInfo, pdfRaster, pdfText } from '../chrome/pdf.ts';
import { FURNITURE, furnitureHtml } from '../support/furniture.ts';
import type { Start } from './engine.ts';

/** Fills more than the printable area of the first page with red. */
const RED_AREA = '<body style="margin:0"><div style="background:#f00;height:100cm"></div>';
const isRed = ([r, g, b]: [number, number, number]): boolean => r > 200 && g < 60 && b < 60;
/** The text of default headers and footers, on a white background. */
const isGrey = ([r, g, b]: [number, number, number]): boolean =>
  r < 220 && Math.abs(r - g) < 30 && Math.abs(g - b) < 30;
const DPI = 144;
const centimetres = (pixels: number): number => (pixels / DPI) * 2.54;

/** Returns the combined options of a call and a template, as a rendering decides them. */
function decided(call: RenderOptions, template: TemplateOptions = {}): Partial<PrintOptions> {
  const target = {
    source: 'html',
    output: 'pdf',
    template: { field: 'template', options: template },
  } as const;
  return { ...PLAIN, ...requestedSettings(call, target).page };
}

/** A style sheet of another origin, which scripts of a document cannot read. */
const LINK = '<link rel="stylesheet" href="https://styles.example/print.css">';
const STYLES: Fetcher = {
  fetch: (url) =>
    Promise.resolve({
      url,
      status: 200,
      headers: { 'content-type': 'text/css' },
      bytes: Buffer.from('@page { size: A6; margin: 1cm 3cm } @page :first { margin-top: 1.5cm !important }'),
    }),
};

/** Returns a sheet and its margins, in centimetres. */
type Expected = [width: number, height: number, top: number, right: number, bottom: number, left: number];

const A6 = '@page { size: A6 landscape; margin: 15mm 2cm 10% 1in }';
const A5 = A6.replace('A6', 'A5');
const CASES: [what: string, css: string, call: RenderOptions, expected: Expected][] = [
  ['two lengths', '@page { size: 100mm 60mm; margin: 0 }', {}, [10, 6, 0, 0, 0, 0]],
  ['one length', '@page { size: 9cm; margin: 1cm }', {}, [9, 9, 1, 1, 1, 1]],
  [
    'a paper that CSS has no name for, turned, and margins in every unit',
    A6,
    {},
    [14.8, 10.5, 1.5, 2, 1.05, 2.54],
  ],
  ['a paper of CSS, with `!important`', '@page { size: a5 !important }', {}, [14.8, 21, 2, 1, 2, 1]],
  ['an orientation alone', '@page { size: landscape }', {}, [29.7, 21, 2, 1, 2, 1]],
  [
    'margins alone, in print, the last one',
    '@page { margin: 4cm } @media print { @page { margin: 3cm 1in } }',
    {},
    [21, 29.7, 3, 2.54, 3, 2.54],
  ],
  ['rules for the screen', '@media screen { @page { size: A5; margin: 0 } }', {}, [21, 29.7, 2, 1, 2, 1]],
  ['a label without margins of its own', '@page { size: 62mm 29mm }', {}, [6.2, 2.9, 0.28, 1, 0.28, 1]],
  [
    'the paper of an option, and the orientation of the document',
    A5,
    { paper_format: 'A6' },
    [14.8, 10.5, 1.5, 2, 1.05, 2.54],
  ],
  [
    'the paper of an option, over lengths',
    '@page { size: 100mm 60mm; margin: 0 }',
    { paper_format: 'A5' },
    [14.8, 21, 0, 0, 0, 0],
  ],
  ['the orientation of an option', A6, { landscape: false }, [10.5, 14.8, 1.5, 2, 1.48, 2.54]],
  [
    'paper and orientation of options',
    A6,
    { paper_format: 'A5', landscape: false },
    [14.8, 21, 1.5, 2, 2.1, 2.54],
  ],
  ['a margin of an option', A6, { margin_left: 4, margin_top: 0 }, [14.8, 10.5, 0, 2, 1.05, 4]],
  [
    'an `!important` margin, and an option',
    '@page { margin: 3cm !important }',
    { margin_left: 0 },
    [21, 29.7, 3, 3, 3, 0],
  ],
  [
    '`css_page: true`, over every option',
    A6,
    { css_page: true, paper_format: 'A3', landscape: false, margin_left: 4 },
    [14.8, 10.5, 1.5, 2, 1.05, 2.54],
  ],
  [
    '`css_page: false`',
    `${A6} @page :first { margin: 0 !important; size: a3 }`,
    { css_page: false, margin_left: 4 },
    [21, 29.7, 2, 1, 2, 4],
  ],
];

/**
 * Tests the author's `@page` rules against options (I-49); all engines must pass them.
 *
 * @param hasKinds whether pages may have sizes and margins that others do not have
 */
export function testAuthorPages(start: Start, { hasKinds = true } = {}): void {
  let printer: HtmlPrinter;
  let stop: () => Promise<void>;
  beforeAll(async () => {
    ({ printer, stop } = await start(STYLES));
  });
  afterAll(() => stop());

  const styled = (css: string, body = RED_AREA): string => `<style>${css}</style>${body}`;

  describe('the sheet (I-49)', () => {
    it.each(CASES)('is that of %s', async (_, css, call, [width, height, ...margins]) => {
      const pdf = await printOnce(printer, styled(css), decided(call));
      const info = pdfInfo(pdf);
      expect((info.width / 72) * 2.54).toBeCloseTo(width, 1);
      expect((info.height / 72) * 2.54).toBeCloseTo(height, 1);
      const page = await pdfRaster(pdf, 1, DPI);
      const box = page.box(isRed) ?? { top: -99, right: -99, bottom: -99, left: -99 };
      const found = [box.top, page.width - 1 - box.right, page.height - 1 - box.bottom, box.left];
      found.forEach((pixels, side) =>
        expect(Math.abs(centimetres(pixels) - (margins[side] ?? 0))).toBeLessThan(0.06),
      );
    });

    it('is that of a linked style sheet, but for what options say', async () => {
      const seen = async (call: RenderOptions): Promise<number[]> => {
        const pdf = await printOnce(printer, LINK + RED_AREA, decided(call));
        const left = (await pdfRaster(pdf, 1, DPI)).box(isRed)?.left ?? -99;
        return [Math.round(pdfInfo(pdf).width), Math.round(centimetres(left) * 10) / 10];
      };
      expect(await seen({})).toEqual([298, 3]);
      expect(await seen({ paper_format: 'A5', margin_left: 2 })).toEqual([420, 2]);
      expect(await seen({ css_page: false })).toEqual([595, 1]);
    });

    it('is what the template says, where the document says something else', async () => {
      const { width, height } = pdfInfo(
        await printOnce(printer, styled('@page { size: A6 }'), decided({}, { paper_format: 'A5' })),
      );
      expect([Math.round(width), Math.round(height)]).toEqual([420, 595]);
    });

    it('keeps its size at another scale of the content', async () => {
      const css = '@page { size: 100mm 60mm; margin: 1cm }';
      const pdf = await printOnce(printer, styled(css), decided({ scale: 0.5 }));
      expect(Math.round(pdfInfo(pdf).width)).toBe(283);
      const box = (await pdfRaster(pdf, 1, DPI)).box(isRed);
      expect(Math.abs(centimetres(box?.left ?? 0) - 1)).toBeLessThan(0.06);
    });

    it('leaves room, or margins of options are refused by their names', async () => {
      const label = styled('@page { size: 100mm 60mm }');
      await expect(printOnce(printer, label, decided({ margin_top: 6 }))).rejects.toMatchObject({
        code: 'invalid_option',
        message: expect.stringContaining('margin_top + margin_bottom'),
      });
      // The engine continues to work.
      expect(pdfInfo(await printOnce(printer, label, decided({}))).pages).toBeGreaterThan(0);
    });

    it('selects pages of such a document', async () => {
      const pages = [1, 2, 3].map((n) => `<p style="break-after:${n < 3 ? 'page' : 'auto'}">page ${n} here`);
      const pdf = await printOnce(
        printer,
        styled('@page { size: A6 }', pages.join('')),
        decided({ page_range: '2-' }),
      );
      expect(pdfText(pdf)).toContain('page 2 here');
      expect(pdfText(pdf)).not.toContain('page 1 here');
      expect(Math.round(pdfInfo(pdf).width)).toBe(298);
      pdfCheck(pdf);
    });

    it('is each record’s own in a batch', async () => {
      const session = printer.session('batch');
      const rules = ['@page { size: A6 }', '', '@page { size: A5 landscape }', ''];
      const widths: number[] = [];
      for (const css of rules) {
        const pdf = await session.print(document(styled(css, '<p>x')), PLAIN);
        widths.push(Math.round(pdfInfo(pdf).width));
      }
      await session.close();
      expect(widths).toEqual([298, 595, 595, 595]);
    });
  });

  it.each([
    ['as it says', '<html lang="de-AT"><p>Guten Tag', '(de-AT)'],
    ['as its characters tell', '<p>請求書の支払期限は', '(ja)'],
    ['not at all', '<p>Hello', undefined],
  ])('the PDF says its language %s', async (_, html, expected) => {
    const pdf = await PDFDocument.load(await printOnce(printer, html), { updateMetadata: false });
    expect(pdf.catalog.get(PDFName.of('Lang'))?.toString()).toBe(expected);
  });

  describe('the default header and footer', () => {
    const text = '<body style="margin:0"><div style="background:#f00;height:100cm"></div>';

    it.each([
      ['margins of the document', '@page { size: A5; margin: 1.2cm 3cm 1cm 2cm }', {}],
      ['a small label', '@page { size: 100mm 60mm }', {}],
      ['margins of options', '', { margin_top: 1, margin_bottom: 0.9, margin_left: 4 }],
    ])('stand beside the text, and begin and end where it does: %s', async (_, css, call) => {
      const options = decided(call);
      const furniture = furnitureHtml({ ...FURNITURE, margins: options.margins ?? PLAIN.margins });
      const pdf = await printOnce(printer, styled(css, text), { ...options, ...furniture });
      expect(pdfText(pdf, 1)).toContain('The title');
      const page = await pdfRaster(pdf, 1, DPI);
      const body = page.box(isRed);
      const rows = (from: number, to: number): { left: number; right: number } | null => {
        const found: number[] = [];
        for (let y = from; y < to; y++)
          for (let x = 0; x < page.width; x++) if (isGrey(page.at(x, y))) found.push(x);
        return found.length === 0 ? null : { left: Math.min(...found), right: Math.max(...found) };
      };
      if (body === null) throw new Error('the page is empty');
      const above = rows(0, body.top - 2);
      expect(Math.abs((above?.left ?? -99) - body.left)).toBeLessThan(4);
      expect(Math.abs((above?.right ?? -99) - body.right)).toBeLessThan(4);
      expect(rows(body.bottom + 3, page.height)).not.toBeNull();
      // Nothing covers the text.
      for (const y of [body.top + 2, body.bottom - 2])
        for (let x = body.left + 2; x < body.right - 2; x++) expect(isRed(page.at(x, y))).toBe(true);
    });

    it('are not there where the page has no margins for them', async () => {
      const furniture = furnitureHtml(FURNITURE);
      const pdf = await printOnce(printer, styled('@page { margin: 0 }', text), { ...PLAIN, ...furniture });
      const page = await pdfRaster(pdf, 1, 72);
      expect(page.box(isRed)?.bottom).toBeGreaterThan(838);
      expect(page.box(isGrey)).toBeNull();
    });

    it('stay away where the document has boxes in its margins', async () => {
      const css = '@page { @bottom-right { content: "mine " counter(page) " of " counter(pages) } }';
      const options = { ...PLAIN, ...furnitureHtml(FURNITURE) };
      const own = pdfText(await printOnce(printer, styled(css, '<p>x'), options));
      expect(own).toContain('mine 1 of 1');
      expect(own).not.toContain('The title');
      expect(own).not.toContain('1 / 1');
      const off = pdfText(await printOnce(printer, styled(css, '<p>x'), { ...options, author: null }));
      expect(off).toContain('The title');
      expect(off).not.toContain('mine');
      // A requested footer is printed nevertheless.
      const asked = furnitureHtml({ ...FURNITURE, header: 'asked for' });
      expect(pdfText(await printOnce(printer, styled(css, '<p>x'), { ...PLAIN, ...asked }))).toContain(
        'asked for',
      );
    });
  });

  describe('pages of other kinds', () => {
    const css =
      '@page { size: A5; margin: 2cm } @page :first { margin: 0 } @page wide { size: A5 landscape; margin-left: 5cm }';
    const body =
      '<body style="margin:0;background:#f00"><p>one<p style="break-before:page">two<p style="page:wide">three';
    const sizes = async (pdf: Uint8Array): Promise<number[]> =>
      await Promise.all([1, 2, 3].map(async (n) => Math.round((await pdfRaster(pdf, n)).width)));
    const left = async (pdf: Uint8Array, n: number): Promise<number> =>
      centimetres((await pdfRaster(pdf, n, DPI)).box(isRed)?.left ?? -99);

    it.runIf(hasKinds)('have their own sizes and margins', async () => {
      const pdf: Uint8Array = await printOnce(printer, styled(css, body));
      pdfCheck(pdf);
      expect(await sizes(pdf)).toEqual([420, 420, 596]);
      expect(await left(pdf, 1)).toBeCloseTo(0, 1);
      expect(await left(pdf, 2)).toBeCloseTo(2, 1);
      expect(await left(pdf, 3)).toBeCloseTo(5, 1);
    });

    it.runIf(hasKinds)('have the paper and the margins of options', async () => {
      const pdf = await printOnce(
        printer,
        styled(css, body),
        decided({ paper_format: 'A6', landscape: false, margin_left: 3 }),
      );
      expect(await sizes(pdf)).toEqual([298, 298, 298]);
      for (const n of [1, 2, 3]) expect(await left(pdf, n)).toBeCloseTo(3, 1);
    });

    it('have no header and footer on page 1 where that is asked for', async () => {
      const options = { ...PLAIN, ...furnitureHtml(FURNITURE), skipFurnitureOnFirstPage: true };
      const pdf = await printOnce(printer, styled('@page { size: A5; margin: 2cm }', body), options);
      expect(pdfText(pdf, 1)).not.toContain('The title');
      expect(pdfText(pdf, 2)).toContain('The title');
    });
  });
}
