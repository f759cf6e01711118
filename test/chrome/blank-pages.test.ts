import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { HtmlReader } from '../../packages/print/src/print.ts';
import { blankPages } from '../../packages/print/src/contents/blank-pages.ts';
import { pdfInfo, pdfText } from './pdf.ts';
import { document, PLAIN, printOnce, startEngine } from './engine.ts';

const STYLE = `@page{size:A6;margin:2cm;@bottom-center{content:"p" counter(page) "/" counter(pages) " " string(title)}}
  @page :blank{@bottom-center{content:"blank"}} h1{string-set:title content()}`;

describe('content that begins on a left or right page', () => {
  let printer: HtmlReader;
  let stop: () => Promise<void>;
  beforeAll(async () => {
    ({ printer, stop } = await startEngine());
  });
  afterAll(() => stop());

  /** The words of each page, as one line. */
  async function pagesOf(style: string, body: string): Promise<string[]> {
    const html = `<style>${STYLE}${style}</style>${body}`;
    const pdf = await printOnce(printer, html);
    return Array.from({ length: pdfInfo(pdf).pages }, (_, page) =>
      pdfText(pdf, page + 1)
        .replace(/\s+/g, ' ')
        .trim(),
    );
  }

  it('has blank pages before it, with the boxes of @page :blank, which count (CSS Fragmentation 3, 3.1)', async () => {
    expect(await pagesOf('h1{break-before:right}', '<h1>A</h1><h1>B</h1><h1>C</h1>')).toEqual([
      'A p1/5 A',
      'blank',
      'B p3/5 B',
      'blank',
      'C p5/5 C',
    ]);
    expect(await pagesOf('h1{break-before:left}', '<p>x</p><h1>A</h1><p>y<h1>B</h1>')).toEqual([
      'x p1/4',
      'A y p2/4 A',
      'blank',
      'B p4/4 B',
    ]);
  });

  it('has them after content, on the sides of text from right to left, and by the older names', async () => {
    const body = '<section>A</section><div><p>B</p></div><p>C</p>';
    const after = await pagesOf('section{break-after:recto} div{break-after:verso}', body);
    expect(after.map((text) => text.split(' ')[0])).toEqual(['A', 'blank', 'B', 'C']);
    const older = await pagesOf('section{page-break-after:right}', body);
    expect(older.map((text) => text.split(' ')[0])).toEqual(['A', 'blank', 'B']);
    // The first page is a left one there.
    const turned = await pagesOf('html{direction:rtl} section{break-after:right}', body);
    expect(turned).toHaveLength(2);
  });

  it('has the page numbers of contents that lead to it', async () => {
    const style = 'a::after{content:target-counter(attr(href), page)} h1{break-before:right}';
    const pages = await pagesOf(style, '<a href="#c">see </a><h1>A</h1><p>x<h1 id="c">C</h1>');
    expect(pages[0]).toMatch(/^see 5 /);
    expect(pages[4]).toMatch(/^C /);
  });

  it('begins on the next page if it is on the right side, or if the style sheet names no side', async () => {
    expect(await pagesOf('h1{break-before:left}', '<p>x</p><h1>A</h1>')).toHaveLength(2);
    const later = 'h1{break-before:right} h1{break-before:page}';
    expect(await pagesOf(later, '<p>x</p><h1>A</h1>')).toHaveLength(2);
    expect(await pagesOf('h1{break-before:always}', '<p>x</p><h1>A</h1>')).toHaveLength(2);
  });

  it('is read and drawn without pages, and without a warning', async () => {
    const warnings: string[] = [];
    const warn = (text: string): void => void warnings.push(text);
    const session = printer.session('test');
    await session.read({ ...document('<style>h1{break-before:right}</style><h1>x'), warn }, PLAIN);
    await session.close();
    expect(warnings).toEqual([]);
  });
});

describe('blank pages', () => {
  const at = (...pages: number[]): Map<string, { page: number }> =>
    new Map(pages.map((page, index) => [String(index), { page }]));
  const odd = (...isOdd: boolean[]): { place: string; isOdd: boolean }[] =>
    isOdd.map((each, index) => ({ place: String(index), isOdd: each }));

  it('move the pages behind them, and stay if they are needed', () => {
    const first = blankPages(odd(true, true), at(2, 3), []);
    expect(first).toMatchObject({ blanks: ['0', '1'], added: 2 });
    expect([1, 2, 3].map((page) => first.moved(page))).toEqual([1, 3, 5]);
    const second = blankPages(odd(true, true), at(3, 5), first.blanks);
    expect(second).toMatchObject({ blanks: ['0', '1'], added: 0 });
    expect([1, 3, 5].map((page) => second.moved(page))).toEqual([1, 3, 5]);
  });
});
