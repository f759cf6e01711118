import { afterAll, beforeAll, expect, it } from 'vitest';
import type { HtmlReader } from '../../packages/print/src/print.ts';
import { document, printOnce, startEngine } from './engine.ts';
import { pdfCheck, pdfOutline, pdfStructure } from './pdf.ts';

/** What styles say of the outline (CSS Generated Content for Paged Media 3, 6). */

let printer: HtmlReader;
let stop: () => Promise<void>;
beforeAll(async () => {
  ({ printer, stop } = await startEngine());
});
afterAll(() => stop());

const BODY =
  '<p class="part" data-n="I">Not a heading</p><h1>One</h1><h2>Sub</h2><h3>Deep</h3><h2>Last <i>sub</i></h2><h1>Two</h1>';

async function outlineOf(style: string, body = BODY): Promise<string[]> {
  const warnings: string[] = [];
  const source = {
    ...document(`<style>${style}</style>${body}`),
    warn: (text: string) => void warnings.push(text),
  };
  const pdf = await printOnce(printer, source);
  pdfCheck(pdf);
  expect(warnings).toEqual([]);
  return pdfOutline(pdf);
}

const SUB = ['\tSub', '\t\tDeep', '\tLast sub'];
const PLAIN = ['One', ...SUB, 'Two'];

it.each([
  ['', PLAIN],
  ['h2{bookmark-level:none}', ['One', '\tDeep', 'Two']],
  ['h1{bookmark-level:none}', ['Sub', '\tDeep', 'Last sub']],
  ['h1,h2,h3{bookmark-level:none}', []],
  ['h3{bookmark-level:2}', ['One', '\tSub', '\tDeep', '\tLast sub', 'Two']],
  ['.part{bookmark-level:1}', ['Not a heading', ...PLAIN]],
  ['.part{bookmark-level:1;bookmark-label:"Part " attr(data-n)}', ['Part I', ...PLAIN]],
  ['h1{bookmark-label:"Chapter: " content()}', ['Chapter: One', ...SUB, 'Chapter: Two']],
  ['h1{bookmark-label:content(text)}', PLAIN],
  ['h3{bookmark-label:"Ж (1)"}', ['One', '\tSub', '\t\tЖ (1)', '\tLast sub', 'Two']],
  ['h1{bookmark-state:closed}h2{bookmark-state:open}', PLAIN],
  // Counters have their values after `::before` (CSS Lists 3, 4).
  [
    'body{counter-reset:a}h1{counter-increment:a;bookmark-label:counter(a, upper-roman) ". " content(text)}',
    ['I. One', ...SUB, 'II. Two'],
  ],
  [
    'h1{counter-increment:a;counter-reset:b}h2{counter-increment:b}h2::before{content:counter(a)"."counter(b)" "}h2{bookmark-label:content(before) content(text)}',
    ['One', '\t1.1 Sub', '\t\tDeep', '\t1.2 Last sub', 'Two'],
  ],
  [
    'body{counter-reset:a}h1::before{counter-increment:a 7;content:"x"}h1{bookmark-label:counter(a)}',
    ['7', ...SUB, '14'],
  ],
  ['h1{counter-set:a 26;bookmark-label:counter(a, lower-alpha) counter(none)}', ['z0', ...SUB, 'z0']],
])('%s', async (style, expected) => {
  expect(await outlineOf(style)).toEqual(expected);
});

it('closed entries show none of those below them', async () => {
  const closed = await printOnce(printer, `<style>h1{bookmark-state:closed}</style>${BODY}`);
  const counts = [
    ...Buffer.from(closed)
      .toString('latin1')
      .matchAll(/\/Count (-?\d+)/g),
  ].map(([, count]) => Number(count));
  // Of the first heading, of the one below it, of the outline, and of the pages.
  expect(counts.toSorted((a, b) => a - b)).toEqual([-3, 1, 1, 2]);
});

it('every second of many headings', async () => {
  const many = Array.from({ length: 60 }, (_, n) => `<h1>Heading ${n}</h1><h2>Below ${n}</h2>`).join('');
  const found = await outlineOf('h2:nth-of-type(even){bookmark-level:none}', many);
  expect(found).toEqual(
    Array.from({ length: 60 }, (_, n) => [`Heading ${n}`, ...(n % 2 === 0 ? [`\tBelow ${n}`] : [])]).flat(),
  );
});

it('names what labels cannot have', async () => {
  const warnings: string[] = [];
  const html = `<style>h1{bookmark-label:counter(page) ". " counter(a, thai) content()}</style>${BODY}`;
  await printOnce(printer, { ...document(html), warn: (text: string) => void warnings.push(text) });
  expect(warnings).toEqual([
    'Contents and references: bookmark-label: counter(page) is not supported.',
    'Contents and references: bookmark-label: counter(a, thai) is not supported.',
  ]);
});

it('tags what the outline lists as headings of their levels', async () => {
  const html = `<style>.part{bookmark-level:2}</style>${BODY}`;
  const tags = pdfStructure(await printOnce(printer, html));
  expect(tags).toMatch(/^ *H2 \(block\)\n[^"]*"Not a heading"/m);
});
