import type { ImageFormat } from './image-type.ts';
import { withCore } from '@platen/core/thread';
import { imageContent } from './content.ts';
import type { RasterSource } from './convert.ts';
import { drawingPixels, type ImageEngines } from './engine-calls.ts';
import { jpegFacts } from './jpeg.ts';
import { invalidImage } from './limits.ts';
import { DEFAULT_RESOLUTION, type VectorPicture } from './picture.ts';
import { DRAWING_PIXELS, DRAWING_RESOLUTION, formatOf, type ImageInput } from './read.ts';
import { pipeline, run, type Work } from './sharp.ts';
import { drawnSource, nameOf } from './source.ts';

/** Images for html and office documents, whose readers know few of the 19 formats. */

/** What every browser shows. */
export const BROWSER_FORMATS: ReadonlySet<ImageFormat> = new Set([
  'jpeg',
  'png',
  'gif',
  'webp',
  'svg',
  'bmp',
  'ico',
]);
/** What every office program shows. */
export const OFFICE_FORMATS: ReadonlySet<ImageFormat> = new Set(['jpeg', 'png', 'gif', 'bmp']);
/** Those that buttons of PDF forms show. */
export const BUTTON_FORMATS: ReadonlySet<ImageFormat> = new Set(['jpeg', 'png', 'gif', 'webp']);

/** Photographs, which as PNG would be many times as large. */
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
]);

/** What an image becomes that a reader does not know. */
export function displayableFormat(format: ImageFormat): 'jpeg' | 'png' {
  return PHOTOGRAPHS.has(format) ? 'jpeg' : 'png';
}

export interface DisplayableImage {
  bytes: Buffer;
  format: ImageFormat;
}

/**
 * An image that a reader knows: as it came where it does, else a PNG, of photographs a JPEG. It is sRGB, the right way
 * up, and says its resolution, so that its natural size stays. Of several pages it is the first.
 *
 * @param known what the reader shows
 * @throws PlatenError as `readPictures`
 */
export async function displayableImage(
  { bytes, hints }: ImageInput,
  known: ReadonlySet<ImageFormat>,
  engines: ImageEngines,
  work: Work,
): Promise<DisplayableImage> {
  const format = formatOf(bytes, hints);
  if (known.has(format) && !lies(format, bytes, known)) return { bytes, format };
  return await withCore(work.signal, async () => {
    const content = await imageContent(bytes, format, engines, work);
    const source =
      content.kind === 'pictures'
        ? content.sources[0]
        : await firstDrawn(content.drawing, nameOf(format), work);
    if (source === undefined) return invalidImage(`${nameOf(format)} holds no picture.`);
    const wanted = displayableFormat(format);
    return { bytes: await encoded(source, wanted, work), format: wanted };
  });
}

/** Whether an image lies on its side for a reader that does not look at EXIF's orientation, as browsers do. */
function lies(format: ImageFormat, bytes: Buffer, known: ReadonlySet<ImageFormat>): boolean {
  return format === 'jpeg' && known !== BROWSER_FORMATS && jpegFacts(bytes).orientation !== 1;
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
  format: 'jpeg' | 'png',
  work: Work,
): Promise<Buffer> {
  return await run(what, work, async () => {
    const density = Math.round((resolution ?? DEFAULT_RESOLUTION).x);
    const image = pipeline(bytes, 'raw' in layout ? { raw: layout.raw } : { page: layout.page }, work)
      .autoOrient()
      .toColourspace('srgb')
      .withMetadata({ density });
    const coded = format === 'png' ? image.png() : image.jpeg({ quality: 92, chromaSubsampling: '4:4:4' });
    return await coded.toBuffer();
  });
}
