import { Buffer } from 'node:buffer';
import { crc32, deflateSync } from 'node:zlib';
import yazl from 'yazl';
import { readZip } from '../../packages/core/src/zip.ts';

/** Small office packages, written by hand: only what a test is about stands in them. */

export type Parts = Readonly<Record<string, string | Uint8Array>>;

/** A ZIP of parts in their order. */
export async function zip(parts: Parts): Promise<Buffer> {
  const file = new yazl.ZipFile();
  for (const [path, content] of Object.entries(parts)) {
    file.addBuffer(Buffer.from(content as string), path, { compress: path !== 'mimetype' });
  }
  file.end();
  const chunks: Buffer[] = [];
  for await (const chunk of file.outputStream) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}

/** Every part of a package. */
export async function unzip(bytes: Uint8Array): Promise<ReadonlyMap<string, Buffer>> {
  const { wanted } = await readZip(Buffer.from(bytes), () => true);
  return wanted;
}

/** The text of one part. */
export async function partText(bytes: Uint8Array, path: string): Promise<string> {
  const part = (await unzip(bytes)).get(path);
  if (part === undefined) throw new Error(`there is no ${path}`);
  return part.toString();
}

export const XML = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';
const W = 'http://schemas.openxmlformats.org/wordprocessingml/2006/main';
const R = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const RELS = 'http://schemas.openxmlformats.org/package/2006/relationships';
export const W_NAMESPACES = `xmlns:w="${W}" xmlns:r="${R}"`;

export interface Relation {
  id: string;
  type: string;
  target: string;
  external?: boolean;
}

export function relationships(list: readonly Relation[]): string {
  const items = list.map(
    ({ id, type, target, external }) =>
      `<Relationship Id="${id}" Type="${R}/${type}" Target="${target}"${external ? ' TargetMode="External"' : ''}/>`,
  );
  return `${XML}<Relationships xmlns="${RELS}">${items.join('')}</Relationships>`;
}

/** Types of parts by the endings of their names, where they have none of their own. */
const TYPES = Object.entries({
  rels: 'application/vnd.openxmlformats-package.relationships+xml',
  xml: 'application/xml',
  png: 'image/png',
  vml: 'application/vnd.openxmlformats-officedocument.vmlDrawing',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
}).map(([ending, type]) => `<Default Extension="${ending}" ContentType="${type}"/>`);

export function contentTypes(overrides: Readonly<Record<string, string>>): string {
  const items = Object.entries(overrides).map(
    ([path, type]) => `<Override PartName="/${path}" ContentType="${type}"/>`,
  );
  return `${XML}<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">${TYPES.join('')}${items.join('')}</Types>`;
}

const WORD = 'application/vnd.openxmlformats-officedocument.wordprocessingml.';

/** A docx with that body; more parts of `word/` by their name. */
export async function docx(
  body: string,
  parts: Parts = {},
  relations: readonly Relation[] = [],
): Promise<Buffer> {
  const names = Object.keys(parts).filter((path) => path.endsWith('.xml'));
  const overrides = Object.fromEntries(
    names.map((path) => [path, `${WORD}${path.replace(/^word\/|\d*\.xml$/g, '')}+xml`]),
  );
  return await zip({
    '[Content_Types].xml': contentTypes({ 'word/document.xml': `${WORD}document.main+xml`, ...overrides }),
    '_rels/.rels': relationships([{ id: 'rId1', type: 'officeDocument', target: 'word/document.xml' }]),
    'word/document.xml': `${XML}<w:document ${W_NAMESPACES}><w:body>${body}<w:sectPr>${relations
      .filter(({ type }) => type === 'header' || type === 'footer')
      .map(({ id, type }) => `<w:${type}Reference w:type="default" r:id="${id}"/>`)
      .join(
        '',
      )}<w:pgSz w:w="11906" w:h="16838"/><w:pgMar w:top="1440" w:right="1440" w:bottom="1440" w:left="1440" w:header="708" w:footer="708" w:gutter="0"/></w:sectPr></w:body></w:document>`,
    ...(relations.length > 0 ? { 'word/_rels/document.xml.rels': relationships(relations) } : {}),
    ...parts,
  });
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

/** A paragraph of one run for each text. */
export function p(...runs: string[]): string {
  return `<w:p>${runs.map((text) => `<w:r><w:t xml:space="preserve">${escaped(text)}</w:t></w:r>`).join('')}</w:p>`;
}

/** A table; each cell is a text, or paragraphs. */
export function table(...rows: (readonly string[])[]): string {
  const columns = Math.max(...rows.map((row) => row.length));
  const cell = (content: string): string =>
    `<w:tc><w:tcPr><w:tcW w:w="2000" w:type="dxa"/></w:tcPr>${content.startsWith('<w:p>') ? content : p(content)}</w:tc>`;
  return `<w:tbl><w:tblPr><w:tblW w:w="0" w:type="auto"/></w:tblPr><w:tblGrid>${'<w:gridCol w:w="2000"/>'.repeat(columns)}</w:tblGrid>${rows
    .map((row) => `<w:tr>${row.map(cell).join('')}</w:tr>`)
    .join('')}</w:tbl>`;
}

/** A PNG of one colour with its resolution in dots per inch. */
export function png(
  width: number,
  height: number,
  dpi?: number,
  colour: readonly number[] = [200, 30, 60],
): Buffer {
  const chunk = (type: string, data: Buffer): Buffer => {
    const body = Buffer.concat([Buffer.from(type), data]);
    const length = Buffer.alloc(4);
    length.writeUInt32BE(data.length);
    const checksum = Buffer.alloc(4);
    checksum.writeUInt32BE(crc32(body));
    return Buffer.concat([length, body, checksum]);
  };
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, 2, 0, 0, 0], 8);
  const physical = Buffer.alloc(9);
  const perMetre = Math.round((dpi ?? 96) / 0.0254);
  physical.writeUInt32BE(perMetre, 0);
  physical.writeUInt32BE(perMetre, 4);
  physical.writeUInt8(1, 8);
  const row = Buffer.concat([Buffer.from([0]), Buffer.alloc(width * 3, Buffer.from(colour))]);
  return Buffer.concat([
    Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
    chunk('IHDR', header),
    ...(dpi === undefined ? [] : [chunk('pHYs', physical)]),
    chunk('IDAT', deflateSync(Buffer.concat(Array.from({ length: height }, () => row)))),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}
