import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { PrintOptions } from '../../packages/print/src/print.ts';
import { document, PLAIN } from '../chrome/engine.ts';
import { pdfCheck, pdfInfo, pdfRaster, pdfText, pdfWords, type PdfWord } from '../chrome/pdf.ts';
import { startWebKit, type TestEngine } from './engine.ts';

/** Pages of several sizes or with several rooms for text, and pages that are left blank, which WebKit does not have. */

let engine: TestEngine;
beforeAll(async () => {
  engine = await startWebKit();
});
afterAll(() => engine.stop());

const CM = 72 / 2.54;
const PAPER = '@page { size: A6; margin: 2cm; @bottom-center { content: counter(page) "/" counter(pages) } }';
const SAME_ROOM = /webkit leaves some pages the room of others/;

async function printed(
  html: string,
  options: Partial<PrintOptions> = {},
): Promise<{ pdf: Uint8Array; words: PdfWord[]; texts: string[]; warnings: string[] }> {
  const warnings: string[] = [];
  const session = engine.printer.session('tenant');
  const pdf = await session.print(
    { ...document(html), warn: (text) => warnings.push(text) },
    { ...PLAIN, ...options },
  );
  await session.close();
  pdfCheck(pdf);
  const { pages } = pdfInfo(pdf);
  const texts = Array.from({ length: pages }, (_, page) =>
    pdfText(pdf, page + 1)
      .replace(/\s+/g, ' ')
      .trim(),
  );
  return { pdf, words: pdfWords(pdf), texts, warnings };
}

/** The one word of that text. */
function word(words: readonly PdfWord[], text: string): PdfWord {
  const found = words.filter((each) => each.text === text);
  if (found.length !== 1) throw new Error(`${found.length} times ${text}`);
  return found[0] as PdfWord;
}

const lines = (count: number, name: string): string =>
  Array.from({ length: count }, (_, line) => `<p>${name}${line + 1}`).join('');

describe('pages with another room, printed by WebKit', () => {
  it('have their margins, and the pages behind a forced break have theirs', async () => {
    const css = `${PAPER} @page :first { margin: 0 } body { margin: 0 } .cover { background: #00f; height: 14cm }`;
    const body = `<div class="cover">cover</div><h1 style="break-before: page">one</h1>${lines(20, 'a')}`;
    const { pdf, words, texts, warnings } = await printed(`<style>${css}</style>${body}`);
    expect(texts[0]).toBe('cover');
    expect(texts.length).toBeGreaterThan(2);
    expect(texts.join(' ')).toMatch(/^cover one a1 .* a20 (\d)\/\1$/);
    // It reaches both edges of the sheet, which is 10.5 cm wide.
    const cover = (await pdfRaster(pdf, 1)).box(([red, green, blue]) => blue > 200 && red < 60 && green < 60);
    expect(cover?.left).toBeLessThan(2);
    expect(cover?.right).toBeGreaterThan(10.5 * CM - 3);
    expect(word(words, 'cover').left).toBeCloseTo(0, 0);
    expect(word(words, 'one').left).toBeCloseTo(2 * CM, 0);
    expect(word(words, 'a20').left).toBeCloseTo(2 * CM, 0);
    expect(warnings).toEqual([]);
  });

  it('have their size, with their boxes, headers and tables', async () => {
    const rows = Array.from({ length: 24 }, (_, row) => `<tr><td>r${row + 1}<td>cell<br>lines`).join('');
    const css = `${PAPER} @page wide { size: A6 landscape; margin: 1cm; @top-right { content: "wide" } } section { page: wide } body { margin: 0 }`;
    const body = `<h2>first</h2><p>before<section><table><thead><tr><th>HEAD<th>x</thead>${rows}</table></section><h2>last</h2><p>after`;
    const header = '<div style="font-size:8px">top <span class="platen-section"></span></div>';
    const byPage = { header: [{ pages: 'default', html: header }], footer: [], firstPageNumber: 1 };
    const { pdf, words, texts, warnings } = await printed(`<style>${css}</style>${body}`, { byPage });
    const wide = texts.slice(1, -1);
    expect(wide.length).toBeGreaterThan(2);
    for (const [index, text] of wide.entries()) {
      const total = texts.length;
      expect(text).toMatch(new RegExp(`^top first wide HEAD x cell r.* ${index + 2}/${total}$`));
      const { width, height } = await pdfRaster(pdf, index + 2);
      expect([width, height]).toEqual([420, 298]);
    }
    const { width, height } = await pdfRaster(pdf, texts.length);
    expect([width, height]).toEqual([298, 420]);
    expect(texts.at(-1)).toMatch(/^top last last after/);
    expect(word(words, 'r1').left).toBeLessThan(1.3 * CM);
    expect(word(words, 'after').left).toBeCloseTo(2 * CM, 0);
    const numbers = words.filter(({ text }) => /^r\d+$/.test(text)).map(({ text }) => text);
    expect(numbers).toEqual(Array.from({ length: 24 }, (_, row) => `r${row + 1}`));
    expect(warnings).toEqual([]);
  });

  it('are counted by contents', async () => {
    const css = `${PAPER} @page :first { margin: 0 } a::after { content: " " target-counter(attr(href), page) } h2 { break-before: page }`;
    const body = `<h1>Cover</h1><h2>Contents</h2><a href="#x">to x</a><h2>Text</h2>${lines(12, 'a')}<p id="x">here`;
    const { words, texts, warnings } = await printed(`<style>${css}</style>${body}`);
    const { page } = word(words, 'here');
    expect(page).toBeGreaterThan(3);
    expect(texts[1]).toBe(`Contents to x ${page} 2/${texts.length}`);
    expect(word(words, 'Cover').left).toBeLessThan(CM);
    expect(warnings).toEqual([]);
  });

  it.each([
    ['text flows from it', `@page :first { margin: 0 }`, lines(20, 'a')],
    ['left and right ones differ', '@page :left { margin-left: 0 }', lines(20, 'a')],
    [
      'the break is in a box that is not divided',
      '@page :first { margin: 0 }',
      `<div style="display:flex;gap:1cm"><p>a1<p style="break-before: page">a2</div>${lines(20, 'b')}`,
    ],
  ])('are like the others, with a Warning, if %s', async (_, rule, body) => {
    const { words, texts, warnings } = await printed(`<style>${PAPER} ${rule}</style>${body}`);
    expect(warnings).toContainEqual(expect.stringMatching(SAME_ROOM));
    expect(texts.length).toBeGreaterThan(1);
    expect(word(words, 'a1').left).toBeGreaterThan(2 * CM - 1);
    expect(texts.join(' ')).toContain(' a2 ');
  });

  it('give no Warning if no such page comes', async () => {
    const css = `${PAPER} @page wide { size: A5 } @page :first { margin: 2cm 1cm 2cm 3cm }`;
    const { words, warnings } = await printed(
      `<style>${css}</style><body style="margin:0">${lines(20, 'a')}`,
    );
    expect(warnings).toEqual([]);
    expect(word(words, 'a1').left).toBeCloseTo(3 * CM, 0);
    expect(word(words, 'a20').left).toBeCloseTo(2 * CM, 0);
  });
});

describe('pages that content begins on, printed by WebKit', () => {
  const blank = '@page :blank { @bottom-center { content: "left blank" } }';
  it.each([
    ['break-before: right', ['a 1/5', 'left blank', 'b 3/5', 'left blank', 'c 5/5']],
    ['break-before: left', ['a 1/4', 'b 2/4', 'left blank', 'c 4/4']],
    ['page-break-before: right', ['a 1/5', 'left blank', 'b 3/5', 'left blank', 'c 5/5']],
    ['break-before: recto; margin-top: 1cm', ['a 1/5', 'left blank', 'b 3/5', 'left blank', 'c 5/5']],
    ['break-before: verso', ['a 1/4', 'b 2/4', 'left blank', 'c 4/4']],
  ])('%s leaves pages blank', async (declaration, expected) => {
    const css = `${PAPER} ${blank} h2 { ${declaration}; font-weight: normal }`;
    const { texts, warnings } = await printed(`<style>${css}</style>a<h2>b</h2><h2>c</h2>`);
    expect(texts).toEqual(expected);
    expect(warnings).toEqual([]);
  });

  it('are behind a blank page also if the break is behind other content', async () => {
    const css = `${PAPER} ${blank} h2 { font-weight: normal } div { break-after: right } div + h2 { margin-top: 1cm }`;
    const { texts, warnings } = await printed(`<style>${css}</style><div>a</div><h2>b</h2><div>c</div><p>d`);
    expect(texts).toEqual(['a 1/5', 'left blank', 'b c 3/5', 'left blank', 'd 5/5']);
    expect(warnings).toEqual([]);
  });

  it('are blank between pages of several rooms, and counted', async () => {
    const css = `${PAPER} ${blank} @page :first { margin: 0 } @page wide { size: A6 landscape } .wide { page: wide } h2 { break-before: right }`;
    const body = '<p>cover<h2 id="b">b</h2><div class="wide"><h2>w</h2></div><h2>c</h2>';
    const { pdf, texts, warnings } = await printed(`<style>${css}</style>${body}`);
    expect(texts).toEqual(['cover', 'left blank', 'b 3/7', 'left blank', 'w 5/7', 'left blank', 'c 7/7']);
    const widths = await Promise.all(
      [1, 2, 3, 4, 5, 6, 7].map(async (page) => (await pdfRaster(pdf, page)).width),
    );
    expect(widths).toEqual([298, 298, 298, 298, 420, 298, 298]);
    expect(warnings).toEqual([]);
  });
});
