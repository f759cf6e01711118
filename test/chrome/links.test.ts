import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { PageEntry } from '../../packages/print/src/by-page.ts';
import { joined } from '../../packages/print/src/page/pieces.ts';
import { furniturePart } from '../../packages/print/src/page/furniture.ts';
import { ALL_AUTHOR_PAGES } from '../../packages/print/src/page-rules.ts';
import type { HtmlReader } from '../../packages/print/src/print.ts';
import { FURNITURE } from '../support/furniture.ts';
import { linkTargets, pdfLinks } from '../support/pdf-links.ts';
import { document, printOnce, startEngine } from './engine.ts';
import { pdfCheck, pdfStructure, pdfWords } from './pdf.ts';

let printer: HtmlReader;
let stop: () => Promise<void>;
beforeAll(async () => {
  ({ printer, stop } = await startEngine());
});
afterAll(() => stop());

const part = (place: 'header' | 'footer', html: string): string | null => {
  const pieces = furniturePart(place, html, FURNITURE);
  return pieces && joined(pieces, () => '');
};

describe('links of headers and footers', () => {
  const BODY = '<h1 id="größe">One</h1><p style="break-before:page">Two';
  const URL = 'https://example.com/h';
  const OUTSIDE = `<a href="${URL}">Outside</a>`;
  const INSIDE = '<a href="#größe">Inside</a>';

  it.each<[string, Partial<Record<'header' | 'footer', Record<string, string>>>, Record<number, string[]>]>([
    ['the first page', { header: { first: OUTSIDE, default: '' } }, { 1: [URL] }],
    [
      'a section',
      { footer: { default: `${OUTSIDE} <span class="section"></span>` } },
      { 1: [URL], 2: [URL] },
    ],
    [
      'anchors of the document',
      { header: { default: `${INSIDE} <a href="#none">Nowhere</a>` }, footer: { last: OUTSIDE } },
      { 1: ['page 1'], 2: ['page 1', URL] },
    ],
  ])('are there with %s', async (_, given, expected) => {
    const entries = (place: 'header' | 'footer'): PageEntry[] =>
      Object.entries(given[place] ?? {}).map(([pages, html]) => ({ pages, html: part(place, html) }));
    const byPage = { header: entries('header'), footer: entries('footer'), firstPageNumber: 1 };
    const pdf = await printOnce(printer, BODY, { byPage });
    pdfCheck(pdf);
    expect(await linkTargets(pdf)).toEqual(expected);
  });

  it('lead to anchors of the document in a header that is the same on all pages', async () => {
    const pdf = await printOnce(printer, BODY, { header: part('header', `${INSIDE} ${OUTSIDE}`) });
    expect(await linkTargets(pdf)).toEqual({
      1: ['page 1', URL],
      2: ['page 1', URL],
    });
  });

  it('cover their text, also in running elements', async () => {
    const html = `<style>.r{position:running(r)}@page{size:10cm 12cm;margin:3cm;@top-right{content:element(r)}}</style>
      <div class="r"><a href="#größe">Inside</a> text <a href="https://example.com/r">Outside</a></div>${BODY}`;
    const running = await printOnce(printer, html, { author: ALL_AUTHOR_PAGES });
    const header = [{ pages: 'last', html: part('header', `text ${INSIDE} ${OUTSIDE}`) }];
    const furnished = await printOnce(printer, BODY, { byPage: { header, footer: [], firstPageNumber: 1 } });
    for (const [pdf, height] of [
      [running, (12 / 2.54) * 72],
      [furnished, (29.7 / 2.54) * 72],
    ] as const) {
      const links = await pdfLinks(pdf);
      const words = pdfWords(pdf).filter(({ text }) => text === 'Inside' || text === 'Outside');
      expect(links.length).toBe(words.length);
      expect(words.length).toBeGreaterThan(1);
      for (const [index, { page, box }] of links.entries()) {
        const word = words[index];
        expect(page).toBe(word?.page);
        expect(box?.x).toBeCloseTo(word?.left ?? 0, -1);
        expect(height - (box?.y ?? 0)).toBeCloseTo(word?.bottom ?? 0, -1);
        expect(box?.width).toBeCloseTo((word?.right ?? 0) - (word?.left ?? 0), -1);
      }
    }
  });
});

describe('links that nobody can follow are left out', () => {
  it('in heads and feet of tables, of which there is one on each page', async () => {
    const rows = Array.from({ length: 120 }, (_, row) => `<tr><td>${row}<td>x`).join('');
    const html = `<table><thead><tr><th><a href="https://example.com/a">A</a><th><a href="#b">B</a></thead>
      <tfoot><tr><td><a href="https://example.com/f">F</a></tfoot><tbody>${rows}</table><p id="b">Last`;
    const pdf = await printOnce(printer, html);
    pdfCheck(pdf);
    const all = ['https://example.com/a', 'page 3', 'https://example.com/f'];
    expect(await linkTargets(pdf)).toEqual({ 1: all, 2: all, 3: all });
    // One element has the links of all pages.
    const [link = ''] = pdfStructure(pdf).split('Link (inline)').slice(1);
    expect(link.split(' TH')[0]?.match(/Object \d+/g)).toHaveLength(3);
  });

  it('to pages that are not printed, whose text is plain', async () => {
    const html = `<html lang="en"><title>T</title><h1 id="a">A</h1><h1 id="b" style="break-before:page">B</h1>
      <p><a href="#a">to a</a> <a href="#b">to b</a>`;
    const pdf = await printOnce(printer, html, { pageRange: '2' });
    pdfCheck(pdf);
    expect(await linkTargets(pdf)).toEqual({ 1: ['page 1'] });
    expect(pdfStructure(pdf)).toMatch(
      /Span \(inline\)\s+NonStruct\s+"to a"[^]*Link \(inline\)\s+NonStruct\s+"to b"/,
    );
  });
});

const MAP = '<map name="m"><area shape="rect" coords="0,0,9,9" href="#x"></map>';
const PICTURE =
  'alt="" src="data:image/gif;base64,R0lGODlhAQABAIAAAP8AAP///yH5BAAAAAAALAAAAAABAAEAAAICRAEAOw=="';

it.each([
  ['areas of a picture', `<img id="p" usemap="#m" ${PICTURE}>${MAP}`, 'img#p'],
  [
    'a link without a box',
    '<style>.c{display:contents}</style><p><a class="c" href="#x">to x</a>',
    'body > p > a.c',
  ],
  ['a map without links', `<img usemap="#m" ${PICTURE}><map name="m"><area coords="0,0,9,9"></map>`, null],
  [
    'an empty link, and a box without one',
    '<a href="#x" style="display:contents"></a><b style="display:contents">x</b>',
    null,
  ],
])('names links that Chromium does not write: %s', async (_, html, element) => {
  const warnings: string[] = [];
  const source = {
    ...document(`<html lang="en">${html}<h1 id="x">x`),
    warn: (text: string) => void warnings.push(text),
  };
  await printOnce(printer, source);
  expect(warnings).toEqual(
    element === null
      ? []
      : [expect.stringMatching(new RegExp(`^Chromium writes no links for .*: ${element}\\.$`))],
  );
});
