import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Fetcher } from '../../packages/print/src/fetcher/fetcher.ts';
import { ALL_AUTHOR_PAGES } from '../../packages/print/src/page-rules.ts';
import type { HtmlReader, PrintOptions } from '../../packages/print/src/print.ts';
import { document, printOnce, startEngine } from './engine.ts';
import { pdfInfo } from './pdf.ts';

/** As bootstrap.min.css 4.6.2 has it. */
const BOOTSTRAP =
  '@media print{pre{white-space:pre-wrap!important}@page{size:a3}body{min-width:992px!important}.container{min-width:992px!important}}';
const LINK = '<link rel="stylesheet" href="https://cdn.example/bootstrap.min.css">';
const CDN: Fetcher = {
  fetch: (url) =>
    Promise.resolve({
      url,
      status: 200,
      headers: { 'content-type': 'text/css' },
      bytes: Buffer.from(BOOTSTRAP),
    }),
};
const NO_PAPER = { ...ALL_AUTHOR_PAGES, paper: false, orientation: false };

let printer: HtmlReader;
let stop: () => Promise<void>;
beforeAll(async () => {
  ({ printer, stop } = await startEngine({}, CDN));
});
afterAll(() => stop());

it.each<[what: string, html: string, options: Partial<PrintOptions>, isA3: boolean]>([
  ['in the document', `<style>${BOOTSTRAP}</style>`, {}, true],
  ['from another host', LINK, {}, true],
  ['with a paper of the options', LINK, { author: NO_PAPER }, false],
  ['with a size of the author', `${LINK}<style>@page { size: A4 }</style>`, {}, false],
  ['for a screen', '<style>body { min-width: 992px } @page { size: a3 }</style>', {}, true],
])('the page rule of Bootstrap 4 has a warning where it makes A3: %s', async (what, html, options, isA3) => {
  const warnings: string[] = [];
  const warn = (text: string): void => void warnings.push(text);
  const pdf = await printOnce(printer, { ...document(`${html}<p>x`), warn }, options);
  expect(Math.round(pdfInfo(pdf).width)).toBe(isA3 ? 842 : 595);
  const told = warnings.filter((text) => text.startsWith("Bootstrap's print rules make the pages A3"));
  expect(told).toHaveLength(isA3 && what !== 'for a screen' ? 1 : 0);
});
