import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { keepReferences } from '../../packages/print/src/contents/css.ts';
import { prepareDocument } from '../../packages/print/src/page/document.ts';
import type { HtmlReader } from '../../packages/print/src/print.ts';
import { NOT_PLACED } from '../../packages/print/src/chrome/footnote-state.ts';
import { bookOf, faultsOf } from '../print/books.ts';
import { NUMBERED, otherNumbers } from '../print/counters.ts';
import { notedTextOf, noteFaults } from '../print/footnotes.ts';
import { document, PLAIN, startEngine } from './engine.ts';
import { pdfCheck, pdfOutline, pdfText, pdfWords } from './pdf.ts';

/** Contents and references with Chromium (I-51). */

let printer: HtmlReader;
let stop: () => Promise<void>;
beforeAll(async () => ({ printer, stop } = await startEngine()));
afterAll(() => stop());

async function print(
  html: string,
  options: Partial<typeof PLAIN> = {},
): Promise<{ pdf: Uint8Array; warnings: string[] }> {
  const warnings: string[] = [];
  const session = printer.session('books');
  try {
    const given = { ...document(html), warn: (text: string) => void warnings.push(text) };
    return { pdf: await session.print(given, { ...PLAIN, ...options }), warnings };
  } finally {
    await session.close();
  }
}

describe('styles that refer to pages', () => {
  it.each([
    [
      'a::after{content:"attr(x;" leader(".") attr(y)}',
      'a::after{content:"";--platen-content:"attr(x;" leader(".") platen-attr(y)}',
    ],
    ['h1 { /* { */ string-set : t content() }', 'h1 { /* { */ --platen-strings: t content() }'],
    [
      '@page{@top-left{content:string(t, last) "-"}}',
      '@page{@top-left{content:counter(page, platen-string-t-last) "-"}}',
    ],
    ['.n{color:red;float:footnote}', '.n{color:red;--platen-footnote:1}'],
    [
      '@page :first{margin:1cm}@page{size:A5;@footnote{border:0}color:red}',
      '@page :first{margin:1cm}@page{size:A5;}platen-footnotes{border:0}@page{color:red}',
    ],
    [
      '.n::footnote-call,::footnote-marker{content:"("counter(footnote)}',
      '.n>platen-footnote-call::before,*>platen-footnote-marker::before{content:"("counter(footnote)}',
    ],
    [
      'p{content:"leader(" ; --x: target-text(}',
      'p{content:"";--platen-content:"leader(" ; --x: target-text(}',
    ],
    [
      'p { background: url(a;content:x) } q { float: left }',
      'p { background: url(a;content:x) } q { float: left }',
    ],
  ])('are kept under other names: %s', (css, kept) => {
    expect(keepReferences(css)).toBe(kept);
  });
});

describe('contents and references', () => {
  it.each([2, 4])('have the number of the page that the heading is on: book %i', async (seed) => {
    const book = bookOf(seed);
    const { pdf, warnings } = await print(book.html);
    pdfCheck(pdf);
    expect(faultsOf(book, pdf).faults).toEqual([]);
    expect(faultsOf(book, pdf).checked).toBeGreaterThan(book.headings.length - 1);
    expect(warnings).toEqual([]);
    expect(Buffer.from(pdf).includes('platen-mark')).toBe(false);
  });

  it('show page numbers as the styles ask for, texts of targets, and the chapter of each page in its margin', async () => {
    const { pdf, warnings } = await print(`<!doctype html><title>T</title><style>
      @page { size: A6; margin: 2cm; @top-left { content: "[" string(part) "|" string(part, last) "|" string(part, start) "]" } }
      section { break-before: page }
      h2 { string-set: part content() }
      h2::before { content: "Part " }
      a::after { content: " (" target-text(attr(href), before) "/" target-text(attr(href), first-letter) "/"
        target-counter(attr(href), page, upper-roman) ")" }
      b::after { content: target-counter("#gone", page) "gone;" }
      i::after { content: target-counter("#a", pages) }
      u::after { content: target-counter("#a", page) }
      nav u::after { content: "own" }
      </style><body><a href="#b">to b</a> <b></b> <i></i><nav><u>its</u></nav>
      <section><h2 id=a>Alpha</h2></section><section><p>more<h2 id=b>Beta "quoted"</h2><h2>Gamma</h2></section>
      <section>end</section>`);
    const pages = pdfText(pdf)
      .split('\f')
      .map((page) => page.replace(/\s+/g, ' ').trim());
    expect(pages[0]).toContain('to b (Part /B/III)');
    expect(pages[0]).toContain('gone;');
    expect(pages[0]).toContain('itsown');
    expect(pages[0]).toContain('[||]');
    expect(pages[1]).toContain('[Alpha|Alpha|]');
    expect(pages[2]).toContain('[Beta "quoted"|Gamma|Alpha]');
    expect(pages[3]).toContain('[Gamma|Gamma|Gamma]');
    expect(warnings).toEqual([
      'Contents and references: nothing of #gone is on a page.',
      'Contents and references: target-counter(pages) is not supported.',
    ]);
  });

  it('show counters of targets, also beside leaders and in margins', async () => {
    const { pdf, warnings } = await print(NUMBERED);
    expect(otherNumbers(pdf)).toEqual([]);
    expect(pdfText(pdf)).toMatch(/^ *0\.{20,} *h9=/m);
    expect(warnings).toEqual([]);
  });

  it('find targets with a name, with a box of their content alone, and name those that have none', async () => {
    const { pdf, warnings } = await print(`<!doctype html><style>
      div { break-before: page }
      a[href]::after { content: "=" target-counter(attr(href), page) ";" }
      </style><body><a href="#name">name</a> <a href="#contents">contents</a> <a href="#text">text</a> <a href="#hidden">hidden</a>
      <div><a name="name">x</a></div><div><section id="contents" style="display:contents"><p>x</section></div>
      <div><p><i id="text" style="display:contents">x</i></div><p id="hidden" hidden>x`);
    expect(pdfText(pdf, 1).replace(/\s+/g, ' ')).toContain('name=2; contents=3; text=4; hidden=;');
    expect(warnings).toEqual(['Contents and references: nothing of #hidden is on a page.']);
  });

  it('apply nested style rules', async () => {
    const { pdf } = await print(`<!doctype html><title>T</title><style>
      nav { ul a { &::before { content: target-text(attr(href)) } color: green; }
        @media print { a { &:hover, &::after { content: " at " target-counter(attr(href), page) } } } }
      main { h2 { color: red; & + p { } string-set: part content() } }
      @page { @top-left { content: "<" string(part) ">" } }
      </style><body><nav><ul><a href="#b"></a></ul></nav><main><h2 id=b style="break-before: page">Beta</h2>`);
    const pages = pdfText(pdf).split('\f');
    expect(pages[0]).toContain('Beta at 2');
    expect(pages[1]).toContain('<Beta>');
  });

  it('align numbers at the end of their lines', async () => {
    const { pdf } = await print(`<!doctype html><title>T</title><style>li { list-style: none }
      a::after { content: leader(dotted) target-counter(attr(href), page) }</style><body style="width: 400px">
      <ul><li><a href="#x">Short</a><li><a href="#x">A title that is somewhat longer than that</a></ul><p id=x>x`);
    const lines = pdfText(pdf)
      .split('\n')
      .filter((line) => line.includes('. .'));
    expect(lines).toHaveLength(2);
    for (const line of lines) expect(line).toMatch(/(?:\. ?){10,}\s*1$/);
  });

  it('keep to the text of books, whose left and right pages have their margins on other sides', async () => {
    const words = 'Wirtschaftswissenschaften und Rechtsschutzversicherungen, Donaudampfschifffahrt und ';
    const { pdf, warnings } = await print(`<!doctype html><html lang="de"><title>T</title><style>
      @page { size: A5; margin: 1cm } @page :left { margin-right: 5cm } @page :right { margin-left: 5cm }
      li { list-style: none } p { hyphens: auto; text-align: justify; break-before: page } .n { float: footnote }
      li a::before { content: target-text(attr(href)) leader('.') target-counter(attr(href), page) }</style>
      <ul style="padding: 0"><li><a href="#x"></a><li><a href="#y"></a></ul><p><b id=x>Erstes</b> ${words.repeat(9)}
      <span class=n>unten ${words.repeat(2)}</span><p><b id=y>Zweites</b> ${words.repeat(9)}<span class=n>auch</span>`);
    expect(warnings).toEqual([]);
    const [first = '', ...others] = pdfText(pdf).split('\f');
    expect(first).toMatch(/^ *Erstes ?\.{20,} *2\n *Zweites ?\.{20,} *3\n/);
    for (const text of others.slice(0, 2)) {
      expect(text).toMatch(/[-‐]\n/);
      // What is not at the end of a line is no place of division.
      expect(text.replace(/\u00AD?‐/g, '')).not.toContain('\u00AD');
    }
    expect(pdfWords(pdf).find(({ text }) => text === 'auch')?.bottom).toBeGreaterThan(19 * (72 / 2.54));
  });

  it('cause a warning in formats without pages', async () => {
    const warnings: string[] = [];
    const session = printer.session('books');
    const html =
      '<style>a::after { content: target-counter(attr(href), page) }</style><a href="#x" id=x>x</a>';
    await session.read({ ...document(html), warn: (text) => void warnings.push(text) }, PLAIN);
    await session.close();
    expect(warnings).toEqual([expect.stringContaining('target-counter() and related functions require PDF')]);
  });

  it('number a range of pages as in the whole document', async () => {
    const pages = [1, 2, 3].map((n) => `<h2 id=p${n} style="break-after: page">at ${n}</h2>`).join('');
    const html = `<!doctype html><title>T</title><style>a::after { content: target-counter(attr(href), page) }</style>
      ${pages}<p><a href="#p2">two:</a><a href="#p3">three:</a></p>`;
    const { pdf } = await print(html, { pageRange: '4' });
    expect(pdfText(pdf).replace(/\s+/g, '')).toContain('two:2three:3');
    const { pdf: later } = await print(html, { firstPageNumber: 0 });
    expect(pdfText(later).replace(/\s+/g, '')).toContain('two:1three:2');
  });

  it('leave documents without them unchanged, and a warning names those that are not supported', async () => {
    const plain = prepareDocument({
      html: '<p>string( leader</p>',
      styles: ['p { content: "target" }'],
      title: 'T',
    });
    expect(plain.facts.refersToPages).toBe(false);
    expect(plain.html).not.toContain('platen');
  });
});

describe('footnotes', () => {
  const NOTE = '.n { float: footnote; font-size: 8pt }';

  it.each([100, 103])(
    'are placed at the foot of the page of their call, below the text: text %i',
    async (seed) => {
      const text = notedTextOf(seed, 6);
      const { pdf, warnings } = await print(text.html);
      pdfCheck(pdf);
      expect([...warnings, ...noteFaults(text, pdf)]).toEqual([]);
    },
  );

  it.each([24, 25, 26].flatMap((count) => ['h2', 'p', 'div'].map((tag) => [tag, count] as const)))(
    'leave a block that does not fit above them to the next page, with its number: %s (%i)',
    async (tag, count) => {
      const html = `<style>@page { size: A4 } ${NOTE} a::after { content: ' ' target-counter(attr(href), page) }</style>
      <p><a href="#m">contents</a></p><p>x<span class="n">note</span></p>${'<p>para</p>'.repeat(count)}<${tag} id="m">Moved</${tag}><p>t</p>`;
      const { pdf, warnings } = await print(html);
      const page =
        pdfText(pdf)
          .split('\f')
          .findIndex((text) => text.includes('Moved')) + 1;
      expect(pdfText(pdf)).toContain(`contents ${page}`);
      expect(warnings).toEqual([]);
    },
  );

  it('are not in the titles of the outline', async () => {
    const html = `<style>@page { size: A5 } ${NOTE}</style><h1>First<span class="n">the first note</span> part</h1>
      ${'<p>para</p>'.repeat(30)}<h2>Second</h2><p>x<span class="n">the second note</span></p>`;
    const { pdf, warnings } = await print(html);
    expect(pdfOutline(pdf)).toEqual(['First part', '\tSecond']);
    expect(warnings).toEqual([]);
  });

  it('keep to the margins and the scale of the options', async () => {
    const body = Array.from(
      { length: 12 },
      (_, n) => `<p>${'text '.repeat(90)}at${n}x<span class=n>note${n}x</span> ${'text '.repeat(20)}</p>`,
    ).join('');
    const { pdf, warnings } = await print(`<!doctype html><title>T</title><style>${NOTE}</style>${body}`, {
      margins: { top: 5, right: 2, bottom: 4, left: 2 },
      scale: 0.8,
    });
    expect(warnings).toEqual([]);
    const words = pdfWords(pdf);
    const foot = ((29.7 - 4) * 72) / 2.54;
    expect(new Set(words.map(({ page }) => page)).size).toBe(2);
    for (let n = 0; n < 12; n++) {
      const [call, note] = [`at${n}x`, `note${n}x`].map((text) =>
        words.find((word) => word.text.startsWith(text)),
      );
      expect([n, note?.page]).toEqual([n, call?.page]);
      const lowest = words.filter(({ page, text }) => page === note?.page && text === 'text');
      expect(note?.top).toBeGreaterThanOrEqual(Math.max(...lowest.map(({ bottom }) => bottom)) - 1);
    }
    const notes = words.filter(({ text }) => text.startsWith('note'));
    for (const page of new Set(notes.map((word) => word.page))) {
      const last = Math.max(...notes.filter((word) => word.page === page).map(({ bottom }) => bottom));
      expect(Math.abs(last - foot)).toBeLessThan(8);
    }
  });

  it('are styled and numbered by their styles', async () => {
    const page = (n: number): string =>
      `<p>one<span class=n>first of ${n}</span> two<span class="n other">second of ${n}</span></p>`;
    const { pdf, warnings } = await print(`<!doctype html><title>T</title><style>${NOTE}
      @page { counter-reset: footnote; @footnote { border-top: 3px solid red } }
      .n::footnote-call { content: '(' counter(footnote, lower-alpha) ')' }
      .n::footnote-marker { content: counter(footnote, upper-roman) ' - ' }
      .other { color: green; footnote-display: inline }
      a::after { content: ' on ' target-counter(attr(href), page) }
      p { break-after: page }</style>${page(1)}${page(2)}<p><a href=#m>see</a></p>
      <p>end<span class=n id=m>the third <b>is bold</b></span>`);
    const text = pdfText(pdf)
      .split('\f')
      .map((all) => all.replace(/\s+/g, ' ').trim());
    expect(text[0]).toBe('one(a) two(b) I - first of 1 II - second of 1');
    expect(text[1]).toBe('one(a) two(b) I - first of 2 II - second of 2');
    expect(text[2]).toBe('see on 4');
    expect(text[3]).toBe('end(a) I - the third is bold');
    expect(warnings).toEqual(['Footnotes: footnote-display: inline is not supported.']);
  });

  it.each([
    ['body { display: flex }', 'in a document that is no plain block'],
    [
      '@page :left { margin-left: 5cm }',
      'on pages of several widths, or named ones with margins of their own',
    ],
    ['@page wide { size: A3 }', 'on pages of several widths, or named ones with margins of their own'],
    ['i { position: absolute; left: 0; width: 900px }', 'in a document wider than its pages'],
  ])('stay in the text with a warning if no area for them is possible: %s', async (style, why) => {
    const { pdf, warnings } = await print(
      `<!doctype html><title>T</title><style>@page { margin: 1cm } ${style} ${NOTE}</style><i>i</i><p>x <span class=n>note</span> y`,
    );
    expect(pdfText(pdf).replace(/\s+/g, ' ')).toContain('x note y');
    const ofNotes = warnings.filter((text) => text.startsWith('Footnotes'));
    expect(ofNotes).toEqual([`Footnotes: float: footnote (${why}) is not supported.`]);
  });

  it('stay in the text with a warning in a table that is longer than its page', async () => {
    const { pdf, warnings } = await print(`<!doctype html><title>T</title><style>${NOTE}
      @page { size: A6; margin: 1cm } tr { height: 3cm }</style><p>a<span class=n>top</span></p>
      <table>${'<tr><td>row<span class=n>note</span>'.repeat(9)}</table>`);
    expect(pdfText(pdf).match(/row\s*note/g)).toHaveLength(9);
    expect(warnings).toEqual([NOT_PLACED]);
  });
});
