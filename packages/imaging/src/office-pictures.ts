import { type ImageFormat } from './image-type.ts';
import { jpegFacts } from './jpeg.ts';
import { pngFacts } from './png.ts';

/** Pictures that every office program shows as they are. */

/** Formats that every office program shows. */
export const OFFICE_FORMATS: ReadonlySet<ImageFormat> = new Set(['jpeg', 'png', 'gif', 'bmp']);

/** Returns whether a picture is shown upright by a reader that ignores EXIF's orientation. */
export function isUpright(format: ImageFormat, bytes: Buffer): boolean {
  if (format === 'jpeg') return jpegFacts(bytes).orientation === 1;
  return format !== 'png' || pngFacts(bytes).orientation === 1;
}
