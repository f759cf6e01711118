import { compose } from '../../packages/print/src/page/compose.ts';
import { describe, expect, it } from 'vitest';
import { prepareCustom } from '../../packages/print/src/page/custom-furniture.ts';
import { longDate } from '../../packages/print/src/page/date.ts';
import { joined } from '../../packages/print/src/page/pieces.ts';
import { furnitureHtml } from '../support/furniture.ts';

const VALUES = { date: '21 May', title: 'T & <b>', url: 'https://e.example/' };
const prepare = (text: string, images = new Map<string, string>()): string =>
  joined(prepareCustom(text, VALUES), ({ address }) => images.get(address) ?? 'not there');

describe('a custom header or footer is made fit to be printed (I-20)', () => {
  it('fills date, title and url as text, and leaves the numbers of pages to the engine', () => {
    const html = prepare(
      '<i class="a title">x</i><i class="date"></i><i class="url"></i><i class="pageNumber"></i>/<i class="totalPages"></i>',
    );
    expect(html).toContain('>T &amp; &lt;b&gt;</i>');
    expect(html).toContain('>21 May</i>');
    expect(html).toContain('>https://e.example/</i>');
    expect(html).toContain('<i class="pageNumber"></i>/<i class="totalPages"></i>');
  });

  it('renames the classes that Chromium would fill in, and keeps styles for them', () => {
    const html = prepare(
      '<style>.date, b.title > i {color:red} .dated{} .update{}</style><i class="date"></i>',
    );
    expect(html).toContain('.platen-date, b.platen-title > i {color:red} .dated{} .update{}');
    expect(html).not.toMatch(/class="date"/);
  });

  it.each([
    ['a script', 'a<script>alert(1)</script>'],
    ['a script in capitals, unclosed', 'a<SCRIPT>alert(1)'],
    ['a handler', '<p onclick="alert(1)" ONLOAD=alert(1)>a'],
    ['a script address', '<a href=" java\nscript:alert(1)">a</a>'],
    ['a script in an SVG', '<svg><script>alert(1)</script><a xlink:href="javascript:alert(1)">a</a></svg>'],
    ['a frame', 'a<iframe srcdoc="<script>alert(1)</script>"></iframe><object data="alert"></object>'],
    ['a template', 'a<template><script>alert(1)</script></template>'],
    ['a refresh', 'a<meta http-equiv="refresh" content="0;alert"><base href="alert"><link href="alert">'],
  ])('contains no part of %s', (_, html) => {
    expect(prepare(html)).not.toMatch(/alert|<script/i);
    expect(prepare(html)).toContain('a');
  });

  it('keeps the attributes of a body and the styles of a head, of a whole document', () => {
    const html = prepare(
      '<!doctype html><html><head><title>no</title><style>p{color:red}</style></head><body style="color:blue" dir="rtl"><p>x</p></body></html>',
    );
    expect(html).toBe('<div style="color:blue" dir="rtl"><style>p{color:red}</style><p>x</p></div>');
  });

  it('reads text without markup as text, line by line', () => {
    expect(prepare('a & b\n1 < 2')).toBe('<div style="white-space:pre-line">a &amp; b\n1 &lt; 2</div>');
  });

  it.each([
    ['if a<b then', 'if a&lt;b then'],
    ['Ada <ada@example.com>', 'Ada &lt;ada@example.com&gt;'],
    ['if a<b then c & d > e', 'if a&lt;b then c &amp; d &gt; e'],
    ['a <s and i<b or p > 3', 'a &lt;s and i&lt;b or p &gt; 3'],
    ['if a<b then c = d > e', 'if a&lt;b then c = d &gt; e'],
    ['if a &lt;b then c &amp; d &gt; e', 'if a &lt;b then c &amp; d &gt; e'],
    ['</p', '&lt;/p'],
    ['x < y > z <', 'x &lt; y &gt; z &lt;'],
    ['Tom &amp; Jerry', 'Tom &amp; Jerry'],
  ])('keeps text that looks like a tag in text without markup: %s', (text, html) => {
    expect(prepare(text)).toBe(`<div style="white-space:pre-line">${html}</div>`);
  });

  it.each([
    'x<br>y',
    '<td nowrap>x',
    '<hr noshade>x',
    '<br / >x',
    '<p v-cloak data-x @click [a] hidden>x',
    '<p align=center oddity>x',
    '<p class="a"">x',
    '<img src="logo" ;>',
    '<b made up words>x</b>',
    'a<b>c',
    '<center>x',
  ])('reads a text as html if it has a tag with attributes of html, or a closing tag: %s', (text) => {
    expect(prepare(text)).not.toContain('&lt;');
    expect(prepare(text)).not.toContain('pre-line');
  });

  it.each(['', '  \n ', '<!-- -->', '<script>x</script>'])(
    'is left out if it has no visible content: %j',
    (text) => {
      expect(prepare(text)).toBe('');
    },
  );

  it('carries images with it, in attributes and styles, the longer of two addresses first', () => {
    const image = (byte: number) => `data:image/png;base64,${Buffer.from([byte]).toString('base64')}`;
    const images = new Map([
      ['https://d.invalid/images/logo', image(1)],
      ['https://d.invalid/images/logo2', image(2)],
    ]);
    const html = prepare(
      '<image src="https://d.invalid/images/logo2"><p style="background:url(https://d.invalid/images/logo)"><svg><image href="https://d.invalid/images/logo"/></svg><img srcset="https://d.invalid/images/logo2 2x"><style>p{background:url(https://d.invalid/images/logo)}</style>',
      images,
    );
    expect(html).not.toContain('d.invalid');
    expect(html).toContain('<img src="data:image/png;base64,Ag==">');
    expect(html).toContain('background:url(&quot;data:image/png;base64,AQ==&quot;)');
    expect(html).toContain('<image href="data:image/png;base64,AQ=="></image>');
  });

  it('accepts malformed html', () => {
    for (const text of [
      '<',
      '</',
      '<a',
      '<a b="',
      '<!doctype',
      '<frameset><frame></frameset>',
      '\0',
      '<svg><foreignObject><p>x',
      '&#0;&#xffffff;'.repeat(100),
      '<p>'.repeat(5_000),
      '<div>'.repeat(100_000),
    ]) {
      expect(typeof prepare(text)).toBe('string');
    }
  });
});

describe('header and footer', () => {
  const input = {
    title: 'A <b> title',
    locale: 'en_US',
    show: { title: true, date: true, pageNumber: true },
    header: null,
    footer: null,
    margins: { top: 2, right: 1.5, bottom: 2, left: 2.5 },
    scale: 1,
    text: { direction: 'ltr', mayNameFonts: true, bodyMargin: 0 },
    today: new Date('2026-01-01T00:30:00+02:00'),
    images: new Map(),
  } as const;

  it('show the date in UTC, in any time zone of the machine', () => {
    expect(longDate(input.today, 'en_US')).toBe('December 31, 2025');
  });

  it('show the title as text and are placed within the margins of the page', () => {
    const { header } = furnitureHtml(input);
    expect(header).toContain('A &#60;b&#62; title');
    expect(header).toContain('padding:0 var(--page-right,1.5cm) 0 var(--page-left,2.5cm)');
  });

  it('an empty custom one removes the default one', () => {
    expect(furnitureHtml({ ...input, header: ' ' }).header).toBeNull();
  });

  it('have the writing direction and the typeface of the document, as far as its text shows them', () => {
    const built = (html: string): string =>
      joined(
        compose({
          document: { html, styles: [], title: 'T' },
          furniture: { ...input, locale: null },
        }).header[0]?.pieces ?? [],
        () => '',
      );
    expect(built('<p>x')).toMatch(/dir="ltr".*Tinos.*December 31, 2025/s);
    expect(built('<style>p{font-family:Arial}</style><p>x')).toContain('Arimo');
    expect(built('<html dir="rtl" lang="ar-EG"><p>x')).toMatch(/lang="ar-EG" dir="rtl".*٣١ ديسمبر ٢٠٢٥/s);
    expect(built('<body dir=rtl>x')).toContain('dir="rtl"');
    expect(built('<html lang="de"><p>x')).toContain('31. Dezember 2025');
    expect(built('<html lang="tlh-x-nobody"><p>x')).toContain('December 31, 2025');
    expect(built('<p>請求書の支払期限は')).toContain('2025年12月31日');
    expect(built('<html lang="not a tag"><p>x')).toContain('December 31, 2025');
    // Where text begins.
    expect(built('<p>x')).toContain('margin:0 8px');
    expect(built('<style>body { margin: 0 }</style><p>x')).toContain('margin:0 0px');
  });
});
