import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import {
  createGotenberg,
  type GotenbergOptions,
  listen,
  type Listening,
} from '../../packages/gotenberg/src/index.ts';
import { documented, xmlOf } from '../../packages/factur-x/test/invoices.ts';
import { pdfInfo, pdfText, zipEntries } from './client.ts';

/** Names, ranges, statuses and metadata of Gotenberg's routes, which programs that use Gotenberg rely on (I-58). */

const { url, token } = inject('service');
const others: Listening[] = [];
let plain: string;

async function listenWith(options: Partial<GotenbergOptions>): Promise<string> {
  const fault = (error: unknown): void => {
    throw error;
  };
  const listening = await listen(createGotenberg({ url, token, ...options }), {
    port: 0,
    host: '127.0.0.1',
    fault,
  });
  others.push(listening);
  return listening.url;
}

beforeAll(async () => {
  plain = await listenWith({});
});
afterAll(async () => {
  await Promise.all(others.map((listening) => listening.stop()));
});

type Files = Record<string, string | Buffer>;

async function post(
  route: string,
  files: Files,
  fields: Record<string, string> = {},
  { outputName, at = `${plain}/` }: { outputName?: string; at?: string } = {},
) {
  const body = new FormData();
  for (const [name, content] of Object.entries(files))
    body.append('files', new Blob([new Uint8Array(Buffer.from(content))]), name);
  for (const [name, value] of Object.entries(fields)) body.append(name, value);
  const headers = outputName === undefined ? {} : { 'gotenberg-output-filename': outputName };
  const response = await fetch(`${at}forms/${route}`, { method: 'POST', headers, body });
  const bytes = Buffer.from(await response.arrayBuffer());
  const disposition = response.headers.get('content-disposition') ?? '';
  const warning = response.headers.get('warning') ?? '';
  return { status: response.status, bytes, disposition, warning, text: bytes.toString('latin1') };
}

const page = (html: string): Files => ({ 'index.html': html });
const THREE = page(
  '<h1>One</h1><h1 style="break-before:page">Two</h1><h1 style="break-before:page">Three</h1>',
);
const made = async (files: Files): Promise<Buffer> => (await post('chromium/convert/html', files)).bytes;

describe('the name that the caller gives', () => {
  it.each([
    ['..\\..\\Windows\\System32\\foo', 'foo.pdf'],
    ['/tmp/foo', 'foo.pdf'],
    ['foo.pdf', 'foo.pdf'],
    ['report.v1', 'report.v1.pdf'],
  ])('is the last segment, with its ending once: %s', async (outputName, expected) => {
    const { disposition } = await post('chromium/convert/html', page('<p>x'), {}, { outputName });
    expect(disposition).toContain(`filename="${expected}"`);
  });

  it('is that of the parts of a page, and not of the parts of files', async () => {
    const fields = { splitMode: 'intervals', splitSpan: '2' };
    const pages = await post('chromium/convert/html', THREE, fields, { outputName: 'foo' });
    expect(pages.disposition).toContain('filename="foo.zip"');
    expect(zipEntries(pages.bytes)).toEqual(['foo_0.pdf', 'foo_1.pdf']);
    const three = { 'three.pdf': await made(THREE) };
    const parts = await post('pdfengines/split', three, fields, { outputName: 'foo' });
    expect(zipEntries(parts.bytes)).toEqual(['three_0.pdf', 'three_1.pdf']);
    const office = await post('libreoffice/convert', { 'a.txt': 'x' }, { ...fields, splitSpan: '1' });
    expect(office.disposition).toContain('filename="a.txt_0.pdf"');
  });
});

describe('page ranges', () => {
  it.each(['2-', '2-z', '2 - end', '2-l'])(
    'may be open, in the words of each engine: %s',
    async (splitSpan) => {
      const three = { 'three.pdf': await made(THREE) };
      const parts = await post('pdfengines/split', three, { splitMode: 'pages', splitSpan });
      expect(zipEntries(parts.bytes)).toEqual(['three_0.pdf', 'three_1.pdf']);
      const one = await post('pdfengines/split', three, {
        splitMode: 'pages',
        splitSpan,
        splitUnify: 'true',
      });
      expect(pdfText(one.bytes).match(/One|Two|Three/g)).toEqual(['Two', 'Three']);
    },
  );

  it('that name no page are refused', async () => {
    const three = { 'three.pdf': await made(THREE) };
    for (const splitSpan of ['9', '-', 'x'])
      expect((await post('pdfengines/split', three, { splitMode: 'pages', splitSpan })).status).toBe(400);
  });
});

describe('statuses', () => {
  it.each([
    ['failOnConsoleExceptions', 'true', '<script>throw new Error("no")</script>', 409],
    ['failOnResourceLoadingFailed', 'true', '<img src="http://127.0.0.1/a.png">', 409],
    ['waitForExpression', 'undefined', '<p>', 400],
    ['omitBackground', 'true', '<p>', 400],
  ])('%s=%s', async (field, value, html, status) => {
    expect((await post('chromium/convert/html', page(html), { [field]: value })).status).toBe(status);
  });

  it.each([
    ['http://127.0.0.1/', 403],
    ['file:///etc/passwd', 400],
  ])('of an address that may not be loaded: %s', async (address, status) => {
    for (const route of ['convert', 'screenshot'])
      expect((await post(`chromium/${route}/url`, {}, { url: address })).status).toBe(status);
  });
});

describe('metadata', () => {
  it('has the names and forms of ExifTool, for any key', async () => {
    const metadata = {
      Title: '2024',
      'PDF:Author': 'A',
      Copyright: 'C',
      CreateDate: '2006:09:18 16:27:50-04:00',
      ModDate: '2006-09-18T16:27:50-04:00',
      Keywords: ['first', 'second'],
      Marked: true,
      Trapped: 'Unknown',
      PDFVersion: 1.3,
      'System:FileName': 'x.pdf',
    };
    const one = { 'one.pdf': await made(page('<p>x')) };
    const written = await post('pdfengines/metadata/write', one, { metadata: JSON.stringify(metadata) });
    expect(written.warning).toMatch(/PDFVersion is ignored.*System:FileName is ignored/);
    const read = await post('pdfengines/metadata/read', { 'one.pdf': written.bytes });
    expect(JSON.parse(read.text)).toEqual({
      'one.pdf': expect.objectContaining({
        Title: '2024',
        Author: 'A',
        Copyright: 'C',
        CreateDate: '2006:09:18 16:27:50-04:00',
        ModDate: '2006:09:18 16:27:50-04:00',
        Keywords: ['first', 'second'],
        Marked: true,
        Trapped: 'Unknown',
        PageCount: 1,
        PDFVersion: expect.not.closeTo(1.3),
      }) as unknown,
    });
  });

  it.each(['{"Title":"a\\n-FileName=x"}', '{"Title":{}}', '[]'])('is refused: %s', async (metadata) => {
    const one = { 'one.pdf': await made(page('<p>x')) };
    expect((await post('pdfengines/metadata/write', one, { metadata })).status).toBe(400);
  });
});

describe('what is made of finished PDFs', () => {
  it('includes invoices, on every route, before a password', async () => {
    const body = new FormData();
    body.append('files', new Blob(['<html lang="en"><title>Invoice</title><p>Invoice']), 'index.html');
    body.append('facturxXml', new Blob([xmlOf(documented(), 'basic')]), 'any.xml');
    body.append('facturxConformanceLevel', 'BASIC');
    const response = await fetch(`${plain}/forms/chromium/convert/html`, { method: 'POST', body });
    expect([response.status, response.headers.get('warning')]).toEqual([200, null]);
    const pdf = Buffer.from(await response.arrayBuffer());
    expect(pdfInfo(pdf)).toMatchObject({ Pages: '1' });
    expect(pdf.toString('latin1')).toContain('<fx:ConformanceLevel>BASIC</fx:ConformanceLevel>');
    const level = { facturxConformanceLevel: 'BASIC' };
    expect((await post('chromium/convert/html', page('<p>x'), level)).status).toBe(400);
  });

  it('includes the watermarks of LibreOffice', async () => {
    const fields = { nativeWatermarkText: 'DRAFT', nativeWatermarkColor: '16711680' };
    const { bytes, warning } = await post('libreoffice/convert', { 'a.txt': 'text' }, fields);
    expect([pdfText(bytes).replace(/\s/g, ''), warning]).toEqual(['textDRAFT', '']);
    const wrong = { ...fields, nativeWatermarkColor: '-1' };
    expect((await post('libreoffice/convert', { 'a.txt': 'text' }, wrong)).status).toBe(400);
  });
});

describe('settings', () => {
  it('put all routes below a path', async () => {
    const at = `${await listenWith({ rootPath: '/docs/' })}/`;
    expect((await post('chromium/convert/html', page('<p>x'), {}, { at: `${at}docs/` })).status).toBe(200);
    expect((await post('chromium/convert/html', page('<p>x'), {}, { at })).status).toBe(404);
    expect((await fetch(`${at}docs/health`)).status).toBe(200);
    expect((await fetch(`${at}health`)).status).toBe(404);
  });

  it('switch groups of routes and scripts off', async () => {
    const at = `${await listenWith({ disabled: ['pdfengines', 'javascript'] })}/`;
    expect((await post('pdfengines/flatten', {}, {}, { at })).status).toBe(404);
    const html = page('<p>plain<script>document.body.append("scripted")</script>');
    expect(pdfText((await post('chromium/convert/html', html, {}, { at })).bytes).trim()).toBe('plain');
    expect(pdfText(await made(html))).toContain('scripted');
  });
});
