import { inflateSync } from 'node:zlib';
import {
  decodePDFRawStream,
  EncryptedPDFError,
  PDFArray,
  type PDFContext,
  PDFDict,
  PDFDocument,
  PDFName,
  PDFObjectCopier,
  type PDFPage,
  PDFRawStream,
  PDFStream,
} from 'pdf-lib';
import type { RenderOptions } from '@platen/contract/options';
import { PlatenError } from '@platen/core/errors';
import type { Orientation, VectorPicture } from '@platen/imaging/picture';
import { pagesOfRange } from '@platen/pdf/options';
import { rebuildPdf } from '@platen/pdf/rebuild';
import { filledBox, type Rgb, shownImage } from './content.ts';
import { place } from './placement.ts';

export interface VectorTask {
  picture: VectorPicture;
  options: RenderOptions;
  /** Painted under the picture; null for nothing. */
  background: Rgb | null;
}

/**
 * Writes a PDF of the pages of another PDF: each is placed on a page of its own, with its vector graphics as they are.
 * Only the drawn content is copied: no links, no scripts, none of the private data that Illustrator stores in its files.
 *
 * @throws PlatenError `image_invalid`, `image_too_large`, `invalid_option`, `page_range_invalid`,
 * `page_range_outside_document`
 */
export async function vectorDocument({ picture, options, background }: VectorTask): Promise<Uint8Array> {
  const { source, pages: all } = await open(picture);
  const range = options.page_range;
  const pages =
    range === undefined ? all : pagesOfRange(range, all.length).flatMap((number) => all[number - 1] ?? []);
  if (pages.length === 0) damaged('there is no page in it');

  const document = await PDFDocument.create({ updateMetadata: false });
  document.setProducer('Platen');
  const copier = PDFObjectCopier.for(source.context, document.context);
  // The visibility of layers is defined once for the whole document.
  const layers = source.catalog.lookup(PDFName.of('OCProperties'));
  if (layers instanceof PDFDict) document.catalog.set(PDFName.of('OCProperties'), copier.copy(layers));
  for (const page of pages) addPage(document, copier, page, options, background);
  return await document.save({ addDefaultPage: false, updateFieldAppearances: false });
}

async function open({ pdf, onlyFirst }: VectorPicture): Promise<{ source: PDFDocument; pages: PDFPage[] }> {
  const load = async (bytes: Uint8Array): Promise<{ source: PDFDocument; pages: PDFPage[] }> => {
    const source = await PDFDocument.load(bytes, { updateMetadata: false });
    return { source, pages: source.getPages().slice(0, onlyFirst ? 1 : undefined) };
  };
  try {
    return await load(pdf);
  } catch (error) {
    if (error instanceof EncryptedPDFError) return damaged('it is protected by a password', error);
    const rebuilt = rebuildPdf(Buffer.from(pdf.buffer, pdf.byteOffset, pdf.byteLength));
    if (rebuilt === undefined) return damaged('it is damaged or cut off', error);
    return await load(rebuilt).catch((again: unknown) => damaged('it is damaged or cut off', again));
  }
}

function addPage(
  document: PDFDocument,
  copier: PDFObjectCopier,
  page: PDFPage,
  options: RenderOptions,
  background: Rgb | null,
): void {
  const crop = page.getCropBox();
  if (!(crop.width > 0 && crop.height > 0)) damaged('its page has no size');
  const { x, y, width, height } = crop;
  const orientation = orientationOf(page.getRotation().angle);
  const natural = orientation >= 5 ? { width: height, height: width } : { width, height };
  const { sheet, box } = place(natural, options);

  const form = copiedForm(document.context, copier, page, {
    Type: 'XObject',
    Subtype: 'Form',
    BBox: [x, y, x + width, y + height],
    // Like an image, it is one unit wide and high.
    Matrix: [1 / width, 0, 0, 1 / height, -x / width, -y / height],
  });
  const added = document.addPage([sheet.width, sheet.height]);
  const name = added.node.newXObject('Im', document.context.register(form));
  const operators = [
    ...(background === null ? [] : [filledBox(box, background)]),
    shownImage(name.decodeText(), box, orientation),
  ];
  added.node.addContentStream(document.context.register(document.context.flateStream(operators.join('\n'))));
}

/** Returns the content of a page as a form XObject of the other document. */
function copiedForm(
  context: PDFContext,
  copier: PDFObjectCopier,
  { node }: PDFPage,
  entries: Record<string, string | number[]>,
): PDFRawStream {
  const form = contentOf(context, node.Contents());
  for (const [key, value] of Object.entries(entries)) form.dict.set(PDFName.of(key), context.obj(value));
  const resources = node.Resources();
  form.dict.set(PDFName.of('Resources'), resources === undefined ? context.obj({}) : copier.copy(resources));
  // The transparency group, which defines how transparent objects are blended.
  const group = node.lookup(PDFName.of('Group'));
  if (group instanceof PDFDict) form.dict.set(PDFName.of('Group'), copier.copy(group));
  return form;
}

/**
 * Returns the content of a page. A single stream stays compressed; several streams are one program, cut
 * anywhere, and have to be joined.
 */
function contentOf(context: PDFContext, contents: PDFStream | PDFArray | undefined): PDFRawStream {
  const streams =
    contents instanceof PDFArray ? elements(contents) : contents === undefined ? [] : [contents];
  const [only, ...others] = streams;
  if (only instanceof PDFRawStream && others.length === 0) {
    const kept = ['Filter', 'DecodeParms'].flatMap((key) => {
      const value = only.dict.lookup(PDFName.of(key));
      return value === undefined ? [] : [[key, value] as const];
    });
    return PDFRawStream.of(context.obj(Object.fromEntries(kept)), only.contents);
  }
  const joined = Buffer.concat(streams.flatMap((stream) => [decoded(stream), Buffer.from('\n')]));
  return context.flateStream(joined);
}

function elements(contents: PDFArray): PDFStream[] {
  return Array.from({ length: contents.size() }, (_, index) => contents.lookup(index, PDFStream));
}

/** Most bytes of drawing instructions; a detailed map has a tenth. */
const MAX_CONTENT = 100 * 2 ** 20;

function decoded(stream: PDFStream): Uint8Array {
  if (!(stream instanceof PDFRawStream)) return stream.getContents();
  const filter = stream.dict.lookup(PDFName.of('Filter'));
  if (filter !== PDFName.of('FlateDecode') || stream.dict.has(PDFName.of('DecodeParms'))) {
    return decodePDFRawStream(stream).decode();
  }
  try {
    return inflateSync(stream.contents, { maxOutputLength: MAX_CONTENT });
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE') {
      throw new PlatenError('image_too_large', 'The drawing has too many instructions.', { cause });
    }
    return damaged('its drawing instructions cannot be read', cause);
  }
}

/** Returns the EXIF orientation of a page's `Rotate`, which is clockwise. */
function orientationOf(angle: number): Orientation {
  const turns: readonly Orientation[] = [1, 6, 3, 8];
  return turns[(((angle / 90) % 4) + 4) % 4] ?? 1;
}

function damaged(reason: string, cause?: unknown): never {
  throw new PlatenError('image_invalid', `The drawing cannot be read: ${reason}.`, { cause });
}
