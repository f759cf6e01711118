import { open } from 'node:fs/promises';
import { isPlatenError, PlatenError } from '@platen/core/errors';
import type { Engine, PdfInput } from '../files/engine.ts';
import { type FormField, readForm } from '../forms/read.ts';
import { openReadable } from '../files/open.ts';
import type { PdfFile } from '../model/index.ts';
import { packetIn } from '../operations/packet.ts';
import { pageGeometry, pageSize } from '../model/page-geometry.ts';
import { isString, nameText, textOf } from '../model/values.ts';
import type { Ref } from '../model/values.ts';
import { type Attachment, attachmentsOf } from './attachments.ts';
import { claimsOf } from './claims.ts';
import { isoDate } from './dates.ts';
import { type FontInfo, readFonts } from './fonts.ts';
import { type ImageInfo, readImages } from './images.ts';
import { pageLabels } from './labels.ts';
import { type OutlineItem, readOutline } from './outline.ts';
import { type Protection, readProtection } from './protection.ts';
import { readSignatures, type SignatureInfo } from './signatures.ts';

/** The properties of a document. Lengths are in cm. */
export interface DocumentInfo {
  version: string;
  pages: { number: number; width: number; height: number; rotation: number; label: string | null }[];
  /** By the keys of the Info dictionary, with dates in ISO 8601. */
  metadata: Record<string, string>;
  /** The packet as it is stored; null for none. */
  xmp: string | null;
  language: string | null;
  tagged: boolean;
  /** The claims of the document, such as `pdf/a-3a`. */
  conformance: string[];
  encryption: Protection | null;
  outline: OutlineItem[];
  attachments: (Pick<Attachment, 'name' | 'mime' | 'relationship' | 'description'> & {
    bytes: number | null;
  })[];
  fonts: FontInfo[];
  images: ImageInfo[];
  fields: FormField[];
  signatures: SignatureInfo[];
}

/** Maximum bytes of a packet, or of an attachment without a declared size. */
const MAX_DECODED = 64 << 20;

/** Runs in its thread: reads the properties of a document. */
export async function readDocumentInfo(
  engine: Engine,
  { input }: { input: PdfInput },
): Promise<DocumentInfo> {
  const encryption = await readProtection(engine, input);
  const objects = await openReadable(input, engine);
  const pages = objects.pages();
  if (pages.length === 0) throw new PlatenError('pdf_damaged', 'The PDF has no pages.');
  const { catalog } = objects;
  const packet = packetIn(objects);
  const language = objects.resolve(catalog['/Lang']);
  const marked = objects.resolve(objects.dict(catalog['/MarkInfo'])['/Marked']) === true;
  return {
    version: await versionOf(input.path, objects),
    pages: pagesOf(objects, pages),
    metadata: metadataOf(objects),
    xmp: packet ?? null,
    language: isString(language) && textOf(language) !== '' ? textOf(language) : null,
    tagged: marked && catalog['/StructTreeRoot'] !== undefined,
    conformance: claimsOf(packet),
    encryption,
    outline: readOutline(objects),
    attachments: attachmentsOf(objects).map((attachment) => told(objects, attachment)),
    fonts: readFonts(objects),
    images: await readImages(objects),
    fields: fieldsOfAny(objects),
    signatures: readSignatures(objects),
  };
}

/** A stream; undefined for a damaged one or another object. */
function readable(objects: PdfFile, ref: Ref): Buffer | undefined {
  try {
    const stream = objects.streamData(ref, MAX_DECODED);
    return stream === undefined || stream.filters.length > 0 ? undefined : Buffer.from(stream.data);
  } catch (error) {
    if (isPlatenError(error) && error.code.startsWith('pdf_')) return undefined;
    throw error;
  }
}

function pagesOf(objects: PdfFile, pages: readonly Ref[]): DocumentInfo['pages'] {
  const labels = pageLabels(objects, pages.length);
  return pages.map((ref, index) => {
    const geometry = pageGeometry(objects, ref);
    const { rotation } = geometry;
    return { number: index + 1, ...pageSize(geometry), rotation, label: labels[index] ?? null };
  });
}

function metadataOf(objects: PdfFile): Record<string, string> {
  const entries: [string, string][] = [];
  for (const [key, entry] of Object.entries(objects.dict(objects.trailer['/Info']))) {
    const value = objects.resolve(entry);
    const name = nameText(key);
    if (isString(value)) entries.push([name, name.endsWith('Date') ? isoDate(textOf(value)) : textOf(value)]);
    // `/Trapped` is a name.
    else if (typeof value === 'string') entries.push([name, nameText(value)]);
  }
  return Object.fromEntries(entries);
}

/** The form may be one that cannot be filled. */
function fieldsOfAny(objects: PdfFile): FormField[] {
  try {
    return readForm(objects);
  } catch (error) {
    if (isPlatenError(error) && error.code === 'form_xfa') return [];
    throw error;
  }
}

function told(objects: PdfFile, attachment: Attachment): DocumentInfo['attachments'][number] {
  const { name, said, mime, relationship, description, stream } = attachment;
  return {
    name,
    bytes: said ?? readable(objects, stream)?.length ?? null,
    mime,
    relationship,
    description,
  };
}

/** The version of the header, or the later one of the catalog (7.2.2). */
async function versionOf(path: string, objects: PdfFile): Promise<string> {
  const file = await open(path);
  try {
    const start = Buffer.alloc(1024);
    const { bytesRead } = await file.read(start, 0, start.length, 0);
    const header = /%PDF-(\d\.\d)/.exec(start.toString('latin1', 0, bytesRead))?.[1] ?? '1.0';
    const own = objects.resolve(objects.catalog['/Version']);
    const later = typeof own === 'string' ? nameText(own) : '';
    return /^\d\.\d$/.test(later) && later > header ? later : header;
  } finally {
    await file.close();
  }
}
