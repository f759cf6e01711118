import { PlatenError } from '@platen/core/errors';
import type { PictureOptions } from '../browser-options.ts';
import type { ChromePage } from './page.ts';

/** Maximum pixels per side in all three formats; and in total. */
const MAX_DOTS = 16_383;
const MAX_AREA = 64_000_000;

/**
 * Takes a picture of the loaded document of a page.
 *
 * @throws PlatenError `print_failed` if nothing matches the selector, `document_too_large`; PageCrashed,
 * ConnectionLost
 */
export async function pictureLoaded(page: ChromePage, options: PictureOptions): Promise<Buffer> {
  await page.nameFaces();
  const { selector, fullPage, deviceScale, format, quality } = options;
  const clip = clipOf(
    await page.evaluate(`
      const selector = ${JSON.stringify(selector)};
      const root = document.documentElement;
      if (selector === null) {
        const [width, height] = ${fullPage} ? [root.scrollWidth, root.scrollHeight] : [innerWidth, innerHeight];
        return [0, 0, width, height];
      }
      const box = document.querySelector(selector)?.getBoundingClientRect();
      return box === undefined ? null : [box.x + scrollX, box.y + scrollY, box.width, box.height];`),
  );
  if (clip === null || clip.width <= 0 || clip.height <= 0) {
    const field = 'render_options.selector';
    const message = `${field} matches no visible element`;
    throw new PlatenError('print_failed', `${message}.`, { faults: [{ field, message }] });
  }
  const [width, height] = [clip.width * deviceScale, clip.height * deviceScale];
  if (Math.max(width, height) > MAX_DOTS || width * height > MAX_AREA) {
    throw new PlatenError(
      'document_too_large',
      `The picture would have ${Math.ceil(width)} × ${Math.ceil(height)} dots; at most ${MAX_DOTS} per side and ${MAX_AREA} in total are allowed.`,
    );
  }
  return await page.screenshot(clip, 1, { format, ...(quality === null ? {} : { quality }) });
}

function clipOf(found: unknown): { x: number; y: number; width: number; height: number } | null {
  if (!Array.isArray(found) || !found.every((length) => Number.isFinite(length))) return null;
  const [x, y, width, height] = found as [number, number, number, number];
  return { x, y, width, height };
}
