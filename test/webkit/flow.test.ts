import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ALL_AUTHOR_PAGES } from '../../packages/print/src/page-rules.ts';
import { document, printOnce, startEngine } from '../chrome/engine.ts';
import { pdfInfo, pdfText, pdfWords } from '../chrome/pdf.ts';
import { startWebKit, type TestEngine } from './engine.ts';

/** Documents that WebKit lays out in another way than their styles say. */

let engine: TestEngine;
let chromium: Awaited<ReturnType<typeof startEngine>>;
beforeAll(async () => {
  engine = await startWebKit();
  chromium = await startEngine();
});
afterAll(async () => {
  await engine.stop();
  await chromium.stop();
});

describe('margins below the last content, printed by WebKit', () => {
  // 10 cm are 378 pixels.
  const page =
    '<style>@page { size: 10cm; margin: 0 } body { margin: 8px } div { height: 369px; background: #f00 }</style>';

  it.each([
    ['of the body', ''],
    ['of the last block', ' style="margin-bottom: 1cm"'],
  ])('make no page: %s', async (_, style) => {
    expect(pdfInfo(await printOnce(engine.printer, `${page}<div${style}>text</div>\n`)).pages).toBe(1);
  });

  it.each([
    ['text', 'more'],
    ['generated content', '<style>body::after { content: "more" }</style>'],
    ['a forced break of an empty box', '<div style="break-before: page; height: 0"></div>'],
    ['padding', '<style>body { padding-bottom: 2cm }</style>'],
  ])('stay above %s, which has its page', async (_, more) => {
    const pdf = await printOnce(engine.printer, `${page}<div>text</div>${more}`);
    expect(pdfInfo(pdf).pages).toBe(2);
  });
});

describe('the space above a box behind a forced break, printed by WebKit', () => {
  const style =
    '@page{size:10cm;margin:1cm}*{margin:0;font:20px/30px serif}.b{break-before:page}.a{break-after:page}.m{margin-top:2cm}';

  it.each([
    ['its margin', '<p>x</p><p class="b m">two</p><p>more</p>'],
    [
      'that of its first child',
      '<p>x</p><div class="b"><section><p class="m">two</p></section></div><p>more</p>',
    ],
    [
      'the larger of both',
      '<p>x</p><div class="b" style="margin-top:1cm"><p class="m">two</p></div><p>more</p>',
    ],
    ['a negative one', '<p>x</p><div class="b m"><p style="margin-top:-1cm">two</p></div><p>more</p>'],
    ['behind a break after', '<p class="a">x</p><p class="m">two</p><p>more</p>'],
    [
      'behind a break after the last child',
      '<div><p class="a">x</p></div><div><p class="m">two</p></div><p>more</p>',
    ],
    ['between two breaks', '<p class="a">x</p><p class="b m">two</p><p>more</p>'],
    ['a background', '<p>x</p><div class="b m" style="background:#f00;padding:5mm">two</div><p>more</p>'],
    [
      'a fixed height',
      '<p>x</p><div class="b m" style="box-sizing:border-box;height:3cm">two</div><p>more</p>',
    ],
    [
      'placed content',
      '<p>x</p><div class="b m" style="position:relative">two<i style="position:absolute;left:2cm;top:5mm">in</i></div><p>more</p>',
    ],
    [
      'a flex container',
      '<p>x</p><div class="b m" style="display:flex;gap:1cm"><p>two</p><p class="m">in</p></div><p>more</p>',
    ],
    [
      'columns of a long document',
      `<p>x</p><p class="b m">two</p>${'<p>more'.repeat(12)}<p class="b m">three</p>`,
    ],
    ['text in front', '<p>x</p><div class="b">two<p class="m">in</p></div>'],
    ['the first page', '<div><p class="b m">x</p><p>two</p></div>'],
  ])('is %s, as in Chromium', async (_, html) => {
    const [own, others] = await Promise.all(
      [engine.printer, chromium.printer].map(async (printer) => {
        const warnings: string[] = [];
        const source = document(`<style>${style}</style>${html}`);
        const pdf = await printOnce(printer, { ...source, warn: (text) => void warnings.push(text) });
        expect(warnings).toEqual([]);
        return pdfWords(pdf);
      }),
    );
    const placed = (words = own): unknown[] => words?.map(({ text, page }) => [text, page]) ?? [];
    expect(placed(own)).toEqual(placed(others));
    for (const [index, { top, left }] of (own ?? []).entries()) {
      expect(Math.abs(top - (others?.[index]?.top ?? 0))).toBeLessThan(1.5);
      expect(Math.abs(left - (others?.[index]?.left ?? 0))).toBeLessThan(1.5);
    }
  });

  it.each([
    ['border', '<p class="b m" style="border:1px solid">two</p>'],
    ['shadow', '<p class="b m" style="box-shadow:0 0 3px #000">two</p>'],
    ['table', '<table class="b m"><tr><td>two</table>'],
  ])('is left out above a %s, with a Warning', async (_, html) => {
    const warnings: string[] = [];
    const source = document(`<style>${style}</style><p>x</p>${html}`);
    await printOnce(engine.printer, { ...source, warn: (text) => void warnings.push(text) });
    expect(warnings).toEqual([
      expect.stringMatching(/^webkit leaves out the margins above .*: body > (?:p|table)/),
    ]);
  });
});

describe('breaks that styles avoid, printed by WebKit', () => {
  const items = '<p>one<br>two</p>'.repeat(30);

  it.each([
    [
      'children of a flex container',
      'div{display:flex;flex-direction:column}p{break-inside:avoid}',
      'body > div > p',
    ],
    ['children of a grid', 'div{display:grid}p{page-break-inside:avoid}', 'body > div > p'],
    ['children of a container on one page', 'div{display:flex;flex-wrap:wrap}p{break-inside:avoid}', null],
    ['blocks', 'p{break-inside:avoid}', null],
  ])('may be in %s, which is said in a Warning', async (_, style, element) => {
    const warnings: string[] = [];
    const html = `<style>@page{size:10cm;margin:1cm}${style}</style><div>${items}</div>`;
    await printOnce(engine.printer, { ...document(html), warn: (text) => void warnings.push(text) });
    const expected = `^webkit does not avoid breaks .*: ${element}:nth`;
    expect(warnings).toEqual(element === null ? [] : [expect.stringMatching(new RegExp(expected))]);
  });
});

describe('headings, printed by WebKit', () => {
  it.each([
    ['a paragraph', '<p>first<br>second</p>'],
    ['a table', '<table><tr><td>first<br>second<tr><td>third</table>'],
    ['another heading', '<h3>Sub</h3><p>first<br>second</p>'],
  ])('stay with %s behind them', async (_, next) => {
    const style =
      '@page{size:10cm;margin:1cm}body{margin:0;font:20px/30px serif}h2,h3{bookmark-level:none;break-after:avoid;font:inherit;margin:0}p{margin:0;orphans:2}';
    for (const above of [235, 250, 265, 280]) {
      const html = `<style>${style}</style><div style="height:${above}px"></div><h2>Head</h2>${next}`;
      const warnings: string[] = [];
      const pdf = await printOnce(engine.printer, {
        ...document(html),
        warn: (text) => void warnings.push(text),
      });
      const words = pdfWords(pdf);
      const pageOf = (text: string): number | undefined => words.find((word) => word.text === text)?.page;
      expect([above, pageOf('Head')]).toEqual([above, pageOf('first')]);
      expect(warnings).toEqual([]);
    }
  });
});

describe('forced breaks, printed by WebKit', () => {
  it.each([
    ['table rows', 'tr.b{break-after:page}', '<table><tr class="b"><td>a<tr><td>b</table>', null],
    [
      'children of a flex container',
      'div{display:flex}p{break-before:page}',
      '<div><p>a</p><p>b</p></div>',
      'p',
    ],
    ['floats', 'p{float:left;page-break-after:always}', '<p>a</p>b', 'p'],
    ['blocks', 'p{page-break-after:always}', '<p>a</p>b', null],
  ])('of %s', async (_, style, html, element) => {
    const warnings: string[] = [];
    const source = {
      ...document(`<style>${style}</style>${html}`),
      warn: (text: string) => void warnings.push(text),
    };
    await printOnce(engine.printer, source);
    const expected =
      element === null
        ? []
        : [expect.stringMatching(new RegExp(`^webkit ignores forced breaks .* ${element}[:;]`))];
    expect(warnings).toEqual(expected);
  });
});

it('the first page of a document from right to left has the margins of a left one, as in Chromium', async () => {
  const html =
    '<html dir="rtl"><style>@page{size:10cm;margin:1cm}@page :left{margin-left:5cm}@page :right{margin-right:5cm}p{break-after:page;width:2cm}</style><p>one<p>two<p>three';
  const [own, others] = await Promise.all(
    [engine.printer, chromium.printer].map(async (printer) =>
      pdfWords(await printOnce(printer, html, { author: ALL_AUTHOR_PAGES })),
    ),
  );
  const lefts = own?.map(({ left }) => Math.round(left / 60));
  expect(new Set(lefts).size).toBeGreaterThan(1);
  expect(lefts).toEqual(others?.map(({ left }) => Math.round(left / 60)));
});

describe('vertical text in cells of tables, printed by WebKit', () => {
  const length = async (rule: string, cell: string): Promise<[across: number, down: number]> => {
    const html = `<style>${rule} table { font-size: 20px } td { white-space: nowrap }</style><table><tr class="row">${cell}<td>b</table>`;
    const pdf = await printOnce(engine.printer, html);
    expect(pdfText(pdf).replace(/\s/g, '')).toContain('b');
    const letters = pdfWords(pdf).filter(({ text }) => /^[aeimort]+$/.test(text));
    const left = Math.min(...letters.map((word) => word.left));
    const top = Math.min(...letters.map((word) => word.top));
    return [
      Math.max(...letters.map((word) => word.right)) - left,
      Math.max(...letters.map((word) => word.bottom)) - top,
    ];
  };

  it.each([
    ['a rule', 'td.v { writing-mode: vertical-rl }', '<td class="v">aromaterie'],
    ['a nested rule', '.row { td.v { writing-mode: vertical-rl } }', '<td class="v"><p>aromaterie'],
    ['its style', '', '<td style="writing-mode: vertical-lr"><i>aroma</i>terie'],
  ])('runs down, by %s', async (_, rule, cell) => {
    const [across, down] = await length(rule, cell);
    expect(down).toBeGreaterThan(2 * across);
  });

  it('runs across if another rule says so', async () => {
    const rule = 'td { writing-mode: vertical-rl } td.v { writing-mode: horizontal-tb }';
    const [across, down] = await length(rule, '<td class="v">aromaterie');
    expect(across).toBeGreaterThan(2 * down);
  });
});
