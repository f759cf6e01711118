import { expect, it } from 'vitest';
import { plainPdf, structureText } from '../conformance/look.ts';
import { checkPdf, expectStatus, renderNow } from './client.ts';

/** The texts of a document's tags, in order, as poppler reads them. */
async function tagsOf(body: string, options: object = {}): Promise<string> {
  const html = `<!doctype html><html lang="en"><title>A</title><body>${body}`;
  const { bytes } = expectStatus(
    await renderNow(html, { options: { display_header_footer: false, ...options } }),
    200,
  );
  checkPdf(bytes);
  if ('conformance' in options) expect(plainPdf(bytes)).toContain('pdfuaid');
  return Array.from(structureText(bytes).matchAll(/"(.*)"/g), ([, text]) => text?.trim()).join('|');
}

it.each([
  ['text-shadow:1px 1px 0 #999', 'a sharp shadow'],
  ['text-shadow:2px 2px 4px #999', 'a blurred shadow'],
  ['text-shadow:0 0 2px #fff,0 0 4px #fff,1px 1px #000', 'three shadows'],
  ['-webkit-text-stroke:1px #900', 'a stroke'],
  ['-webkit-text-stroke:1px #900;text-shadow:1px 1px red', 'a stroke and a shadow'],
  ['paint-order:stroke;-webkit-text-stroke:3px #fc0', 'a stroke below it'],
  ['background:linear-gradient(90deg,red,blue);-webkit-background-clip:text;color:transparent', 'a clip'],
])('has text with %s once in the tags', async (style) => {
  const body = `<h1 style="${style}">Title (a\\b) 中文 <a href="https://example.com">link</a> end</h1><p>Plain</p>`;
  const tags = await tagsOf(body, { conformance: ['pdf/ua-1'] });
  expect(tags.replaceAll(/[|\s]/g, '').normalize('NFKC')).toBe('Title(a\\b)中文linkendPlain');
});

it('keeps every line of text with a shadow, also lines that repeat others', async () => {
  const body = `<p style="text-shadow:1px 1px 2px #999;width:3em">Yes Yes No No</p>
    <p style="text-shadow:1px 1px #999;columns:2;width:300px;height:1lh">Well Well</p>
    <p style="text-shadow:1px 1px #999">One<br>One</p>`;
  const tags = await tagsOf(body);
  expect(tags.split(/[|\s]+/).join(' ')).toBe('Yes Yes No No Well Well One One');
});
