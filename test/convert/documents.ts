import { zip } from '../formats/build.ts';

/** Small office documents, written by hand: whole enough for any program to open. */

const ODF_NAMESPACES = Object.entries({
  office: 'urn:oasis:names:tc:opendocument:xmlns:office:1.0',
  text: 'urn:oasis:names:tc:opendocument:xmlns:text:1.0',
  table: 'urn:oasis:names:tc:opendocument:xmlns:table:1.0',
  draw: 'urn:oasis:names:tc:opendocument:xmlns:drawing:1.0',
  svg: 'urn:oasis:names:tc:opendocument:xmlns:svg-compatible:1.0',
  style: 'urn:oasis:names:tc:opendocument:xmlns:style:1.0',
  fo: 'urn:oasis:names:tc:opendocument:xmlns:xsl-fo-compatible:1.0',
  xlink: 'http://www.w3.org/1999/xlink',
  of: 'urn:oasis:names:tc:opendocument:xmlns:of:1.2',
})
  .map(([prefix, uri]) => `xmlns:${prefix}="${uri}"`)
  .join(' ');

async function odf(
  kind: 'text' | 'spreadsheet' | 'presentation',
  body: string,
  title?: string,
  moreStyles = '',
): Promise<Buffer> {
  const type = `application/vnd.oasis.opendocument.${kind}`;
  const styles =
    '<office:automatic-styles><style:style style:name="break" style:family="paragraph">' +
    '<style:paragraph-properties fo:break-before="page"/></style:style>' +
    `${moreStyles}</office:automatic-styles>`;
  return await zip({
    mimetype: type,
    'content.xml':
      `<?xml version="1.0" encoding="UTF-8"?><office:document-content ${ODF_NAMESPACES} office:version="1.3">` +
      `${styles}<office:body><office:${kind}>${body}</office:${kind}></office:body></office:document-content>`,
    ...(title === undefined
      ? {}
      : {
          'meta.xml': `<?xml version="1.0" encoding="UTF-8"?><office:document-meta xmlns:dc="http://purl.org/dc/elements/1.1/" ${ODF_NAMESPACES} office:version="1.3"><office:meta><dc:title>${title}</dc:title></office:meta></office:document-meta>`,
        }),
    'META-INF/manifest.xml':
      '<?xml version="1.0" encoding="UTF-8"?><manifest:manifest xmlns:manifest="urn:oasis:names:tc:opendocument:xmlns:manifest:1.0" manifest:version="1.3">' +
      `<manifest:file-entry manifest:full-path="/" manifest:media-type="${type}"/>` +
      (title === undefined
        ? ''
        : '<manifest:file-entry manifest:full-path="meta.xml" manifest:media-type="text/xml"/>') +
      '<manifest:file-entry manifest:full-path="content.xml" manifest:media-type="text/xml"/></manifest:manifest>',
  });
}

const ODF_KINDS = { odt: 'text', ods: 'spreadsheet', odp: 'presentation' } as const;

/** @param body what stands in the body; @param styles automatic styles */
export async function odfWith(format: keyof typeof ODF_KINDS, body: string, styles: string): Promise<Buffer> {
  return await odf(ODF_KINDS[format], body, undefined, styles);
}

/** @param body what stands in `office:text`; a string without markup is one paragraph */
export async function odt(body: string, title?: string): Promise<Buffer> {
  return await odf('text', body.includes('<') ? body : `<text:p>${body}</text:p>`, title);
}

/** A text document with one page for each text. */
export async function pages(texts: readonly string[]): Promise<Buffer> {
  return await odt(
    texts
      .map((text, index) => `<text:p${index === 0 ? '' : ' text:style-name="break"'}>${text}</text:p>`)
      .join(''),
  );
}

/** @param cells `table:table-cell` elements of one row */
export async function ods(cells: string): Promise<Buffer> {
  return await odf(
    'spreadsheet',
    `<table:table table:name="Sheet1"><table:table-row>${cells}</table:table-row></table:table>`,
  );
}

export async function odp(...texts: string[]): Promise<Buffer> {
  return await odf(
    'presentation',
    texts
      .map(
        (text, index) =>
          `<draw:page draw:name="page${index}"><draw:frame svg:x="2cm" svg:y="2cm" svg:width="15cm" svg:height="3cm">` +
          `<draw:text-box><text:p>${text}</text:p></draw:text-box></draw:frame></draw:page>`,
      )
      .join(''),
  );
}

const PACKAGE = 'http://schemas.openxmlformats.org/package/2006';
const OFFICE = 'http://schemas.openxmlformats.org/officeDocument/2006';

interface OoxmlParts {
  /** Parts that are no XML of their own type, or any. */
  files?: Record<string, string | Buffer>;
  main: { path: string; type: string; xml: string };
  /** Relationships of the main part: `[id, type, target, external]`. */
  relationships?: [string, string, string, boolean?][];
  parts?: Record<string, { type: string; xml: string }>;
}

async function ooxml({ main, relationships = [], parts = {}, files = {} }: OoxmlParts): Promise<Buffer> {
  const all = { [main.path]: main, ...parts };
  const xml = (text: string): string => `<?xml version="1.0" encoding="UTF-8" standalone="yes"?>${text}`;
  const relation = (list: [string, string, string, boolean?][]): string =>
    xml(
      `<Relationships xmlns="${PACKAGE}/relationships">${list
        .map(
          ([id, type, target, external]) =>
            `<Relationship Id="${id}" Type="${OFFICE}/relationships/${type}" Target="${target}"${external === true ? ' TargetMode="External"' : ''}/>`,
        )
        .join('')}</Relationships>`,
    );
  const [folder, file] = main.path.split('/');
  return await zip({
    '[Content_Types].xml': xml(
      `<Types xmlns="${PACKAGE}/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>` +
        Object.entries(all)
          .map(
            ([path, { type }]) =>
              `<Override PartName="/${path}" ContentType="application/vnd.openxmlformats-officedocument.${type}+xml"/>`,
          )
          .join('') +
        '<Default Extension="svg" ContentType="image/svg+xml"/><Default Extension="docx" ContentType="application/vnd.openxmlformats-officedocument.wordprocessingml.document"/>' +
        '</Types>',
    ),
    '_rels/.rels': relation([['rId1', 'officeDocument', main.path]]),
    [`${folder}/_rels/${file}.rels`]: relation(relationships),
    ...Object.fromEntries(Object.entries(all).map(([path, part]) => [path, xml(part.xml)])),
    ...files,
  });
}

/** @param body what stands in `w:body`; a string without markup is one paragraph */
export async function docx(
  body: string,
  relationships: [string, string, string, boolean?][] = [],
  files: Record<string, string | Buffer> = {},
): Promise<Buffer> {
  const content = body.includes('<') ? body : `<w:p><w:r><w:t>${body}</w:t></w:r></w:p>`;
  return await ooxml({
    main: {
      path: 'word/document.xml',
      type: 'wordprocessingml.document.main',
      xml:
        `<w:document xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main" xmlns:r="${OFFICE}/relationships" ` +
        'xmlns:wp="http://schemas.openxmlformats.org/drawingml/2006/wordprocessingDrawing" xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main" ' +
        'xmlns:pic="http://schemas.openxmlformats.org/drawingml/2006/picture" xmlns:o="urn:schemas-microsoft-com:office:office" xmlns:v="urn:schemas-microsoft-com:vml">' +
        `<w:body>${content}</w:body></w:document>`,
    },
    relationships,
    files,
  });
}

/** With further parts, of which `word/media/image1.svg` is shown. */
export async function docxWith(
  body: string,
  files: Record<string, string | Buffer>,
  relationships: [string, string, string, boolean?][] = [],
): Promise<Buffer> {
  const shown = 'word/media/image1.svg' in files;
  const picture = shown ? LINKED_PICTURE.replace('r:link', 'r:embed') : '';
  const own: typeof relationships = shown ? [['rId9', 'image', 'media/image1.svg']] : [];
  return await docx(body + picture, [...relationships, ...own], files);
}

/** @param cells `c` elements of row 1; @param after elements after the cells */
export async function xlsx(cells: string, after = ''): Promise<Buffer> {
  const main = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
  return await ooxml({
    main: {
      path: 'xl/workbook.xml',
      type: 'spreadsheetml.sheet.main',
      xml: `<workbook xmlns="${main}" xmlns:r="${OFFICE}/relationships"><sheets><sheet name="Sheet1" sheetId="1" r:id="rId1"/></sheets></workbook>`,
    },
    relationships: [['rId1', 'worksheet', 'worksheets/sheet1.xml']],
    parts: {
      'xl/worksheets/sheet1.xml': {
        type: 'spreadsheetml.worksheet',
        xml: `<worksheet xmlns="${main}"><sheetData><row r="1">${cells}</row></sheetData>${after}</worksheet>`,
      },
    },
  });
}

/** A picture in a docx that is loaded from `rId9`, in centimetres. */
export const LINKED_PICTURE =
  '<w:p><w:r><w:drawing><wp:inline><wp:extent cx="3600000" cy="3600000"/><wp:docPr id="1" name="p"/><a:graphic>' +
  '<a:graphicData uri="http://schemas.openxmlformats.org/drawingml/2006/picture"><pic:pic><pic:nvPicPr><pic:cNvPr id="1" name="p"/>' +
  '<pic:cNvPicPr/></pic:nvPicPr><pic:blipFill><a:blip r:link="rId9"/><a:stretch><a:fillRect/></a:stretch></pic:blipFill><pic:spPr>' +
  '<a:xfrm><a:off x="0" y="0"/><a:ext cx="3600000" cy="3600000"/></a:xfrm><a:prstGeom prst="rect"><a:avLst/></a:prstGeom></pic:spPr>' +
  '</pic:pic></a:graphicData></a:graphic></wp:inline></w:drawing></w:r></w:p>';
