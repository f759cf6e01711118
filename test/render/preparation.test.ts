import { afterAll, describe, expect, it } from 'vitest';
import { Filler } from '../../functions/render/texts/filler.ts';
import { compose } from '../../packages/print/src/page/compose.ts';
import { cssPieces } from '../../packages/print/src/page/css-addresses.ts';
import { FurnitureFiles } from '../../packages/print/src/page/furniture-files.ts';
import type { FurnitureInput } from '../../packages/print/src/page/furniture.ts';
import { htmlPieces } from '../../packages/print/src/page/html-addresses.ts';
import { guessLanguage, ideographLanguages } from '../../packages/print/src/page/language.ts';
import { OutsideResources } from '../../packages/print/src/page/outside-resources.ts';
import { Preparer } from '../../functions/render/texts/preparer.ts';
import { loadWebPage } from '../../packages/print/src/page/web-page.ts';
import { srcsetPieces } from '../../packages/print/src/page/srcset.ts';

/** Work on input is linear or bounded, and ends with its request. */

const FURNITURE: Omit<FurnitureInput, 'title'> = {
  locale: 'en_US',
  show: { title: true, date: true, pageNumber: true },
  header: null,
  footer: null,
  margins: { top: 2, right: 1, bottom: 2, left: 1 },
  scale: 1,
  text: { direction: 'ltr', mayNameFonts: true, bodyMargin: 0 },
  today: new Date('2026-11-21T00:00:00Z'),
};

const document = (html: string, styles: readonly string[] = []) => ({
  document: { html, styles, title: 'T' },
  furniture: null,
});

/** A header of all pages. */
const everywhere = (text: string) => [{ pages: 'default', text }];

describe('the time of reading a document grows with it, not with its square', () => {
  const works: Record<string, (n: number) => unknown> = {
    'titles that are closed again and again': (n) => compose(document('</title>'.repeat(n))),
    'titles of drawings': (n) => compose(document('<svg><title>x</title></svg>'.repeat(n / 8))),
    'comments before the document type': (n) => compose(document(`${'<!--a-->'.repeat(n)}<!doctyp`)),
    'instructions before the document type': (n) => compose(document(`${'<?a>'.repeat(n)}<p>`)),
    'a document with styles': (n) => compose(document('<p>x</p>'.repeat(n), ['a{}'])),
    'styles and scripts without an end': (n) => guessLanguage(`漢字${'<style><script>'.repeat(n)}`),
    'blanks behind a language': (n) => ideographLanguages(`漢字<p lang=${' '.repeat(n)}`),
    'a srcset of commas': (n) => srcsetPieces(','.repeat(n), 'https://e.example/'),
    'a srcset of parentheses': (n) => srcsetPieces('a ('.repeat(n), 'https://e.example/'),
    'blanks in url()': (n) => cssPieces(`a{b:url(${' '.repeat(n)}`, null),
    'url() in url()': (n) => cssPieces('url('.repeat(n), null),
    'escapes in url()': (n) => cssPieces(`url(${'\\61 '.repeat(n)}`, null),
    'quotes and comments without an end': (n) => cssPieces(`${'"a\\'.repeat(n)}${'/*'.repeat(n)}`, null),
    imports: (n) => cssPieces('@import "a.css";'.repeat(n), 'https://e.example/'),
    'attributes that name something': (n) =>
      htmlPieces('<img src=a style="b:url(c)">'.repeat(n / 8), 'https://e.example/'),
    'scripts in a header': (n) =>
      compose({
        ...document(''),
        furniture: {
          ...FURNITURE,
          footer: null,
          header: everywhere('<script></script><i class=date></i>'.repeat(n / 8)),
        },
      }),
    'text that is nearly markup': (n) =>
      compose({
        ...document(''),
        furniture: { ...FURNITURE, footer: null, header: everywhere('<b <'.repeat(n)) },
      }),
    'a page that names its encoding': (n) => {
      const bytes = Buffer.from(`<meta ${'charset'.repeat(n)}`);
      const answer = { url: 'https://e.example/', status: 200, headers: {}, bytes };
      return loadWebPage({ fetch: () => Promise.resolve(answer) }, 'https://e.example/');
    },
  };

  it.each(Object.keys(works))('%s', async (name) => {
    const work = works[name];
    const used = async (n: number): Promise<number> => {
      const before = process.cpuUsage();
      await work?.(n);
      const { user, system } = process.cpuUsage(before);
      return (user + system) / 1000;
    };
    await used(1_000);
    // Sixteen times as much where it takes the square; the floor is for what else the process does.
    const once = Math.max(25, await used(20_000));
    expect(await used(80_000)).toBeLessThan(8 * once);
  });
});

describe('a document is read in a thread', () => {
  const filler = new Filler({ timeout: 5_000 });
  const preparer = new Preparer(filler.threads, 1_000);
  afterAll(() => filler.close());

  /** Each paragraph opens anew all elements that were not closed (HTML, 13.2.4.3): as many elements as the square. */
  const endless = (n: number): string =>
    `<title>t</title><p>${Array.from({ length: n }, (_, i) => `<b a${i}>`).join('')}${'<p>x'.repeat(n)}`;
  const fill = (text: string) =>
    filler.fill({ engine: 'jinja2', sources: [{ file: 'template', text }], data: '{}', defaults: {} });

  it('and ends at its deadline, while other requests continue', async () => {
    const late = preparer.html(endless(10_000), 'https://e.example/');
    // Looked at in the end; on a busy machine it is rejected before the others are done.
    late.catch(() => undefined);
    const others = await Promise.all([fill('{{ 1 + 1 }}'), preparer.compose(document('<p>x'))]);
    expect(others[0]).toEqual(['2']);
    expect(others[1].facts.title).toBe('T');
    await expect(late).rejects.toMatchObject({
      code: expect.stringMatching(/^(deadline_exceeded|document_too_large)$/) as string,
    });
    expect(await fill('again')).toEqual(['again']);
  });

  it('and ends at its deadline while it reads the head, too', async () => {
    // Some 800 ms of work: far above the deadline on a machine several times as fast, too.
    const shortDeadline = new Preparer(filler.threads, 50);
    const attributes = Array.from({ length: 500_000 }, (_, i) => `a${i}`).join(' ');
    await expect(shortDeadline.compose(document(`<p ${attributes}>`))).rejects.toMatchObject({
      code: 'deadline_exceeded',
    });
  });

  it('and ends with its request', async () => {
    const longDeadline = new Preparer(filler.threads, 600_000);
    const controller = new AbortController();
    const work = longDeadline.html(endless(20_000), 'https://e.example/', controller.signal);
    setTimeout(() => controller.abort(new Error('gone')), 50);
    await expect(work).rejects.toThrow('gone');
    expect(await fill('again')).toEqual(['again']);
    await expect(longDeadline.html('', 'https://e.example/', controller.signal)).rejects.toThrow('gone');
  });

  it('and two endless documents delay others for no longer than their deadline', async () => {
    const late = [1, 2].map(() =>
      preparer.html(endless(10_000), 'https://e.example/').then(
        () => 'done',
        () => 'ended',
      ),
    );
    expect(await fill('after them')).toEqual(['after them']);
    expect(await Promise.all(late)).toEqual(['ended', 'ended']);
  });

  it.each([
    ['two million elements in one another', () => '<div>'.repeat(2_000_000)],
    ['elements that change places', () => '<b><i>'.repeat(100_000) + '</b></i>'.repeat(100_000)],
    ['tables of what is in no cell', () => '<table>x'.repeat(100_000)],
    ['drawings in drawings', () => '<svg><g>'.repeat(200_000)],
  ])('%s are ready for Chromium at once: only their beginning is read', async (_, html) => {
    const { facts } = await preparer.compose(document(html(), ['p{}']));
    expect(facts.title).toBe('T');
  });
});

describe('a header or footer that loads something (I-20)', () => {
  const site: Record<string, { type: string; text: string }> = {
    'https://e.example/a.css': { type: 'text/css', text: '@import "b.css"; i{background:url(x.png)}' },
    'https://e.example/b.css': { type: 'text/css', text: 'b{color:red} @import "b.css";' },
    'https://e.example/x.png': { type: 'image/png"><script>', text: 'GIF89a----' },
  };
  const inlined = async (header: string): Promise<{ html: string; missing: string[] }> => {
    const missing: string[] = [];
    const composed = compose({
      ...document(''),
      furniture: { ...FURNITURE, footer: null, header: everywhere(header) },
    });
    const pieces = composed.header[0]?.pieces;
    const fetch = async (url: string) => {
      const found = site[url];
      if (found === undefined) throw new Error('not there');
      return { url, status: 200, headers: { 'content-type': found.type }, bytes: Buffer.from(found.text) };
    };
    const files = new FurnitureFiles({
      images: new Map(),
      outside: new OutsideResources({ fetch }, AbortSignal.timeout(10_000)),
      css: (text, base) => Promise.resolve(cssPieces(text, base)),
      missing: (address) => missing.push(address),
    });
    return { html: await files.inlined(pieces ?? []), missing };
  };
  const decoded = (html: string): string[] =>
    Array.from(html.matchAll(/base64,([\w+/=]+)/g), ([, text = '']) =>
      Buffer.from(text, 'base64').toString(),
    );

  it('embeds its style sheets, their imports and its images', async () => {
    const { html } = await inlined(
      '<style>@import url(https://e.example/a.css) print;</style><b>x</b><img src="https://e.example/x.png">',
    );
    expect(html).not.toContain('e.example');
    const [sheet = '', image] = decoded(html);
    expect(html).toMatch(/@import url\("data:text\/css;charset=utf-8;base64,[^"]+"\) print;/);
    expect(sheet).not.toContain('x.png');
    expect(decoded(sheet)).toContain('GIF89a----');
    expect(decoded(sheet)[0]).toContain('b{color:red}');
    expect(image).toBe('GIF89a----');
    expect(html).not.toContain('<script');
  });

  it('leaves the place of a missing resource empty, and names it', async () => {
    const { html, missing } = await inlined(
      '<style>@import "https://e.example/gone.css";</style><b>x</b><img src="https://e.example/gone.png">',
    );
    expect(html).not.toContain('e.example');
    expect(missing.toSorted()).toEqual(['https://e.example/gone.css', 'https://e.example/gone.png']);
  });
});
