import { afterAll, beforeAll, expect, it } from 'vitest';
import type { HtmlReader } from '../../packages/print/src/print.ts';
import { testHiddenContent } from '../print/hidden-content.ts';
import { printOnce, startEngine } from './engine.ts';
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
