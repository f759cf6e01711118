import type { ImageFormat } from './image-type.ts';
import { withCore } from '@platen/core/thread';
import { imageContent } from './content.ts';
import type { RasterSource } from './convert.ts';
import { drawingPixels, type ImageEngines } from './engine-calls.ts';
import { invalidImage } from './limits.ts';
import { isUpright } from './office-pictures.ts';
import { DEFAULT_RESOLUTION, type VectorPicture } from './picture.ts';
import { DRAWING_PIXELS, DRAWING_RESOLUTION, formatOf, type ImageInput } from './read.ts';
import { pipeline, run, type Work } from './sharp.ts';
import { drawnSource, nameOf } from './source.ts';

/** Converts images for HTML and office documents, whose readers support few of the formats. */

/** Formats that every browser shows. */
export const BROWSER_FORMATS: ReadonlySet<ImageFormat> = new Set([
  'jpeg',
  'png',
  'gif',
  'webp',
  'svg',
  'bmp',
  'ico',
  'avif',
]);
/** Formats that buttons of PDF forms show. */
export const BUTTON_FORMATS: ReadonlySet<ImageFormat> = new Set(['jpeg', 'png', 'gif', 'webp']);

/** Photographs, which would be many times larger as PNG. */
const PHOTOGRAPHS: ReadonlySet<ImageFormat> = new Set([
  'jpeg',
  'heic',
  'cr2',
  'nef',
  'sr2',
  'orf',
  'rw2',
  'dng',
  'arw',
  'avif',
  'jp2',
]);

/** Returns the replacement for a format that a reader does not support, unless parts of the image are transparent. */
export function displayableFormat(format: ImageFormat): 'jpeg' | 'png' {
  return PHOTOGRAPHS.has(format) ? 'jpeg' : 'png';
}

export interface DisplayableImage {
  bytes: Buffer;
  format: ImageFormat;
}

/**
 * Returns an image in a format that a reader supports: unchanged if possible, otherwise a PNG, or a JPEG for
 * opaque photographs. The converted image is sRGB, upright, and states its resolution, so that its natural size
 * stays the same. Of several pages only the first is used.
 *
 * @param known formats that the reader shows
 * @throws PlatenError as `readPictures`
 */
export async function displayableImage(
  { bytes, hints }: ImageInput,
  known: ReadonlySet<ImageFormat>,
  engines: ImageEngines,
  work: Work,
): Promise<DisplayableImage> {
  const format = formatOf(bytes, hints);
  // Browsers respect EXIF's orientation.
  if (known.has(format) && (known === BROWSER_FORMATS || isUpright(format, bytes))) return { bytes, format };
  return await withCore(work.signal, async () => {
    const content = await imageContent(bytes, format, engines, work);
    const source =
      content.kind === 'pictures'
        ? content.sources[0]
        : await firstDrawn(content.drawing, nameOf(format), work);
    if (source === undefined) return invalidImage(`${nameOf(format)} contains no picture.`);
    return await encoded((await source.decoded?.()) ?? source, displayableFormat(format), work);
  });
}

async function firstDrawn(
  drawing: VectorPicture,
  what: string,
  work: Work,
): Promise<RasterSource | undefined> {
  const first = { ...drawing, onlyFirst: true };
  const pages = await drawingPixels(first, DRAWING_RESOLUTION, DRAWING_PIXELS, work);
  return pages.map((page) => drawnSource(page, what))[0];
}

async function encoded(
  { what, bytes, layout, resolution }: RasterSource,
  usual: 'jpeg' | 'png',
  work: Work,
): Promise<DisplayableImage> {
  return await run(what, work, async () => {
    const density = Math.round((resolution ?? DEFAULT_RESOLUTION).x);
    const image = pipeline(bytes, 'raw' in layout ? { raw: layout.raw } : { page: layout.page }, work)
      .autoOrient()
      .toColourspace('srgb')
      .withMetadata({ density });
    const format = usual === 'jpeg' && (await image.metadata()).hasAlpha ? 'png' : usual;
    const coded = format === 'png' ? image.png() : image.jpeg({ quality: 92, chromaSubsampling: '4:4:4' });
    return { bytes: await coded.toBuffer(), format };
  });
}
