import { isPlatenError } from '@platen/core/errors';
import { imageTags } from './exif.ts';
import { detectImageFormat } from './image-type.ts';
import { jpegFacts } from './jpeg.ts';
import type { Resolution } from './picture.ts';
import { pngFacts } from './png.ts';

/**
 * Returns the resolution that a JPEG, PNG or TIFF file states, in the order of its stored rows and columns; null for
 * none, for other formats, and for a file that cannot be read, which whoever decodes it tells.
 */
export function statedResolution(bytes: Buffer): Resolution | null {
  try {
    switch (detectImageFormat(bytes, [])) {
      case 'jpeg':
        return jpegFacts(bytes).resolution;
      case 'png':
        return pngFacts(bytes).resolution;
      case 'tiff':
        return imageTags(bytes)[0]?.resolution ?? null;
      default:
        return null;
    }
  } catch (error) {
    if (isPlatenError(error)) return null;
    throw error;
  }
}
