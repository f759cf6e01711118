import { deflateSync } from 'node:zlib';
import { PlatenError } from '@platen/core/errors';
import type { PdfFile } from '../model/index.ts';
import type { PdfDict, Ref } from '../values.ts';
import { addForm, type Form } from './paint.ts';

/** Pixels a picture may have: 300 megabytes of samples. */
const MAX_PIXELS = 100e6;

/** Pixels to the inch where a picture does not say: those of CSS. */
const DEFAULT_DPI = 96;

/**
 * Makes a form XObject of a picture, in the size that it says it has.
 *
 * @param path of a file that sharp reads, or its bytes: PNG, JPEG, WebP, GIF, TIFF, AVIF, SVG
 * @param field how errors name it
 * @param options `isOpaque`: what shows through is white
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
  /** Red, green and blue, and nothing else. */
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

/** Colours and transparency of pixels that have four bytes each; null where nothing shows through. */
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
