import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { HtmlReader } from '../../packages/print/src/print.ts';
import { document, printOnce, startEngine } from './engine.ts';
import { pdfCheck, pdfInfo, pdfText, pdfWords } from './pdf.ts';

/** The styles of these documents, as their author wrote them, and what they print if the scripts leave them alone. */
const RUNNING =
  '@page{size:A6;margin:2cm;@top-left{content:element(head)}}.head{position:running(head)}h2{break-before:always}' +
  'a::after{content:" on page " target-counter(attr(href), page)}';
const BODY = '<div class="head">Example Ltd</div><a href="#end">The end</a><h2 id="end">End</h2>';

describe('scripts of a document (decision 0107)', () => {
  let printer: HtmlReader;
  let stop: () => Promise<void>;
  beforeAll(async () => {
    ({ printer, stop } = await startEngine());
  });
  afterAll(() => stop());

  /** Returns the text of each page, without line ends, and the PDF. */
  async function print(html: string): Promise<{ pdf: Uint8Array; pages: string[]; warnings: string[] }> {
    const warnings: string[] = [];
    const warn = (text: string): void => void warnings.push(text);
    const pdf = await printOnce(printer, { ...document(html), warn });
    pdfCheck(pdf);
    const pages = Array.from({ length: pdfInfo(pdf).pages }, (_, page) =>
      pdfText(pdf, page + 1)
        .replace(/\s+/g, ' ')
        .trim(),
    );
    return { pdf, pages, warnings };
  }

  it.each([
    ['running elements and references', RUNNING],
    ['papers without a name in CSS', '@page { size: A7 }'],
    ['rules for several pages', '@page :left, :right { margin: 1cm }'],
  ])('read the styles that the author wrote: %s', async (_, css) => {
    const script = `out.textContent = String([...document.styleSheets].length) + document.querySelector('style').textContent`;
    const { pages } = await print(
      `<style>${css}</style><p id="out" style="word-break: break-all"></p><script>${script}</script>`,
    );
    expect(pages.join('').replaceAll(' ', '')).toContain(`1${css}`.replaceAll(' ', ''));
  });

  it('leave the styles to be carried out, with the rules that they have inserted', async () => {
    const script = `document.querySelector('style').sheet.insertRule('.head { text-transform: uppercase }')`;
    const html = `<style>${RUNNING}</style>${BODY}<script>${script}</script>`;
    expect(await print(html)).toMatchObject({
      pages: ['EXAMPLE LTD The end on page 2', 'EXAMPLE LTD End'],
      warnings: [],
    });
  });

  it('may paginate the document by themselves', async () => {
    // As paged.js does: the styles are read and taken out, and the elements are put where they are printed.
    const script = `
      const style = document.querySelector('style');
      const [, selector] = /([.\\w]+)\\{position:\\s*running\\(head\\)/.exec(style.textContent);
      const head = document.querySelector(selector);
      const pages = [...document.querySelectorAll('a, h2')].map((content) => {
        const page = document.createElement('section');
        page.append(head.cloneNode(true), content);
        return page;
      });
      style.remove();
      head.remove();
      const own = document.createElement('style');
      own.textContent = '@page{size:A6;margin:0}section{break-after:page}.head{position:running(head)}';
      document.head.append(own);
      document.body.append(...pages);`;
    const { pdf, pages, warnings } = await print(
      `<style>${RUNNING}</style>${BODY}<script>${script}</script>`,
    );
    expect(pages).toEqual(['Example Ltd The end', 'Example Ltd End']);
    expect(warnings).toEqual([]);
    expect(pdfInfo(pdf).width).toBeCloseTo((105 / 25.4) * 72, 1);
  });

  it('hear of printing once, however often the document is printed', async () => {
    const script = `
      let heard = 0;
      addEventListener('beforeprint', () => { out.textContent = 'heard ' + ++heard; });
      addEventListener('afterprint', () => { out.textContent = 'printed'; });`;
    const html = `<style>${RUNNING}</style>${BODY}<p id="out"></p><script>${script}</script>`;
    const { pages } = await print(html);
    expect(pages.join(' ')).toContain('heard 1');
    const framed = `<iframe srcdoc="${html.replaceAll('"', '&quot;')}"></iframe><script></script>`;
    expect((await print(framed)).pages.join(' ')).toContain('heard 1');
  });

  it('may change pages and fonts when they hear of it', async () => {
    const script = `addEventListener('beforeprint', () => {
      const style = document.createElement('style');
      style.textContent = '@page{size:A6;margin:1cm}b{font-size:40px}';
      document.head.append(style);
    })`;
    const html = `<html lang="th"><style>b{font-size:14px;display:block}</style><b>Latin</b><b>ใบเสร็จ</b><script>${script}</script>`;
    const { pdf } = await print(html);
    expect(pdfInfo(pdf).width).toBeCloseTo((105 / 25.4) * 72, 1);
    // Lines of 40 pixels are 30 points and more high.
    const heights = pdfWords(pdf).map(({ top, bottom }) => bottom - top);
    expect(heights).toHaveLength(2);
    expect(Math.min(...heights)).toBeGreaterThan(28);
  });
});
