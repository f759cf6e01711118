import { isPlatenError } from '@platen/core/errors';
import type { DrawingFonts } from '../shared/tenant-fonts.ts';
import type { TemplateImages } from './images.ts';

/** Pixel versions of the drawings in office documents, which Microsoft Office requires beside them. */

/** Most drawings; each takes an engine a moment. */
const MAX_DRAWINGS = 200;
/** Errors of a drawing or of its renderer: the document is valid without the pixels. */
const FAULTS: ReadonlySet<string> = new Set([
  'image_invalid',
  'image_too_large',
  'engine_missing',
  'deadline_exceeded',
]);
const ALONE = 'Microsoft Office does not show drawings that are embedded only as SVG';

/**
 * Returns the renderer for the drawings of one document. If a drawing cannot be rendered, the document has
 * only its vector form, and a warning says so.
 *
 * @returns a function that returns the pixels of a drawing as a PNG; null for none
 */
export function pixelsOfDrawings(
  images: TemplateImages,
  fonts: DrawingFonts,
  { warn, signal }: { warn: (text: string) => void; signal: AbortSignal },
): (svg: Uint8Array) => Promise<Uint8Array | null> {
  let left = MAX_DRAWINGS;
  return async (svg) => {
    signal.throwIfAborted();
    left -= 1;
    if (left < 0) {
      warn(`${ALONE}: of one document ${MAX_DRAWINGS} drawings get pixels.`);
      return null;
    }
    try {
      return await images.pixels(svg, fonts);
    } catch (error) {
      if (!isPlatenError(error) || !FAULTS.has(error.code)) throw error;
      warn(`${ALONE}: ${error.message}`);
      return null;
    }
  };
}
