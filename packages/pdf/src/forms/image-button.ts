import { readFile } from 'node:fs/promises';
import { deflateSync } from 'node:zlib';
import { PlatenError } from '@platen/core/errors';
import { pdfNumbers } from '../content/write.ts';
import type { PdfFile } from '../model/index.ts';
import { isDict } from '../model/values.ts';
import type { PdfDict, Ref } from '../model/values.ts';
import type { Field } from './fields.ts';
import { addAppearance, edit, frameOf, insetOf, styleOf } from './style.ts';

/** Images in buttons (ISO 32000-2, 12.7.5.2.2), which forms use for photographs and logos. */

/** Files of a request by part name. */
export type ImageParts = Readonly<Record<string, string>>;

const KINDS = new Set(['png', 'jpeg', 'webp', 'gif', 'tiff']);

/** Maximum number of pixels of an image, and of the embedded version. */
const MAX_PIXELS = 50e6;
const MAX_SIDE = 3_000;

/** An image in a document. */
interface Embedded {
  ref: Ref;
  width: number;
  height: number;
}

/**
 * Shows an image in every widget of a button, as large as possible.
 *
 * @param source a `data:` URL, or the name of a part; null removes the image
 * @throws PlatenError `form_value_invalid` for any other text, or bytes that are not an image
 */
export async function showImage(
  file: PdfFile,
  field: Field,
  source: string | null,
  parts: ImageParts,
): Promise<void> {
  const image =
    source === null ? undefined : await embedded(file, field, await bytesOf(field, source, parts));
  for (const widget of field.widgets) {
    const style = styleOf(file, field, widget);
    if (style === undefined) continue;
    const operators = ['q', ...frameOf(style), 'Q'];
    const resources: PdfDict = {};
    if (image !== undefined) {
      const inset = insetOf(style);
      const [width, height] = [style.width - 2 * inset, style.height - 2 * inset];
      const scale = Math.min(width / image.width, height / image.height);
      const [w, h] = [image.width * scale, image.height * scale];
      const place = pdfNumbers(w, 0, 0, h, (style.width - w) / 2, (style.height - h) / 2);
      operators.push('q', `${place} cm /Image Do`, 'Q');
      resources['/XObject'] = { '/Image': image.ref };
    }
    const dict = file.dict(widget.ref);
    const marks = file.resolve(dict['/MK']);
    edit(file, widget.ref, {
      '/AP': { '/N': addAppearance(file, style, operators, resources) },
      // The button shows its icon only.
      '/MK': { ...(isDict(marks) ? marks : {}), '/TP': 1 },
    });
  }
}

async function bytesOf(field: Field, source: string, parts: ImageParts): Promise<Buffer> {
  const path = Object.hasOwn(parts, source) ? parts[source] : undefined;
  if (path !== undefined) return await readFile(path);
  // bounded: one class of characters up to the first comma
  const address = /^data:([^,]{0,200}),/i.exec(source);
  if (address === null) {
    const names = Object.keys(parts);
    throw invalid(
      field,
      `\`${source.slice(0, 100)}\` is neither a \`data:\` address nor the name of a part of the request`,
      names,
    );
  }
  const text = source.slice(address[0].length);
  if (/;base64$/i.test(address[1] ?? '')) return Buffer.from(text, 'base64');
  try {
    return Buffer.from(decodeURIComponent(text), 'latin1');
  } catch {
    throw invalid(field, 'the `data:` address is not encoded correctly');
  }
}

async function embedded(file: PdfFile, field: Field, bytes: Buffer): Promise<Embedded> {
  const { default: sharp } = await import('sharp');
  try {
    const image = sharp(bytes, { limitInputPixels: MAX_PIXELS, pages: 1 });
    const { format, orientation = 1, channels, width, height, depth } = await image.metadata();
    if (!KINDS.has(format)) throw invalid(field, 'the image is not PNG, JPEG, WebP, GIF or TIFF');
    const isSmall = Math.max(width, height) <= MAX_SIDE;
    if (
      format === 'jpeg' &&
      isSmall &&
      orientation === 1 &&
      depth === 'uchar' &&
      (channels === 1 || channels === 3)
    ) {
      const dict = imageDict(width, height, channels === 1 ? '/DeviceGray' : '/DeviceRGB');
      return { ref: file.add({ ...dict, '/Filter': '/DCTDecode' }, bytes), width, height };
    }
    const { data, info } = await image
      .autoOrient()
      .resize(MAX_SIDE, MAX_SIDE, { fit: 'inside', withoutEnlargement: true })
      .toColourspace('srgb')
      .ensureAlpha()
      .raw()
      .toBuffer({ resolveWithObject: true });
    return { ref: addPixels(file, data, info.width, info.height), width: info.width, height: info.height };
  } catch (error) {
    if (error instanceof PlatenError) throw error;
    throw invalid(field, 'the image cannot be read, or has too many pixels', undefined, error);
  }
}

/** Colours and transparency, as two images. */
function addPixels(file: PdfFile, pixels: Buffer, width: number, height: number): Ref {
  const colours = Buffer.allocUnsafe(width * height * 3);
  const alpha = Buffer.allocUnsafe(width * height);
  let isOpaque = true;
  for (let at = 0; at < alpha.length; at++) {
    colours[3 * at] = pixels[4 * at] ?? 0;
    colours[3 * at + 1] = pixels[4 * at + 1] ?? 0;
    colours[3 * at + 2] = pixels[4 * at + 2] ?? 0;
    const value = pixels[4 * at + 3] ?? 255;
    alpha[at] = value;
    if (value !== 255) isOpaque = false;
  }
  const packed = { '/Filter': '/FlateDecode' };
  const mask = isOpaque
    ? {}
    : { '/SMask': file.add({ ...imageDict(width, height, '/DeviceGray'), ...packed }, deflateSync(alpha)) };
  return file.add({ ...imageDict(width, height, '/DeviceRGB'), ...packed, ...mask }, deflateSync(colours));
}

function imageDict(width: number, height: number, colours: string): PdfDict {
  return {
    '/Type': '/XObject',
    '/Subtype': '/Image',
    '/Width': width,
    '/Height': height,
    '/ColorSpace': colours,
    '/BitsPerComponent': 8,
  };
}

function invalid(field: Field, message: string, allowed?: readonly string[], cause?: unknown): PlatenError {
  const place = `data.${field.name}`;
  return new PlatenError('form_value_invalid', `\`${place}\`: ${message}.`, {
    faults: [{ field: place, message, ...(allowed === undefined ? {} : { allowed }) }],
    ...(cause === undefined ? {} : { cause }),
  });
}
