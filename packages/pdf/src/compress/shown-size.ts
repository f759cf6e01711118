import { eachShownImage, type ShownSize } from '../look/shown-images.ts';
import type { PdfFile } from '../model/index.ts';
import type { Ref } from '../model/values.ts';

export type { ShownSize };

/** Returns the largest size at which each image appears on the pages. */
export async function shownSizes(file: PdfFile): Promise<Map<Ref, ShownSize>> {
  const sizes = new Map<Ref, ShownSize>();
  await eachShownImage(file, ({ image, size }) => {
    const { width, height } = sizes.get(image) ?? { width: 0, height: 0 };
    sizes.set(image, { width: Math.max(width, size.width), height: Math.max(height, size.height) });
  });
  return sizes;
}
