import { afterAll, beforeAll, expect, it } from 'vitest';
import type { HtmlReader } from '../../packages/print/src/print.ts';
import { printOnce, startEngine } from './engine.ts';
import { pdfText } from './pdf.ts';

/** What Chromium tears apart where pages end. */

let printer: HtmlReader;
let stop: () => Promise<void>;
beforeAll(async () => {
  ({ printer, stop } = await startEngine());
});
afterAll(() => stop());

const TEXT = 'aragraphs begin with a large letter beside their first lines. '.repeat(6);

it.each([
  ['as a float', 'p::first-letter{float:left;font-size:400%;line-height:.8}', `P${TEXT}`],
  ['by initial-letter', 'p::first-letter{initial-letter:3}', `P${TEXT}`],
  ['as an element', 'p span{float:left;font-size:48px;line-height:44px}', `<span>P</span>${TEXT}`],
  ['without one', '', `P${TEXT}`],
])(
  'keeps a large first letter on the page of the lines beside it (CSS Inline 3, 7.8): %s',
  async (how, style, text) => {
    // There is room for two lines, and the letter is three lines high.
    const html = `<style>@page{size:100mm 80mm;margin:10mm}body{margin:0;font:12px/16px Tinos}p{margin:0}${style}</style>
      <div style="height:192px">first</div><p>${text}</p>`;
    const pages = pdfText(await printOnce(printer, html)).split('\f');
    const page = how === 'without one' ? 0 : 1;
    expect(pages.findIndex((words) => words.includes('aragraphs begin'))).toBe(page);
    expect(pages.findIndex((words) => /\bP/.test(words))).toBe(page);
  },
);
