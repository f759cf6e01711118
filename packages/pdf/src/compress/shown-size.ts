import { eachShownImage, type ShownSize } from '../look/shown-images.ts';
import { MAX_DECODED } from './decoded.ts';
import type { PdfFile } from '../model/index.ts';
import type { Ref } from '../model/values.ts';

export type { ShownSize };

/** All contents count: an image of which only a small appearance were found would be reduced to that. */
const LIMITS = { contents: Infinity, bytes: MAX_DECODED, isStrict: true };

/**
 * Returns the largest size at which each image appears on the pages.
 *
 * @throws PlatenError `pdf_too_complex` for content that is too large to be read
 */
export async function shownSizes(file: PdfFile): Promise<Map<Ref, ShownSize>> {
  const sizes = new Map<Ref, ShownSize>();
  await eachShownImage(file, LIMITS, ({ image, size }) => {
    const { width, height } = sizes.get(image) ?? { width: 0, height: 0 };
    sizes.set(image, { width: Math.max(width, size.width), height: Math.max(height, size.height) });
  });
  return sizes;
}
