import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { HtmlPrinter } from '../../packages/print/src/print.ts';
import { ALL_AUTHOR_PAGES } from '../../packages/print/src/page-rules.ts';
import { document, printOnce } from '../chrome/engine.ts';
import { pdfCheck, pdfFonts, pdfInfo, pdfRaster, pdfText } from '../chrome/pdf.ts';
import { startWebKit } from './engine.ts';

const isRed = ([r, g, b]: [number, number, number]): boolean => r > 200 && g < 60 && b < 60;

describe('a document printed by WebKit', () => {
  let printer: HtmlPrinter;
  let stop: () => Promise<void>;
  beforeAll(async () => {
    ({ printer, stop } = await startWebKit());
  });
  afterAll(() => stop());

  it('holds the text of the html, is a sound PDF and has its title, or the one given (I-20)', async () => {
    const pdf = await printOnce(
      printer,
      document('<title>Own</title><h1>Rechnung Nr. 7</h1><p>Grüße', 'Given'),
    );
    pdfCheck(pdf);
    expect(pdfText(pdf)).toContain('Rechnung Nr. 7');
    expect(pdfText(pdf)).toContain('Grüße');
    expect(pdfInfo(pdf).title).toBe('Own');
    expect(pdfInfo(await printOnce(printer, document('<p>none', 'Gegeben "ü"'))).title).toBe('Gegeben "ü"');
  });

  it('has ideographs that are copied as they are, and not as the radicals that look the same (Unicode 15, 18.2)', async () => {
    const texts = ['日一人大水金月火木土山川門馬龍長食', '一人大水金月门马龙长见'];
    const html = `<p lang="ja">${texts[0]}</p><p lang="zh-Hans">${texts[1]}</p>`;
    expect(pdfText(await printOnce(printer, html)).match(/\S+/g)).toEqual(texts);
    // So are Arabic letters, and letters that a font joins.
    const others = await printOnce(printer, '<p lang="ar">العربية<p>office ﬁne flow');
    expect(
      pdfText(others)
        .replace(/[\u202a-\u202e]/g, '')
        .match(/\S+/g),
    ).toEqual(['العربية', 'office', 'fine', 'flow']);
    // A radical that the document has stays one.
    expect(pdfText(await printOnce(printer, '<p lang="ja">\u2f48'))).toContain('\u2f48');
  });

  it.each([
    ['हिन्दी में कार्यक्रम', true],
    ['Ünïcode Ελληνικά Русский 日本語 עברית العربية ไทย', false],
  ])('has a Warning for letters that cannot be copied: %s', async (text, isTold) => {
    const warnings: string[] = [];
    await printOnce(printer, { ...document(`<p>${text}`), warn: (one) => void warnings.push(one) });
    expect(warnings).toEqual(isTold ? [expect.stringContaining('webkit leaves letters out of text')] : []);
  });

  it('has lengths exact to half a percent, at every scale and on narrow sheets', async () => {
    const DPI = 288;
    const html = '<body style="margin:0"><div style="background:#f00;width:100px;height:80px"></div>';
    const px = (centimetres: number): number => (centimetres / 2.54) * DPI;
    for (const [scale, paper, left] of [
      [1, 'A4', 1],
      [0.37, 'A5', 2.2],
      [1.33, 'Letter', 0.7],
      [2, 'A6', 1.31],
    ] as const) {
      const margins = { top: 2, right: 1.17, bottom: 2.03, left };
      const page = await pdfRaster(await printOnce(printer, html, { scale, paper, margins }), 1, DPI);
      const box = page.box(isRed);
      const [width, height] = [(100 / 96) * DPI * scale, (80 / 96) * DPI * scale];
      // Half a percent, and the edges of pixels.
      const near = (length: number): number => length * 0.005 + 1;
      expect(Math.abs((box?.right ?? 0) - (box?.left ?? 0) + 1 - width)).toBeLessThan(near(width));
      expect(Math.abs((box?.bottom ?? 0) - (box?.top ?? 0) + 1 - height)).toBeLessThan(near(height));
      expect(Math.abs((box?.left ?? 0) - px(left))).toBeLessThan(2);
    }
  });

  it('places positioned elements without a container on the first page, between its margins (CSS 2.2, 10.1)', async () => {
    const html = `<style>@page{size:10cm 10cm;margin:1cm}body{margin:0} p{break-before:page}
      .red{position:absolute;right:0;bottom:0;width:25%;height:25%;background:#f00} .foot{position:fixed;bottom:0;color:blue}</style>
      one<div class="red"></div><p>two<div class="foot">Foot</div>`;
    const pdf = await printOnce(printer, html, { author: ALL_AUTHOR_PAGES });
    expect(pdfInfo(pdf).pages).toBe(2);
    // What Chromium repeats on each page stands on one, and not over its text.
    expect(pdfText(pdf, 1)).toMatch(/one\s+Foot/);
    expect(pdfText(pdf, 2).trim()).toBe('two');
    const box = (await pdfRaster(pdf, 1, 144)).box(isRed);
    const centimetres = (pixels = -1): number => (pixels / 144) * 2.54;
    // A quarter of the room between the margins, in its corner.
    const expected = { left: 7, right: 9, top: 7, bottom: 9 };
    for (const side of ['left', 'right', 'top', 'bottom'] as const)
      expect(Math.abs(centimetres(box?.[side]) - expected[side]), side).toBeLessThan(0.06);
  });

  it('keeps its sheet and its scale where its own @page rules are switched off (I-49)', async () => {
    const html = `<style>@page{size:A6 landscape !important;margin:5cm !important}@page :first{margin:7cm}</style>
      <body style="margin:0"><div style="background:#f00;width:4cm;height:4cm"></div>`;
    const pdf = await printOnce(printer, html, { author: null });
    expect(pdfInfo(pdf)).toMatchObject({ pages: 1, width: 595.276 });
    const box = (await pdfRaster(pdf, 1, 144)).box(isRed);
    expect(Math.abs((box?.right ?? 0) - (box?.left ?? 0) + 1 - (4 / 2.54) * 144)).toBeLessThan(2);
  });

  it('embeds each font once, with the glyphs that are shown, and the fonts of the product alone', async () => {
    const html =
      '<p style="font-family:Arial">a<p style="font-family:Times New Roman">b<p style="font-family:Courier New">c<p style="font-family:Arial">Zz';
    const header = '<p style="font-family:Arial;font-size:9px">more</p>';
    const pdf = await printOnce(printer, html, { header, footer: null });
    const names = new Set(pdfFonts(pdf).map(({ name }) => name.replace(/^[A-Z]{6}\+/, '')));
    expect([...names].sort()).toEqual(['Arimo-Regular', 'Cousine-Regular', 'Tinos-Regular']);
    // Whole, the three are 1.1 MB.
    expect(pdf.length).toBeLessThan(60_000);
    expect((await printOnce(printer, '<p>漢字かな 한국어')).length).toBeLessThan(40_000);
  });

  it('shows the resources of the document by their address, also below a base address and in print rules only', async () => {
    const red = Buffer.from(
      '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><rect width="9" height="9" fill="#f00"/></svg>',
    );
    const path = 'img/lögo 1.svg';
    const resources = new Map([[path, { contentType: 'image/svg+xml', bytes: red }]]);
    const address = printer.resourceUrl(path);
    for (const html of [
      `<base href="https://elsewhere.example/"><img src="${address}" width="200" height="200">`,
      `<script>const i = new Image(200, 200); i.src = '${address}'; document.documentElement.append(i)</script>`,
      `<style>@media print { p { background: url(${address}); height: 200px } }</style><p>x`,
      `<style media="only print">p { background: url(${address}); height: 200px }</style><style>@media screen and (min-width: 1px) { p { display: none } }</style><p>x`,
    ]) {
      const page = await pdfRaster(await printOnce(printer, { ...document(html), resources }));
      expect(page.box(isRed), html).not.toBeNull();
    }
  });

  it('leaves almost no space for an image that cannot be loaded, if the document sets no size (docs/rendering.md)', async () => {
    const mark = '<div style="width: 200px; height: 20px; background: #f00"></div>';
    const printed = async (html: string) => {
      const box = (await pdfRaster(await printOnce(printer, html))).box(isRed);
      if (box === null) throw new Error('the mark was not drawn');
      return box;
    };
    const [without, plain, tall] = await Promise.all([
      printed(`<p style="margin: 0; line-height: 0"></p>${mark}`),
      printed(`<p style="margin: 0; line-height: 0"><img src="gone.png"></p>${mark}`),
      printed(
        '<span style="display: inline-block; background: #f00; font-size: 0"><img src="gone.png" height="40"></span>',
      ),
    ]);
    expect(Math.abs(plain.top - without.top)).toBeLessThan(8);
    expect(tall.right - tall.left).toBeLessThan(0.6 * (without.right - without.left));
  });

  it.each([
    '<body style="margin:0">',
    '<html style="display:none"><p>x',
    '<style>@page{margin:0}body{margin:0}</style>',
  ])('prints one empty page of a document that shows nothing: %s', async (html) => {
    const pdf = await printOnce(printer, `<!doctype html>${html}`);
    expect(pdfInfo(pdf).pages).toBe(1);
    expect(pdfText(pdf).trim()).toBe('');
  });

  it('makes no empty page of a break in front of all that it shows', async () => {
    const style = '<style>@media print { h1 { page-break-before: always } }</style>';
    const pdf = await printOnce(
      printer,
      `<body>${style}<!-- none --><main><p hidden>no</p><h1>First</h1><p>a</p><h1>Second</h1></main>`,
    );
    expect(pdfInfo(pdf).pages).toBe(2);
    const kept = await printOnce(printer, `${style}<p>Preface</p><h1>First</h1>`);
    expect(pdfInfo(kept).pages).toBe(2);
  });

  it('keeps letters joined that letter-spacing would part, and parts others', async () => {
    const widthOf = async (html: string): Promise<number> => {
      const page = await pdfRaster(await printOnce(printer, `<body style="font-size:40px">${html}`), 1, 96);
      const box = page.box(([r, g, b]) => r < 100 && g < 100 && b < 100);
      return box === null ? 0 : box.right - box.left;
    };
    const line = (style: string, html: string): string =>
      `<div style="display:inline-block;${style}">${html}</div>`;
    const joined = await widthOf(line('', 'السلام'));
    expect(await widthOf(line('letter-spacing:9px', 'السلام'))).toBe(joined);
    expect(await widthOf(line('letter-spacing:9px', 'السلام<span style="display:none">x</span>'))).toBe(
      joined,
    );
    const within = (spacing: string): Promise<number> =>
      widthOf(line(`letter-spacing:${spacing}`, 'لا <b>abcde</b>'));
    expect(await within('9px')).toBeGreaterThan((await within('0')) + 35);
  });

  it('shows emoji in their colours', async () => {
    const page = await pdfRaster(await printOnce(printer, '<p style="font-size:60px">😀'));
    expect(page.box(([r, g, b]) => r > 200 && g > 150 && b < 100)).not.toBeNull();
  });

  it('shows text that scripts add in a frame or when an element is measured', async () => {
    const html = `<p id="p">static<script>
      const add = (text) => { const line = document.createElement('p'); line.textContent = text; document.body.append(line); };
      requestAnimationFrame(() => add('drawn in a frame'));
      new ResizeObserver(() => add('was measured')).observe(p);
      </script>`;
    const text = pdfText(await printOnce(printer, html));
    for (const line of ['static', 'drawn in a frame', 'was measured']) expect(text).toContain(line);
  });

  it('cannot read data that another document stored', async () => {
    const html = `<p id="p"><script>
      p.textContent = ['found', localStorage.getItem('k'), sessionStorage.getItem('k'), window.name, document.cookie].join(' ');
      localStorage.setItem('k', 'SECRET'); sessionStorage.setItem('k', 'SECRET'); window.name = 'SECRET'; document.cookie = 'k=SECRET';
      </script>`;
    for (let n = 0; n < 3; n++) {
      const text = pdfText(await printOnce(printer, html));
      expect(text).toContain('found');
      expect(text).not.toContain('SECRET');
    }
  });

  it.each([
    ['asks to stay', "onbeforeunload = () => 'stay'"],
    ['never ends its pagehide handler', "addEventListener('pagehide', () => { for (;;); })"],
    ['cannot be printed', 'document.documentElement.remove()'],
    [
      'spoils what it is asked for',
      'Promise.prototype.then = null; window.Image = null; Array.prototype.filter = null',
    ],
  ])('does not prevent the next one from being printed if it %s', async (_, script) => {
    const print = printOnce(printer, `<p>first<script>${script}</script>`);
    const outcome = await print.then(pdfText, (error: { code: string }) => error.code);
    expect(outcome).toMatch(/first|print_failed/);
    for (const text of ['second', 'third'])
      expect(pdfText(await printOnce(printer, `<p>${text}`))).toContain(text);
  });

  it('has no workers that outlive it: WebKit would wait for each of them when a later document is left', async () => {
    const html = `<p>[<script>document.write([typeof SharedWorker, typeof navigator.serviceWorker, typeof Worker])</script>]`;
    expect(pdfText(await printOnce(printer, html))).toContain('[undefined,undefined,function]');
  });

  it('neither shows dialogues nor prints by itself: alert() and print() have no effect', async () => {
    const html = `<p id="p">x<script>p.textContent = [alert('a'), confirm('b'), prompt('c')].join('|') + ' after'; print();</script>`;
    expect(pdfText(await printOnce(printer, html))).toContain('after');
  });
});
