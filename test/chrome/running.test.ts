import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { packPdf } from '../../packages/pdf/src/files/pack.ts';
import { countPages } from '../../functions/shared/measures.ts';
import type { Fetcher } from '../../packages/print/src/fetcher/fetcher.ts';
import type { HtmlReader, PrintOptions } from '../../packages/print/src/print.ts';
import { document, PLAIN, printOnce, startEngine } from './engine.ts';
import { pdfCheck, pdfInfo, pdfRaster, pdfStructure, pdfText, pdfWords } from './pdf.ts';

/** Points of a millimetre. */
const POINTS = 72 / 25.4;

const PAGE = '@page{size:100mm 120mm;margin:30mm 20mm;';

/** Has one style sheet at every address. */
const SHEETS: Fetcher = {
  fetch: (url) =>
    Promise.resolve({
      url,
      status: 200,
      headers: { 'content-type': 'text/css' },
      bytes: Buffer.from(`${PAGE}@top-left{content:element(a)}}b{position:running(a)}`),
    }),
};

describe('running elements', () => {
  let printer: HtmlReader;
  let stop: () => Promise<void>;
  beforeAll(async () => {
    ({ printer, stop } = await startEngine({}, SHEETS));
  });
  afterAll(() => stop());

  /** A document that is printed, and its warnings. */
  async function print(
    html: string,
    options: Partial<PrintOptions> = {},
  ): Promise<{ pdf: Uint8Array; pages: string[]; warnings: string[] }> {
    const warnings: string[] = [];
    const warn = (text: string): void => void warnings.push(text);
    const pdf = await printOnce(printer, { ...document(html), warn }, options);
    pdfCheck(pdf);
    // Metrics count the pages of a PDF as it is printed, and packing comes afterwards.
    expect(countPages(pdf)).toBe(pdfInfo(pdf).pages);
    expect(pdfInfo(await packPdf(pdf)).pages).toBe(pdfInfo(pdf).pages);
    expect((await packPdf(pdf)).length).toBeLessThan(pdf.length);
    const pages = Array.from({ length: pdfInfo(pdf).pages }, (_, page) =>
      pdfText(pdf, page + 1)
        .replace(/\s+/g, ' ')
        .trim(),
    );
    return { pdf, pages, warnings };
  }

  it.each([
    ['alone', '<p class="r">Head</p>'],
    ['in a box of its own, with another one', '<div><p class="r">Head</p></div><p class="r">Other</p>'],
  ])('begin no page behind the last forced break: %s', async (_, end) => {
    const css = `${PAGE}@top-left{content:element(a)}}section{break-after:page}.r{position:running(a)}`;
    const sheets = '<section>One</section><section>Two</section>';
    const { pages } = await print(`<style>${css}</style>${sheets}${end}`);
    expect(pages).toEqual(['One', 'Head Two']);
    expect((await print(`<style>${css}</style>${sheets}${end}<p>Three`)).pages).toEqual([
      'One',
      'Two',
      'Head Three',
    ]);
  });

  it.each<[boxes: string, styles: string, expected: number[]]>([
    // The boxes in millimetres that WeasyPrint 70.0 draws.
    ['@top-left{content:element(box);width:100%;vertical-align:top}', '', [20, 0, 80, 5]],
    ['@top-left{content:element(box);width:100%;vertical-align:middle}', '', [20, 12, 80, 17]],
    ['@top-left{content:element(box);width:100%;vertical-align:bottom}', 'div{width:20mm}', [20, 25, 40, 30]],
    ['@top-center{content:element(box)}', 'div{width:20mm}', [40, 12, 60, 17]],
    ['@bottom-right{content:element(box);width:30mm;vertical-align:bottom}', '', [50, 115, 80, 120]],
    ['@left-middle{content:element(box)}', '', [0, 58, 20, 63]],
    ['@right-top{content:element(box);vertical-align:bottom}', '', [80, 85, 100, 90]],
    ['@top-right-corner{content:element(box)}', '', [80, 12, 100, 17]],
    ['@bottom-center{content:element(box)}@bottom-right{content:"R"}', 'div{width:10mm}', [45, 103, 55, 108]],
    ['@bottom-left{content:element(box);width:100%}', 'div{margin:1mm 2mm 3mm 4mm}', [24, 101, 78, 106]],
    ['@top-left{content:element(box);width:100%;height:10mm;vertical-align:top}', '', [20, 20, 80, 25]],
  ])('stand in the box: %s %s', async (boxes, styles, expected) => {
    const css = `${PAGE}${boxes}}div{position:running(box);background:red;height:5mm}${styles}`;
    for (const tagged of [true, false]) {
      const { pdf } = await print(`<!doctype html><style>${css}</style><div></div><p>x`, { tagged });
      const box = (await pdfRaster(pdf, 1, 25.4)).box(([red, green]) => red > 200 && green < 90);
      const edges = box === null ? [] : [box.left, box.top, box.right + 1, box.bottom + 1];
      for (const [index, edge] of expected.entries())
        expect(Math.abs((edges[index] ?? NaN) - edge), edges.join()).toBeLessThan(2);
    }
  });

  const LETTER = `<!doctype html><style>${PAGE}@top-left{content:element(head);width:100%}@bottom-center{content:element(foot)}}
    body{font:10pt Arial;color:#00f}.letter>.head{position:running(head);display:flex;justify-content:space-between}
    .letter i{color:red} .head b::before{content:"to "}
    footer{position:running(foot)}footer::after{content:counter(page) " of " counter(pages)}
    h2{break-before:page}</style><body class="letter"><div class="head"><b>Ada</b><i>Acme</i></div>
    <footer>Page </footer><h1>One</h1><h2>Two</h2><h2>Three</h2>`;

  it('have their own styles on each page, leave the text, and count pages', async () => {
    const { pdf, pages, warnings } = await print(LETTER);
    expect(warnings).toEqual([]);
    expect(pages).toEqual([
      'to Ada Acme One Page 1 of 3',
      'to Ada Acme Two Page 2 of 3',
      'to Ada Acme Three Page 3 of 3',
    ]);
    for (const page of [1, 2, 3]) {
      const words = pdfWords(pdf).filter((word) => word.page === page);
      const acme = words.find(({ text }) => text === 'Acme');
      expect(acme?.right).toBeGreaterThan(78 * POINTS);
      expect(acme?.bottom).toBeLessThan(30 * POINTS);
      // The text begins where it would without the elements.
      const first = words.find(({ text }) => /^(?:One|Two|Three)$/.test(text));
      expect(first?.left).toBeLessThan(24 * POINTS);
      const raster = await pdfRaster(pdf, page, 72);
      expect(
        raster.box(([red, green, blue]) => red > 200 && green < 100 && blue < 100)?.left,
      ).toBeGreaterThan(170);
      expect(raster.box(([red, , blue]) => blue > 200 && red < 100)).not.toBeNull();
    }
  });

  it('are artifacts of tagged documents', async () => {
    const { pdf } = await print(LETTER);
    const structure = pdfStructure(pdf);
    expect(structure).toContain('Three');
    expect(structure).not.toMatch(/Acme|Page|Ada/);
  });

  it('are on the pages of a range, with their numbers, and below headers and footers of the request', async () => {
    expect((await print(LETTER, { pageRange: '2-3' })).pages).toEqual([
      'to Ada Acme Two Page 2 of 3',
      'to Ada Acme Three Page 3 of 3',
    ]);
    const byPage = { header: [{ pages: 'default', html: '<p>by page' }], footer: [], firstPageNumber: 1 };
    const { pages } = await print(LETTER, { byPage, pageRange: '3' });
    expect(pages).toHaveLength(1);
    expect(pages[0]).toMatch(/by page.*to Ada Acme.*Three.*Page 3 of 3/);
  });

  it.each([
    ['first', ['a', 'a', 'b', 'c', 'c']],
    ['start', ['', 'a', 'a', 'b', 'c']],
    ['last', ['a', 'a', 'b', 'c', 'c']],
    ['first-except', ['', 'a', '', '', 'c']],
  ])('are those of the page: %s', async (which, expected) => {
    const { pages } = await print(`<style>${PAGE}@top-left{content:element(name, ${which});width:100%}}
      h6{position:running(name)}p{break-after:page}</style>
      <h6>a</h6><p>1<p>2<h6>b</h6><p>3</p><h6>c</h6><p>4<p>5`);
    expect(pages.map((page) => page.replace(/\d/, '').trim())).toEqual([...expected, ...expected.slice(5)]);
  });

  it('may place something in the whole box, and show canvases and pictures', async () => {
    const { pdf, pages } =
      await print(`<!doctype html><style>${PAGE}@bottom-left{content:element(foot, last);width:100%}}
      footer{position:running(foot)}footer::after{content:"p" counter(page);position:absolute;bottom:2mm;right:0}
      footer canvas{width:10mm;height:10mm}</style><footer><canvas width=10 height=10></canvas></footer>
      <script>const c = document.querySelector('canvas').getContext('2d');c.fillStyle='#0f0';c.fillRect(0,0,10,10)</script>
      <p style="break-after:page">x<p>y`);
    expect(pages).toEqual(['x p1', 'y p2']);
    for (const page of [1, 2]) {
      const word = pdfWords(pdf).find(({ text }) => text === `p${page}`);
      expect(word?.right).toBeCloseTo(80 * POINTS, -0.5);
      expect(Math.abs((word?.bottom ?? 0) - 118 * POINTS)).toBeLessThan(6);
      const green = (await pdfRaster(pdf, page, 25.4)).box(([red, level]) => level > 200 && red < 100);
      expect([green?.left, (green?.right ?? 0) - (green?.left ?? 0)]).toEqual([20, 9]);
    }
  });

  it('may be those of a style sheet that the document loads', async () => {
    const html = '<link rel="stylesheet" href="a.css"><p>text</p><b>loaded</b>';
    const pdf = await printOnce(printer, { ...document(html), address: 'https://page.example/' });
    expect(pdfWords(pdf).map(({ text, bottom }) => [text, bottom < 30 * POINTS])).toEqual([
      ['loaded', true],
      ['text', false],
    ]);
  });

  it('have a warning for what is not supported, and stay in documents without pages', async () => {
    const odd = await print(
      `<style>${PAGE}@top-left{content:element(a, middle)}}b{position:running(a)}</style><b>a</b>x`,
    );
    expect(odd.warnings).toEqual(['Running elements: element(…, middle) is not supported.']);
    const lost = await print(
      `<style>${PAGE}@top-left{content:element(a)}}b{position:running(b)}</style><b>kept</b>`,
    );
    expect(lost.warnings).toEqual([
      'Running elements: no box of a page shows b, which stays where it is written.',
    ]);
    expect(lost.pages).toEqual(['kept']);
    const warnings: string[] = [];
    const session = printer.session('test');
    await session.read({ ...document(LETTER), warn: (text) => void warnings.push(text) }, PLAIN);
    await session.close();
    expect(warnings).toContain(
      'Running elements: position: running() is for PDF; here they stay where they are written.',
    );
  });

  it('stand beside contents, running texts and footnotes', async () => {
    const { pages, warnings } = await print(`<!doctype html><style>
      ${PAGE}@top-left{content:element(head)}@top-right{content:string(title)}}
      header{position:running(head)}h1{string-set:title content();break-before:page}
      a::after{content:target-counter(attr(href),page)}.n{float:footnote}</style>
      <header>Head</header><a href="#b">see </a><h1>A</h1><p>x<span class="n">note</span><h1 id="b">B</h1>`);
    expect(warnings).toEqual([]);
    expect(pages[0]).toMatch(/^Head see 3$/);
    expect(pages[1]).toMatch(/^Head A A x1 1\. note$/);
    expect(pages[2]).toMatch(/^Head B B$/);
  });
});
