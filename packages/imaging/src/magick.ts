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
import { checkSize, invalidImage, refuseUnsupported, MAX_PIXELS, MAX_SIDE } from './limits.ts';

/** ImageMagick (compiled to WebAssembly) in a worker thread, for the formats that sharp does not read. */

export type MagickImageFormat = Extract<
  ImageFormat,
  'bmp' | 'ico' | 'psd' | 'heic' | 'jp2' | 'cr2' | 'nef' | 'sr2' | 'orf' | 'rw2' | 'dng' | 'arw' | 'tiff'
>;

const FORMATS: Readonly<Record<MagickImageFormat, MagickFormat>> = {
  bmp: MagickFormat.Bmp,
  ico: MagickFormat.Ico,
  psd: MagickFormat.Psd,
  heic: MagickFormat.Heic,
  // The data of JPEG 2000 without a file around it too.
  jp2: MagickFormat.Jp2,
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
  /** 0-based. */
  page: number;
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
export async function decodeWithMagick({
  binary,
  bytes,
  format,
  page,
  memory,
}: MagickTask): Promise<Uint8Array> {
  await initializeImageMagick(binary);
  ResourceLimits.width = BigInt(MAX_SIDE);
  ResourceLimits.height = BigInt(MAX_SIDE);
  ResourceLimits.area = BigInt(MAX_PIXELS);
  ResourceLimits.memory = BigInt(memory);
  // An image that does not fit into memory has to fail instead of using the disk.
  ResourceLimits.disk = 0n;
  const what = `The ${format.toUpperCase()}`;
  try {
    const frame = format === 'ico' ? largestPicture(bytes) : page;
    return ImageMagick.read(bytes, settings(format, frame), asTiff(what));
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
    refuseUnsupported(text, what, error);
    return invalidImage(`${what} is damaged or cut off: it cannot be decoded.`, error);
  }
}

function settings(format: MagickImageFormat, frame: number): MagickReadSettings {
  const read = new MagickReadSettings({ format: FORMATS[format] });
  read.frameIndex = frame;
  read.frameCount = 1;
  // LibRaw's second best interpolation (PPG) takes a third of the time of the best.
  read.setDefine(MagickFormat.Dng, 'interpolation-quality', 2);
  return read;
}

/**
 * Returns the place of an icon's largest picture. The header has six bytes, then sixteen for each picture, which
 * begin with its width and height; 0 stands for 256.
 */
function largestPicture(bytes: Uint8Array): number {
  const count = Math.floor((bytes.length - 6) / 16);
  const areas = Array.from({ length: Math.min(count, (bytes[4] ?? 0) + 256 * (bytes[5] ?? 0)) }, (_, i) => {
    const [width = 0, height = 0] = bytes.subarray(6 + 16 * i, 8 + 16 * i);
    return (width === 0 ? 256 : width) * (height === 0 ? 256 : height);
  });
  return Math.max(0, areas.indexOf(Math.max(...areas)));
}

function asTiff(what: string): (image: IMagickImage) => Uint8Array {
  return (image) => {
    checkSize(image.width, image.height, what);
    // Everything but gray and the ink colours becomes sRGB: only a Photoshop file can contain Lab, HSV and
    // similar spaces.
    const kept: readonly ColorSpace[] = [ColorSpace.sRGB, ColorSpace.Gray, ColorSpace.CMYK];
    if (!kept.includes(image.colorSpace)) image.colorSpace = ColorSpace.sRGB;
    // Of the formats, only TIFF has channels beyond colour and transparency, which have no meaning here.
    if (image.format === MagickFormat.Tiff && image.metaChannelCount > 0) image.metaChannelCount = 0;
    image.depth = 8;
    image.settings.compression = CompressionMethod.NoCompression;
    // The callback's bytes are in the engine's memory, which is freed with the thread.
    return image.write(MagickFormat.Tiff, (bytes) => Uint8Array.from(bytes));
  };
}
