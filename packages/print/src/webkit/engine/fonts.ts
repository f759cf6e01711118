import { createHash } from 'node:crypto';
import { deflateSync, inflateSync } from 'node:zlib';
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
import { type FontMemory, subsetFont } from '@platen/pdf/text';
import { FontFault, readFontTables } from '../../fonts/sfnt.ts';
import { type MarkedFont, markedFont, placeMarks } from './marks.ts';
import { lacksCharacters, withMeantCharacters } from './copied-characters.ts';

/** WebKit embeds fonts whole, and embeds a font twice if it is used in two places. */

/** A font file of a document. */
interface FontFile {
  bytes: Buffer;
  /** The objects that refer to this file or to a copy of it. */
  descriptors: PDFDict[];
  glyphs: Set<number>;
  /** How it attaches marks; null if it attaches none. */
  marked: MarkedFont | null;
}

const name = (text: string): PDFName => PDFName.of(text);

/**
 * Places marks as their fonts define, and embeds every font file once, subset to the glyphs that the document shows.
 *
 * @param text see `withMeantCharacters`
 * @returns whether the characters of all glyphs are known
 */
export async function finishFonts(document: PDFDocument, memory: FontMemory, text: string): Promise<boolean> {
  const { context } = document;
  let isKnown = true;
  const files = new Map<string, FontFile>();
  const byFont = new Map<PDFDict, FontFile>();
  const byRef = new Map<PDFObject, FontFile>();
  for (const [, object] of context.enumerateIndirectObjects()) {
    if (!(object instanceof PDFDict) || object.get(name('Subtype')) !== name('Type0')) continue;
    if (!nameCharacters(object, text)) isKnown = false;
    const descriptor = descriptorOf(object);
    const ref = descriptor?.get(name('FontFile2'));
    const stream = context.lookup(ref);
    if (descriptor === undefined || ref === undefined || !(stream instanceof PDFRawStream)) continue;
    let file = byRef.get(ref);
    if (file === undefined) {
      const bytes = contentOf(stream);
      const key = createHash('sha256').update(bytes).digest('hex');
      file = files.get(key) ?? { bytes, descriptors: [], glyphs: new Set(), marked: marksOf(bytes) };
      files.set(key, file);
      byRef.set(ref, file);
    }
    file.descriptors.push(descriptor);
    byFont.set(object, file);
  }
  for (const { resources, ref, stream } of drawings(document)) {
    const fonts = resources.lookupMaybe(name('Font'), PDFDict);
    if (fonts === undefined) continue;
    const fileOf = (called: string): FontFile | undefined => {
      const font = context.lookup(fonts.get(name(called)));
      return font instanceof PDFDict ? byFont.get(font) : undefined;
    };
    const content = contentOf(stream).toString('latin1');
    collectGlyphs(content, fileOf);
    const placed = placeMarks(content, (called) => fileOf(called)?.marked ?? null);
    if (placed === content) continue;
    const entries = stream.dict.entries().filter(([key]) => !KEYS_OF_PACKING.has(key.asString()));
    const dict = Object.fromEntries(entries.map(([key, value]) => [key.decodeText(), value]));
    context.assign(ref, packedStream(context, Buffer.from(placed, 'latin1'), dict));
  }
  for (const { bytes, descriptors, glyphs } of files.values()) {
    const subset = (await subsetFont(bytes, glyphs, memory)) ?? bytes;
    const ref = context.register(packedStream(context, subset, { Length1: subset.length }));
    for (const descriptor of descriptors) descriptor.set(name('FontFile2'), ref);
  }
  return isKnown;
}

/** Corrects the characters that a font gives its glyphs. @returns whether all of them are known */
function nameCharacters(font: PDFDict, text: string): boolean {
  const ref = font.get(name('ToUnicode'));
  const stream = font.context.lookup(ref);
  if (!(ref instanceof PDFRef) || !(stream instanceof PDFRawStream)) return true;
  const cmap = contentOf(stream).toString('latin1');
  const named = withMeantCharacters(cmap, text);
  if (named !== cmap) font.context.assign(ref, packedStream(font.context, Buffer.from(named, 'latin1'), {}));
  return !lacksCharacters(cmap);
}

/** Returns a compressed stream. pdf-lib's own compression, in JavaScript, takes several times as long. */
function packedStream(
  context: PDFContext,
  bytes: Uint8Array,
  dict: Record<string, PDFObject | number>,
): PDFRawStream {
  return context.stream(deflateSync(bytes), { ...dict, Filter: 'FlateDecode' });
}

/** Returns the descriptor of a composite font. */
function descriptorOf(font: PDFDict): PDFDict | undefined {
  const [descendant] = font.lookup(name('DescendantFonts'), PDFArray).asArray();
  const child = font.context.lookup(descendant);
  return child instanceof PDFDict ? child.lookupMaybe(name('FontDescriptor'), PDFDict) : undefined;
}

/** Returns how a font attaches marks. WebKit could not use a file that cannot be read either. */
function marksOf(file: Buffer): MarkedFont | null {
  try {
    const [tables] = readFontTables(file, 'ttf');
    return tables === undefined ? null : markedFont(tables);
  } catch (error) {
    if (error instanceof FontFault) return null;
    throw error;
  }
}

/** The keys of a stream that describe its encoding. */
const KEYS_OF_PACKING = new Set(['/Filter', '/DecodeParms', '/Length']);

interface DrawingStream {
  resources: PDFDict;
  ref: PDFRef;
  stream: PDFRawStream;
}

/** Yields every stream that may show text: the contents of pages, and named XObjects. */
function* drawings(document: PDFDocument): Generator<DrawingStream> {
  const { context } = document;
  for (const page of document.getPages()) {
    const resources = page.node.Resources();
    const entry = page.node.get(name('Contents'));
    const contents = context.lookup(entry);
    if (resources === undefined) continue;
    for (const ref of contents instanceof PDFArray ? contents.asArray() : [entry]) {
      const stream = context.lookup(ref);
      if (ref instanceof PDFRef && stream instanceof PDFRawStream) yield { resources, ref, stream };
    }
  }
  for (const [ref, stream] of context.enumerateIndirectObjects()) {
    if (!(stream instanceof PDFRawStream)) continue;
    const resources = stream.dict.lookupMaybe(name('Resources'), PDFDict);
    if (resources !== undefined) yield { resources, ref, stream };
  }
}

/**
 * Matches a font selection or glyphs shown as two-byte numbers in a content stream. WebKit writes no other
 * text operators.
 */
const TEXT = /\/([^\s/()<>[\]{}%]+)\s+[-+.\d]+\s+Tf\b|<([0-9A-Fa-f]+)>/g;

function collectGlyphs(content: string, fileOf: (called: string) => FontFile | undefined): void {
  let file: FontFile | undefined;
  for (const [, chosen, shown] of content.matchAll(TEXT)) {
    if (chosen !== undefined) file = fileOf(chosen);
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

/** Removes all objects of a document that cannot be reached from its trailer. */
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
