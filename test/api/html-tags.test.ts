import { describe, expect, it } from 'vitest';
import { pagePixels, plainPdf, structureText } from '../conformance/look.ts';
import { checkPdf, expectStatus, jsonOf, renderNow } from './client.ts';

/** The tags of html documents that claim PDF/UA-1: they describe all that the document shows, or it is refused. */

const CLAIM = { conformance: ['pdf/ua-1'] };

const render = (body: string, options: object): ReturnType<typeof renderNow> =>
  renderNow(`<!doctype html><html lang="en"><title>A</title><body><h1>Start</h1>${body}`, {
    options: { display_header_footer: false, ...options },
  });

async function claimed(body: string, options: object = {}): Promise<Buffer> {
  const { bytes } = expectStatus(await render(body, { ...CLAIM, ...options }), 200);
  checkPdf(bytes);
  expect(plainPdf(bytes)).toContain('<pdfuaid:part>1</pdfuaid:part>');
  return bytes;
}

/** The texts of the tags in order, one for each. */
const textsOf = (pdf: Buffer): string[] =>
  Array.from(structureText(pdf).matchAll(/"(.*)"/g), ([, text = '']) => text.trim()).filter(
    (text) => text !== '',
  );

/** The elements of a type with their entries. */
const elementsOf = (pdf: Buffer, type: string): string[] =>
  plainPdf(pdf)
    .split('\n')
    .filter((line) => line.includes(`/S /${type} /Type /StructElem`));

const UTF_16 = /<feff([\da-f]+)>/g;

/** The texts of an entry, in order. */
const entriesOf = (text: string, name: string): string[] => {
  const shown = text.replaceAll(
    UTF_16,
    (_, hex: string) => `(${Buffer.from(hex, 'hex').swap16().toString('utf16le')})`,
  );
  return Array.from(shown.matchAll(new RegExp(`/${name} \\(([^)]*)\\)`, 'g')), ([, found = '']) => found);
};

const refusals = async (body: string): Promise<unknown> => {
  const { errors } = jsonOf(expectStatus(await render(body, CLAIM), 422)) as {
    errors: Record<string, unknown>[];
  };
  return errors.map(({ rule, element }) => [rule, element]);
};

describe('generated text', () => {
  const BOOK = `<style>
    body { counter-reset: part }
    h2 { counter-increment: part }
    h2::before { content: counter(part, upper-roman) ". "; color: #900 }
    .due::before { content: "Due: "; font-weight: bold; float: left; width: 30% }
    .sum::after { content: " " attr(data-unit); text-transform: uppercase }
    .row { display: flex; gap: 1em } .row::after { content: "right"; margin-left: auto }
    .lead > * + * { margin-top: 2em } .lead > :first-child { color: green } .lead::before { content: "Lead" }
    nav a::after { content: leader(".") target-counter(attr(href), page) }
    li::before { content: "• " } ul { list-style: none }
    .icon::before { content: "▸ " } .mute::before { content: "Mute" / "" } .next::after { content: "→" / "next" }
    </style><nav><a href="#two">Two</a></nav><h2>One</h2><p class="due">today</p><p>5 <b class="sum" data-unit="kg">Sum</b></p>
    <div class="row"><p>left</p></div><div class="lead"><p>a</p><p>b</p></div><ul><li>item</li></ul>
    <p class="icon">home</p><p class="mute">m</p><p class="next">n</p><p>He said <q>yes <q>no</q></q></p>
    <h2 id="two" style="break-before:page">Two</h2>`;

  it('is in the tags in its place, and the pages look the same', async () => {
    const pdf = await claimed(BOOK);
    expect(textsOf(pdf).join('|')).toBe(
      'Start|Two|2|I.|One|Due:|today|5|Sum|KG|left|right|Lead|a|b|item|home|m|n|→|He said|“|yes|‘|no|’|”|II.|Two',
    );
    expect(entriesOf(elementsOf(pdf, 'Figure').join(), 'Alt')).toEqual(['next']);
    const { bytes: plain } = expectStatus(await render(BOOK, {}), 200);
    expect(pagePixels(pdf)).toEqual(pagePixels(plain));
  });

  it('is refused with its element where an element in its place would look different', async () => {
    const dot = "url(\"data:image/svg+xml,<svg xmlns='http://www.w3.org/2000/svg' width='9' height='9'/>\")";
    const mixed = `<style>.fee::before { content: ${dot} "Fee " }</style><p class="fee">5</p>`;
    expect(await refusals(mixed)).toEqual([['ISO 14289-1, 7.1', 'body > p.fee::before']]);
    const warned = expectStatus(await render(mixed, { ...CLAIM, on_violation: 'warn' }), 200);
    expect(warned.headers.get('warning')).toContain('body > p.fee::before');
    expect(plainPdf(warned.bytes)).not.toContain('pdfuaid');
  });

  it('is in the tags for a step that claims PDF/UA, too', async () => {
    const step = { conform: { conformance: ['pdf/ua-1'] } };
    const body = '<style>p::before { content: "Note: " }</style><p>x</p>';
    const { bytes } = expectStatus(await render(body, { steps: [step] }), 200);
    expect(textsOf(bytes)).toEqual(['Start', 'Note:', 'x']);
  });
});

it('has footnotes as notes with their numbers, read after their calls', async () => {
  const pdf = await claimed(`<style>.note { float: footnote }</style>
    <p>Alpha<span class="note">First <em>note</em>.</span> beta.</p><ul><li>Item<span class="note">Second.</span></li></ul>`);
  expect(textsOf(pdf)).toEqual([
    'Start',
    'Alpha',
    '1',
    '1.',
    'First',
    'note',
    '.',
    'beta.',
    'Item',
    '2',
    '2.',
    'Second.',
  ]);
  for (const [type, count] of Object.entries({ Note: 2, Reference: 2 }))
    expect(elementsOf(pdf, type)).toHaveLength(count);
});

const SHAPE = '<rect width="9" height="9"/>';

it('has drawings with a text as figures', async () => {
  const pdf = await claimed(
    `<svg width="9" height="9"><title>By title</title>${SHAPE}</svg><svg width="9" height="9" aria-label="By label">${SHAPE}</svg>
    <svg width="9" height="9"><desc>By description</desc>${SHAPE}</svg><svg width="9" height="9" aria-hidden="true">${SHAPE}</svg>
    <progress value="0.4"></progress><meter value="3" max="5" aria-label="Level"></meter><canvas>Blank</canvas>
    <a href="https://example.com" aria-label="Home"><svg width="9" height="9">${SHAPE}</svg></a>`,
  );
  expect(entriesOf(elementsOf(pdf, 'Figure').join(), 'Alt').sort()).toEqual([
    '0.4',
    'By description',
    'By label',
    'By title',
    'Level: 3 / 5',
  ]);
});

it.each([
  ['svg', `<svg id="bars" width="9" height="9">${SHAPE}</svg>`, 'svg#bars', '7.3'],
  [
    'canvas',
    '<canvas id="bars"></canvas><script>document.querySelector("canvas").getContext("2d").fillRect(0, 0, 9, 9)</script>',
    'canvas#bars',
    '7.3',
  ],
  ['video', '<video id="film" controls aria-label="Film"></video>', 'video#film', '7.3'],
  ['math', '<math id="half"><mi>x</mi></math>', 'math#half', '7.7'],
])('refuses %s without a text by its name', async (_, body, element, clause) => {
  expect(await refusals(body)).toEqual([[`ISO 14289-1, ${clause}`, element]]);
  const { bytes } = expectStatus(await render(body, { ...CLAIM, on_violation: 'warn' }), 200);
  expect(plainPdf(bytes)).not.toContain('pdfuaid');
});

it('has MathML as formulas with their texts', async () => {
  const pdf = await claimed(`<p><math alttext="x equals 1"><mi>x</mi><mo>=</mo><mn>1</mn></math>
    <math><semantics><mi>y</mi><annotation encoding="application/x-tex">y</annotation></semantics></math></p>`);
  expect(entriesOf(elementsOf(pdf, 'Formula').join(), 'Alt')).toEqual(['x equals 1', 'y']);
});

it('has changes of language inside of lines', async () => {
  const pdf = await claimed(
    '<p><span lang="de">eins</span> <b lang="fr">deux</b> <i lang="it">tre</i> <cite lang="es">cuatro</cite> <q lang="pt">cinco</q></p>',
  );
  const languages = Array.from(plainPdf(pdf).matchAll(/\/Lang \((..)\)/g), ([, language]) => language);
  expect([...new Set(languages)].sort()).toEqual(['de', 'en', 'es', 'fr', 'it', 'pt']);
});

it('describes links by what their author says of them, and tags all as links', async () => {
  const pdf =
    await claimed(`<p id="t"><a href="https://example.com/1" aria-label="Terms">a</a> <a href="https://example.com/2" title="Prices">b</a>
    <a href="#t" aria-label="Up to the top">c</a> <a href="https://example.com/3">d</a> <a href="#t" role="doc-noteref">e</a> <a href="#t" role="button">f</a></p>`);
  const contents = entriesOf(plainPdf(pdf), 'Contents');
  const own = 'Link within the document';
  expect(contents).toEqual(['Terms', 'Prices', 'Up to the top', 'https://example.com/3', own, own]);
  expect(elementsOf(pdf, 'Link')).toHaveLength(6);
});

it('accepts figures of code, tables and text without an alternate text', async () => {
  const pdf = await claimed(`<figure><pre><code>x = 1</code></pre><figcaption>Listing</figcaption></figure>
    <figure><table><tr><th>h</th></tr><tr><td>d</td></tr></table></figure><figure><em>Text</em></figure>`);
  expect(elementsOf(pdf, 'Figure')).toEqual([]);
  expect(textsOf(pdf)).toEqual(['Start', 'x = 1', 'Listing', 'h', 'd', 'Text']);
});
