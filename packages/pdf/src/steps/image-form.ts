import { deflateSync } from 'node:zlib';
import { PlatenError } from '@platen/core/errors';
import type { PdfFile } from '../model/index.ts';
import type { PdfDict, Ref } from '../values.ts';
import { addForm, type Form } from './paint.ts';

/** Maximum number of pixels of an image: 300 megabytes of samples. */
const MAX_PIXELS = 100e6;

/** Default pixels per inch of an image without a resolution, as in CSS. */
const DEFAULT_DPI = 96;

/**
 * Makes a form XObject from an image, in its own size.
 *
 * @param path of a file that sharp reads, or its bytes: PNG, JPEG, WebP, GIF, TIFF, AVIF, SVG
 * @param field name in errors
 * @param options `isOpaque`: transparent parts become white
 * @throws PlatenError `image_invalid`, `image_too_large`
 */
export async function formOfImage(
  file: PdfFile,
  path: string | Buffer,
  field: string,
  { isOpaque = false } = {},
): Promise<Form> {
  const picture = await pictureOf(path, field, isOpaque);
  const { width, height, density } = picture;
  const points = 72 / (density ?? DEFAULT_DPI);
  const image = addImage(file, picture);
  const box = { x: 0, y: 0, width: width * points, height: height * points };
  return addForm(file, box, `${box.width} 0 0 ${box.height} 0 0 cm /Im Do`, { '/XObject': { '/Im': image } });
}

interface Picture {
  width: number;
  height: number;
  density: number | undefined;
  /** Only red, green and blue. */
  samples: Buffer;
  alpha: Buffer | null;
}

async function pictureOf(path: string | Buffer, field: string, isOpaque: boolean): Promise<Picture> {
  const { default: sharp } = await import('sharp');
  const fault = (code: 'image_invalid' | 'image_too_large', message: string, cause?: unknown): PlatenError =>
    new PlatenError(code, `\`${field}\`: ${message}.`, { faults: [{ field, message }], cause });
  try {
    const image = sharp(path, { limitInputPixels: false });
    const { width, height, density } = await image.metadata();
    if (width * height > MAX_PIXELS) {
      throw fault('image_too_large', `the picture has more than ${MAX_PIXELS / 1e6} megapixels`);
    }
    const upright = image.rotate().toColourspace('srgb');
    if (isOpaque) upright.flatten({ background: '#ffffff' });
    const { data, info } = await upright.ensureAlpha().raw().toBuffer({ resolveWithObject: true });
    return { width: info.width, height: info.height, density, ...separated(data) };
  } catch (error) {
    if (error instanceof PlatenError) throw error;
    throw fault('image_invalid', 'the picture cannot be read', error);
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
