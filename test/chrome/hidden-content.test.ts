import { afterAll, beforeAll, expect, it } from 'vitest';
import type { HtmlReader } from '../../packages/print/src/print.ts';
import { testHiddenContent } from '../print/hidden-content.ts';
import { document, PICTURE, PLAIN, printOnce, startEngine } from './engine.ts';
import { pdfInfo, pdfRaster, pdfStructure } from './pdf.ts';

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
    'a cell over several pages',
    `<table>${ROWS}<tr><td rowspan="40" style="background:#eef">x</td><td>x</td></tr>${ROWS}</table>`,
    /^Chromium draws backgrounds of cells that span rows .*: body > table\.$/,
  ],
  [
    'a cell that the end of a page may divide',
    `<div style="height:930px"></div><table><tr><td rowspan="4" style="background:#eef">x</td><td>x</td></tr>${ROWS.slice(0, 3 * 21)}</table>`,
    /^Chromium draws backgrounds of cells that span rows .*: body > table\.$/,
  ],
  [
    'a cell on one page',
    `<table><tr><td rowspan="3" style="background:#eef">x</td><td>x</td></tr>${ROWS.slice(0, 2 * 21)}</table>`,
    null,
  ],
  [
    'a cell without a background',
    `<table>${ROWS}<tr><td rowspan="40">x</td><td>x</td></tr>${ROWS}</table>`,
    null,
  ],
  [
    'a head on its page',
    '<table><thead><tr><th style="height:8cm">HEAD</th></tr></thead><tr><td>x</td></tr></table>',
    null,
  ],
])('has a warning for what Chromium neither repeats nor keeps together: %s', async (_, html, warning) => {
  const warnings: string[] = [];
  const told = { ...document(html), warn: (text: string) => void warnings.push(text) };
  await printOnce(printer, told);
  expect(warnings).toEqual(warning === null ? [] : [expect.stringMatching(warning)]);
  // A single page as long as its content has no ends of pages within it.
  warnings.length = 0;
  await printOnce(printer, told, { fitsContent: true });
  expect(warnings).toEqual([]);
});

const DRAWING = (text: string): string =>
  `data:image/svg+xml,${encodeURIComponent(`<svg xmlns="http://www.w3.org/2000/svg" width="99" height="20"><text y="15">${text}</text></svg>`)}`;

it.each([
  ['a frame', '<iframe srcdoc="<h2>Terms</h2>"></iframe>', 'body > iframe'],
  ['a frame that a script fills', '<iframe></iframe><script>document.querySelector("iframe").contentDocument.body.textContent = "x"</script>', 'body > iframe'], // prettier-ignore
  ['a drawing with text', `<object data="${DRAWING('Total')}"></object>`, 'body > object'],
  ['a frame of another origin', '<iframe sandbox srcdoc="x"></iframe>', 'body > iframe'],
  ['an empty frame', '<iframe srcdoc=""></iframe><iframe src="about:blank"></iframe>', null],
  ['a hidden frame', '<iframe hidden srcdoc="x"></iframe>', null],
  ['text in place of an object', '<object>Text</object>', null],
])('names frames, in which Chromium tags nothing: %s', async (_, html, element) => {
  const [warnings, untagged]: [string[], string[]] = [[], []];
  const pdf = await printOnce(printer, {
    ...document(`<p>Outer</p>${html}`),
    warn: (text) => void warnings.push(text),
    untagged: (elements) => void untagged.push(...elements),
  });
  expect(untagged).toEqual(element === null ? [] : [element]);
  expect(warnings).toEqual(
    element === null ? [] : [expect.stringMatching(/^Chromium tags nothing in frames: .*: body > \w+\.$/)],
  );
  if (element !== null) expect(pdfStructure(pdf)).not.toMatch(/Terms|Total/);
});

it.each(['read', 'picture'] as const)('names what scripts cannot draw in a document to %s', async (way) => {
  const warnings: string[] = [];
  const html = '<canvas id="g"></canvas><script>g.getContext("webgl")</script>';
  const empty = { ...document(html), warn: (text: string) => void warnings.push(text) };
  const session = printer.session('test');
  await (way === 'read' ? session.read(empty, PLAIN) : session.picture(empty, PLAIN, PICTURE));
  await session.close();
  expect(warnings).toEqual([expect.stringContaining('There is no WebGL')]);
});
