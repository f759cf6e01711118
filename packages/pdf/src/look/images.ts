import type { PdfFile } from '../model/index.ts';
import type { Ref } from '../model/values.ts';
import { eachShownImage } from './shown-images.ts';

/** An image on a page. */
export interface ImageInfo {
  page: number;
  /** Pixels. */
  width: number;
  height: number;
  /** The displayed resolution; the lower one of both directions. */
  dpi: number;
}

/** Maximum number of reported images; a document that shows more consists of tiles. */
const MAX_IMAGES = 100_000;

const LIMITS = { contents: 200_000, bytes: 64 << 20, isStrict: false };

/** Returns the images that pages show, in order, without inline images. */
export async function readImages(objects: PdfFile): Promise<ImageInfo[]> {
  const images: ImageInfo[] = [];
  const pixels = new Map<Ref, { width: number; height: number }>();
  await eachShownImage(objects, LIMITS, ({ page, image, size: shown }) => {
    if (images.length >= MAX_IMAGES) return;
    const size = pixels.get(image) ?? pixelsOf(objects, image);
    pixels.set(image, size);
    const dpi = Math.min(size.width / (shown.width / 72), size.height / (shown.height / 72));
    images.push({ page: page + 1, ...size, dpi: Number.isFinite(dpi) ? Math.round(dpi * 10) / 10 : 0 });
  });
  return images;
}

function pixelsOf(objects: PdfFile, ref: Ref): { width: number; height: number } {
  const dict = objects.dict(ref);
  const [width, height] = [objects.resolve(dict['/Width']), objects.resolve(dict['/Height'])];
  return {
    width: typeof width === 'number' ? width : 0,
    height: typeof height === 'number' ? height : 0,
  };
}
