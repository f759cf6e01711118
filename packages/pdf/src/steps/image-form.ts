import { readFile } from 'node:fs/promises';
import type { MessagePort } from 'node:worker_threads';
import { deflateSync } from 'node:zlib';
import { PlatenError } from '@platen/core/errors';
import { partialGifFrame } from '../operations/gif-frame.ts';
import { openPdf, type PdfFile } from '../model/index.ts';
import type { PdfDict, Ref } from '../model/values.ts';
import { printedHtml } from './html-printing.ts';
import { pageImporter } from './import-page.ts';
import { addForm, type Form } from './paint.ts';

/** Maximum number of pixels of an image: 300 megabytes of samples. */
const MAX_PIXELS = 100e6;

/** Default pixels per inch of an image without a resolution, as in CSS. */
const DEFAULT_DPI = 96;
/** The decoder draws SVG so many times as large, if the result has no more pixels than this. */
const SVG_FACTOR = 4;
const SVG_PIXELS = 25e6;
/** The decoder takes an inch of an SVG for so many pixels. */
const SVG_DPI = 72;
const TRANSPARENT = { r: 0, g: 0, b: 0, alpha: 0 };
/** Points of room: the browser rounds the size of its page up. */
const SPARE = 2;

/**
 * Makes a form XObject from an image, in its own size.
 *
 * @param path of a file that sharp reads, or its bytes: PNG, JPEG, WebP, GIF, TIFF, AVIF, SVG
 * @param field name in errors
 * @param options `isOpaque`: transparent parts become white; `resolution`: pixels per inch that the file states, in the
 *   order of its stored rows and columns
 * @throws PlatenError `image_invalid`, `image_too_large`
 */
export async function formOfImage(
  file: PdfFile,
  path: string | Buffer,
  field: string,
  { isOpaque = false, resolution }: { isOpaque?: boolean; resolution?: Resolution | undefined } = {},
): Promise<Form> {
  const picture = await pictureOf(path, field, isOpaque);
  const { x, y } = resolution ?? picture.resolution;
  const [across, down] = picture.isTurned ? [y, x] : [x, y];
  const image = addImage(file, picture);
  const box = { x: 0, y: 0, width: (picture.width / across) * 72, height: (picture.height / down) * 72 };
  return addForm(file, box, `${box.width} 0 0 ${box.height} 0 0 cm /Im Do`, { '/XObject': { '/Im': image } });
}

/**
 * Makes a form XObject from an SVG, in its own size: the browser draws it.
 *
 * @returns undefined for a file that is no SVG
 * @throws PlatenError `image_invalid`, and as `PrintHtml`, naming the field
 */
export async function formOfDrawing(
  file: PdfFile,
  path: string,
  { field, printer }: { field: string; printer: MessagePort },
): Promise<Form | undefined> {
  const bytes = await readFile(path);
  // Without a first character that could begin markup, or a byte order mark, no decoder is needed.
  if (!/^(?:[\s<]|\xef\xbb\xbf|\xfe\xff|\xff\xfe)/.test(bytes.toString('latin1', 0, 3))) return undefined;
  const { default: sharp } = await import('sharp');
  const facts = await sharp(bytes, { limitInputPixels: false })
    .metadata()
    .catch((error: unknown) => {
      throw unreadable(field, error);
    });
  if (facts.format !== 'svg') return undefined;
  const points = 72 / svgResolution(bytes);
  const [width, height] = [facts.width * points, facts.height * points];
  const size = `width:${(width / 72) * 96}px;height:${(height / 72) * 96}px`;
  const address = `data:image/svg+xml;base64,${bytes.toString('base64')}`;
  const html = `<img alt="" style="display:block;${size}" src="${address}">`;
  const sheet = { pageNumber: 1, totalPages: 1, width: width + SPARE, height: height + SPARE };
  const source = await openPdf(await printedHtml(printer, { html, title: '', sheets: [sheet] }, field));
  const form = pageImporter(file, source)(source.pageDicts()[0] ?? {});
  return { ...form, box: { x: 0, y: form.box.height - height, width, height } };
}

/** Pixels of the decoder for each inch of an SVG: its own pixels are those of CSS, and its inches are not. */
function svgResolution(svg: Buffer): number {
  const text = svg.toString('utf8');
  const start = text.search(/<(?:[\w.-]{1,100}:)?svg\b/);
  const root = text.slice(Math.max(start, 0), text.indexOf('>', start));
  return /\s(?:width|height)\s*=\s*["']\s*[\d.]+\s*(?:mm|cm|in|pt|pc)\s*["']/.test(root)
    ? SVG_DPI
    : DEFAULT_DPI;
}

async function bytesOf(path: string | Buffer): Promise<Buffer> {
  return typeof path === 'string' ? await readFile(path) : path;
}

function unreadable(field: string, cause: unknown): PlatenError {
  const message = 'the picture cannot be read';
  return new PlatenError('image_invalid', `\`${field}\`: ${message}.`, {
    faults: [{ field, message }],
    cause,
  });
}

/** Pixels per inch. */
interface Resolution {
  x: number;
  y: number;
}

interface Picture {
  width: number;
  height: number;
  resolution: Resolution;
  /** Whether stored rows are columns of the picture. */
  isTurned: boolean;
  /** Only red, green and blue. */
  samples: Buffer;
  alpha: Buffer | null;
}

async function pictureOf(path: string | Buffer, field: string, isOpaque: boolean): Promise<Picture> {
  const { default: sharp } = await import('sharp');
  try {
    const facts = await sharp(path, { limitInputPixels: false }).metadata();
    const { width, height, format, orientation = 1 } = facts;
    if (width * height > MAX_PIXELS) {
      const message = `the picture has more than ${MAX_PIXELS / 1e6} megapixels`;
      throw new PlatenError('image_too_large', `\`${field}\`: ${message}.`, { faults: [{ field, message }] });
    }
    const isSvg = format === 'svg';
    const factor = isSvg && width * height * SVG_FACTOR ** 2 <= SVG_PIXELS ? SVG_FACTOR : 1;
    const image = sharp(path, { limitInputPixels: false, ...(isSvg ? { density: SVG_DPI * factor } : {}) });
    // Of files without a resolution, the decoder tells one of its own.
    const hasTags = (format === 'webp' || format === 'heif') && facts.exif !== undefined;
    const stated = (hasTags ? facts.density : undefined) ?? DEFAULT_DPI;
    const dpi = isSvg ? svgResolution(await bytesOf(path)) * factor : stated;
    const frame = format === 'gif' ? partialGifFrame(await bytesOf(path)) : null;
    // The decoder paints the canvas around the first picture black.
    if (frame !== null) image.extract(frame.area).extend({ ...frame.around, background: TRANSPARENT });
    const upright = image.rotate().toColourspace('srgb');
    if (isOpaque) upright.flatten({ background: '#ffffff' });
    const { data, info } = await upright.ensureAlpha().raw().toBuffer({ resolveWithObject: true });
    return {
      width: info.width,
      height: info.height,
      resolution: { x: dpi, y: dpi },
      isTurned: orientation >= 5,
      ...separated(data),
    };
  } catch (error) {
    if (error instanceof PlatenError) throw error;
    throw unreadable(field, error);
  }
}

/** Separates RGBA pixels into colours and transparency, which is null if all are opaque. */
function separated(pixels: Buffer): { samples: Buffer; alpha: Buffer | null } {
  const count = pixels.length / 4;
  const samples = Buffer.allocUnsafe(count * 3);
  const alpha = Buffer.allocUnsafe(count);
  let isOpaque = true;
  for (let pixel = 0; pixel < count; pixel++) {
    pixels.copy(samples, pixel * 3, pixel * 4, pixel * 4 + 3);
    const value = pixels[pixel * 4 + 3] ?? 255;
    alpha[pixel] = value;
    if (value !== 255) isOpaque = false;
  }
  return { samples, alpha: isOpaque ? null : alpha };
}

function addImage(file: PdfFile, { width, height, samples, alpha }: Picture): Ref {
  const dict: PdfDict = {
    '/Type': '/XObject',
    '/Subtype': '/Image',
    '/Width': width,
    '/Height': height,
    '/BitsPerComponent': 8,
    '/Filter': '/FlateDecode',
  };
  const colours: PdfDict = { ...dict, '/ColorSpace': '/DeviceRGB' };
  if (alpha !== null)
    colours['/SMask'] = file.add({ ...dict, '/ColorSpace': '/DeviceGray' }, deflateSync(alpha));
  return file.add(colours, deflateSync(samples));
}
