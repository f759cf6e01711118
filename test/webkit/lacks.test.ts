import { describe, expect, it } from 'vitest';
import { createWebKitPrinter } from '../../packages/print/src/webkit/printer.ts';
import { document, PLAIN } from '../chrome/engine.ts';
import type { Fetcher } from '../../packages/print/src/fetcher/fetcher.ts';
import { ADDRESS_FINDER } from '../support/address-finder.ts';

/** What WebKit cannot do and a document asks for is told (docs/rendering.md, "The engines"). */

const css = 'h1 { writing-mode: vertical-rl }';
const LINKED: Fetcher = {
  fetch: (url) =>
    Promise.resolve({ url, status: 200, headers: { 'content-type': 'text/css' }, bytes: Buffer.from(css) }),
};

async function told(html: string): Promise<string[]> {
  const warnings: string[] = [];
  const engine = { print: () => Promise.resolve(new Uint8Array()) };
  const printer = createWebKitPrinter(
    { printTimeout: 60_000, concurrency: 1 },
    engine,
    LINKED,
    ADDRESS_FINDER,
  );
  const session = printer.session('tenant');
  await session.print({ ...document(html), warn: (text) => warnings.push(text) }, PLAIN);
  await session.close();
  return warnings;
}

const FOOTNOTES = 'webkit leaves footnotes where they are written (float: footnote)';
const RUNNING = 'webkit leaves running elements where they are written (position: running())';
const BOOKMARKS =
  'webkit lists all headings in the outline, by their texts (bookmark-level, bookmark-label, bookmark-state)';
const FIXED = 'webkit shows what is fixed on the first page alone (position: fixed)';
const PAGE_VALUES =
  'webkit ignores variables, window lengths, logical margins, widths, heights and orientations of pages (@page)';
const VERTICAL = 'webkit prints vertical text in part (writing-mode)';

describe('a document for WebKit', () => {
  it.each([
    ['<style>i { float: footnote }</style>', [FOOTNOTES]],
    [
      '<style>header { position: running(head) } @page { @top-left { content: element(head) } }</style>',
      [RUNNING],
    ],
    ['<style>h2 { bookmark-level: none }</style>', [BOOKMARKS]],
    ['<style>h2 { bookmark-label: "x" }</style>', [BOOKMARKS]],
    ['<p style="writing-mode:vertical-lr">x', [VERTICAL]],
    ['<link rel="stylesheet" href="https://styles.example/a.css"><p>x', [VERTICAL]],
    ['<style>.foot{position:fixed;bottom:0}</style>', [FIXED]],
    ['<STYLE>td { writing-mode:vertical-rl }', [VERTICAL]],
    [
      '<style>section { content-visibility: auto }</style>',
      ['webkit leaves out what it has not shown yet (content-visibility: auto)'],
    ],
    [
      '<style>p::first-letter { initial-letter: 3 }</style>',
      ['webkit ignores large first letters (initial-letter)'],
    ],
    ['<style>@page { size: var(--label) }</style>', [PAGE_VALUES]],
    ['<style>@page { width: 100mm; height: 150mm }</style>', [PAGE_VALUES]],
    ['<style>@page wide { page-orientation: rotate-left }</style>', [PAGE_VALUES]],
    ['<style>@page :first { margin-inline: 1cm }</style>', [PAGE_VALUES]],
  ])('has a warning for each feature that WebKit lacks: %s', async (html, expected) => {
    expect(await told(html)).toEqual(expected.map((text) => `${text}: rendering_engine chrome does`));
  });

  it.each([
    '<style>@page { size: A5; margin: 1cm } div { grid-template-columns: 1fr 2fr; column-count: 1; columns: auto }</style>',
    '<style>@page { background: red; @bottom-right { content: counter(page) } } @page :first { @left-middle { content: "x" } }</style>',
    '<style>@page :left { margin: 1cm 2cm 1cm 3cm } @page :right { margin: 1cm; margin-left: 2cm; margin-right: 3cm }</style>',
    '<style>h1 { string-set: a content() } a::after { content: target-counter(attr(href), page) leader(".") target-text(attr(href)) }</style>',
    '<style>h1 { string-set: a counter(chapter) " " content() } a::after { content: target-counter(attr(href), chapter) }</style>',
    '<style>/* @page :first { @top-left {} } columns: 2 */ p { writing-mode: horizontal-tb }</style>',
    '<p>Write @page :first, @top-left or columns: 2 in a style sheet.</p>',
  ])('has no other warning: %s', async (html) => {
    expect(await told(html)).toEqual([]);
  });
});
