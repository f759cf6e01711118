import { type GifFrame, partialGifFrame } from '@platen/pdf/gif-frame';
import type { ImageFormat } from './image-type.ts';
import type { RasterSource } from './convert.ts';
import { imageTags } from './exif.ts';
import { jpegFacts, jpegPicture } from './jpeg.ts';
import { invalidImage } from './limits.ts';
import type { PagePixels } from './page-pixels.ts';
import { pngFacts, pngPicture } from './png.ts';
import { isTruncated } from './tiff-directory.ts';
import { pipeline, run, type Work } from './sharp.ts';

/** Finds the images to decode in a file. */

/** Returns the name of a format for errors. */
export function nameOf(format: ImageFormat): string {
  return `The ${format === 'webp' ? 'WebP' : format.toUpperCase()}`;
}

/** @throws PlatenError `image_invalid`, `image_too_large` */
export function jpegSource(bytes: Buffer): RasterSource {
  const facts = jpegFacts(bytes);
  const { orientation, resolution } = facts;
  const untouched = jpegPicture(bytes, facts);
  return fileSource(nameOf('jpeg'), bytes, { orientation, resolution, untouched });
}

/** @throws PlatenError `image_invalid`, `image_too_large` */
export function pngSource(bytes: Buffer): RasterSource {
  const facts = pngFacts(bytes);
  const { orientation, resolution, bits } = facts;
  const untouched = pngPicture(facts);
  return fileSource(nameOf('png'), bytes, { orientation, resolution, bitsPerSample: bits, untouched });
}

function fileSource(what: string, bytes: Uint8Array, known: Partial<RasterSource>): RasterSource {
  return {
    what,
    bytes,
    layout: { page: 0 },
    orientation: 1,
    resolution: null,
    bitsPerSample: null,
    untouched: null,
    ...known,
  };
}

/** Returns the picture of a file, the first frame of an animation (I-23). */
export async function pictureSource(
  bytes: Uint8Array,
  format: 'gif' | 'webp' | 'avif',
  work: Work,
): Promise<RasterSource> {
  const what = nameOf(format);
  const { exif } = await run(what, work, () => pipeline(bytes, {}, work).metadata());
  const tags = exif === undefined ? undefined : imageTags(withoutPrefix(exif))[0];
  const frame = format === 'gif' ? partialGifFrame(bytes) : null;
  return fileSource(what, bytes, {
    ...(frame === null ? {} : { decoded: async () => await onCanvas(what, bytes, frame, work) }),
    // The decoder of AVIF applies the file's own rotation, instead of which EXIF's must not count.
    orientation: (format === 'avif' ? undefined : tags?.orientation) ?? 1,
    resolution: tags?.resolution ?? null,
  });
}

/** The decoder paints the canvas around the first picture of a GIF black. */
async function onCanvas(
  what: string,
  bytes: Uint8Array,
  { area, around }: GifFrame,
  work: Work,
): Promise<RasterSource> {
  const background = { r: 0, g: 0, b: 0, alpha: 0 };
  const whole = await run(what, work, () =>
    pipeline(bytes, {}, work)
      .extract(area)
      .extend({ ...around, background })
      .png()
      .toBuffer(),
  );
  return fileSource(what, whole, {});
}

/** Removes the prefix of EXIF data, which some decoders return as in a JPEG. */
function withoutPrefix(exif: Buffer): Buffer {
  return exif.toString('latin1', 0, 6) === 'Exif\0\0' ? exif.subarray(6) : exif;
}

const REDUCED_COPY = 1;
const TRANSPARENCY_MASK = 4;

/** Returns the pages of a TIFF, without the smaller copies that some programs add. */
export async function tiffSources(bytes: Uint8Array, what: string, work: Work): Promise<RasterSource[]> {
  if (isTruncated(bytes)) invalidImage(`${what} is cut off: the end of its data is missing.`);
  const tags = imageTags(bytes);
  // The decoder does not read every kind of page, but it reads larger files (BigTIFF).
  const pages = tags.length > 0 ? tags.length : await pagesOf(bytes, what, work);
  const all = Array.from({ length: pages }, (_, page) => {
    const { orientation = 1, resolution = null, bitsPerSample = null, subfileType = 0 } = tags[page] ?? {};
    const source = fileSource(what, bytes, { layout: { page }, orientation, resolution, bitsPerSample });
    return { source, isPage: (subfileType & (REDUCED_COPY | TRANSPARENCY_MASK)) === 0 };
  });
  const real = all.filter(({ isPage }) => isPage).map(({ source }) => source);
  if (real.length > 0) return real;
  return all[0] === undefined ? invalidImage(`${what} has no pages.`) : [all[0].source];
}

async function pagesOf(bytes: Uint8Array, what: string, work: Work): Promise<number> {
  const { pages = 1 } = await run(what, work, () => pipeline(bytes, {}, work).metadata());
  return pages;
}

/** Returns a drawing that was rendered as pixels. */
export function drawnSource({ width, height, resolution, pixels }: PagePixels, what: string): RasterSource {
  return fileSource(what, pixels, {
    layout: { raw: { width, height, channels: 4 } },
    resolution: { x: resolution, y: resolution },
  });
}

/**
 * Returns whether one of an icon's pictures lies beyond the end of the file. The header has six bytes, then
 * sixteen for each picture.
 */
export function isIconTruncated(file: Buffer): boolean {
  const count = file.readUInt16LE(4);
  return Array.from({ length: count }, (_, i) => 6 + 16 * i).some(
    (entry) =>
      entry + 16 > file.length || file.readUInt32LE(entry + 12) + file.readUInt32LE(entry + 8) > file.length,
  );
}
