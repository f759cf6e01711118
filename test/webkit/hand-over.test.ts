import { describe, expect, it } from 'vitest';
import { cssPieces } from '../../packages/print/src/page/css-addresses.ts';
import { prepareDocument } from '../../packages/print/src/page/document.ts';
import { htmlPieces } from '../../packages/print/src/page/html-addresses.ts';
import { OutsideResources } from '../../packages/print/src/page/outside-resources.ts';
import { joined, type Pieces } from '../../packages/print/src/page/pieces.ts';
import { handOver } from '../../packages/print/src/webkit/hand-over.ts';
import { packBundle, unpackBundle } from '../../packages/print/src/bundle.ts';
import { createConverter } from '../../functions/shared/convert/client.ts';
import type { Missing } from '../../packages/print/src/print.ts';
import type { Fetcher } from '../../packages/print/src/fetcher/fetcher.ts';
import { ADDRESS_FINDER } from '../support/address-finder.ts';

/** What documents for WebKit name, and how it is handed over (I-22). */

const BASE = 'https://example.com/dir/page';

/** What a text names: what it is for, and its address. */
function namedIn(pieces: Pieces): string[] {
  return pieces.flatMap((piece) =>
    typeof piece === 'string'
      ? []
      : [`${piece.use} ${piece.address}${/#[^")]*/.exec(piece.after)?.[0] ?? ''}`],
  );
}

describe('addresses in CSS', () => {
  const named = (css: string): string[] =>
    namedIn(cssPieces(css, 'https://e.example/')).map((name) => name.replace('https://e.example/', ''));

  it.each([
    ['a{background:url(x.png)}', ['other x.png']],
    [`a{background:url( "x y.png" ) , URL('z')}`, ['other x%20y.png', 'other z']],
    [
      '@import "a.css"; @import url(b.css) screen; @IMPORT \'c.css\' layer(x);',
      ['style a.css', 'style b.css', 'style c.css'],
    ],
    ['@font-face{src:url(f.woff2) format("woff2"),url("g.ttf#x")}', ['other f.woff2', 'other g.ttf#x']],
    ['/* url(no.png) @import "no" */ a{content:"url(no) @import \'no\'"}', []],
    ['a{background:url(a\\)b.png);b:url(\\78 .png)}', ['other a)b.png', 'other x.png']],
    ['@media print{a{background:url(p.png)}} @namespace "http://n"; a{b:"c"}', ['other p.png']],
    ['a{background:url(', []],
  ])('%s', (css, expected) => {
    expect(named(css)).toEqual(expected);
  });

  it('are replaced, and the rest stays', () => {
    const css = '@import "a.css" print;\na { color: red; background: url(b.png) no-repeat }';
    expect(joined(cssPieces(css, 'https://e.example/'), ({ address }) => `x:${address.slice(18)}`)).toBe(
      '@import url("x:a.css") print;\na { color: red; background: url("x:b.png") no-repeat }',
    );
  });
});

describe('addresses in html', () => {
  const named = (html: string): string[] => namedIn(htmlPieces(html, BASE));

  it.each([
    ['<img src=a.png>', ['image https://example.com/dir/a.png']],
    [
      '<img src="data:x" srcset="a.png 1x, /b.png 2x,c.png">',
      [
        'image https://example.com/dir/a.png',
        'image https://example.com/b.png',
        'image https://example.com/dir/c.png',
      ],
    ],
    [
      '<image src="a"><input type=image src="b">',
      ['image https://example.com/dir/a', 'image https://example.com/dir/b'],
    ],
    ['<link rel="Stylesheet x" href=s.css><link rel=icon href=i>', ['style https://example.com/dir/s.css']],
    ['<base href="//cdn.example/x/"><base href=no><img src=a>', ['image https://cdn.example/x/a']],
    [
      '<svg><image xlink:href="a"/><use href="b.svg#c"/></svg>',
      ['image https://example.com/dir/a', 'image https://example.com/dir/b.svg#c'],
    ],
    [
      '<style>a{background:url(a)}</style><p style="background:url(b)">',
      ['other https://example.com/dir/a', 'other https://example.com/dir/b'],
    ],
    [
      '<iframe srcdoc="<img src=a>"></iframe><iframe src=b></iframe>',
      ['image https://example.com/dir/a', 'frame https://example.com/dir/b'],
    ],
    [
      '<script src=a></script><object data=b></object><embed src=c>',
      [
        'script https://example.com/dir/a',
        'frame https://example.com/dir/b',
        'frame https://example.com/dir/c',
      ],
    ],
    ['<a href=no>x</a><img src=""><!-- <img src=no> --><textarea><img src=no></textarea>', []],
    ['<template><img src=a></template><noscript><img src=b></noscript>', ['image https://example.com/dir/a']],
  ])('%s', (html, expected) => {
    expect(named(html).toSorted()).toEqual(expected.toSorted());
  });

  it('are replaced, and every other byte stays', () => {
    const html = `<P  class=x><IMG alt='"' SRC='a?b&amp;c'  ><style> a{} b{background:url(d)}</style><img src=http://[>`;
    const replaced = joined(htmlPieces(html, BASE), ({ address }) => `x:${address.length}`);
    expect(replaced).toBe(
      `<P  class=x><IMG alt='"' src="x:29"  ><style> a{} b{background:url("x:25")}</style><img src=http://[>`,
    );
  });

  it('are found within the deadline in an endlessly nested document', () => {
    expect(named(`${'<div>'.repeat(50_000)}<img src=a>`)).toEqual(['image https://example.com/dir/a']);
  });
});

describe('a document that is passed to WebKit', () => {
  const site: Record<string, { type: string; text: string }> = {
    'https://cdn.example/s.css': {
      type: 'text/css',
      text: '@import "deep/t.css"; p{background:url(img.png)}',
    },
    'https://cdn.example/deep/t.css': {
      type: 'text/css; charset=utf-8',
      text: '@font-face{src:url(../f.woff2#x)} @import "t.css";',
    },
    'https://cdn.example/f.woff2': { type: 'font/woff2', text: 'font' },
    'https://cdn.example/img.png': { type: 'image/png', text: 'GIF89a----' },
    'https://cdn.example/broken.png': { type: 'image/png', text: 'PNG' },
    'https://cdn.example/frame.html': {
      type: 'text/html',
      text: '<img src="img.png"><iframe src="frame.html"></iframe>',
    },
  };
  const asked: string[] = [];
  const fetcher: Fetcher = {
    fetch: async (url) => {
      asked.push(url);
      const found = site[url];
      if (found === undefined) throw new Error('not there');
      return { url, status: 200, headers: { 'content-type': found.type }, bytes: Buffer.from(found.text) };
    },
  };
  const over = async (html: string, missing: Missing = () => {}): ReturnType<typeof handOver> => {
    asked.length = 0;
    const image = (text: string) => ({ contentType: 'image/png', bytes: Buffer.from(text) });
    const resources = new Map([
      ['images/logo', image('GIF89a own')],
      ['images/broken', image('GIF89a')],
    ]);
    const outside = new OutsideResources(fetcher, AbortSignal.timeout(10_000));
    const document = { ...prepareDocument({ html, styles: [], title: 'T' }), resources, missing };
    return await handOver(document, outside, ADDRESS_FINDER);
  };

  it('has its resources and theirs, and each is fetched once', async () => {
    const { html, files } = await over(
      '<link rel=stylesheet href="https://cdn.example/s.css"><img src="https://cdn.example/img.png"><img src="https://cdn.example/img.png#x"><iframe src="https://cdn.example/frame.html"></iframe>',
    );
    expect(html).not.toContain('cdn.example');
    expect(html).toContain('<title>T</title>');
    expect(html).toMatch(/#x"/);
    const texts = [...files.values()].map(({ bytes }) => Buffer.from(bytes).toString());
    expect(texts).toContain('GIF89a own');
    expect(texts).toContain('font');
    expect(texts.find((text) => text.includes('@font-face'))).toMatch(
      /url\("platen:\/\/document\/outside\/\d+#x"\)/,
    );
    expect(new Set(asked).size).toBe(5);
    for (const address of files.keys()) expect(address).toMatch(/^platen:\/\/document\//);
  });

  it('keeps the address of a resource that cannot be loaded, and names it; an image leaves its place empty', async () => {
    const missing: string[] = [];
    const text =
      '<link rel=stylesheet href="https://cdn.example/gone.css"><img src="https://cdn.example/gone.png"><img src="own.png">';
    const { html } = await over(text, (address) => missing.push(address));
    expect(html).toContain('https://cdn.example/gone.css');
    expect(html).not.toContain('.png');
    expect(html.match(/src="data:image\/svg\+xml/g)).toHaveLength(2);
    expect(missing.toSorted()).toEqual([
      'https://cdn.example/gone.css',
      'https://cdn.example/gone.png',
      'own.png',
    ]);
  });

  it('leaves the place of an invalid image empty, and names it; an invalid background is named', async () => {
    const told: string[] = [];
    const text =
      '<img src="https://cdn.example/frame.html"><svg><image href="platen://document/images/broken"/></svg>' +
      '<p style="background:url(https://cdn.example/broken.png)">';
    const { html } = await over(text, (address, why) => told.push(`${why} ${address}`));
    expect(html.match(/="data:image\/svg\+xml/g)).toHaveLength(2);
    expect(told.toSorted()).toEqual([
      'unreadable https://cdn.example/broken.png',
      'unreadable https://cdn.example/frame.html',
      'unreadable images/broken',
    ]);
  });

  it('fetches only resources that it needs, and only with http and https', async () => {
    await over(
      '<img src="platen://document/images/logo"><img src="file:///etc/passwd"><img src="ftp://x/y"><img src="data:,x">',
    );
    expect(asked).toEqual([]);
  });

  it('refers to its own elements, which are no files', async () => {
    const missing: string[] = [];
    const text = '<svg><symbol id="s"><path d="M0 0"/></symbol></svg><svg><use href="#s"/></svg>';
    const { html } = await over(text, (address) => missing.push(address));
    expect(html).toContain('<use href="#s"/>');
    expect([missing, asked]).toEqual([[], []]);
  });

  it('has its own fonts, and not those that replace their families', async () => {
    const style = `@font-face{font-family:Inter;src:local('Inter'), local("Inter (A)"),url(https://cdn.example/f.woff2)} p{content:"local(x),"}`;
    const { html } = await over(`<style>${style}</style>`);
    expect(html).toMatch(/src: *url\("platen:\/\/document\/outside\/\d+"\)\} p\{content:"local\(x\),"\}/);
  });

  it('travels as one string of bytes', async () => {
    const bundle = await over('<p>Grüße 漢字<img src="https://cdn.example/img.png">');
    const { html, files } = unpackBundle(packBundle(bundle));
    expect(html).toBe(bundle.html);
    expect([...files.keys()]).toEqual([...bundle.files.keys()]);
    for (const [address, { contentType, bytes }] of files) {
      expect(contentType).toBe(bundle.files.get(address)?.contentType);
      expect(Buffer.from(bytes).equals(Buffer.from(bundle.files.get(address)?.bytes ?? []))).toBe(true);
    }
    expect(() => unpackBundle(packBundle(bundle).subarray(0, -1))).toThrow(/cut off/);
  });
});

it('without a convert function each of its kinds of work is refused by name', async () => {
  const converter = createConverter({ functionName: null, bucket: 'b', timeout: 1_000 });
  const missing = (name: string): object => ({
    code: 'engine_missing',
    message: expect.stringContaining(name),
  });
  await expect(converter.convert(Buffer.from(''), 'docx', 'pdf')).rejects.toMatchObject(
    missing('LibreOffice'),
  );
  await expect(
    converter.print({ html: '', files: new Map() }, {} as Parameters<typeof converter.print>[1], {
      timeout: 1,
    }),
  ).rejects.toMatchObject(missing('WebKit'));
  await expect(converter.draw(Buffer.from(''), 'The EPS', { timeout: 1 })).rejects.toMatchObject(
    missing('Ghostscript'),
  );
});
