import { createHash } from 'node:crypto';
import { inflateSync } from 'node:zlib';
import {
  PDFArray,
  type PDFContext,
  PDFDict,
  type PDFDocument,
  PDFName,
  type PDFObject,
  PDFRawStream,
  PDFRef,
  PDFStream,
} from 'pdf-lib';
import { subsetFont } from '@platen/pdf/text/subset';

/** WebKit embeds fonts whole, and one that is used in two places twice. */

/** A font file of a document. */
interface FontFile {
  bytes: Buffer;
  /** What refers to it, or to a copy of it. */
  descriptors: PDFDict[];
  glyphs: Set<number>;
}

const name = (text: string): PDFName => PDFName.of(text);

/** Embeds every font file once, with nothing but the glyphs that the document shows. */
export async function subsetFonts(document: PDFDocument): Promise<void> {
  const { context } = document;
  const files = new Map<string, FontFile>();
  const byFont = new Map<PDFDict, FontFile>();
  const byRef = new Map<PDFObject, FontFile>();
  for (const [, object] of context.enumerateIndirectObjects()) {
    if (!(object instanceof PDFDict) || object.get(name('Subtype')) !== name('Type0')) continue;
    const descriptor = descriptorOf(object);
    const ref = descriptor?.get(name('FontFile2'));
    const stream = context.lookup(ref);
    if (descriptor === undefined || ref === undefined || !(stream instanceof PDFRawStream)) continue;
    let file = byRef.get(ref);
    if (file === undefined) {
      const bytes = contentOf(stream);
      const key = createHash('sha256').update(bytes).digest('hex');
      file = files.get(key) ?? { bytes, descriptors: [], glyphs: new Set() };
      files.set(key, file);
      byRef.set(ref, file);
    }
    file.descriptors.push(descriptor);
    byFont.set(object, file);
  }
  for (const { resources, stream } of drawings(document)) collectGlyphs(context, resources, stream, byFont);
  for (const { bytes, descriptors, glyphs } of files.values()) {
    const subset = (await subsetFont(bytes, glyphs)) ?? bytes;
    const ref = context.register(context.flateStream(subset, { Length1: subset.length }));
    for (const descriptor of descriptors) descriptor.set(name('FontFile2'), ref);
  }
}

/** The descriptor of a composite font. */
function descriptorOf(font: PDFDict): PDFDict | undefined {
  const [descendant] = font.lookup(name('DescendantFonts'), PDFArray).asArray();
  const child = font.context.lookup(descendant);
  return child instanceof PDFDict ? child.lookupMaybe(name('FontDescriptor'), PDFDict) : undefined;
}

interface DrawingStream {
  resources: PDFDict;
  stream: PDFRawStream;
}

/** Everything that may show text: the contents of pages, and what is drawn by name. */
function* drawings(document: PDFDocument): Generator<DrawingStream> {
  const { context } = document;
  for (const page of document.getPages()) {
    const resources = page.node.Resources();
    const contents = page.node.Contents();
    if (resources === undefined) continue;
    const parts =
      contents instanceof PDFArray ? contents.asArray().map((part) => context.lookup(part)) : [contents];
    for (const stream of parts) if (stream instanceof PDFRawStream) yield { resources, stream };
  }
  for (const [, stream] of context.enumerateIndirectObjects()) {
    if (!(stream instanceof PDFRawStream)) continue;
    const resources = stream.dict.lookupMaybe(name('Resources'), PDFDict);
    if (resources !== undefined) yield { resources, stream };
  }
}

/** In a content stream: a font is chosen, or glyphs are shown as numbers of two bytes. WebKit writes no others. */
const TEXT = /\/([^\s/()<>[\]{}%]+)\s+[-+.\d]+\s+Tf\b|<([0-9A-Fa-f]+)>/g;

function collectGlyphs(
  context: PDFContext,
  resources: PDFDict,
  stream: PDFRawStream,
  files: ReadonlyMap<PDFDict, FontFile>,
): void {
  const fonts = resources.lookupMaybe(name('Font'), PDFDict);
  if (fonts === undefined) return;
  let file: FontFile | undefined;
  for (const [, chosen, shown] of contentOf(stream).toString('latin1').matchAll(TEXT)) {
    if (chosen !== undefined) {
      const font = context.lookup(fonts.get(name(chosen)));
      file = font instanceof PDFDict ? files.get(font) : undefined;
    }
    if (shown === undefined || file === undefined) continue;
    for (let at = 0; at + 4 <= shown.length; at += 4) {
      file.glyphs.add(Number.parseInt(shown.slice(at, at + 4), 16));
    }
  }
}

function contentOf(stream: PDFRawStream): Buffer {
  const isPacked = stream.dict.get(name('Filter')) === name('FlateDecode');
  return isPacked ? inflateSync(stream.contents) : Buffer.from(stream.contents);
}

/** Takes out of a document what nothing in it leads to. */
export function dropUnused({ context }: PDFDocument): void {
  const used = new Set<PDFRef>();
  const open: (PDFObject | undefined)[] = [context.trailerInfo.Root, context.trailerInfo.Info];
  for (let object = open.pop(); object !== undefined || open.length > 0; object = open.pop()) {
    if (object instanceof PDFRef) {
      if (used.has(object)) continue;
      used.add(object);
      open.push(context.lookup(object));
    } else if (object instanceof PDFArray) for (const one of object.asArray()) open.push(one);
    else if (object instanceof PDFDict) for (const one of object.values()) open.push(one);
    else if (object instanceof PDFStream) open.push(object.dict);
  }
  for (const [ref] of context.enumerateIndirectObjects()) if (!used.has(ref)) context.delete(ref);
}
