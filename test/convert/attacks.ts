import { gzipSync } from 'node:zlib';
import { fileURLToPath } from 'node:url';
import type { SourceFormat } from '../../functions/shared/convert/protocol.ts';
import { docx, docxWith, odfWith, ods, xlsx } from './documents.ts';

/** Documents that name files of the disk. Each is built with the address of a folder that holds what nobody is to see. */

export interface Attack {
  name: string;
  from: SourceFormat;
  /** Whether LibreOffice 7.4 shows what is named if nothing keeps it from that: then the attack is known to be one. */
  works: boolean;
  make: (place: string) => Promise<Buffer>;
}

const HERE = '<text:p>still here</text:p>';
const frame = (inside: string): string =>
  `<draw:frame svg:x="2cm" svg:y="5cm" svg:width="10cm" svg:height="10cm">${inside}</draw:frame>`;
const image = (href: string, prefix = 'xlink'): string =>
  `<draw:image ${prefix}:href="${href}" ${prefix}:type="simple" ${prefix}:show="embed" ${prefix}:actuate="onLoad"/>`;
const slide = (inside: string): string =>
  `<draw:page draw:name="p">${frame(`<draw:text-box>${HERE}</draw:text-box>`)}${inside}</draw:page>`;
const inText = (inside: string): string => `${HERE}<text:p>${inside}</text:p>`;
const anchored = (inside: string): string =>
  `<draw:frame text:anchor-type="as-char" svg:width="10cm" svg:height="10cm">${inside}</draw:frame>`;
const sheet = (inside: string): string =>
  '<table:table table:name="S"><table:shapes><draw:frame table:end-cell-address="S.E20" svg:x="1cm" svg:y="3cm" svg:width="8cm" svg:height="8cm">' +
  `${inside}</draw:frame></table:shapes><table:table-row><table:table-cell office:value-type="string">${HERE}</table:table-cell></table:table-row></table:table>`;

/** From wherever the document lies. */
const upwards = (place: string): string => `${'../'.repeat(12)}${fileURLToPath(place).slice(1)}`;
const drawing = (inside: string, prolog = ''): string =>
  `${prolog}<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" width="300" height="300">${inside}</svg>`;
const drawn = (href: string): string => `<image xlink:href="${href}" x="0" y="0" width="300" height="300"/>`;
/** A docx that shows its part `word/media/image1.svg`. */
const withDrawing = (svg: string | Buffer): Promise<Buffer> =>
  docxWith('<w:p><w:r><w:t>still here</w:t></w:r></w:p>', { 'word/media/image1.svg': svg });
const style = (properties: string): string =>
  `<style:style style:name="B" style:family="paragraph"><style:paragraph-properties>${properties}</style:paragraph-properties></style:style>`;
const base64 = (svg: string): string => Buffer.from(svg).toString('base64');

const inDrawing = (name: string, make: (place: string) => string | Buffer, works = true): Attack => ({
  name: `${name} in an SVG in a docx`,
  from: 'docx',
  works,
  make: (place) => withDrawing(make(place)),
});
const odf = (
  name: string,
  from: 'odt' | 'ods' | 'odp',
  body: (place: string) => string,
  works = true,
  styles: (place: string) => string = () => '',
): Attack => ({ name, from, works, make: (place) => odfWith(from, body(place), styles(place)) });

export const PICTURES: readonly Attack[] = [
  odf('a picture by its address in an odp', 'odp', (place) => slide(frame(image(`${place}/picture.png`)))),
  odf('a picture by the way to it in an odp', 'odp', (place) =>
    slide(frame(image(`${upwards(place)}/picture.png`))),
  ),
  odf('an SVG by its address in an odp', 'odp', (place) => slide(frame(image(`${place}/picture.svg`)))),
  odf('a picture by its address in an ods', 'ods', (place) => sheet(image(`${place}/picture.png`))),
  odf(
    'a picture by its address in an odt',
    'odt',
    (place) => inText(anchored(image(`${place}/picture.png`))),
    false,
  ),
  odf('a picture under a prefix of its own in an odp', 'odp', (place) =>
    slide(
      frame(
        image(`${place}/picture.png`, 'q').replace(
          '<draw:image',
          '<draw:image xmlns:q="http://www.w3.org/1999/xlink"',
        ),
      ),
    ),
  ),
  odf('a picture spelt with references in an odp', 'odp', (place) =>
    slide(frame(image(`${place.replace('file', '&#x66;il&#101;')}/picture.png`))),
  ),
  odf(
    'the background of a paragraph in an odt',
    'odt',
    () => '<text:p text:style-name="B">still here</text:p>',
    true,
    (place) =>
      style(
        `<style:background-image xlink:href="${place}/picture.png" xlink:type="simple" xlink:actuate="onLoad"/>`,
      ),
  ),
  odf(
    'the bullets of a list in an odt',
    'odt',
    () => `<text:list text:style-name="L"><text:list-item>${HERE}</text:list-item></text:list>`,
    true,
    (place) =>
      `<text:list-style style:name="L"><text:list-level-style-image text:level="1" xlink:href="${place}/picture.png" xlink:type="simple" xlink:actuate="onLoad"><style:list-level-properties fo:width="3cm" fo:height="3cm"/></text:list-level-style-image></text:list-style>`,
  ),
  inDrawing('a picture', (place) => drawing(drawn(`${place}/picture.png`))),
  inDrawing(
    'a picture, in UTF-16,',
    (place) => Buffer.from(`\ufeff${drawing(drawn(`${place}/picture.png`))}`, 'utf16le'),
    false,
  ),
  inDrawing('a compressed picture', (place) => gzipSync(drawing(drawn(`${place}/picture.png`)))),
  inDrawing(
    'a picture by an entity',
    (place) => drawing(drawn('&there;'), `<!DOCTYPE svg [<!ENTITY there "${place}/picture.png">]>`),
    false,
  ),
  inDrawing(
    'a picture by a default of its attribute',
    (place) =>
      drawing(
        '<image x="0" y="0" width="300" height="300"/>',
        `<!DOCTYPE svg [<!ATTLIST image xlink:href CDATA "${place}/picture.png">]>`,
      ),
    false,
  ),
  inDrawing(
    'a drawing in a drawing',
    (place) => drawing(drawn(`data:image/svg+xml;base64,${base64(drawing(drawn(`${place}/picture.png`)))}`)),
    false,
  ),
  inDrawing(
    'a drawing called a PNG in a drawing',
    (place) => drawing(drawn(`data:image/png;base64,${base64(drawing(drawn(`${place}/picture.png`)))}`)),
    false,
  ),
  {
    name: 'an SVG in an address in html',
    from: 'html',
    works: true,
    make: (place) =>
      Promise.resolve(
        Buffer.from(
          `<p>still here</p><img width="300" height="300" src="data:image/svg+xml;base64,${base64(drawing(drawn(`${place}/picture.png`)))}">`,
        ),
      ),
  },
  {
    name: 'an SVG called a PNG in an address in html',
    from: 'html',
    works: true,
    make: (place) =>
      Promise.resolve(
        Buffer.from(
          `<p>still here</p><img width="300" height="300" src="data:image/png;base64,${base64(drawing(drawn(`${place}/picture.png`)))}">`,
        ),
      ),
  },
  odf('an SVG in base64 in an odp', 'odp', (place) =>
    slide(
      frame(
        `<draw:image><office:binary-data>${base64(drawing(drawn(`${place}/picture.png`)))}</office:binary-data></draw:image>`,
      ),
    ),
  ),
  {
    name: 'an SVG in a docx in a docx',
    from: 'docx',
    works: false,
    make: async (place) =>
      docxWith(
        '<w:p><w:r><w:t>still here</w:t></w:r></w:p><w:altChunk r:id="rId8"/>',
        { 'word/inner.docx': await withDrawing(drawing(drawn(`${place}/picture.png`))) },
        [['rId8', 'aFChunk', 'inner.docx']],
      ),
  },
];

const hereCell =
  '<table:table-cell office:value-type="string"><text:p>still here</text:p></table:table-cell>';
const formula = (text: string): string =>
  `${hereCell}<table:table-cell table:formula="of:=${text}" office:value-type="string" office:string-value="old"><text:p>old</text:p></table:table-cell>`;
const hereXlsx = '<c r="A1" t="inlineStr"><is><t>still here</t></is></c>';

export const TEXTS: readonly Attack[] = [
  {
    name: 'a formula that puts an address together',
    from: 'ods',
    works: false,
    make: (place) =>
      ods(formula(`INDIRECT(&quot;'fi&quot;&amp;&quot;le${place.slice(4)}/other.ods'#$Sheet1.A1&quot;)`)),
  },
  {
    name: 'a workbook named in a formula of an xlsx',
    from: 'xlsx',
    works: false,
    make: (place) => xlsx(`${hereXlsx}<c r="B1"><f>'${place}/[other.ods]Sheet1'!A1</f><v>1</v></c>`),
  },
  {
    name: 'a field in pieces',
    from: 'docx',
    works: false,
    make: (place) =>
      docx(
        '<w:p><w:r><w:t>still here</w:t></w:r></w:p><w:p><w:r><w:fldChar w:fldCharType="begin"/></w:r><w:r><w:instrText> INCLUDE</w:instrText></w:r>' +
          `<w:r><w:instrText>TEXT "${place}/text.txt" </w:instrText></w:r><w:r><w:fldChar w:fldCharType="separate"/></w:r><w:r><w:t>old</w:t></w:r><w:r><w:fldChar w:fldCharType="end"/></w:r></w:p>`,
      ),
  },
];
