import { createWriteStream, readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Serve } from '../../functions/shared/http/index.ts';
import { bodyText, CONTEXT, gatewayEvent } from '../support/gateway-event.ts';
import type { Sign } from '../../functions/shared/step-values.ts';
import { documented, xmlOf } from '../../packages/factur-x/test/invoices.ts';
import { readFontFile } from '../../packages/print/src/fonts/font-file.ts';
import { fontOf } from '../support/fonts.ts';
import { startWebPages } from '../support/render-service.ts';
import { pageTexts, run, workspace } from './fixtures.ts';

/** `POST /v1/pdf/url` as clients send it, of a web site on this machine, which a deployment would not go to. */

const PAGE = `<!doctype html><title>A page of the web</title><link rel=stylesheet href="look.css">
<body><h1 style="font-family: Saladea">Heading {{ not.a.placeholder }}</h1><script>document.write('written by a script')</script>
<p style="break-before: page">second</p><p style="break-before: page">third</p>`;

const SIGNED = Buffer.from('% signed');

let site: Server;
let base: string;
let serve: Serve;
let stop: () => Promise<void>;

beforeAll(async () => {
  site = createServer((request, response) => {
    const [type, text] =
      request.url === '/dir/page'
        ? ['text/html', PAGE]
        : request.url === '/dir/look.css'
          ? ['text/css', 'h1::after { content: " with styles" }']
          : ['application/pdf', '%PDF-1.4'];
    response.writeHead(request.url === '/gone' ? 410 : 200, { 'content-type': type }).end(text);
  });
  await new Promise<void>((resolve) => site.listen(0, '127.0.0.1', () => resolve()));
  base = `http://127.0.0.1:${(site.address() as AddressInfo).port}`;
  const signerOf = (): Promise<Sign> =>
    Promise.resolve((pdf) => Promise.resolve(Buffer.concat([pdf, SIGNED])));
  const font = {
    name: 'Saladea.ttf',
    mark: '1',
    contentType: 'font/ttf',
    size: 1,
    hash: '1',
    written: '2026-01-01T00:00:00Z',
    details: { ...readFontFile(fontOf('Saladea')) },
  };
  const tenantFonts = {
    current: () => Promise.resolve([font]),
    read: () => Promise.resolve(fontOf('Saladea')),
  };
  ({ serve, stop } = await startWebPages('open', { signerOf }, tenantFonts));
});
afterAll(async () => {
  await stop();
  site.close();
});

interface Answer {
  status: number;
  disposition: string | undefined;
  code: unknown;
  detail: unknown;
}

/** Posts an urlencoded form, as Python's client does; a document is saved to `output`. */
async function post(fields: Record<string, string>, output: string): Promise<Answer> {
  const reply = await serve(
    gatewayEvent({
      method: 'POST',
      path: '/v1/pdf/url',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams(fields).toString(),
    }),
    CONTEXT,
  );
  const answer = { status: reply.status, disposition: reply.headers['content-disposition'] };
  if (reply.status !== 200) {
    const { code, detail } = JSON.parse(bodyText(reply)) as Record<string, unknown>;
    return { ...answer, code, detail };
  }
  if (!(reply.body instanceof Readable) && !(reply.body instanceof Uint8Array))
    throw new Error('no document');
  const chunks = reply.body instanceof Readable ? reply.body : Readable.from([reply.body]);
  await pipeline(chunks, createWriteStream(output));
  await reply.close?.();
  return { ...answer, code: undefined, detail: undefined };
}

describe('printing a web page (I-34)', () => {
  it('prints it with its styles and scripts, its title in the header, and leaves braces as they are', async () => {
    const at = workspace();
    const answer = await post({ url: `${base}/dir/page` }, at('a.pdf'));
    expect(answer).toMatchObject({ status: 200 });
    expect(answer.disposition).toContain('A page of the web.pdf');
    const pages = pageTexts(at('a.pdf'));
    expect(pages).toHaveLength(3);
    expect(pages[0]).toMatch(/Heading \{\{ not\.a\.placeholder \}\} with styles\s+written by a script/);
    expect(pages[0]).toContain('A page of the web');
    expect(run('pdfinfo', at('a.pdf'))).toMatch(/Page size: +59[45].* x 84[12].* pts \(A4\)/);
  });

  it('sets headers and footers in fonts of the tenant, and the page in its own (I-40)', async () => {
    const at = workspace();
    const header = `<b style="font: 12pt Saladea">Head <i class="pageNumber"></i></b>`;
    const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="90" height="20"><text y="15" font-family="Saladea">Foot</text></svg>`;
    const footer = `<img src="data:image/svg+xml;base64,${Buffer.from(svg).toString('base64')}">`;
    const fonts = async (options: object): Promise<string> => {
      const fields = { url: `${base}/dir/page`, render_options: JSON.stringify(options) };
      expect(await post(fields, at('a.pdf'))).toMatchObject({ status: 200 });
      return run('pdffonts', at('a.pdf'));
    };
    expect(await fonts({})).not.toContain('Saladea');
    expect(await fonts({ header_file: header })).toContain('Saladea-Regular');
    expect(pageTexts(at('a.pdf'))[1]).toMatch(/Head\s+2/);
    expect(await fonts({ footer_file: footer })).toContain('Saladea-Regular');
  });

  it('embeds the invoice of the request, and signs the result', async () => {
    const at = workspace();
    const xml = xmlOf(documented(), 'en16931');
    const options = { factur_x: { profile: 'en16931' }, sign: { key: 'seal' }, language: 'en' };
    const fields = {
      url: `${base}/dir/page`,
      factur_x_xml: xml,
      render_options: JSON.stringify(options),
    };
    expect(await post(fields, at('a.pdf'))).toMatchObject({ status: 200 });
    expect(readFileSync(at('a.pdf')).subarray(-SIGNED.length)).toEqual(SIGNED);
    run('pdfdetach', '-save', '1', '-o', at('a.xml'), at('a.pdf'));
    expect(readFileSync(at('a.xml'), 'utf8')).toBe(xml);
    expect(run('pdfinfo', '-meta', at('a.pdf'))).toMatch(/<pdfaid:part>3</);
    for (const name of ['data', 'template']) {
      const other = JSON.stringify({ factur_x: { profile: 'en16931', [name]: 'x' } });
      const answer = await post({ ...fields, render_options: other }, at('b.pdf'));
      expect(answer).toMatchObject({ status: 422, code: 'invalid_option' });
    }
  });

  it('honours render options', async () => {
    const at = workspace();
    const options = {
      paper_format: 'A5',
      landscape: 'true',
      margin_top: 3,
      page_range: '2-3',
      date_locale: 'de_DE',
      title_header_enabled: false,
      page_number_footer_enabled: '0',
      compress: true,
      encrypt_password: 'pw',
    };
    const fields = { url: `${base}/dir/page`, render_options: JSON.stringify(options) };
    expect(await post(fields, at('a.pdf'))).toMatchObject({ status: 200 });
    expect(() => run('pdfinfo', at('a.pdf'))).toThrow('Incorrect password');
    const info = run('pdfinfo', '-upw', 'pw', at('a.pdf'));
    expect(info).toMatch(/Pages: +2\n/);
    expect(info).toMatch(/Page size: +59[45].* x 4(19|20)/);
    const [first = ''] = pageTexts(at('a.pdf'), 'pw');
    expect(first).toContain('second');
    expect(first).not.toMatch(/A page of the web|\d ?\/ ?\d/);
    expect(first).toMatch(/\d+\. \p{L}+ \d{4}/u);
  });

  it.each([
    ['/file', 'url_unreachable', 'no web page'],
    ['/gone', 'url_unreachable', '410'],
  ])('reports why it cannot print %s', async (path, code, words) => {
    const answer = await post({ url: `${base}${path}` }, '');
    expect(answer).toMatchObject({ code, detail: expect.stringContaining(words) as string });
    expect([422, 502]).toContain(answer.status);
  });

  it('names the fault of an option', async () => {
    const fields = { url: `${base}/dir/page`, render_options: '{"page_range":"7"}' };
    expect(await post(fields, '')).toMatchObject({ status: 422, code: 'page_range_outside_document' });
    expect(await post({ url: '' }, '')).toMatchObject({ status: 422 });
  });
});
