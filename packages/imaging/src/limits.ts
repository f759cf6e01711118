import { PlatenError } from '@platen/core/errors';

/**
 * The most pixels an image may have. Larger than any camera's (100 to 150 million at most); decoded with an alpha
 * channel it still fits beside its own result into a function's memory.
 */
export const MAX_PIXELS = 150_000_000;

/** A PDF reader has to hold what we embed, and C code counts in 32 bits. */
export const MAX_SIDE = 65_500;

/**
 * @param what begins the sentence: "The image", "Page 3"
 * @throws PlatenError `image_invalid` for no pixels, `image_too_large` for too many
 */
export function checkSize(width: number, height: number, what = 'The image'): void {
  if (!(width > 0 && height > 0)) invalidImage(`${what} has no pixels: it says it is ${width} x ${height}.`);
  if (width * height > MAX_PIXELS || Math.max(width, height) > MAX_SIDE) {
    throw new PlatenError(
      'image_too_large',
      `${what} has ${width} x ${height} pixels. At most ${MAX_PIXELS / 1e6} million, and ${MAX_SIDE} on a side, are allowed.`,
    );
  }
}

/** @throws PlatenError `image_invalid` */
export function invalidImage(message: string, cause?: unknown): never {
  throw new PlatenError('image_invalid', message, cause === undefined ? {} : { cause });
}
