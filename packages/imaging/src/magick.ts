import {
  ColorSpace,
  CompressionMethod,
  ImageMagick,
  type IMagickImage,
  initializeImageMagick,
  MagickFormat,
  MagickReadSettings,
  ResourceLimits,
} from '@imagemagick/magick-wasm';
import { PlatenError } from '@platen/core/errors';
import type { ImageFormat } from './image-type.ts';
import { checkSize, invalidImage, MAX_PIXELS, MAX_SIDE } from './limits.ts';

/** ImageMagick (compiled to WebAssembly) in a worker thread, for the formats that sharp does not read. */

export type MagickImageFormat = Extract<
  ImageFormat,
  'bmp' | 'ico' | 'psd' | 'heic' | 'cr2' | 'nef' | 'sr2' | 'orf' | 'rw2' | 'dng' | 'arw' | 'tiff'
>;

const FORMATS: Readonly<Record<MagickImageFormat, MagickFormat>> = {
  bmp: MagickFormat.Bmp,
  ico: MagickFormat.Ico,
  psd: MagickFormat.Psd,
  heic: MagickFormat.Heic,
  cr2: MagickFormat.Cr2,
  nef: MagickFormat.Nef,
  sr2: MagickFormat.Sr2,
  orf: MagickFormat.Orf,
  rw2: MagickFormat.Rw2,
  dng: MagickFormat.Dng,
  arw: MagickFormat.Arw,
  tiff: MagickFormat.Tiff,
};

export interface MagickTask {
  /** The compiled engine. */
  binary: WebAssembly.Module;
  bytes: Uint8Array;
  format: MagickImageFormat;
  /** Maximum bytes of pixels. */
  memory: number;
}

/**
 * Decodes an image: the largest picture of an icon, the composite of a Photoshop file, the primary image of a
 * HEIC, the developed photograph of a raw.
 *
 * @returns the picture as an uncompressed TIFF of 8 bits with its colour space, profile, alpha channel,
 *   resolution and orientation
 * @throws PlatenError `image_invalid`, `image_too_large`
 */
export async function decodeWithMagick({ binary, bytes, format, memory }: MagickTask): Promise<Uint8Array> {
  await initializeImageMagick(binary);
  ResourceLimits.width = BigInt(MAX_SIDE);
  ResourceLimits.height = BigInt(MAX_SIDE);
  ResourceLimits.area = BigInt(MAX_PIXELS);
  ResourceLimits.memory = BigInt(memory);
  // An image that does not fit into memory has to fail instead of using the disk.
  ResourceLimits.disk = 0n;
  const what = `The ${format.toUpperCase()}`;
  try {
    return format === 'ico'
      ? largestOf(bytes, what)
      : ImageMagick.read(bytes, settings(format), asTiff(what));
  } catch (error) {
    // Some of the engine's errors are not instances of Error.
    const text = error instanceof Error ? error.message : String(error);
    if (error instanceof PlatenError) throw error;
    if (
      /exceeds limit|ResourceLimit|memory allocation|cache resources|memory limit|out of memory/i.test(text)
    ) {
      throw new PlatenError('image_too_large', `${what} has too many pixels, or needs too much memory.`, {
        cause: error,
      });
    }
    return invalidImage(`${what} is damaged or cut off: it cannot be decoded.`, error);
  }
}

function settings(format: MagickImageFormat): MagickReadSettings {
  const read = new MagickReadSettings({ format: FORMATS[format] });
  if (format !== 'ico') {
    read.frameIndex = 0;
    read.frameCount = 1;
  }
  // LibRaw's second best interpolation (PPG) takes a third of the time of the best.
  read.setDefine(MagickFormat.Dng, 'interpolation-quality', 2);
  return read;
}

function largestOf(bytes: Uint8Array, what: string): Uint8Array {
  return ImageMagick.readCollection(bytes, settings('ico'), (images) => {
    const [first, ...others] = images;
    if (first === undefined) return invalidImage(`${what} contains no picture.`);
    const area = (image: IMagickImage): number => image.width * image.height;
    return asTiff(what)(others.reduce((best, image) => (area(image) > area(best) ? image : best), first));
  });
}

function asTiff(what: string): (image: IMagickImage) => Uint8Array {
  return (image) => {
    checkSize(image.width, image.height, what);
    // Everything but gray and the ink colours becomes sRGB: only a Photoshop file can contain Lab, HSV and
    // similar spaces.
    const kept: readonly ColorSpace[] = [ColorSpace.sRGB, ColorSpace.Gray, ColorSpace.CMYK];
    if (!kept.includes(image.colorSpace)) image.colorSpace = ColorSpace.sRGB;
    image.depth = 8;
    image.settings.compression = CompressionMethod.NoCompression;
    // The callback's bytes are in the engine's memory, which is freed with the thread.
    return image.write(MagickFormat.Tiff, (bytes) => Uint8Array.from(bytes));
  };
}
