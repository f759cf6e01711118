import { afterAll, beforeAll, expect, it } from 'vitest';
import type { HtmlReader } from '../../packages/print/src/print.ts';
import { document, printOnce, startEngine } from './engine.ts';
import { pdfRaster } from './pdf.ts';

/** Fixed boxes, which Chromium repeats on every page over its text (CSS 2.2, 9.3.1). */

let printer: HtmlReader;
let stop: () => Promise<void>;
beforeAll(async () => {
  ({ printer, stop } = await startEngine());
});
afterAll(() => stop());

/** Bars instead of text, so that pixels show what is covered, with a word in each. */
const LINES = '<p style="margin:0;height:40px;background:#f00">word</p>'.repeat(60);
const HEAD = '<header>HEAD</header>';
const TOP = 'header{position:fixed;top:0;left:0;right:0;height:60px;background:#0f0}';

async function printed(style: string, html: string): Promise<{ pdf: Uint8Array; warnings: string[] }> {
  const warnings: string[] = [];
  const whole = `<!doctype html><style>@page{size:A5;margin:1cm}body{margin:0}${style}</style>${html}`;
  const source = { ...document(whole), warn: (text: string) => void warnings.push(text) };
  return { pdf: await printOnce(printer, source), warnings };
}

const WARNING =
  /^Fixed boxes .* cover text of the pages after the first one: body > (?:header|footer|dialog)\.$/;

it.each([
  ['a header with room on the first page', `${TOP}main{padding-top:60px}`, `${HEAD}<main>${LINES}</main>`],
  ['a header without room', TOP, `${HEAD}${LINES}`],
  [
    'a footer',
    'footer{position:fixed;bottom:0;width:100%;height:60px;background:#0f0}',
    `<footer>FOOT</footer>${LINES}`,
  ],
  [
    'a modal dialog',
    'dialog{inset:0;margin:0;border:0;width:100%;max-width:none;height:60px;background:#0f0}',
    `<dialog>HEAD</dialog>${LINES}<script>document.querySelector("dialog").showModal()</script>`,
  ],
])('%s covers text, and is named', async (_, style, html) => {
  const { pdf, warnings } = await printed(style, html);
  expect(warnings).toEqual([expect.stringMatching(WARNING)]);
  // Nothing but the box is in the first or the last 60 pixels of the area of the second page.
  const page = await pdfRaster(pdf, 2);
  const box = page.box(([red, green]) => green > 200 && red < 50);
  expect((box?.bottom ?? 0) - (box?.top ?? 0)).toBeGreaterThan(40);
});

const SPACER = '<td style="height:60px;padding:0"></td>';

it.each([
  ['a single page', TOP, `${HEAD}<p>word`],
  ['room in a table head', TOP, `${HEAD}<table><thead><tr>${SPACER}<tbody><tr><td>${LINES}</table>`],
  [
    'padding on every page',
    `${TOP}main{padding-top:60px;box-decoration-break:clone}`,
    `${HEAD}<main>${LINES}</main>`,
  ],
  ['the margin', `@page{margin-top:3cm}${TOP}header{top:-2.5cm}`, `${HEAD}${LINES}`],
  ['a watermark', `${TOP}header{background:none}`, `${HEAD}${LINES}`],
  ['a pale box', `${TOP}header{opacity:.3}`, `${HEAD}${LINES}`],
  ['a box behind the text', `${TOP}header{z-index:-1}`, `${HEAD}${LINES}`],
  ['a box beside the text', `${TOP}header{right:auto;width:2cm}body{margin-left:3cm}`, `${HEAD}${LINES}`],
  [
    'a document that breaks its pages itself',
    `${TOP}section{break-after:page}`,
    `${HEAD}${`<section>${'<p>word</p>'.repeat(9)}</section>`.repeat(9)}`,
  ],
  ['the screen', `@media screen{${TOP}}`, `${HEAD}${LINES}`],
])('%s has no warning', async (_, style, html) => {
  expect((await printed(style, html)).warnings).toEqual([]);
});
