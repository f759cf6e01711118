import { afterAll, beforeAll, expect, it } from 'vitest';
import type { HtmlReader } from '../../packages/print/src/print.ts';
import { testHiddenContent } from '../print/hidden-content.ts';
import { document, printOnce, startEngine } from './engine.ts';
import { pdfInfo, pdfRaster } from './pdf.ts';

testHiddenContent(() => startEngine());

let printer: HtmlReader;
let stop: () => Promise<void>;
beforeAll(async () => {
  ({ printer, stop } = await startEngine());
});
afterAll(() => stop());

it.each(['view()', 'scroll()'])(
  'animations that follow the scrolling are at their end: %s',
  async (timeline) => {
    const html = `<style>@keyframes k{from{opacity:0}}p{background:#00f;height:99px;animation:k linear both;animation-timeline:${timeline};animation-range:entry}</style>
    <div style="height:3000px"></div><p></p>`;
    const pdf = await printOnce(printer, html);
    const page = await pdfRaster(pdf, pdfInfo(pdf).pages);
    expect(page.box(([red, , blue]) => red < 50 && blue > 200)).not.toBeNull();
  },
);

const ROWS = '<tr><td>row</td></tr>'.repeat(90);

it.each([
  [
    'a head',
    `<table><thead><tr><th style="height:8cm">HEAD</th></tr></thead>${ROWS}</table>`,
    /not repeated: .*thead\.$/,
  ],
  [
    'a foot',
    `<table>${ROWS}<tfoot><tr><td style="height:8cm">FOOT</td></tr></tfoot></table>`,
    /not repeated: .*tfoot\.$/,
  ],
  [
    'a picture',
    '<p>x</p><svg width="99" height="1200"></svg>',
    /^Pictures are higher than a page.*: body > svg\.$/,
  ],
  ['a small head', `<table><thead><tr><th style="height:2cm">HEAD</th></tr></thead>${ROWS}</table>`, null],
  [
    'a head on its page',
    '<table><thead><tr><th style="height:8cm">HEAD</th></tr></thead><tr><td>x</td></tr></table>',
    null,
  ],
])('has a warning for what Chromium neither repeats nor keeps together: %s', async (_, html, warning) => {
  const warnings: string[] = [];
  await printOnce(printer, { ...document(html), warn: (text) => void warnings.push(text) });
  expect(warnings).toEqual(warning === null ? [] : [expect.stringMatching(warning)]);
});
