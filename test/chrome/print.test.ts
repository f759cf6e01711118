import { readFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Environment } from '@platen/jinja';
import type { HtmlPrinter } from '../../packages/print/src/print.ts';
import { finishPdf } from '../../packages/pdf/src/finish.ts';
import { INVOICE_TEMPLATE, invoiceData } from '../support/invoice.ts';
import { document, printOnce, startEngine } from './engine.ts';
import { pdfCheck, pdfFonts, pdfInfo, pdfPicture, pdfRaster, pdfStructure, pdfText } from './pdf.ts';

let printer: HtmlPrinter;
let stop: () => Promise<void>;

beforeAll(async () => {
  ({ printer, stop } = await startEngine());
});
afterAll(() => stop());

describe('a printed document', () => {
  it('has the text of the html and is a sound PDF', async () => {
    const pdf = await printOnce(printer, '<h1>Rechnung Nr. 7</h1><p>Grüße');
    pdfCheck(pdf);
    expect(pdfText(pdf)).toContain('Rechnung Nr. 7');
    expect(pdfText(pdf)).toContain('Grüße');
  });

  it('has turned pages of the exact size (CSS Paged Media 3, 7.2)', async () => {
    const html = `<style>@page{size:100.3mm 150.3mm;margin:1cm}@page w{page-orientation:rotate-left}.w{page:w}</style><p>x<p class="w">y`;
    const sizes = Buffer.from(await printOnce(printer, html))
      .toString('latin1')
      .matchAll(/MediaBox \[0 0 ([\d.]+) ([\d.]+)/g);
    const [across, down] = [100.3, 150.3].map((millimetres) => (millimetres / 25.4) * 72);
    expect(Array.from(sizes, ([, width, height]) => [Number(width), Number(height)])).toEqual([
      [expect.closeTo(across ?? 0, 1), expect.closeTo(down ?? 0, 1)],
      [expect.closeTo(down ?? 0, 1), expect.closeTo(across ?? 0, 1)],
    ]);
  });

  it('of XHTML has all rules of its style sheets, and its scripts run (XML 1.0, 2.7)', async () => {
    const html = `<?xml version="1.0"?><!DOCTYPE html><html xmlns="http://www.w3.org/1999/xhtml"><head><style type="text/css">
      <![CDATA[ .a::after{content:"first "} .b::after{content:"second "} ]]></style></head><body><i class="a"></i><i class="b"></i><i id="s"></i>
      <script><![CDATA[ document.getElementById("s").textContent = "third" ]]></script></body></html>`;
    expect(pdfText(await printOnce(printer, html)).match(/\w+/g)).toEqual(['first', 'second', 'third']);
  });

  it('of XHTML has the style sheets that it names before its root (xml-stylesheet, 4)', async () => {
    const sheet = (pseudo: string, more = ''): string =>
      `<?xml-stylesheet href="data:text/css,p::${pseudo}{content:'${pseudo} '}" type="text/css"${more}?>\n`;
    const html = `<?xml version="1.0"?>${sheet('before')}${sheet('after', ' alternate="yes"')}<!DOCTYPE html>
      <html xmlns="http://www.w3.org/1999/xhtml"><head><title>T</title></head><body><p>text</p></body></html>`;
    expect(pdfText(await printOnce(printer, html)).trim()).toBe('before text');
  });

  it('keeps all its links: relative ones, those within the document, and those to other sites', async () => {
    const html =
      '<p><a href="sub/page.html?a=(1)#x">one</a> <a href="#t">two</a> <a href="https://e.example/q">three</a><h1 id=t>T';
    const pdf = await printOnce(printer, html);
    const text = Buffer.from(pdf).toString('latin1');
    expect(text).not.toContain('platen.invalid');
    expect(text).toMatch(/\/URI \(sub\/page\.html\?a=(?:\\\()?/);
    expect(text).toContain('/URI (https://e.example/q)');
    pdfCheck(pdf);
  });

  it('has no link that runs something or opens a file of its reader', async () => {
    const addresses = [
      'javascript:alert(1)',
      ' Java&#9;Script:alert(")")',
      'vbscript:x',
      'data:text/html,x',
      'file:///etc/x',
    ];
    const links = addresses.map((address, n) => `<a href='${address}'>${n}</a> `).join('');
    const pdf = await printOnce(printer, `<p>${links}<a href="mailto:a@b.example">mail</a>`);
    const written = Buffer.from(pdf)
      .toString('latin1')
      .match(/\/URI \(.*?\)/g);
    expect(written).toEqual([
      '/URI ()',
      '/URI ()',
      '/URI ()',
      '/URI ()',
      '/URI ()',
      '/URI (mailto:a@b.example)',
    ]);
    pdfCheck(pdf);
  });

  it('takes its title from the document, else the one given (I-20)', async () => {
    expect(pdfInfo(await printOnce(printer, document('<title>Own</title>', 'Given'))).title).toBe('Own');
    expect(pdfInfo(await printOnce(printer, document('<p>none', 'Gegeben "ü"'))).title).toBe('Gegeben "ü"');
  });

  it('is tagged or not, by option', async () => {
    expect(pdfInfo(await printOnce(printer, '<h1>x', { tagged: true })).tagged).toBe(true);
    expect(pdfInfo(await printOnce(printer, '<h1>x', { tagged: false })).tagged).toBe(false);
  });

  it('is compact: the invoice in 28 KB, with every pixel, text and tag (decision record 0028)', async () => {
    const html = new Environment().compile(INVOICE_TEMPLATE, 'template').render(invoiceData());
    const printed = await printOnce(printer, html, { tagged: true });
    const finished = await finishPdf(
      printed,
      { steps: [], fonts: null, compress: false, encryptPassword: null, claims: null },
      {
        scratch: () => Promise.reject(new Error('no file is needed')),
        violated: () => undefined,
        noted: () => undefined,
        signal: new AbortController().signal,
      },
    );
    expect(finished.length).toBeLessThanOrEqual(28 * 1024);
    pdfCheck(finished);
    expect(pdfStructure(finished)).toBe(pdfStructure(printed));
    expect(pdfStructure(finished)).toContain('Article 60');
    expect(pdfText(finished)).toBe(pdfText(printed));
    for (const page of [1, 2]) expect(pdfPicture(finished, page)).toEqual(pdfPicture(printed, page));
  });

  it('shows the resources of the document by their address, also below a base address', async () => {
    const red = Buffer.from(
      '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><rect width="9" height="9" fill="#f00"/></svg>',
    );
    const resources = new Map([['img/lögo 1.svg', { contentType: 'image/svg+xml', bytes: red }]]);
    const html = `<base href="https://elsewhere.example/"><img src="${printer.resourceUrl('img/lögo 1.svg')}" width="200" height="200">`;
    const page = await pdfRaster(await printOnce(printer, { ...document(html), resources }));
    expect(page.box(([r, g, b]) => r > 200 && g < 50 && b < 50)).not.toBeNull();
  });

  it('uses the fonts of the product alone', async () => {
    const pdf = await printOnce(
      printer,
      '<p style="font-family:Arial">a<p style="font-family:Times New Roman">b<p style="font-family:Courier New">c',
    );
    const names = pdfFonts(pdf).map(({ name }) => name.replace(/^[A-Z]{6}\+/, ''));
    expect(names.sort()).toEqual(['Arimo-Regular', 'Cousine-Regular', 'Tinos-Regular']);
  });

  it('shows text that scripts add in a frame, when an element is measured or visible, and fonts of the document', async () => {
    const font = readFileSync(
      path.join(import.meta.dirname, '../../layers/fonts/dist/fonts/files/Caladea_400Regular.ttf'),
    );
    const html = `<style>@font-face{font-family:Own;src:url(data:font/ttf;base64,${font.toString('base64')})}p{font-family:Own}</style>
      <p id="p">static<script>
      // Delays the event that printing waits for, as a chart's image would.
      const frame = (done) => requestAnimationFrame(done);
      const add = (text) => { const line = document.createElement('p'); line.textContent = text; document.body.append(line); };
      const image = new Image();
      image.src = 'data:image/gif;base64,R0lGODlhAQABAAAAACw=';
      frame(() => add('drawn in a frame'));
      new ResizeObserver(() => add('was measured')).observe(p);
      new IntersectionObserver(() => add('was seen')).observe(p);
      </script>`;
    const pdf = await printOnce(printer, html);
    const text = pdfText(pdf);
    for (const line of ['static', 'drawn in a frame', 'was measured', 'was seen'])
      expect(text).toContain(line);
    expect(pdfFonts(pdf).map(({ name }) => name)).toContainEqual(expect.stringContaining('Caladea'));
  });
});
