import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { HtmlPrinter } from '../../packages/print/src/print.ts';
import { document, PLAIN, printOnce } from '../chrome/engine.ts';
import { pdfCheck, pdfInfo, pdfRaster, pdfText, pdfWords, type PdfWord } from '../chrome/pdf.ts';
import { NUMBERED, otherNumbers } from '../print/counters.ts';
import { startWebKit, type TestEngine } from './engine.ts';

/** What WebKit drops of `@page`, and what it does not know of contents: boxes, backgrounds, names and numbers of pages. */

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

  it('count pages in any style, by their kind and name, also of a selection of them', async () => {
    const css = `@page { size: A6; margin: 2cm; @bottom-center { content: counter(page, upper-roman) "/" counter(pages) } }
      @page :first { @top-center { content: "first" } } @page :left { @top-center { content: "even" } }
      @page :right { @top-center { content: "odd" } } @page quiet { @bottom-center { content: none } }
      section { page: quiet }`;
    const body = `<p>a${break_}b${break_}c<section>d</section>`;
    const pages = pdfText(await printOnce(printer, styled(css, body))).split('\f');
    expect(pages.slice(0, 4).map((text) => text.split(/\s+/).filter((part) => part !== ''))).toEqual([
      ['first', 'a', 'I/4'],
      ['even', 'b', 'II/4'],
      ['odd', 'c', 'III/4'],
      ['even', 'd'],
    ]);
    const some = pdfText(await printOnce(printer, styled(css, body), { pageRange: '2-3' })).split('\f');
    expect(some[0]).toContain('II/4');
    expect(some[1]).toContain('III/4');
  });

  it('have their own fonts, colours and sizes, and those inherited from the root of the document', async () => {
    const css = `:root { --mine: #00f; font-family: monospace } @page { size: A6; margin: 2cm;
      @top-left { content: "x"; background: #f00; width: 1cm; height: 1cm } @bottom-right { content: "M"; background: var(--mine) } }`;
    const page = await pdfRaster(await printOnce(printer, styled(css, '<p>text')), 1, 72);
    const red = page.box(([r, g, b]) => r > 200 && g < 60 && b < 60);
    const blue = page.box(([r, g, b]) => b > 200 && r < 60 && g < 60);
    // One that is lower than the margin stands at the edge of the text.
    expect([red?.left, red?.bottom]).toEqual([expect.closeTo(2 * CM, -0.5), expect.closeTo(2 * CM, -0.5)]);
    expect((red?.bottom ?? 0) - (red?.top ?? 0)).toBeCloseTo(CM, -0.5);
    expect(blue?.bottom).toBeGreaterThan(A6.height - 3);
  });

  it('are left out if the options ignore the rules of the document', async () => {
    const css = '@page { @top-center { content: "mine" } }';
    expect(pdfText(await printOnce(printer, styled(css, '<p>x'), { author: null }))).not.toContain('mine');
  });

  it('have counters of the elements that set them, as contents have', async () => {
    expect(otherNumbers(await printOnce(printer, NUMBERED))).toEqual([]);
  });

  it('have a warning for counters that are not known', async () => {
    const warnings: string[] = [];
    const html =
      '<style>a::after{content:target-counter("#a", pages)}h1{string-set:n counter(list-item)}</style><a></a><h1 id="a">x</h1>';
    await printOnce(printer, { ...document(html), warn: (text) => void warnings.push(text) });
    expect(warnings).toEqual(
      ['target-counter(pages)', 'string-set: counter(list-item)'].map(
        (what) => `Contents and references: ${what} is not supported.`,
      ),
    );
  });

  it('have the texts of their pages (string-set)', async () => {
    const css = `@page { size: A6; margin: 2cm; @top-left { content: string(chapter) } @top-right { content: string(chapter, last) } }
      h2 { string-set: chapter content(); break-before: page }`;
    const body =
      '<p>intro<h2>One</h2><h2 style="break-before:auto">Two</h2><p>x<p style="break-before:page">y';
    const pages = pdfText(await printOnce(printer, styled(css, body))).split('\f');
    expect(pages[0]?.trim()).toBe('intro');
    expect(pages[1]).toMatch(/^\s*One +Two\n/);
    expect(pages[2]).toMatch(/^\s*Two +Two\n/);
  });
});

describe('pages, with WebKit', () => {
  it('have their backgrounds, under their text', async () => {
    const css =
      '@page { size: A6; margin: 2cm } @page :first { background: #f00 } @page blue { background: #00f }';
    const body = '<p>a</p><p style="break-before:page">b</p><div style="page: blue">c</div>';
    const pdf = await printOnce(printer, styled(css, body));
    const colour = async (page: number): Promise<number[]> => (await pdfRaster(pdf, page, 36)).at(70, 100);
    expect(await Promise.all([1, 2, 3].map(colour))).toEqual([
      [255, 0, 0],
      [255, 255, 255],
      [0, 0, 255],
    ]);
    expect(pdfText(pdf).replace(/\s/g, '')).toBe('abc');
    const plain = await printOnce(printer, styled(css, body), { printBackground: false });
    expect((await pdfRaster(plain, 1, 36)).at(70, 100)).toEqual([255, 255, 255]);
  });

  it('begin once where one break follows another', async () => {
    const css = 'section { break-after: page } h2 { break-before: right; margin: 2cm 0 }';
    const body = '<section>a</section> <section>b</section> <nav> <h2>c</h2><p>d</p><h2>e</h2></nav>';
    const texts = pdfText(await printOnce(printer, styled(css, body))).split('\f');
    // The fourth page is blank, so that the last one is a right one.
    expect(texts.map((text) => text.replace(/\s/g, ''))).toEqual(['a', 'b', 'cd', '', 'e', '']);
  });

  it('have their margins on other sides on the left and on the right', async () => {
    const css =
      '@page { size: A6 } @page :left { margin: 1cm 1cm 2cm 3cm } @page :right { margin: 1cm 3cm 2cm 1cm }';
    const words = pdfWords(await printOnce(printer, styled(css, `<p>a${break_}b${break_}c`)));
    const left = ['a', 'b', 'c'].map((text, index) => word(words, index + 1, text).left / CM);
    expect(left).toEqual([1, 3, 1].map((expected) => expect.closeTo(expected, 1)));
  });
});

describe('contents, with WebKit', () => {
  it('have the numbers of the pages that headings are on, at the ends of their lines', async () => {
    const css = `@page { size: A6; margin: 1cm } h2 { break-before: page }
      nav a { display: block } nav a::after { content: leader('.') target-counter(attr(href), page) }
      i::after { content: target-text(attr(href)) }`;
    const heads = [1, 2, 3].map((n) => `<h2 id="h${n}">Head ${n}</h2>${'<p>text<p>'.repeat(n * 12)}`);
    const links = [1, 2, 3].map((n) => `<a href="#h${n}">Head ${n}</a>`);
    const warnings: string[] = [];
    const html = styled(css, `<nav>${links.join('')}</nav><i href="#h2">see </i>${heads.join('')}`);
    const pdf = await printOnce(printer, { ...document(html), warn: (text) => warnings.push(text) }, PLAIN);
    const [first = '', ...others] = pdfText(pdf).split('\f');
    const said = Array.from(first.matchAll(/Head (\d)\s?\.{5,}\s?(\d+)/g), ([, head, page]) => [
      head,
      Number(page),
    ]);
    const real = [1, 2, 3].map((n) => [
      String(n),
      others.findIndex((text) => text.includes(`Head ${n}`)) + 2,
    ]);
    expect(said).toEqual(real);
    expect(first).toContain('see Head 2');
    const ends = pdfWords(pdf).filter(
      ({ page, text }) => page === 1 && /^\.*\d+$/.test(text) && text !== '2',
    );
    for (const { right } of ends) expect(Math.abs(right - (A6.width - CM))).toBeLessThan(3);
    expect(warnings).toEqual([]);
    expect(pdfInfo(pdf).pages).toBe(others.length);
  });
});
