import sharp from 'sharp';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { ALL_AUTHOR_PAGES } from '../../packages/print/src/page-rules.ts';
import type { HtmlPrinter } from '../../packages/print/src/print.ts';
import { printOnce, startEngine } from '../chrome/engine.ts';
import { pdfPicture } from '../chrome/pdf.ts';
import { startWebKit, type TestEngine } from './engine.ts';

/** Gradients of WebKit are placed on the page, whose content is scaled and moved after it is printed. */

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

/** The colours of points of a page, in steps of a quarter. */
async function coloursOf(printer: HtmlPrinter, html: string, page: number): Promise<string[]> {
  const pdf = await printOnce(printer, html, { author: ALL_AUTHOR_PAGES });
  const { data, info } = await sharp(pdfPicture(pdf, page, 50))
    .raw()
    .toBuffer({ resolveWithObject: true });
  return [2.5, 3, 5, 5.5].flatMap((x) =>
    [1.5, 2.5, 4.5, 5.5].map((y) => {
      const at = Math.round((y / 2.54) * 50) * info.width + Math.round((x / 2.54) * 50);
      return [...data.subarray(at * info.channels, at * info.channels + 3)]
        .map((one) => Math.round(one / 64))
        .join();
    }),
  );
}

const SHEETS =
  '<style>@page{size:10cm}@page :right{margin:1cm 1cm 1cm 2cm}@page :left{margin:1cm 2cm 1cm 1cm}*{margin:0}div{height:5cm;width:5cm;break-after:page}</style>';

it.each([
  ['linear', 'linear-gradient(to right, #f00 50%, #00f 50%)'],
  ['radial', 'radial-gradient(circle, #f00 16mm, #00f 16mm)'],
  ['conic', 'conic-gradient(#f00 25%, #0f0 0 50%, #00f 0 75%, #000 0)'],
  ['tiles', 'conic-gradient(#f00 25%, #0f0 0 50%, #00f 0 75%, #000 0) 0 0 / 25mm 25mm'],
  ['transparent', 'linear-gradient(to right, #0008 50%, #0002 50%)'],
])('%s gradients of WebKit are those of Chromium, on pages of both sides', async (_, gradient) => {
  const html = `${SHEETS}<div style="background:${gradient}"></div><div style="background:${gradient}"></div>`;
  for (const page of [1, 2]) {
    const own = await coloursOf(engine.printer, html, page);
    expect(new Set(own).size).toBeGreaterThan(1);
    expect(own).toEqual(await coloursOf(chromium.printer, html, page));
  }
});
