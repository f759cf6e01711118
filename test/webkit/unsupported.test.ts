import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { document, printOnce } from '../chrome/engine.ts';
import { ALL_AUTHOR_PAGES } from '../../packages/print/src/page-rules.ts';
import type { Fetcher } from '../../packages/print/src/fetcher/fetcher.ts';
import { pdfText } from '../chrome/pdf.ts';
import { startWebKit, type TestEngine } from './engine.ts';

/** What WebKit does not print as a document asks for it is told, and nothing else (docs/rendering.md, "The engines"). */

const LINKED: Fetcher = {
  fetch: (url) =>
    Promise.resolve({
      url,
      status: 200,
      headers: { 'content-type': 'text/css' },
      bytes: Buffer.from('i { float: footnote }'),
    }),
};

let engine: TestEngine;
beforeAll(async () => {
  engine = await startWebKit({}, LINKED);
});
afterAll(() => engine.stop());

async function warningsOf(html: string, outline = false): Promise<string[]> {
  const warnings: string[] = [];
  const source = { ...document(html), warn: (text: string) => void warnings.push(text) };
  await printOnce(engine.printer, source, { author: ALL_AUTHOR_PAGES, outline });
  return warnings;
}

const LONG = '<p style="height:30cm">long<p>end';
const SIDES = 'webkit begins the next page, be it a left or a right one';
const PAGES = 'webkit ignores these for pages and boxes in their margins (@page): ';
const REFERENCES = 'webkit leaves out what depends on pages';
const ROOM = 'webkit leaves all pages the same room for text';

describe('a document for WebKit', () => {
  it.each([
    ['<style>i { float: footnote }</style><i>x</i>', 'webkit leaves footnotes where they are written'],
    ['<link rel="stylesheet" href="https://styles.example/a.css"><i>x</i>', 'webkit leaves footnotes'],
    [
      '<p>x<script>fetch("https://gone.test/a").catch(() => 0)</script>',
      'webkit asks no host for what scripts load (fetch, XMLHttpRequest, elements that they make): https://gone.test/a',
    ],
    [
      '<script>document.write("<img id=i>"); i.src = "https://gone.test/b.png"</script><p>x',
      'webkit asks no host for what scripts load (fetch, XMLHttpRequest, elements that they make): https://gone.test/b.png',
    ],
    [
      '<p style="width: 3cm">Haft&shy;pflicht&shy;ver&shy;siche&shy;rung',
      'webkit puts blanks before the hyphens',
    ],
    ['<style>header { position: running(head) }</style><header>x</header>', 'webkit leaves running elements'],
    ['<style>a::after { content: target-counter("#x", page) }</style><a id="x">x</a>', REFERENCES],
    ['<style>p::after { content: leader(".") "x" }</style><p>x', REFERENCES],
    ['<style>h1 { string-set: a content() }</style><h1>x', REFERENCES],
    ['<style>@page { @top-left { content: string(a) } }</style><h1>x', `${PAGES}content of boxes but`],
    ['<style>@page { @top-left { content: element(a) } }</style><h1>x', `${PAGES}content of boxes but`],
    ['<style>@page { @top-left { content: counter(a) } }</style><h1>x', `${PAGES}content of boxes but`],
    ['<style>h1 { break-before: right }</style><p>x<h1>y', SIDES],
    ['<style>h1 { page-break-after: left }</style><h1>y</h1><p>x', SIDES],
    ['<p style="page: wide">x', 'webkit knows no names of pages'],
    ['<style>@page wide { size: A4 landscape }</style><p>x', `${PAGES}@page wide`],
    ['<style>@page :first { margin: 0 }</style><p>x', ROOM],
    ['<style>@page :left { margin-left: 5cm }</style><p>x', ROOM],
    ['<style>@page :first { size: A5 }</style><p>x', `${PAGES}size of :first`],
    ['<style>@page { size: var(--label) }</style><p>x', 'webkit ignores variables of pages'],
    ['<style>@page { margin: 5vw 1cm }</style><p>x', `${PAGES}margin: 5vw`],
    ['<style>@page { width: 100mm; height: 150mm }</style><p>x', `${PAGES}width, height`],
    ['<style>@page { margin-inline: 1cm }</style><p>x', `${PAGES}margin`],
    ['<style>@page { border: 1px solid; padding: 1cm }</style><p>x', `${PAGES}border, padding`],
    ['<style>@page { background: red }</style><p>x', `${PAGES}background`],
    ['<style>@page { counter-increment: page 2 }</style><p>x', `${PAGES}counter`],
    [
      '<style>@page { @top-left { content: "x"; width: 3cm } }</style><p>x',
      `${PAGES}width of boxes in margins`,
    ],
    ['<style>@page { page-orientation: rotate-left }</style><p>x', 'webkit turns no pages'],
    ['<style>div { columns: 2 }</style><div>x</div>', 'webkit prints one column (columns): body > div;'],
    [
      '<style>div { column-width: 3cm }</style><div>x</div>',
      'webkit prints one column (columns): body > div;',
    ],
    [`<div style="position: fixed">x</div>${LONG}`, 'webkit shows what is fixed on the first page alone'],
    ['<body style="writing-mode:vertical-rl">x', 'webkit prints vertical text in part (writing-mode): body;'],
    ['<style>p::first-letter { initial-letter: 3 }</style><p>x', 'webkit ignores large first letters'],
    ['<style>li::marker { content: "x" }</style><li>x', 'webkit keeps the markers of lists'],
    [
      '<video poster="data:image/gif;base64,R0lGODlhAQABAAAAACw="></video>',
      'webkit leaves the pictures of videos out',
    ],
    ...['#fff, transparent', 'rgb(0 0 255 / 50%), red', 'red, #00f8'].map((colours) => [
      `<div style="background:linear-gradient(${colours})">x</div>`,
      'webkit prints gradients darker whose colours are transparent: body > div;',
    ]),
    ['<a href="https://example.com/">x</a>', 'webkit prints links that lead nowhere: body > a;'],
    [
      `<div style="display:table"><div style="display:table-header-group">x</div>${LONG}</div>`,
      'webkit repeats no heads and feet of tables but thead and tfoot',
    ],
    [
      `<div style="display:flex"><table><thead><tr><th>x</thead>${'<tr><td>a<br>b'.repeat(60)}</table></div>`,
      'webkit may cut rows of tables in flex',
    ],
  ])('has a Warning for what is lost: %s', async (html, expected) => {
    const [warning, ...others] = await warningsOf(html);
    expect(warning).toContain(expected);
    expect(warning).toMatch(/rendering_engine chrome does/);
    expect(others).toEqual([]);
  });

  it.each([
    '<style>@page { size: A5; margin: 1cm; color: red } div { grid-template-columns: 1fr 2fr; column-count: 1; columns: auto }</style><div>x</div>',
    '<style>@page { @bottom-right { content: "Page " counter(page) " of " counter(pages); font-size: 8pt; vertical-align: top; border-top: 1px solid } }</style>x',
    '<style>@page :first { @bottom-right { content: none } } @page { margin: 2cm; @bottom-right { content: counter(page) } }</style>x',
    '<style>@page :left { margin: 1cm 1cm 2cm 3cm } @page :right { margin: 1cm 3cm 2cm 1cm }</style>x',
    '<style>/* @page :first { @top-left {} } columns: 2 */ p { writing-mode: horizontal-tb }</style><p>x',
    '<p>Write @page :first, @top-left or columns: 2 in a style sheet.',
    '<style>div { columns: 20cm }</style><div>x</div>',
    '<style>.fixed { position: fixed; bottom: 0 }</style><div class="fixed">one page</div>',
    `<style>.fixed { position: fixed } .two { columns: 2 }</style>${LONG}`,
    `<style>h1 { break-after: avoid } tr, img { break-inside: avoid }</style><h1>x</h1>${LONG}`,
    '<div style="background:linear-gradient(red, blue), linear-gradient(rgba(0, 0, 0, 0.5), transparent)">x</div>',
    '<div style="writing-mode:vertical-rl;height:5cm">a box on one page</div>',
    '<style>section { content-visibility: auto }</style><section>x</section>',
  ])('has no other Warning: %s', async (html) => {
    expect(await warningsOf(html)).toEqual([]);
  });
});

describe('an outline, which WebKit does not make,', () => {
  const missing = (names: string): string[] => [
    `webkit makes no outline, which would have headings (outline): ${names}; rendering_engine chrome does better.`,
  ];

  it.each([
    ['headings', '<h1>a</h1><div role="heading">b</div><p>c', 'body > h1, body > div'],
    ['bookmark-level', '<style>p { bookmark-level: 2 }</style><p>a', 'body > p'],
  ])('is missing with %s, which is said once', async (_, html, names) => {
    expect(await warningsOf(html, true)).toEqual(missing(names));
  });

  it.each([
    ['there are no headings', '<p>a', true],
    ['headings are not shown', '<h1 style="display:none">a</h1><h2></h2><p>b', true],
    ['no heading is to be in it', '<style>h1 { bookmark-level: none }</style><h1>a</h1>', true],
    ['none is asked for', '<style>p { bookmark-level: 2 }</style><h1>a</h1><p>b', false],
  ])('is not missing if %s', async (_, html, outline) => {
    expect(await warningsOf(html, outline)).toEqual([]);
  });
});

it('prints what content-visibility would leave out', async () => {
  const sections = Array.from({ length: 20 }, (_, n) => `<section>part${n}<p style="height:8cm"></section>`);
  const html = `<style>section { content-visibility: auto; contain-intrinsic-size: 0 300px }</style>${sections.join('')}`;
  expect(pdfText(await printOnce(engine.printer, html)).match(/part\d+/g)).toHaveLength(20);
});

it('opens boxes that a style sheet in an address makes scroll', async () => {
  const sheet = `data:text/css;base64,${Buffer.from('div { overflow: auto; height: 3cm }').toString('base64')}`;
  const html = `<link rel="stylesheet" href="${sheet}"><div>${'<p>x'.repeat(30)}<p>LAST</div>`;
  expect(pdfText(await printOnce(engine.printer, html))).toContain('LAST');
});
