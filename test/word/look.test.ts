import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Filler } from '../../functions/render/texts/filler.ts';
import { wordOfTemplate } from '../../functions/render/html/word.ts';
import { Preparer } from '../../functions/render/texts/preparer.ts';
import type { HtmlReader } from '../../packages/print/src/print.ts';
import { requestedSettings } from '../../functions/render/settings.ts';
import type { RenderOptions } from '../../packages/contract/src/options.ts';
import { CLOSED, startEngine } from '../chrome/engine.ts';
import { pdfRaster, pdfText, type Raster } from '../chrome/pdf.ts';
import { startOffice, zipText } from '../convert/support.ts';
import { type DocxParts, partsOf, textIn, valueOf } from './support.ts';

/** A docx of html as LibreOffice shows it, the odt made of it, and header and footer. */

let printer: HtmlReader;
let stop: () => Promise<void>;
const shared = startOffice();
const filler = new Filler({ timeout: 60_000 });

beforeAll(async () => {
  ({ printer, stop } = await startEngine());
});
afterAll(async () => {
  await Promise.all([stop(), shared.close(), filler.close()]);
});

const INVOICE = `<!doctype html><html lang="en"><style>
  body{margin:0;font-family:Arial} .bar{background:#0000ff;height:96px} table{width:50%;border-collapse:collapse}
  td{background:#00ff00;padding:20px} .new{break-before:page}
  </style><div class="bar"></div><h1>Invoice {{ number }}</h1><table><tr><td>Sum</td></tr></table>
  <ul><li>one</li></ul><p class="new">Second page</p></html>`;

async function render(options: RenderOptions, parts: { header?: string } = {}): Promise<DocxParts> {
  const settings = {
    ...requestedSettings(options, { source: 'html', output: 'docx' }),
    language: { locale: null, catalogues: [] },
    steps: [],
    credentials: undefined,
    sign: undefined,
  };
  const session = printer.session('tenant');
  const template = {
    title: 'An invoice',
    format: 'html' as const,
    bytes: Buffer.from(INVOICE),
    text: INVOICE,
    header: parts.header === undefined ? null : [{ pages: 'default', text: parts.header }],
    footer: null,
    styles: [],
    images: new Map(),
    partials: { texts: {}, documents: new Map() },
    fonts: [],
    options: {},
  } as unknown as Parameters<typeof wordOfTemplate>[1]['plan']['template'];
  try {
    const docx = await wordOfTemplate('{"number":7}', {
      plan: { template, settings },
      session,
      chrome: session,
      notice: () => undefined,
      filler,
      preparer: new Preparer(filler.threads, 60_000),
      fetcher: CLOSED,
      resourceUrl: (path) => printer.resourceUrl(path),
      today: new Date('2026-11-22T00:00:00Z'),
      missing: () => {},
      withoutGlyph: () => {},
      warn: () => {},
      recorder: null,
      signal: new AbortController().signal,
    });
    return partsOf(Buffer.from(docx));
  } finally {
    await session.close();
  }
}

const convert = async (document: Buffer, to: 'pdf' | 'odt'): Promise<Buffer> =>
  await shared.office.convert({ document, from: 'docx', to, title: null, timeout: 240_000 });

/** Share of the points of a stretch of a page that have that colour. */
function share({ width, height, at }: Raster, wanted: readonly number[], box: readonly number[]): number {
  const [left = 0, top = 0, right = 1, bottom = 1] = box;
  let [hits, all] = [0, 0];
  for (let y = Math.round(top * height); y < bottom * height; y += 1) {
    for (let x = Math.round(left * width); x < right * width; x += 1) {
      const point = at(x, y);
      all += 1;
      if (wanted.every((part, index) => Math.abs((point[index] ?? -1) - part) < 40)) hits += 1;
    }
  }
  return hits / all;
}

describe('a docx of html in LibreOffice', () => {
  it('has its colours where the document has them, and its pages', async () => {
    const pdf = await convert((await render({ display_header_footer: false })).bytes, 'pdf');
    const page = await pdfRaster(pdf, 1, 40);
    // A bar from 2 cm to 4.5 cm of 29.7, a cell of half the width below it.
    expect(share(page, [0, 0, 255], [0.1, 0.08, 0.9, 0.14])).toBeGreaterThan(0.95);
    expect(share(page, [0, 255, 0], [0.06, 0.1, 0.49, 0.4])).toBeGreaterThan(0.1);
    expect(share(page, [0, 255, 0], [0.53, 0.1, 0.95, 0.4])).toBe(0);
    expect(pdfText(pdf, 1)).toContain('Invoice 7');
    expect(pdfText(pdf, 2).trim()).toBe('Second page');
  });

  it('becomes an odt with headings, lists and widths', async () => {
    const odt = zipText(await convert((await render({ display_header_footer: false })).bytes, 'odt'));
    expect(odt).toMatch(/<text:h [^>]*text:outline-level="1"[^>]*>(?:<[^>]*>)*Invoice 7/);
    expect(odt).toContain('<text:list ');
    // Inches, as LibreOffice writes them: the bar takes 19 cm, the table half of that.
    const widths = Array.from(odt.matchAll(/style:column-width="([\d.]+)in"/g), ([, width]) => Number(width));
    expect(widths.some((width) => Math.abs(width - 19 / 2.54) < 0.1)).toBe(true);
    expect(widths.some((width) => Math.abs(width - 9.5 / 2.54) < 0.1)).toBe(true);
  });
});

describe('header and footer', () => {
  it('are those of the word processor, with the numbers of the page as fields', async () => {
    const { part, body } = await render({});
    expect(textIn(part('word/header1.xml'))).toContain('An invoice');
    expect(textIn(part('word/header1.xml'))).toContain('November 22, 2026');
    const footer = part('word/footer1.xml');
    expect(footer).toMatch(/instrText[^>]*> PAGE <.*instrText[^>]*> NUMPAGES </s);
    expect(body).not.toContain('titlePg');
    expect(valueOf(body, 'footerReference', 'type')).toBe('default');
  });

  it('are those that were sent, and not on the first page where that is asked for', async () => {
    const { part, body } = await render(
      { disable_header_footer_first_page: true },
      {
        header: '<b style="color:#f00;font-size:12px">No. {{ number }}</b> <span class="pageNumber"></span>',
      },
    );
    const header = part('word/header1.xml');
    expect(textIn(header)).toContain('No. 7');
    expect(header).toContain('<w:color w:val="FF0000"/>');
    expect(header).toContain(' PAGE ');
    expect(body).toContain('<w:titlePg/>');
  });

  it('are not there where they are switched off', async () => {
    const { body } = await render({ display_header_footer: false });
    expect(body).not.toContain('headerReference');
    expect(body).not.toContain('footerReference');
  });
});
