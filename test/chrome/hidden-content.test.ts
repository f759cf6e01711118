import { afterAll, beforeAll, expect, it } from 'vitest';
import type { HtmlReader } from '../../packages/print/src/print.ts';
import { testHiddenContent } from '../print/hidden-content.ts';
import { document, PICTURE, PLAIN, printOnce, startEngine } from './engine.ts';
import { pdfInfo, pdfOutline, pdfRaster, pdfStructure } from './pdf.ts';

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

/** The first page has no margins, so it is the highest one. */
const COVER = '<style>@page { size: A4; margin: 3cm } @page :first { margin: 0 } body { margin: 0 }</style>';
const ROWS = '<tr><td>row</td></tr>'.repeat(90);

const CARD =
  '<style>.card { position: absolute; top: 900px; height: 200px; width: 99px; break-inside: avoid; background: #eef }</style><div class="card">x</div>';
const DIVIDED = /^Chromium divides absolutely placed boxes where pages end.*: body > div\.card/;

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
    /^Pictures are higher than a page .* an empty page behind them: body > svg\.$/,
  ],
  [
    'a picture that fills the first page',
    `${COVER}<svg style="display:block" width="600" height="1122"></svg><p style="break-before:page">x</p>`,
    null,
  ],
  [
    'a picture that is higher than the first page',
    `${COVER}<svg width="99" height="1200"></svg><p>x</p>`,
    /^Pictures are higher than a page .* an empty page behind them: body > svg\.$/,
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
    'a box in the middle of its page',
    `${CARD.replace('900px', '300px')}<div style="height:1200px"></div>`,
    null,
  ],
  ['a box at the end of its page', `${CARD}<div style="height:1200px"></div>`, DIVIDED],
  ['a box that may be divided', `${CARD.replace('avoid', 'auto')}<div style="height:1200px"></div>`, null],
  [
    'a box that is not placed absolutely',
    `<div style="height:900px"></div>${CARD.replace('absolute', 'relative')}`,
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

/** Queries that nothing fulfils, which only keep the content of a frame in it. */
const KEPT = '<style>@media (min-width:99999px){p{color:red}}</style>';

it.each([
  ['a frame', `<iframe srcdoc="${KEPT}<h2>Terms</h2>"></iframe>`, 'body > iframe'],
  ['a frame that a script fills', `<iframe></iframe><script>document.querySelector("iframe").contentDocument.body.innerHTML = "${KEPT}x"</script>`, 'body > iframe'], // prettier-ignore
  [
    'a frame with shadows',
    `<iframe srcdoc="<style>h2{text-shadow:1px 1px red}</style><h2>Terms</h2>"></iframe>`,
    'body > iframe',
  ],
  ['a frame in a frame', `<iframe srcdoc="<iframe srcdoc='Terms'></iframe>Total"></iframe>`, 'body > iframe'],
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

it.each([
  ['closed', '<details><summary>More</summary><p>Terms</p></details>', 1],
  ['open', '<details open><summary>More</summary><p>Terms</p></details>', 0],
  ['without a content', '<details><summary>More</summary></details>', 0],
  [
    'opened by a script',
    '<details><summary>More</summary>Terms</details><script>document.querySelector("details").open = true</script>',
    0,
  ],
])('details that hide their content have a warning: %s', async (_, html, count) => {
  const warnings: string[] = [];
  await printOnce(printer, { ...document(html), warn: (text) => void warnings.push(text) });
  expect(warnings).toEqual(
    Array.from({ length: count }, () => 'Closed details are printed without their content: body > details.'),
  );
});

/** Returns how many pixels of the first pages of two documents differ clearly. */
async function otherPixels(one: Uint8Array, other: Uint8Array): Promise<number> {
  const [page, others] = [await pdfRaster(one), await pdfRaster(other)];
  let count = 0;
  for (let y = 0; y < page.height; y += 1)
    for (let x = 0; x < page.width; x += 1) {
      const [is, was] = [page.at(x, y), others.at(x, y)];
      if (is.some((value, part) => Math.abs(value - (was[part] ?? 0)) > 40)) count += 1;
    }
  return count;
}

/** Documents for frames, and the tags of their content. */
const FRAMED: Readonly<Record<string, readonly [html: string, tags: RegExp]>> = {
  'headings, paragraphs and links': [
    '<style>:root{--x:#00f}body{background:#eef;color:var(--x)}p{margin:2em 1em}</style><h2>Terms</h2><p>Of <a href="https://example.com">sale</a>',
    /H2 [^]*"Terms"[^]*P [^]*"Of "[^]*Link [^]*"sale"[^]*Object/,
  ],
  'a table that is higher than the frame': [
    `<style>html{background:#fee}table{border-collapse:collapse}td{border:1px solid}</style><table>${'<tr><td>a</td><td>b</td></tr>'.repeat(9)}</table>`,
    /Table[^]*TR[^]*TD[^]*"a"[^]*TD[^]*"b"/,
  ],
  'what scripts have made': [
    '<canvas id="c" width="60" height="30" aria-label="A chart"></canvas><select><option>one<option>two</select><b></b><script>const s=new CSSStyleSheet();s.replaceSync("b{color:green}");document.adoptedStyleSheets=[s];document.querySelector("b").append("made");document.querySelector("select").selectedIndex=1;const x=c.getContext("2d");x.fillStyle="#0a0";x.fillRect(9,9,40,20)</script>',
    /Figure[^]*Alt "A chart"|Figure[^]*"made"/,
  ],
  pictures: [
    '<style>p{background:url("data:image/svg+xml,%3Csvg xmlns=%22http://www.w3.org/2000/svg%22 width=%229%22 height=%229%22%3E%3Crect width=%224%22 height=%229%22 fill=%22red%22/%3E%3C/svg%3E")}</style><p>x<img alt="A drawing" src="data:image/svg+xml,%3Csvg xmlns=%22http://www.w3.org/2000/svg%22 width=%2240%22 height=%2220%22%3E%3Crect width=%2240%22 height=%2220%22/%3E%3C/svg%3E">',
    /Figure/,
  ],
};

it.each(Object.entries(FRAMED))(
  'frames whose documents may be read have tags, headings and links, and look the same: %s',
  async (_, [inner, tags]) => {
    const framed = (html: string, style: string): string =>
      `<!doctype html><style>h2{color:red}iframe{border:3px solid #888;margin:9px;${style}}</style><h1>Outer</h1>before<iframe srcdoc="${html.replaceAll('"', '&quot;')}"></iframe>after<p>end`;
    for (const style of [
      '',
      'width:300px;height:170px;float:right',
      'display:block;padding:5px;background:#eee',
    ]) {
      const untagged: string[] = [];
      const pdf = await printOnce(printer, {
        ...document(framed(inner, style)),
        untagged: (elements) => void untagged.push(...elements),
      });
      expect(untagged).toEqual([]);
      expect(pdfStructure(pdf)).toMatch(tags);
      if (inner.includes('<h2>')) expect(pdfOutline(pdf)).toEqual(['Outer', '\tTerms']);
      const closed = await printOnce(printer, framed(inner + KEPT, style));
      // The edges of a frame are moved to whole pixels.
      expect(await otherPixels(pdf, closed)).toBeLessThan(50);
    }
  },
);

it('links within a frame lead nowhere, as its places are none of the document', async () => {
  const html = '<h1 id="a">Outer</h1><iframe srcdoc="<a href=#a>link</a><p id=a>x"></iframe>';
  const pdf = Buffer.from(await printOnce(printer, html)).toString('latin1');
  expect(pdf).not.toMatch(/\/Subtype ?\/Link/);
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
