import { PlatenError } from '@platen/core/errors';

/**
 * Maximum pixels of an image, more than any camera has (100 to 150 million); decoded with an alpha channel,
 * such an image still fits into a function's memory beside its own result.
 */
export const MAX_PIXELS = 150_000_000;

/** Maximum side in pixels: a PDF reader has to load the embedded image, and C code counts in 32 bits. */
export const MAX_SIDE = 65_500;

/** Maximum pixels of an image that has one bit for each, which stay packed: eight in a byte. */
export const MAX_BILEVEL_PIXELS = 8 * MAX_PIXELS;

/**
 * @param what the subject of error messages: "The image", "Page 3"
 * @param most pixels: `MAX_PIXELS`, or `MAX_BILEVEL_PIXELS` if they stay packed
 * @throws PlatenError `image_invalid` for no pixels, `image_too_large` for too many
 */
export function checkSize(width: number, height: number, what = 'The image', most = MAX_PIXELS): void {
  if (!(width > 0 && height > 0)) invalidImage(`${what} has no pixels: its size is ${width} x ${height}.`);
  if (width * height > most || Math.max(width, height) > MAX_SIDE) {
    throw new PlatenError(
      'image_too_large',
      `${what} has ${width} x ${height} pixels. At most ${most / 1e6} million, and ${MAX_SIDE} on a side, are allowed.`,
    );
  }
}

/** @throws PlatenError `image_invalid` */
export function invalidImage(message: string, cause?: unknown): never {
  throw new PlatenError('image_invalid', message, cause === undefined ? {} : { cause });
}

/** @throws PlatenError `image_format_unsupported` */
export function unsupportedImage(what: string, reason: string): never {
  throw new PlatenError('image_format_unsupported', `${what} ${reason}, which is not supported.`);
}

/** Names of compressions in TIFF. */
const COMPRESSIONS: Readonly<Record<string, string>> = {
  33003: 'JPEG 2000',
  33005: 'JPEG 2000',
  34712: 'JPEG 2000',
};

/**
 * Refuses an intact file that an engine cannot decode, by the text of the engine's error.
 *
 * @throws PlatenError `image_format_unsupported`; returns for any other error
 */
export function refuseUnsupported(text: string, what: string, cause: unknown): void {
  // bounded: an engine's messages are cut to 1,000 characters
  const pattern = /([\w-]+) (?:compression|decompression|scheme)([\w ]*)not (?:configured|implemented)/i;
  const coding = pattern.exec(text.slice(0, 1000));
  if (coding === null && !/not (?:configured|implemented|supported)|unsupported/i.test(text)) return;
  // libtiff tells only the number of some compressions: "Compression scheme 34712 … is not implemented".
  const number = /compression scheme (\d{1,5})/i.exec(text.slice(0, 1000))?.[1];
  const name = number === undefined ? coding?.[1] : (COMPRESSIONS[number] ?? number);
  const reason = name === undefined ? 'a form' : `the compression ${name}`;
  throw new PlatenError('image_format_unsupported', `${what} has ${reason} that is not supported.`, {
    cause,
  });
}
