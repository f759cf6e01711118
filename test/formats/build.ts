import { buffer } from 'node:stream/consumers';
import { readFileSync } from 'node:fs';
import { ZipArchive } from 'archiver';

/** Files for tests, built or read. */

export function sample(name: string): Buffer {
  return readFileSync(new URL(`samples/${name}`, import.meta.url));
}

/** A ZIP file of these entries, in this order. */
export async function zip(
  entries: Readonly<Record<string, string | Buffer>>,
  store = false,
): Promise<Buffer> {
  const archive = new ZipArchive({ store });
  const bytes = buffer(archive);
  for (const [name, content] of Object.entries(entries)) archive.append(content, { name });
  await archive.finalize();
  return await bytes;
}

const OOXML_TYPES = {
  docx: ['wordprocessingml.document', 'word/document.xml'],
  xlsx: ['spreadsheetml.sheet', 'xl/workbook.xml'],
  pptx: ['presentationml.presentation', 'ppt/presentation.xml'],
} as const;

/** A package with the parts that make it a docx, xlsx or pptx, and nothing else. */
export async function ooxml(format: keyof typeof OOXML_TYPES, contentType?: string): Promise<Buffer> {
  const [name, part] = OOXML_TYPES[format];
  const type = contentType ?? `application/vnd.openxmlformats-officedocument.${name}.main+xml`;
  return await zip({
    '[Content_Types].xml':
      '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">' +
      `<Override PartName='/${part}' ContentType='${type}'/></Types>`,
    [part]: '<document/>',
  });
}

/** An OpenDocument package of that media type with a manifest around `inManifest`. */
export async function odf(mediaType: string, inManifest = ''): Promise<Buffer> {
  return await zip({
    mimetype: mediaType,
    'content.xml': '<office:document-content/>',
    'META-INF/manifest.xml': `<manifest:manifest>${inManifest}</manifest:manifest>`,
  });
}

type Entry = [tag: number, type: 'ascii' | 'short' | 'long' | 'byte', value: string | number];

/** A TIFF file with one directory, and behind it one that it names as its sub-directory (tag 330). */
export function tiff(entries: Entry[], sub: Entry[] = [], magic = 'II*\0'): Buffer {
  const out = Buffer.alloc(1024);
  const bigEndian = magic.startsWith('M');
  const short = (value: number, at: number) =>
    bigEndian ? out.writeUInt16BE(value, at) : out.writeUInt16LE(value, at);
  const long = (value: number, at: number) =>
    bigEndian ? out.writeUInt32BE(value, at) : out.writeUInt32LE(value, at);
  const SUB = 400;
  let text = 700;
  const directory = (list: Entry[], at: number): void => {
    short(list.length, at);
    list.forEach(([tag, type, value], index) => {
      const entry = at + 2 + 12 * index;
      short(tag, entry);
      short({ byte: 1, ascii: 2, short: 3, long: 4 }[type], entry + 2);
      if (typeof value === 'string') {
        long(value.length + 1, entry + 4);
        long(text, entry + 8);
        text += out.write(`${value}\0`, text, 'latin1');
      } else {
        long(1, entry + 4);
        if (type === 'short') short(value, entry + 8);
        else long(value, entry + 8);
      }
    });
  };
  out.write(magic, 0, 'latin1');
  long(16, 4);
  directory(sub.length > 0 ? [...entries, [330, 'long', SUB]] : entries, 16);
  if (sub.length > 0) directory(sub, SUB);
  return out;
}
