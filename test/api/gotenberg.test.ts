import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import {
  Chromiumly,
  HtmlConverter,
  LibreOffice,
  MarkdownConverter,
  PDFEngines,
  UrlConverter,
} from 'chromiumly';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { olderReader } from '../../bin/older-documents.ts';
import { createGotenberg, listen, type Listening } from '../../packages/gotenberg/src/index.ts';
import { odfWith } from '../convert/documents.ts';
import { fieldsByPikepdf } from '../pdf/form-material.ts';
import { asFile, checkPdf, pdfInfo, pdfText, pixel, zipEntries, zipEntry } from './client.ts';

/** Gotenberg's routes (I-58), by the calls of one of its clients, which is not changed. */

const { url, token } = inject('service');
const folder = mkdtempSync(path.join(tmpdir(), 'platen-gotenberg-'));
const faults: unknown[] = [];
const older = olderReader({});
let listening: Listening;

function file(name: string, content: string | Buffer): string {
  const place = path.join(folder, name);
  writeFileSync(place, content);
  return place;
}

beforeAll(async () => {
  const answer = createGotenberg({ url, token: null, readOlder: older.read });
  listening = await listen(answer, { port: 0, host: '127.0.0.1', fault: (error) => faults.push(error) });
  Chromiumly.configure({ endpoint: listening.url, username: 'anybody', password: token });
});
afterAll(async () => {
  await Promise.all([listening.stop(), older.close()]);
  rmSync(folder, { recursive: true });
  expect(faults).toEqual([]);
});

let one: Buffer;
let three: Buffer;

describe('html and markdown', () => {
  it('become PDFs, with the files beside them, on the paper asked for', async () => {
    const svg =
      '<svg xmlns="http://www.w3.org/2000/svg" width="40" height="40"><rect width="40" height="40" fill="#00f"/></svg>';
    const html = file(
      'index.html',
      '<!doctype html><link rel="stylesheet" href="style.css"><h1>Report {{ one }}</h1><img src="./logo.svg">',
    );
    one = await new HtmlConverter().convert({
      html,
      header: file('header.html', '<p style="font-size: 20px">The head</p>'),
      assets: [
        {
          file: file('style.css', 'body { margin: 0 } h1 { color: red; margin: 0 } img { display: block }'),
          name: 'style.css',
        },
        { file: file('logo.svg', svg), name: 'logo.svg' },
      ],
      properties: {
        size: { width: '148mm', height: '210mm' },
        margins: { top: 2, left: 1 },
        printBackground: true,
      },
    });
    checkPdf(one);
    // What looks like a placeholder is the document's own.
    expect(pdfText(one)).toMatch(/The head[^]*Report \{\{ one \}\}/);
    expect(pdfInfo(one)['Page size']).toMatch(/^419\.\d+ x 595/);
    expect(pixel(one, 2.7, 2 * 2.54 + 1.7)).toEqual([0, 0, 255]);
  });

  it('become one where the markdown is asked for', async () => {
    const html = '<!doctype html><title>M</title><body>{{ toHTML "a.md" }}<hr>{{ toHTML "b.md" }}</body>';
    const pdf = await new MarkdownConverter().convert({
      html: file('index.html', html),
      markdown: [
        {
          file: file(
            'a.md',
            '# One\n\n| x | y |\n|---|---|\n| 1 | 2 |\n\n<script>document.title = 1</script>',
          ),
          name: 'a.md',
        },
        { file: file('b.md', '**Two**'), name: 'b.md' },
      ],
      properties: { nativePageRanges: { from: 1, to: 1 } },
    });
    expect(pdfText(pdf)).toMatch(/One[^]*x *y[^]*1 *2[^]*Two/);
    expect(pdfInfo(pdf)).toMatchObject({ Title: 'M', 'Page size': '612 x 792 pts (letter)' });
  });

  it('are refused with the statuses and texts of Gotenberg', async () => {
    const converter = new HtmlConverter();
    const outside = { html: file('index.html', '<p>x'), properties: { nativePageRanges: '9' } };
    await expect(converter.convert(outside)).rejects.toThrow(/400/);
    await expect(new UrlConverter().convert({ url: 'http://127.0.0.1/' })).rejects.toThrow(/403/);
  });
});

describe('documents and images', () => {
  it('become PDFs, several a ZIP or one', async () => {
    const files = [
      file('b.html', '<p>Page B'),
      file('a.svg', '<svg xmlns="http://www.w3.org/2000/svg" width="50" height="50"/>'),
    ];
    const zip = await LibreOffice.convert({ files });
    expect(zipEntries(zip)).toEqual(['file01.html.pdf', 'file02.svg.pdf']);
    const merged = await LibreOffice.convert({ files, merge: true });
    expect(pdfInfo(merged)['Pages']).toBe('2');
    expect(pdfText(merged).trimStart()).toMatch(/Page B/);
  });

  it('in older formats become PDFs, and are refused if they are damaged or no engine reads them', async () => {
    const rich = file('x.rtf', '{\\rtf1\\ansi {\\b Bold} and \\u228?\\par}');
    expect(pdfText(await LibreOffice.convert({ files: [rich] }))).toContain('Bold and ä');
    const flat =
      '<office:document xmlns:office="urn:oasis:names:tc:opendocument:xmlns:office:1.0" xmlns:text="urn:oasis:names:tc:opendocument:xmlns:text:1.0" office:mimetype="application/vnd.oasis.opendocument.text"><office:body><office:text><text:p>In one file</text:p></office:text></office:body></office:document>';
    expect(pdfText(await LibreOffice.convert({ files: [file('x.fodt', flat)] }))).toContain('In one file');
    await expect(LibreOffice.convert({ files: [file('x.fods', 'plain')] })).rejects.toThrow(/400/);
    const open = { files: [file('x.docx', 'PK')], properties: { password: 'x' } };
    await expect(LibreOffice.convert(open)).rejects.toThrow(/400/);
    await expect(LibreOffice.convert({ files: [file('x.doc', '{\\rtf1 x}')] })).rejects.toThrow(/400/);
    const form = new FormData();
    form.append('files', new File(['{\\rtf1 x}'], 'x.rtf'));
    const request = new Request('http://localhost/forms/libreoffice/convert', { method: 'POST', body: form });
    const refused = await createGotenberg({ url, token })(request);
    expect([refused.status, await refused.text()]).toEqual([400, expect.stringContaining('x.rtf')]);
  });

  it('keep the fields of a form unless exportFormFields is false', async () => {
    const forms =
      '<office:forms xmlns:form="urn:oasis:names:tc:opendocument:xmlns:form:1.0"><form:form form:name="Form">' +
      '<form:text form:name="city" form:id="c0" form:current-value="Rome"/></form:form></office:forms>' +
      '<text:p><draw:control text:anchor-type="as-char" svg:width="5cm" svg:height="1cm" draw:control="c0"/></text:p>';
    const document = new Uint8Array(await odfWith('odt', forms, ''));
    const convert = async (fields: Record<string, string>): Promise<Buffer> => {
      const form = new FormData();
      form.append('files', new File([document], 'form.odt'));
      for (const [name, value] of Object.entries(fields)) form.append(name, value);
      const request = new Request('http://localhost/forms/libreoffice/convert', {
        method: 'POST',
        body: form,
      });
      const response = await createGotenberg({ url, token })(request);
      expect(response.status).toBe(200);
      return Buffer.from(await response.arrayBuffer());
    };
    const [kept, drawn] = [await convert({}), await convert({ exportFormFields: 'false' })];
    expect(asFile(kept, (file) => fieldsByPikepdf(file))).toMatchObject({ city: { value: 'Rome' } });
    expect(asFile(drawn, (file) => fieldsByPikepdf(file))).toEqual({});
    for (const pdf of [kept, drawn]) expect(pdfText(pdf)).toContain('Rome');
  });

  it('from plain text contain only its lines', async () => {
    const pdf = await LibreOffice.convert({ files: [file('x.txt', 'a <b> & {{ c }}\n\tÄ')] });
    expect(pdfText(pdf).trim()).toMatch(/^a <b> & \{\{ c \}\}\n +Ä$/);
  });
});

describe('PDF engines', () => {
  it('merge by the names of the files, and write metadata, bookmarks and passwords', async () => {
    const other = await LibreOffice.convert({ files: [file('o.html', '<p>Other')] });
    const files = [file('10.pdf', other), file('9.pdf', one)];
    three = await PDFEngines.merge({
      files: [...files, file('11.pdf', other)],
      metadata: { Title: 'All', Author: 'Ada' },
    });
    checkPdf(three);
    expect(pdfText(three)).toMatch(/Report[^]*Other[^]*Other/);
    const pdfs = [file('three.pdf', three)];
    const read = JSON.parse((await PDFEngines.readMetadata({ files: pdfs })).toString()) as object;
    expect(read).toMatchObject({ 'three.pdf': { Title: 'All', Author: 'Ada', PageCount: 3 } });
    const bookmarks = [{ title: 'First', page: 1, children: [{ title: 'Inside', page: 2, children: [] }] }];
    const marked = file('marked.pdf', await PDFEngines.writeBookmarks({ files: pdfs, bookmarks }));
    expect(JSON.parse((await PDFEngines.readBookmarks([marked])).toString())).toEqual({
      'marked.pdf': bookmarks,
    });
    const locked = await PDFEngines.encrypt({
      files: pdfs,
      options: { userPassword: 'open', ownerPassword: 'all' },
    });
    expect(() => pdfInfo(locked)).toThrow(/password/i);
    expect(pdfInfo(locked, '-upw', 'open')['Pages']).toBe('3');
  });

  it('split, rotate, flatten, watermark, stamp and embed', async () => {
    const files = [file('three.pdf', three)];
    const zip = await PDFEngines.split({ files, options: { mode: 'intervals', span: '2' } });
    const entries = zipEntries(zip);
    expect(entries).toEqual(['three_0.pdf', 'three_1.pdf']);
    expect(pdfInfo(zipEntry(zip, entries[0] ?? ''))['Pages']).toBe('2');
    const united = await PDFEngines.split({ files, options: { mode: 'pages', span: '1, 3', unify: true } });
    expect(pdfInfo(united)['Pages']).toBe('2');
    const turned = await PDFEngines.rotate({ files, angle: 90 });
    expect(pdfInfo(turned)['Page rot']).toBe('90');
    expect(pdfInfo(await PDFEngines.flatten(files))['Pages']).toBe('3');
    const watermark = {
      source: 'text',
      expression: 'DRAFT',
      pages: '1',
      options: { opacity: 0.5, points: 40 },
    } as const;
    expect(pdfText(await PDFEngines.watermark({ files, watermark }))).toContain('DRAFT');
    const stamp = { source: 'pdf', expression: 'one.pdf', file: file('one.pdf', one) } as const;
    expect(pdfText(await PDFEngines.stamp({ files, stamp })).match(/Report/g)).toHaveLength(3);
    const embedded = await PDFEngines.embed({ files, embeds: [file('data.xml', '<a/>')] });
    expect(embedded.toString('latin1')).toContain('EmbeddedFile');
    const archived = await PDFEngines.convert({ files: [file('one.pdf', one)], pdfa: 'PDF/A-2b' as never });
    expect(archived.toString('latin1')).toContain('<pdfaid:part>2</pdfaid:part>');
  });
});

describe('by their addresses and fields alone', () => {
  const send = async (
    route: string,
    files: Record<string, string | Buffer>,
    fields: Record<string, string> = {},
  ) => {
    const body = new FormData();
    for (const [name, content] of Object.entries(files))
      body.append('files', new Blob([new Uint8Array(Buffer.from(content))]), name);
    for (const [name, value] of Object.entries(fields)) body.append(name, value);
    const headers = { authorization: token };
    const response = await fetch(`${listening.url}/forms/${route}`, { method: 'POST', headers, body });
    return { response, bytes: Buffer.from(await response.arrayBuffer()) };
  };

  it('pictures show an element, at a scale, after window.status has the expected value', async () => {
    const html =
      '<body><div style="width: 30px; height: 20px; background: #f00"></div><script>setTimeout(() => { window.status = "ready"; document.querySelector("div").style.height = "40px" }, 300)</script>';
    const { response, bytes } = await send(
      'chromium/screenshot/html',
      { 'index.html': html },
      { selector: 'div', deviceScaleFactor: '2', waitWindowStatus: 'ready', optimizeForSpeed: 'true' },
    );
    expect([response.status, response.headers.get('warning')]).toEqual([200, null]);
    expect([bytes.readUInt32BE(16), bytes.readUInt32BE(20)]).toEqual([60, 80]);
  });

  it('outlines are given file by file, and a title above each of those that are merged', async () => {
    const inside = [{ title: 'One', page: 1, children: [] }];
    const files = { '1.pdf': three, '2.pdf': three };
    const bookmarks = JSON.stringify({ '2.pdf': inside });
    const titled = await send('pdfengines/merge', files, { bookmarks, titleBookmarks: 'true' });
    expect(titled.response.headers.get('warning')).toBeNull();
    const read = await send('pdfengines/bookmarks/read', { 'both.pdf': titled.bytes });
    expect(JSON.parse(read.bytes.toString())).toEqual({
      'both.pdf': [
        { title: 'All', page: 1, children: [] },
        { title: 'All', page: 4, children: [{ ...inside[0], page: 4 }] },
      ],
    });
    const written = await send('pdfengines/bookmarks/write', files, { bookmarks });
    const second = await send('pdfengines/bookmarks/read', { '2.pdf': zipEntry(written.bytes, '2.pdf') });
    expect(JSON.parse(second.bytes.toString())).toEqual({ '2.pdf': inside });
    const other = await send('pdfengines/merge', files, { bookmarks: JSON.stringify({ 'x.pdf': inside }) });
    expect([other.response.status, other.bytes.toString()]).toEqual([400, expect.stringContaining('x.pdf')]);
  });

  it('stamps are given several times, side by side', async () => {
    const body = new FormData();
    body.append('files', new Blob([new Uint8Array(three)]), 'three.pdf');
    for (const [expression, pages] of [
      ['FIRST', '1'],
      ['SECOND', '2'],
    ] as const) {
      body.append('stampSource', 'text');
      body.append('stampExpression', expression);
      body.append('stampPages', pages);
    }
    const headers = { authorization: token };
    const init = { method: 'POST', headers, body };
    const response = await fetch(`${listening.url}/forms/pdfengines/stamp`, init);
    const stamped = pdfText(Buffer.from(await response.arrayBuffer()));
    expect([stamped.match(/FIRST/g), stamped.match(/SECOND/g)]).toEqual([['FIRST'], ['SECOND']]);
  });

  it('images of PDFs are made smaller, and invoices have their route', async () => {
    const { response, bytes } = await send(
      'pdfengines/optimize',
      { 'three.pdf': three },
      { imageQuality: '50' },
    );
    expect(response.headers.get('warning')).toBeNull();
    checkPdf(bytes);
    expect(pdfText(bytes)).toMatch(/Report[^]*Other/);
    const wrong = await send('pdfengines/optimize', { 'three.pdf': three }, { imageQuality: '0' });
    expect([wrong.response.status, wrong.bytes.toString()]).toEqual([
      400,
      expect.stringContaining('imageQuality'),
    ]);
    const invoice = await send('pdfengines/factur-x', { 'three.pdf': three });
    expect([invoice.response.status, invoice.bytes.toString()]).toEqual([
      400,
      expect.stringContaining('facturxXml'),
    ]);
  });
});

describe('every answer', () => {
  const post = (headers: Record<string, string>, body: FormData) =>
    fetch(`${listening.url}/forms/chromium/convert/html`, { method: 'POST', headers, body });
  const form = (more: Record<string, string> = {}) => {
    const data = new FormData();
    data.append('files', new Blob(['<p>x']), 'index.html');
    for (const [name, value] of Object.entries(more)) data.append(name, value);
    return data;
  };

  it('has the requested name and trace, and names the ignored fields', async () => {
    const headers = { authorization: token, 'gotenberg-output-filename': 'Büro', 'gotenberg-trace': 't-1' };
    const response = await post(headers, form({ nativePdfFormats: 'true' }));
    expect(response.status).toBe(200);
    expect(response.headers.get('gotenberg-trace')).toBe('t-1');
    expect(response.headers.get('content-disposition')).toContain("filename*=UTF-8''B%C3%BCro.pdf");
    expect(response.headers.get('warning')).toContain('nativePdfFormats is ignored');
    await response.arrayBuffer();
  });

  it('is 401 without a token, 403 for addresses that are not public, and 404 for unknown routes', async () => {
    expect((await post({}, form())).status).toBe(401);
    const hook = {
      authorization: token,
      'gotenberg-webhook-url': 'http://127.0.0.1/',
      'gotenberg-webhook-events-url': 'http://127.0.0.1/',
    };
    expect((await post(hook, form())).status).toBe(403);
    const downloadFrom = '[{"url": "http://127.0.0.1/"}]';
    expect((await post({ authorization: token }, form({ downloadFrom }))).status).toBe(403);
    expect((await fetch(`${listening.url}/forms/nothing`, { method: 'POST' })).status).toBe(404);
    expect(await (await fetch(`${listening.url}/health`)).json()).toMatchObject({ status: 'up' });
    const pages = ['version', '', 'favicon.ico'].map(async (page) => {
      const open = await fetch(`${listening.url}/${page}`);
      const known = await fetch(`${listening.url}/${page}`, { headers: { authorization: token } });
      return [open.status, known.status, known.headers.get('content-type'), (await known.text()).slice(0, 6)];
    });
    expect(await Promise.all(pages)).toEqual([
      [401, 200, 'text/plain; charset=UTF-8', expect.stringMatching(/^8\./)],
      [401, 200, 'text/html; charset=UTF-8', 'Platen'],
      [401, 204, null, ''],
    ]);
  });

  it('needs a token if a browser sends the request for another page, even if programs need none', async () => {
    const open = await listen(createGotenberg({ url, token }), {
      port: 0,
      host: '127.0.0.1',
      fault: () => undefined,
    });
    const status = async (headers: Record<string, string>) =>
      (await fetch(`${open.url}/forms/pdfengines/merge`, { method: 'POST', headers, body: form() })).status;
    expect(await status({})).toBe(400);
    expect(await status({ origin: 'https://example.org' })).toBe(401);
    expect(await status({ 'sec-fetch-site': 'cross-site' })).toBe(401);
    await open.stop();
  });
});
