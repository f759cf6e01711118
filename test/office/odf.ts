import { zip } from './build.ts';

/** OpenDocument packages, written by hand. */

const NAMES = {
  office: 'office:1.0',
  text: 'text:1.0',
  table: 'table:1.0',
  draw: 'drawing:1.0',
  style: 'style:1.0',
  fo: 'xsl-fo-compatible:1.0',
  svg: 'svg-compatible:1.0',
  number: 'datastyle:1.0',
  presentation: 'presentation:1.0',
};
export const ODF_NAMESPACES = `${Object.entries(NAMES)
  .map(([prefix, name]) => `xmlns:${prefix}="urn:oasis:names:tc:opendocument:xmlns:${name}"`)
  .join(
    ' ',
  )} xmlns:xlink="http://www.w3.org/1999/xlink" xmlns:of="urn:oasis:names:tc:opendocument:xmlns:of:1.2"`;

const KINDS = { odt: 'text', ods: 'spreadsheet', odp: 'presentation' } as const;

/** A package of that kind with that body, styles of its own, and a header for text documents. */
export async function odf(
  kind: keyof typeof KINDS,
  body: string,
  { styles = '', header = '', layout = '' }: { styles?: string; header?: string; layout?: string } = {},
): Promise<Buffer> {
  const type = `application/vnd.oasis.opendocument.${KINDS[kind]}`;
  const xml = '<?xml version="1.0" encoding="UTF-8"?>\n';
  return await zip({
    mimetype: type,
    'content.xml': `${xml}<office:document-content ${ODF_NAMESPACES} office:version="1.3"><office:automatic-styles>${styles}</office:automatic-styles><office:body><office:${KINDS[kind]}>${body}</office:${KINDS[kind]}></office:body></office:document-content>`,
    'styles.xml': `${xml}<office:document-styles ${ODF_NAMESPACES} office:version="1.3"><office:automatic-styles><style:page-layout style:name="L1"><style:page-layout-properties ${layout || 'fo:page-width="21cm" fo:page-height="29.7cm" fo:margin="2cm"'}/><style:header-style/></style:page-layout></office:automatic-styles><office:master-styles><style:master-page style:name="Standard" style:page-layout-name="L1">${header === '' ? '' : `<style:header>${header}</style:header>`}</style:master-page></office:master-styles></office:document-styles>`,
    'META-INF/manifest.xml': `${xml}<manifest:manifest xmlns:manifest="urn:oasis:names:tc:opendocument:xmlns:manifest:1.0" manifest:version="1.3"><manifest:file-entry manifest:full-path="/" manifest:media-type="${type}"/><manifest:file-entry manifest:full-path="content.xml" manifest:media-type="text/xml"/><manifest:file-entry manifest:full-path="styles.xml" manifest:media-type="text/xml"/></manifest:manifest>`,
  });
}

export function escaped(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
}

/** A paragraph; each text but the first in a span of its own. */
export function tp(first: string, ...spans: string[]): string {
  return `<text:p>${escaped(first)}${spans.map((text) => `<text:span>${escaped(text)}</text:span>`).join('')}</text:p>`;
}

/** A table; each cell is a text, or paragraphs. */
export function odfTable(...rows: (readonly string[])[]): string {
  const columns = Math.max(...rows.map((row) => row.length));
  const cell = (content: string): string =>
    `<table:table-cell>${content.startsWith('<text:') ? content : content === '' ? '' : tp(content)}</table:table-cell>`;
  return `<table:table table:name="T"><table:table-column table:number-columns-repeated="${columns}"/>${rows.map((row) => `<table:table-row>${row.map(cell).join('')}</table:table-row>`).join('')}</table:table>`;
}

/** A slide with text boxes. */
export function page(name: string, ...texts: string[]): string {
  const frames = texts.map(
    (text, i) =>
      `<draw:frame svg:x="2cm" svg:y="${2 + 4 * i}cm" svg:width="20cm" svg:height="3cm">${text.startsWith('<table:') ? text : `<draw:text-box>${text.startsWith('<text:') ? text : tp(text)}</draw:text-box>`}</draw:frame>`,
  );
  return `<draw:page draw:name="${name}" draw:master-page-name="Standard">${frames.join('')}</draw:page>`;
}
