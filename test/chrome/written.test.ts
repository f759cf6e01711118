import { setTimeout as wait } from 'node:timers/promises';
import sharp from 'sharp';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { mayBeWrittenInto } from '../../packages/print/src/chrome/own-origin.ts';
import { Tab } from '../../packages/print/src/chrome/tab.ts';
import type { Fetcher } from '../../packages/print/src/fetcher/fetcher.ts';
import type { HtmlDocument, HtmlReader, PrintOptions } from '../../packages/print/src/print.ts';
import { INVOICE_TEMPLATE, invoiceData } from '../support/invoice.ts';
import { Environment } from '@platen/jinja';
import { document, PICTURE, PLAIN, startEngine } from './engine.ts';
import { pdfText } from './pdf.ts';

/** Documents that are written into an empty one, which the page has loaded before (decision record 0089). */

const GREEN =
  '<svg xmlns="http://www.w3.org/2000/svg" width="90" height="90"><rect width="90" height="90" fill="#0a0"/></svg>';

/** Answers late with a green square. */
const SLOW: Fetcher = {
  fetch: async (url) => {
    await wait(300);
    return { url, status: 200, headers: { 'content-type': 'image/svg+xml' }, bytes: Buffer.from(GREEN) };
  },
};

let printer: HtmlReader;
let stop: () => Promise<void>;
const sent = vi.spyOn(Tab.prototype, 'send');

beforeAll(async () => {
  ({ printer, stop } = await startEngine({}, SLOW));
});
afterEach(() => sent.mockClear());
afterAll(async () => {
  sent.mockRestore();
  await stop();
});

/** Prints a document in a session of its own. @returns it, and whether it was written into an empty one */
async function print(
  given: HtmlDocument,
  options: Partial<PrintOptions> = {},
  tenant = 'a',
): Promise<{ pdf: Uint8Array; isWritten: boolean }> {
  sent.mockClear();
  const session = printer.session(tenant);
  const pdf = await session.print(given, { ...PLAIN, tagged: true, outline: true, ...options });
  const isWritten = sent.mock.calls.some(([method]) => method === 'Page.setDocumentContent');
  await session.close();
  return { pdf, isWritten };
}

/** Prints a document twice: after one with a script it is loaded, after itself it is written. */
async function both(
  given: HtmlDocument,
  options: Partial<PrintOptions> = {},
): Promise<[Uint8Array, Uint8Array]> {
  await print(OTHER);
  const [loaded, written] = [await print(given, options), await print(given, options)];
  expect([loaded.isWritten, written.isWritten]).toEqual([false, true]);
  return [loaded.pdf, written.pdf];
}

/** The bytes of a PDF without dates, and with its structure elements numbered from the beginning. */
function comparable(pdf: Uint8Array): string {
  const nodes = new Map<string, string>();
  return Buffer.from(pdf)
    .toString('latin1')
    .replaceAll(/D:\d{14}[^)]*/g, 'date')
    .replaceAll(/node\d{8}/g, (node) => {
      if (!nodes.has(node)) nodes.set(node, `n${String(nodes.size).padStart(8, '0')}`);
      return nodes.get(node) ?? '';
    });
}

const OTHER = document('<p>other<script>1</script>');
const STYLE = { contentType: 'text/css', bytes: Buffer.from('p { color: #00f } @page { size: A5 }') };

describe('a document that is written into an empty one (0089)', () => {
  it.each([
    ['an invoice', new Environment().compile(INVOICE_TEMPLATE, 'template').render(invoiceData())],
    ['one whose language is found', '<title>t</title><h1>見出し</h1><p>これは日本語の文章です。'],
    ['one in quirks mode', '<table width=100% height=100%><tr><td>text<td><p>more'],
    ['one in standards mode', '<!DOCTYPE html><table width=100% height=100%><tr><td>text<td><p>more'],
    ['one that declares another encoding', '<meta charset=iso-8859-1><p>Grüße, 中文 \u{1F600}'],
    [
      'one with a base and links',
      '<base href="https://e.example/x/"><p><a href="y?ü">one</a> <a href="#z">two</a><h2 id=z>T',
    ],
    [
      'one with a policy of its own',
      `<meta http-equiv=content-security-policy content="style-src 'none'"><style>p { color: red }</style><p>black`,
    ],
    ['one that reloads itself', '<meta http-equiv=refresh content="0"><p>text'],
    ['one that goes elsewhere', '<meta http-equiv=refresh content="0;url=https://e.example/"><p>text'],
    [
      'one with unclosed and misplaced tags',
      '<p>a<div><b>b<p>c</b><table><p>d<tr><td>e</table><ul><li>f<li>g\0h\r\ni',
    ],
    [
      'one with files',
      `<link rel=stylesheet href="STYLE"><p>blue<img src="https://e.example/a.svg" alt="square">`,
    ],
  ])('has the same bytes as one that is loaded: %s', async (_, html) => {
    const own = printer.resourceUrl('style.css');
    const given = { ...document(html.replace('STYLE', own)), resources: new Map([['style.css', STYLE]]) };
    const [loaded, written] = await both(given);
    expect(comparable(written)).toBe(comparable(loaded));
  });

  it('has the size and the settings of its own request, whichever the page had before', async () => {
    const html =
      '<style>@media screen { p { color: red } }</style><p>text<img srcset="https://e.example/s.svg 200w, https://e.example/l.svg 900w" sizes=100vw>';
    const own: Partial<PrintOptions> = {
      paper: 'A3',
      browser: { waitFor: null, media: 'screen', viewport: null, javascript: true },
    };
    await print(OTHER);
    const loaded = await print(document(html), own);
    await print(document('<p>another'));
    const written = await print(document(html), own);
    expect([loaded.isWritten, written.isWritten]).toEqual([false, true]);
    expect(comparable(written.pdf)).toBe(comparable(loaded.pdf));
  });

  it('is complete when its images are there', async () => {
    const given = document(
      '<body style="margin:0"><img src="https://e.example/slow.svg" width=600 height=600>',
    );
    await print(given);
    const session = printer.session('a');
    const picture = await session.picture(given, PLAIN, PICTURE);
    await session.close();
    expect(sent.mock.calls.map(([method]) => method)).toContain('Page.setDocumentContent');
    const { data, info } = await sharp(picture).removeAlpha().raw().toBuffer({ resolveWithObject: true });
    const at = (300 * info.width + 300) * 3;
    expect([...data.subarray(at, at + 3)]).toEqual([0, 170, 0]);
  });

  it('is at an origin that no other document has had', async () => {
    const html = '<p>text<img src="https://document.platen.invalid/x.png">';
    const asked: string[] = [];
    await print(OTHER);
    for (let n = 0; n < 4; n += 1) {
      sent.mockClear();
      const { isWritten } = await print(document(html));
      expect(isWritten).toBe(n > 0);
      for (const [method, params] of sent.mock.calls) {
        if (method !== 'Page.setDocumentContent') continue;
        asked.push(/https:\/\/[0-9a-f]+\.platen\.invalid/.exec((params as { html: string }).html)?.[0] ?? '');
      }
    }
    expect(asked).toHaveLength(3);
    expect(new Set(asked).size).toBe(3);
  });

  it('is not written if it has scripts, another language, an address, or a byte order mark', async () => {
    await print(document('<p>text'));
    expect((await print(document('<p>text<script>1</script>'))).isWritten).toBe(false);
    const empty = { url: 'https://0.platen.invalid/', language: null };
    const plain = document('<p>1');
    expect(mayBeWrittenInto(empty, plain, PLAIN)).toBe(true);
    expect(mayBeWrittenInto({ ...empty, language: 'ja' }, plain, PLAIN)).toBe(false);
    expect(mayBeWrittenInto(empty, { ...plain, html: `\uFEFF${plain.html}` }, PLAIN)).toBe(false);
    expect(mayBeWrittenInto(empty, { ...plain, address: 'https://e.example/' }, PLAIN)).toBe(false);
    const browser = { waitFor: null, media: null, viewport: null, javascript: false };
    expect(mayBeWrittenInto(empty, plain, { browser })).toBe(false);
  });

  it('belongs to its tenant: an empty document is not given to another one', async () => {
    await print(document('<p>of a'));
    const other = await print(document('<p>of b'), {}, 'b');
    expect(other.isWritten).toBe(false);
    expect(pdfText(other.pdf)).toContain('of b');
  });

  it('follows after a pause, in which the page has removed the data of the last document', async () => {
    await print(document('<p>first'));
    await wait(400);
    expect(sent.mock.calls.map(([method]) => method)).toContain('Storage.clearDataForOrigin');
    const { pdf, isWritten } = await print(document('<p>second'));
    expect(isWritten).toBe(true);
    expect(pdfText(pdf)).toContain('second');
  });
});
