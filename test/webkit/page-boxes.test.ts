import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { HtmlPrinter } from '../../packages/print/src/print.ts';
import { printOnce } from '../chrome/engine.ts';
import { pdfCheck, pdfInfo, pdfRaster, pdfText, pdfWords, type PdfWord } from '../chrome/pdf.ts';
import { startWebKit, type TestEngine } from './engine.ts';

/** What WebKit drops of `@page`: boxes in the margins of pages, and their margins on the left and on the right. */

let engine: TestEngine;
let printer: HtmlPrinter;
beforeAll(async () => {
  engine = await startWebKit();
  ({ printer } = engine);
});
afterAll(() => engine.stop());

const styled = (css: string, body: string): string => `<style>${css}</style><body style="margin:0">${body}`;
const break_ = '<p style="break-before:page">';
const A6 = { width: 298, height: 420 };
const CM = 72 / 2.54;

/** The one word of that text on a page. */
function word(words: readonly PdfWord[], page: number, text: string): PdfWord {
  const found = words.filter((one) => one.page === page && one.text === text);
  if (found.length !== 1) throw new Error(`${found.length} times ${text} on page ${page}`);
  return found[0] as PdfWord;
}
const middle = ({ left, right }: PdfWord): number => (left + right) / 2;
const height = ({ top, bottom }: PdfWord): number => (top + bottom) / 2;

describe('boxes in the margins of pages, with WebKit', () => {
  it('are placed on their edges as CSS Paged Media defines', async () => {
    const names = ['top', 'bottom'].flatMap((edge) =>
      ['left', 'center', 'right'].map((at) => `${edge}-${at}`),
    );
    const sides = ['left', 'right'].flatMap((edge) =>
      ['top', 'middle', 'bottom'].map((at) => `${edge}-${at}`),
    );
    const corners = ['top-left', 'top-right', 'bottom-left', 'bottom-right'].map((name) => `${name}-corner`);
    const boxes = [...names, ...sides, ...corners].map((name) => `@${name} { content: "${name}" }`);
    const css = `@page { size: A6; margin: 3cm 2.5cm; font-size: 6pt; ${boxes.join(' ')} }`;
    const pdf = await printOnce(printer, styled(css, '<p>text'));
    pdfCheck(pdf);
    const words = pdfWords(pdf);
    const at = (name: string): PdfWord => word(words, 1, name);
    expect(at('top-left').left).toBeCloseTo(2.5 * CM, -1);
    expect(middle(at('top-center'))).toBeCloseTo(A6.width / 2, -1);
    expect(at('top-right').right).toBeCloseTo(A6.width - 2.5 * CM, -1);
    for (const name of ['top-left', 'top-center', 'top-right', 'top-left-corner'])
      expect(Math.abs(height(at(name)) - 1.5 * CM)).toBeLessThan(3);
    for (const name of ['bottom-left', 'bottom-center', 'bottom-right', 'bottom-right-corner'])
      expect(Math.abs(height(at(name)) - (A6.height - 1.5 * CM))).toBeLessThan(3);
    for (const name of ['left-top', 'left-middle', 'left-bottom'])
      expect(Math.abs(middle(at(name)) - 1.25 * CM)).toBeLessThan(3);
    expect(at('right-top').top).toBeLessThan(3 * CM + 8);
    expect(Math.abs(height(at('right-middle')) - A6.height / 2)).toBeLessThan(3);
    expect(at('right-bottom').bottom).toBeGreaterThan(A6.height - 3 * CM - 8);
    expect(at('top-left-corner').right).toBeLessThan(2.5 * CM + 2);
  });

  it('count pages in any style, by their place, also of a selection of them', async () => {
    const css = `@page { size: A6; margin: 2cm; @bottom-center { content: counter(page, upper-roman) "/" counter(pages) } }
      @page :first { @top-center { content: "first" } } @page :left { @top-center { content: "even" } }
      @page :right { @top-center { content: "odd" } }`;
    const body = `<p>a${break_}b${break_}c${break_}d`;
    const pages = pdfText(await printOnce(printer, styled(css, body))).split('\f');
    expect(pages.slice(0, 4).map((text) => text.split(/\s+/).filter((part) => part !== ''))).toEqual([
      ['first', 'a', 'I/4'],
      ['even', 'b', 'II/4'],
      ['odd', 'c', 'III/4'],
      ['even', 'd', 'IV/4'],
    ]);
    const some = pdfText(await printOnce(printer, styled(css, body), { pageRange: '2-3' })).split('\f');
    expect(some[0]).toContain('II/4');
    expect(some[1]).toContain('III/4');
  });

  it('have their own fonts, colours and sizes, and those inherited from the root of the document', async () => {
    const css = `:root { --mine: #00f; font-family: monospace } @page { size: A6; margin: 2cm;
      @top-left { content: "x"; background: #f00 } @bottom-right { content: "M"; background: var(--mine) } }`;
    const page = await pdfRaster(await printOnce(printer, styled(css, '<p>text')), 1, 72);
    const red = page.box(([r, g, b]) => r > 200 && g < 60 && b < 60);
    const blue = page.box(([r, g, b]) => b > 200 && r < 60 && g < 60);
    // One that is alone on its edge fills it.
    for (const box of [red, blue])
      expect([box?.left, box?.right]).toEqual([
        expect.closeTo(2 * CM, -0.5),
        expect.closeTo(A6.width - 2 * CM, -0.5),
      ]);
    expect(red?.bottom).toBeCloseTo(2 * CM, -0.5);
    expect(blue?.bottom).toBeGreaterThan(A6.height - 3);
  });

  it('share an edge by the lengths of their contents (CSS Paged Media 3, 5.3.2)', async () => {
    const css = `@page { size: 10cm; margin: 2cm; font: 10px monospace; @top-left { content: "aaaaaa"; background: #f00 }
      @top-right { content: "bb"; background: #00f } @bottom-left { content: "aaaa"; background: #f00 }
      @bottom-center { content: "bbbb"; background: #00f } }`;
    const pdf = await printOnce(printer, styled(css, '<p>text'));
    const page = await pdfRaster(pdf, 1, 254);
    const colours = (row: number): string[] => {
      const line = Array.from({ length: 60 }, (_, at) => page.at(205 + at * 10, row));
      return line.map(([r, , b]) => (r > 200 && b < 60 ? 'r' : b > 200 && r < 60 ? 'b' : ' '));
    };
    // Rows without letters: 6 cm, of which the longer one has three quarters, and a third.
    expect(colours(20).join('')).toMatch(/^r{44,46}b{14,16}$/);
    expect(colours(980).join('')).toMatch(/^r{19,21}b{19,21} {19,21}$/);
  });

  it('are left out if the options ignore the rules of the document', async () => {
    const css = '@page { @top-center { content: "mine" } }';
    expect(pdfText(await printOnce(printer, styled(css, '<p>x'), { author: null }))).not.toContain('mine');
  });
});

describe('pages, with WebKit', () => {
  it('have the background of the document to their ends', async () => {
    const css = '@page { size: A6; margin: 2cm } html { background: #f00 }';
    const pdf = await printOnce(printer, styled(css, `<p>a${break_}b`));
    expect(pdfInfo(pdf).pages).toBe(2);
    for (const page of [1, 2]) {
      const box = (await pdfRaster(pdf, page, 72)).box(([r, g, b]) => r > 200 && g < 60 && b < 60);
      expect(box?.bottom).toBeCloseTo(A6.height - 2 * CM, -0.5);
    }
  });

  it('end where a box ends that is as high as they are', async () => {
    const box = '<div style="height:100vh">x</div>';
    for (const css of ['', '@page { size: 5in 3in; margin: 10px 20px 30px 40px }'])
      expect(pdfInfo(await printOnce(printer, styled(css, box.repeat(3)))).pages).toBe(3);
  });

  it('begin once where one break follows another', async () => {
    const css = 'section { break-after: page } h2 { break-before: right; margin: 2cm 0 }';
    const body = '<section>a</section> <section>b</section> <nav> <h2>c</h2><p>d</p><h2>e</h2></nav>';
    const texts = pdfText(await printOnce(printer, styled(css, body))).split('\f');
    expect(texts.map((text) => text.replace(/\s/g, ''))).toEqual(['a', 'b', 'cd', 'e', '']);
  });

  it('have their margins on other sides on the left and on the right', async () => {
    const css =
      '@page { size: A6 } @page :left { margin: 1cm 1cm 2cm 3cm } @page :right { margin: 1cm 3cm 2cm 1cm }';
    const words = pdfWords(await printOnce(printer, styled(css, `<p>a${break_}b${break_}c`)));
    const left = ['a', 'b', 'c'].map((text, index) => word(words, index + 1, text).left / CM);
    expect(left).toEqual([1, 3, 1].map((expected) => expect.closeTo(expected, 1)));
  });
});
