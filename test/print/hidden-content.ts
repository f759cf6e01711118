import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { HtmlPrinter } from '../../packages/print/src/print.ts';
import { document, printOnce } from '../chrome/engine.ts';
import { pdfInfo, pdfRaster, pdfText, pdfWords } from '../chrome/pdf.ts';
import type { Start } from './engine.ts';

/** Sixty paragraphs, which need three pages of A5. */
const LONG = Array.from({ length: 60 }, (_, n) => `<p>Paragraph ${n}</p>`).join('') + '<p>LAST</p>';
const SHORT = Array.from({ length: 8 }, (_, n) => `<p>Line ${n}</p>`).join('') + '<p>LAST</p>';
const TABLE = `<table border="1"><tr>${Array.from({ length: 9 }, (_, n) => `<td>column ${n}</td>`).join('')}<td>LAST</td></tr></table>`;

/** Boxes that scroll in a browser: their style, their html, and the words that are to be found in this order. */
const SCROLLING: Readonly<Record<string, readonly [style: string, html: string, words: string]>> = {
  'a window of rows': [
    'html,body{height:100%;margin:0;overflow:hidden}.a{height:100vh;display:flex;flex-direction:column}main{flex:1;min-height:0;overflow:auto}',
    `<div class="a"><header>HEAD</header><main>${LONG}</main><footer>FOOT</footer></div>`,
    'HEAD LAST FOOT',
  ],
  'a window of columns': [
    'html,body{height:100%;margin:0;overflow:hidden}.a{height:100vh;display:flex}main{flex:1;overflow-y:auto}',
    `<div class="a"><nav>HEAD</nav><main>${LONG}</main></div>`,
    'HEAD LAST',
  ],
  'a grid': [
    'body{margin:0}.a{display:grid;grid-template-rows:auto 1fr auto;height:100vh}main{overflow:auto}',
    `<div class="a"><header>HEAD</header><main>${LONG}</main><footer>FOOT</footer></div>`,
    'HEAD LAST FOOT',
  ],
  'an absolute box': [
    'body{margin:0}main{position:absolute;top:40px;bottom:0;left:0;right:0;overflow-y:scroll}',
    `<header>HEAD</header><main>${LONG}</main>`,
    'HEAD LAST',
  ],
  'a body that is as high as the window': ['html,body{height:100%;overflow:hidden}', LONG, 'LAST'],
  'a box of its own height': [
    '.b{height:90px;overflow:auto}',
    `<p>HEAD</p><div class="b">${SHORT}</div><p>FOOT</p>`,
    'HEAD LAST FOOT',
  ],
  'a box in a box': [
    '.b{height:200px;overflow:auto}.c{max-height:60px;overflow-y:scroll}',
    `<div class="b"><div class="c">${SHORT}</div>${SHORT}</div><p>FOOT</p>`,
    'LAST LAST FOOT',
  ],
  'a wide table': ['.b{overflow-x:auto}td{white-space:nowrap}', `<div class="b">${TABLE}</div>`, 'LAST'],
  'a row of cards': [
    '.b{display:flex;overflow-x:auto}.b div{min-width:200px}',
    `<div class="b">${Array.from({ length: 6 }, (_, n) => `<div>Card ${n}</div>`).join('')}<div>LAST</div></div>`,
    'LAST',
  ],
  'lines of code': [
    'pre{overflow:auto}',
    `<pre><code>${'a long line of code '.repeat(9)} LAST</code></pre>`,
    'LAST',
  ],
  'a script': [
    '',
    `<div id="b">${SHORT}</div><script>b.style.height='60px';b.style.overflow='auto'</script>`,
    'LAST',
  ],
  'a field of lines': [
    '',
    `<p>HEAD</p><textarea rows="2" cols="9">one\ntwo\nthree\nfour LAST</textarea><p>FOOT</p>`,
    'HEAD LAST FOOT',
  ],
  'a field of lines that do not wrap': [
    '',
    `<p>HEAD</p><textarea wrap="off" cols="9">${'word '.repeat(9)}LAST</textarea>`,
    'HEAD LAST',
  ],
  'a field of lines in a box with a height': [
    '.b{height:50px;overflow:hidden}',
    `<div class="b"><textarea rows="1">one\ntwo\nthree\nfour\nfive LAST</textarea></div><p>FOOT</p>`,
    'LAST FOOT',
  ],
  'a field of one line': [
    '',
    '<p>HEAD</p><input size="4" value="A value that is longer than its field LAST">',
    'HEAD LAST',
  ],
  'a shadow tree': [
    'web-list{display:block}',
    `<p>HEAD</p><web-list></web-list><p>FOOT</p><script>customElements.define('web-list', class extends HTMLElement {
      connectedCallback() { this.attachShadow({ mode: 'open' }).innerHTML = '<style>div{height:60px;overflow:auto}</style><div>${SHORT}</div>'; }
    })</script>`,
    'HEAD LAST FOOT',
  ],
  'the slot of a shadow tree': [
    'web-panel{display:block}',
    `<script>customElements.define('web-panel', class extends HTMLElement {
      connectedCallback() { this.attachShadow({ mode: 'open' }).innerHTML = '<style>div{height:60px;overflow:auto}</style><div><slot></slot></div>'; }
    })</script><p>HEAD</p><web-panel>${SHORT}</web-panel><p>FOOT</p>`,
    'HEAD LAST FOOT',
  ],
  'a list of several choices': [
    '',
    `<select multiple>${'<option>item</option>'.repeat(9)}<option>LAST</option></select><p>FOOT</p>`,
    'LAST FOOT',
  ],
  'a list': [
    '',
    `<select size="2">${'<option>item</option>'.repeat(9)}<option>LAST</option></select><p>FOOT</p>`,
    'LAST FOOT',
  ],
};

/** Boxes with forced breaks in them: their style, their html, and the first words of the pages. */
const PARTS = '<section>ONE</section><section>TWO</section><section>THREE</section>';
const DIVIDED: Readonly<Record<string, readonly [style: string, html: string, pages: readonly string[]]>> = {
  'as high as the window': [
    'main{height:100vh;overflow:auto}',
    `<main>${PARTS}</main>`,
    ['ONE', 'TWO', 'THREE'],
  ],
  'that is cut off': ['main{height:9cm;overflow:hidden}', `<main>${PARTS}</main>`, ['ONE', 'TWO', 'THREE']],
  'of a window of rows': [
    'body{margin:0}.a{height:100vh;display:flex;flex-direction:column;overflow:hidden}main{flex:1;overflow:auto}',
    `<div class="a"><header>HEAD</header><main>${PARTS}</main></div>`,
    ['HEAD', 'TWO', 'THREE'],
  ],
};

/** Texts that a box cuts off, with the warning's name of the box, or null if it is put away on purpose. */
const CUT: Readonly<Record<string, readonly [style: string, html: string, element: string | null]>> = {
  'a line below': ['.h{height:30px;overflow:hidden}', `<div class="h">${SHORT}</div>`, 'div.h'],
  'a number beside': [
    'td{overflow:hidden;white-space:nowrap}table{table-layout:fixed;width:60px}',
    '<table><tr><td>1,234,567.89</td></tr></table>',
    'td',
  ],
  'clipped text': ['.h{height:30px;overflow:clip}', `<div class="h">${SHORT}</div>`, 'div.h'],
  'an ellipsis': [
    '.h{width:90px;overflow:hidden;white-space:nowrap;text-overflow:ellipsis}',
    '<div class="h">A name that is shortened</div>',
    null,
  ],
  'clamped lines': [
    '.h{width:90px;overflow:hidden;display:-webkit-box;-webkit-box-orient:vertical;-webkit-line-clamp:2}',
    '<div class="h">A text that is shortened to two lines of it</div>',
    null,
  ],
  'text for screen readers': [
    '.h{position:absolute;width:1px;height:1px;overflow:hidden;clip:rect(0,0,0,0)}',
    '<div class="h">Read aloud</div>',
    null,
  ],
  'a closed panel': ['.h{max-height:0;overflow:hidden}', `<div class="h">${SHORT}</div>`, null],
  'text moved away': [
    '.h{width:90px;height:30px;overflow:hidden;text-indent:-9999px}',
    '<div class="h">Logo</div>',
    null,
  ],
  'hidden text': ['.h{height:30px;overflow:hidden;visibility:hidden}', `<div class="h">${SHORT}</div>`, null],
  'a field in a narrow box': [
    'div{width:60px}input{width:50px}',
    '<div><input value="A value that is longer than its box"></div>',
    'input',
  ],
  'an empty field': [
    '',
    '<input size="2" placeholder="A long text that is no value"><textarea rows="1"></textarea>',
    null,
  ],
  descenders: ['.h{height:1em;line-height:1;overflow:hidden}', '<div class="h">gypq</div>', null],
  'a round picture': ['.h{border-radius:9px;overflow:hidden}', '<div class="h">Text</div>', null],
};

/** Effects that make pictures: their style, their html, and the end of the element's name; null for none. */
const EFFECTS: Readonly<Record<string, readonly [style: string, html: string, element: string | null]>> = {
  'a shadow': ['.f{filter:drop-shadow(1px 1px 1px #999)}', '<p class="f">Amount: 120</p>', 'p.f'],
  'a section': [
    '.f{filter:brightness(.9)}',
    '<div class="f"><h2>Terms</h2><p style="filter:blur(0)">14 days</p></div>',
    'div.f',
  ],
  'an attribute': ['', '<p style="filter:sepia(1)">Amount: 120</p>', 'p'],
  'an opacity': ['.f{filter:opacity(.5)}', '<p class="f">Amount: 120</p>', null],
  'nothing changed': ['*{-webkit-filter:opacity(1) blur(0) brightness(100%)}', '<p>Amount: 120</p>', null],
  'an opacity and a shadow': [
    '.f{filter:opacity(.5) drop-shadow(0 0 1px rgb(1 2 3))}',
    '<p class="f">Amount: 120</p>',
    'p.f',
  ],
  'a drawing': [
    '',
    '<svg><filter id="a"><feOffset dx="1"/></filter><text y="20" filter="url(#a)">Amount: 120</text></svg>',
    'text',
  ],
  'a photo': ['img{filter:grayscale(1)}', '<p>Photo <img alt="x" width="9" height="9"></p>', null],
  'no effect': ['.f{filter:none}', '<p class="f">Amount: 120</p>', null],
  'the screen': ['@media screen{.f{filter:blur(1px)}}', '<p class="f">Amount: 120</p>', null],
  'a hidden text': ['.f{filter:blur(1px);display:none}', '<p class="f">Amount: 120</p>', null],
};

/** Tests that nothing is lost because a box scrolls or cuts; all engines must pass them. */
export function testHiddenContent(start: Start): void {
  let printer: HtmlPrinter;
  let stop: () => Promise<void>;
  beforeAll(async () => {
    ({ printer, stop } = await start());
  });
  afterAll(() => stop());

  async function printed(style: string, html: string): Promise<{ pdf: Uint8Array; warnings: string[] }> {
    const warnings: string[] = [];
    const whole = `<!doctype html><html lang="en"><style>@page{size:A5;margin:1cm}${style}</style>${html}`;
    const source = { ...document(whole), warn: (text: string) => void warnings.push(text) };
    // WebKit has a Warning for headings, which are not what these tests are about.
    return { pdf: await printOnce(printer, source, { outline: false }), warnings };
  }

  describe('paper does not scroll', () => {
    it.each(Object.entries(SCROLLING))('%s', async (_, [style, html, words]) => {
      const { pdf, warnings } = await printed(style, html);
      const found = pdfText(pdf).match(/HEAD|LAST|FOOT/g) ?? [];
      expect(found.join(' ')).toBe(words);
      // Every word is on its page.
      const { width, height } = pdfInfo(pdf);
      for (const { text, right, bottom } of pdfWords(pdf)) {
        if (/HEAD|LAST|FOOT/.test(text)) expect(right < width && bottom < height).toBe(true);
      }
      expect(warnings.filter((warning) => !warning.startsWith('The content is wider'))).toEqual([]);
    });

    it.each(Object.entries(DIVIDED))('a box with forced breaks %s', async (_, [style, html, pages]) => {
      const { pdf, warnings } = await printed(`section{break-after:page}${style}`, html);
      const texts = pdfText(pdf).split('\f').slice(0, -1);
      expect(texts.map((text) => text.trim().split(/\s/)[0])).toEqual(pages);
      expect(warnings).toEqual([]);
    });

    it('a frame shows its document, and keeps its height where that fits', async () => {
      const frame = (content: string): string =>
        `<iframe style="width:9cm;height:3cm;display:block" srcdoc="${content}"></iframe>`;
      const { pdf } = await printed('', `${frame(SHORT)}<p>MIDDLE</p>${frame('short')}<p>BELOW</p>`);
      const [last, middle, short, below] = ['LAST', 'MIDDLE', 'short', 'BELOW'].map(
        (word) => pdfWords(pdf).find(({ text }) => text === word)?.top ?? Number.NaN,
      );
      expect(last).toBeLessThan(middle ?? 0);
      expect((below ?? 0) - (short ?? 0)).toBeGreaterThan(80);
      expect((below ?? 0) - (short ?? 0)).toBeLessThan(120);
    });

    it('a box whose content fits stays as it is', async () => {
      const style = '.b{overflow:auto;border:1px solid}.f{float:left}';
      const { pdf } = await printed(style, '<div class="b"><div class="f">left</div></div><p>below</p>');
      const [left, below] = ['left', 'below'].map((word) => pdfWords(pdf).find(({ text }) => text === word));
      expect(below?.top).toBeGreaterThan(left?.bottom ?? Infinity);
    });
  });

  describe('text that an effect makes a picture has a warning', () => {
    it.each(Object.entries(EFFECTS))('%s', async (_, [style, html, element]) => {
      const { pdf, warnings } = await printed(style, html);
      expect(warnings).toEqual(
        element === null
          ? []
          : [expect.stringMatching(new RegExp(`^Effects \\(filter\\) .*: ([^,]+ > )?${element}\\.$`))],
      );
      // The warning says what poppler sees.
      const isSeen = element === null && !html.includes('<img') && !style.includes('display');
      expect(/Amount|Terms|days/.test(pdfText(pdf))).toBe(isSeen);
    });
  });

  it('an opacity of a filter is that of the page', async () => {
    const grey = async (style: string): Promise<number> => {
      const html = `<div style="width:9cm;height:9cm;background:#000;${style}"></div>`;
      return (await pdfRaster((await printed('', html)).pdf)).at(100, 100)[0];
    };
    const expected = await grey('opacity:.25');
    expect(expected).toBeGreaterThan(180);
    expect(await grey('filter:opacity(.5);opacity:.5')).toBe(expected);
  });

  describe('text that a box cuts off has a warning', () => {
    it.each(Object.entries(CUT))('%s', async (_, [style, html, element]) => {
      const { warnings } = await printed(style, html);
      if (element === null) expect(warnings).toEqual([]);
      else
        expect(warnings).toEqual([
          expect.stringMatching(new RegExp(`^Boxes cut their text off: .*${element} \\(`)),
        ]);
    });

    it('with the first three of many boxes', async () => {
      const boxes = `<div class="h">${SHORT}</div>`.repeat(5);
      const { warnings } = await printed('.h{height:30px;overflow:hidden}', boxes);
      expect(warnings).toEqual([expect.stringMatching(/nth-of-type\(3\).* and others\.$/)]);
    });
  });

  describe('what scripts draw with WebGL has a warning', () => {
    const fails = 'const c = document.createElement("canvas"); if (!c.getContext("webgl2"))';

    it.each([
      ['<canvas id="g"></canvas><script>g.getContext("webgl")</script>', 'canvas#g'],
      [
        '<script>const c = document.createElement("canvas"); c.getContext("webgl2"); document.body.append(c)</script>',
        'body > canvas',
      ],
      [`<script>${fails} throw new Error("no WebGL context")</script>`, '".*no WebGL context"'],
      [
        `<script>(async () => {${fails} throw new Error("no WebGL context")})()</script>`,
        '"no WebGL context"',
      ],
      [
        '<canvas id="g"></canvas><script>(g.getContext("webgl") ?? g.getContext("2d")).fillRect(0, 0, 9, 9)</script>',
        null,
      ],
      [`<script>${fails} document.body.append("without WebGL")</script>`, null],
    ])('%s', async (html, named) => {
      const { warnings } = await printed('', `<p>x</p>${html}`);
      if (named === null) expect(warnings).toEqual([]);
      else
        expect(warnings).toEqual([expect.stringMatching(new RegExp(`^There is no WebGL, .*: ${named}\\.$`))]);
    });
  });

  describe('page numbers that nothing counts have a warning', () => {
    const footer = '<footer><b class="n"></b></footer><p>x</p>';

    it.each([
      ['.n::after{content:counter(page)}', 'body > footer > b.n::after'],
      ['footer{counter-reset:page 3}.n::after{content:counter(page)}', null],
      ['@page{@bottom-left{content:counter(page)}}', null],
      ['.n::after{content:counter(pagers)}', null],
    ])('%s', async (style, element) => {
      const { warnings } = await printed(style, footer);
      if (element === null) expect(warnings).toEqual([]);
      else expect(warnings).toEqual([expect.stringContaining(`Nothing counts the pages in ${element}:`)]);
    });
  });

  describe('elements that set the number of their page have a warning', () => {
    const chapters = '<style>.r{break-before:page}</style><h1>A</h1><h1 class="r">B</h1>';

    it.each([
      ['.r{counter-reset:page 1}', 'body > h1.r'],
      ['.r{counter-set:chapter 2 page 10}', 'body > h1.r'],
      ['body{counter-reset:page 100}', 'body'],
      ['body,h1:first-of-type{counter-reset:page 1}', null],
      ['.r{counter-reset:home-page page-title 1}', null],
      ['.r{counter-reset:page 1}h1{counter-increment:page}', null],
    ])('%s', async (style, element) => {
      const { warnings } = await printed(`@page{@bottom-left{content:counter(page)}}${style}`, chapters);
      if (element === null) expect(warnings).toEqual([]);
      else
        expect(warnings).toEqual([
          expect.stringMatching(new RegExp(`^Page numbers go on where elements set them .*: ${element}[;:]`)),
        ]);
    });
  });

  describe('paper shows what comes into sight when somebody scrolls', () => {
    const observe = (reaction: string): string =>
      `<script>new IntersectionObserver((entries, own) => { for (const entry of entries) if (entry.isIntersecting) { ${reaction} } }).observe(document.getElementById('t'))</script>`;
    const PICTURE = `data:image/svg+xml,<svg xmlns="http://www.w3.org/2000/svg" width="99" height="99"><rect width="99" height="99" fill="blue"/></svg>`;

    it('text that a script reveals', async () => {
      const { pdf } = await printed(
        '',
        `${LONG}<p id="t" style="opacity:0"></p>${observe("own.unobserve(entry.target); t.style.opacity = 1; t.textContent = 'REVEALED'")}`,
      );
      expect(pdfText(pdf)).toContain('REVEALED');
    });

    it('pictures that a script loads', async () => {
      const { pdf } = await printed(
        '',
        `${LONG}<img id="t" width="99" height="99" data-src='${PICTURE}'>${observe('t.src = t.dataset.src')}`,
      );
      const page = await pdfRaster(pdf, pdfInfo(pdf).pages);
      expect(page.box(([red, , blue]) => red < 50 && blue > 200)).not.toBeNull();
    });

    it('each element once, and none without a box', async () => {
      const count = `<p id="n">0</p>${LONG}<div id="t" style="height:1px"></div><div id="u" hidden></div>
        <script>const seen = new IntersectionObserver((entries) => { for (const { isIntersecting } of entries) n.textContent = Number(n.textContent) + isIntersecting; });
        for (const element of [t, u]) seen.observe(element);</script>`;
      const { pdf } = await printed('', count);
      expect(pdfText(pdf)).toMatch(/^1\n/);
    });
  });
}
