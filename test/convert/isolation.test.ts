import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { SourceFormat } from '../../functions/shared/convert/protocol.ts';
import { docx, LINKED_PICTURE, ods, odt, xlsx } from './documents.ts';
import { pdfText, showsColour, startOffice } from './support.ts';

/** Documents that name things outside of them (I-22): nothing is loaded, and the document is printed. */

const SECRET = 'TOP-SECRET-OF-ANOTHER';
const MAGENTA = [255, 0, 255] as const;
/** 1 point of magenta. */
const PICTURE = Buffer.from(
  '89504e470d0a1a0a0000000d49484452000000010000000108020000009077' +
    '53de0000000c49444154789c63f8cff01f00040001ff0ab3d1b40000000049454e44ae426082',
  'hex',
);

const { office, close } = startOffice();
const requests: string[] = [];
let server: Server;
let http: string;
let folder: string;

beforeAll(async () => {
  server = createServer((request, response) => {
    requests.push(request.url ?? '');
    response.end(request.url?.endsWith('.png') === true ? PICTURE : `<p>${SECRET}</p>`);
  });
  server.on('connection', () => requests.push('connection'));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  http = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  folder = mkdtempSync(path.join(tmpdir(), 'platen-outside-'));
  writeFileSync(path.join(folder, 'picture.png'), PICTURE);
  writeFileSync(path.join(folder, 'text.txt'), SECRET);
  writeFileSync(path.join(folder, 'page.html'), `<p>${SECRET}</p>`);
  writeFileSync(path.join(folder, 'other.ods'), await ods(cell(SECRET)));
  writeFileSync(path.join(folder, 'other.odt'), await odt(SECRET));
});
afterAll(async () => {
  await close();
  server.close();
  rmSync(folder, { recursive: true });
});

function cell(text: string, formula = ''): string {
  const attribute = formula === '' ? '' : `table:formula="${formula}"`;
  return `<table:table-cell ${attribute} office:value-type="string" office:string-value="${text}"><text:p>${text}</text:p></table:table-cell>`;
}

const picture = (href: string): string =>
  `<text:p>still here</text:p><text:p><draw:frame text:anchor-type="as-char" svg:width="10cm" svg:height="10cm"><draw:image xlink:href="${href}" xlink:type="simple" xlink:show="embed" xlink:actuate="onLoad"/></draw:frame></text:p>`;
const section = (href: string, filter: string): string =>
  `<text:p>still here</text:p><text:section text:name="s"><text:section-source xlink:href="${href}" text:filter-name="${filter}"/><text:p>old</text:p></text:section>`;
const object = (href: string): string =>
  `<text:p>still here</text:p><text:p><draw:frame text:anchor-type="as-char" svg:width="10cm" svg:height="10cm"><draw:object xlink:href="${href}" xlink:type="simple" xlink:show="embed" xlink:actuate="onLoad"/></draw:frame></text:p>`;
const hereDocx = '<w:p><w:r><w:t>still here</w:t></w:r></w:p>';
const field = (instruction: string): string =>
  `${hereDocx}<w:p><w:r><w:fldChar w:fldCharType="begin" w:dirty="true"/></w:r><w:r><w:instrText xml:space="preserve"> ${instruction} </w:instrText></w:r>` +
  '<w:r><w:fldChar w:fldCharType="separate"/></w:r><w:r><w:t>old</w:t></w:r><w:r><w:fldChar w:fldCharType="end"/></w:r></w:p>';
const hereXlsx = '<c r="A1" t="inlineStr"><is><t>still here</t></is></c>';

/** Each with a place outside: `http://127.0.0.1:…` or `file:///…`. */
const DOCUMENTS: [string, SourceFormat, (place: string) => Promise<Buffer> | Buffer][] = [
  ['a linked picture (odt)', 'odt', (place) => odt(picture(`${place}/picture.png`))],
  ['a linked section of text (odt)', 'odt', (place) => odt(section(`${place}/text.txt`, 'Text'))],
  [
    'a linked section of html (odt)',
    'odt',
    (place) => odt(section(`${place}/page.html`, 'HTML (StarWriter)')),
  ],
  ['a linked section of a document (odt)', 'odt', (place) => odt(section(`${place}/other.odt`, 'writer8'))],
  ['a linked object (odt)', 'odt', (place) => odt(object(`${place}/other.odt`))],
  [
    'a linked picture (docx)',
    'docx',
    (place) => docx(hereDocx + LINKED_PICTURE, [['rId9', 'image', `${place}/picture.png`, true]]),
  ],
  [
    'an attached template (docx)',
    'docx',
    (place) => docx(hereDocx, [['rId9', 'attachedTemplate', `${place}/other.odt`, true]]),
  ],
  ['INCLUDEPICTURE (docx)', 'docx', (place) => docx(field(`INCLUDEPICTURE "${place}/picture.png" \\d`))],
  ['INCLUDETEXT (docx)', 'docx', (place) => docx(field(`INCLUDETEXT "${place}/text.txt"`))],
  [
    'a part in another format (docx)',
    'docx',
    (place) =>
      docx(`${hereDocx}<w:altChunk r:id="rId9"/>`, [['rId9', 'aFChunk', `${place}/page.html`, true]]),
  ],
  [
    'a formula that reads another file (ods)',
    'ods',
    (place) => ods(cell('still here') + cell('old', `of:='${place}/other.ods'#$Sheet1.A1`)),
  ],
  [
    'WEBSERVICE (ods)',
    'ods',
    (place) => ods(cell('still here') + cell('old', `of:=WEBSERVICE(&quot;${place}/text.txt&quot;)`)),
  ],
  [
    'a linked range (ods)',
    'ods',
    (place) =>
      ods(
        `${cell('still here')}<table:table-cell office:value-type="string"><table:cell-range-source table:name="Sheet1" table:last-column-spanned="1" table:last-row-spanned="1" table:filter-name="calc8" xlink:type="simple" xlink:href="${place}/other.ods"/><text:p>old</text:p></table:table-cell>`,
      ),
  ],
  [
    'WEBSERVICE (xlsx)',
    'xlsx',
    (place) => xlsx(`${hereXlsx}<c r="B1"><f>_xlfn.WEBSERVICE("${place}/text.txt")</f></c>`),
  ],
  [
    'DDE (ods)',
    'ods',
    (place) =>
      ods(
        cell('still here') +
          cell('old', `of:=DDE(&quot;soffice&quot;;&quot;${place}/other.ods&quot;;&quot;Sheet1.A1&quot;)`),
      ),
  ],
  [
    'pictures, styles, frames and scripts (html)',
    'html',
    (place) =>
      Buffer.from(
        `<html><head><link rel="stylesheet" href="${place}/style.css"><script src="${place}/x.js"></script></head><body background="${place}/picture.png">` +
          `<p>still here</p><img src="${place}/picture.png" width="300" height="300"><iframe src="${place}/page.html" width="300" height="300"></iframe>` +
          `<p style="background-image:url(${place}/picture.png)">styled</p><table background="${place}/picture.png"><tr><td>cell</table>` +
          `<style>td { background: url('${place}/picture.png') }</style><object data="${place}/page.html"></object>` +
          `<embed src="${place}/page.html"></body></html>`,
      ),
  ],
];

describe('A document loads nothing from outside:', () => {
  const convert = async (from: SourceFormat, document: Buffer): Promise<Buffer> =>
    await office.convert({ document, from, to: 'pdf', title: null, timeout: 240_000 });

  test.each(DOCUMENTS)('%s, over the network', async (_, from, make) => {
    const pdf = await convert(from, await make(http));
    expect(pdfText(pdf)).toContain('still here');
    expect(pdfText(pdf)).not.toContain(SECRET);
    expect(showsColour(pdf, MAGENTA)).toBe(false);
    expect(requests).toEqual([]);
  });

  test.each(DOCUMENTS)('%s, from the disk', async (_, from, make) => {
    const pdf = await convert(from, await make(pathToFileURL(folder).href));
    expect(pdfText(pdf)).toContain('still here');
    expect(pdfText(pdf)).not.toContain(SECRET);
    expect(showsColour(pdf, MAGENTA)).toBe(false);
  });

  test('a picture within the document is shown', async () => {
    const inside = `data:image/png;base64,${PICTURE.toString('base64')}`;
    const pdf = await convert('html', Buffer.from(`<p>x<img src="${inside}" width="300" height="300"></p>`));
    expect(showsColour(pdf, MAGENTA)).toBe(true);
  });
});
