import { PlatenError } from '@platen/core/errors';
import { detectImageFormat, IMAGE_FORMATS, type ImageFormat } from '@platen/imaging/image-type';
import { decodeCss } from '@platen/core/text';

/** What is asked of the files of a template, whether they are stored or come along with a rendering. */

/** How many style and image files a template may have: of stored ones the metadata has to fit into one item of 400 KB. */
export const MAX_STYLE_FILES = 100;
export const MAX_IMAGE_FILES = 300;

/** How large they may be, in bytes. */
export const MAX_FILE_BYTES = { style: 2 * 1024 * 1024, image: 64 * 1024 * 1024 } as const;

/**
 * What an image is: looked at and not believed (I-8).
 *
 * @param field what it came in
 * @param hints names and formats it is called by, for formats that cannot be told apart by their bytes
 * @throws PlatenError `image_format_unsupported`
 */
export function imageFormatOf(bytes: Buffer, hints: (string | null)[], field = 'file_data'): ImageFormat {
  const format = detectImageFormat(bytes, hints);
  if (format) return format;
  const message =
    field === 'file_data'
      ? 'The file is not an image of a supported format'
      : `${field} is not an image of a supported format`;
  throw new PlatenError('image_format_unsupported', `${message}: ${IMAGE_FORMATS.join(', ')}.`, {
    faults: [{ field, message, allowed: IMAGE_FORMATS }],
  });
}

/**
 * A stylesheet's text. Any text is CSS to a browser, which skips what it does not understand; what is plainly something
 * else is not.
 *
 * @param field what it came in
 * @throws PlatenError `stylesheet_invalid`
 */
export function stylesheetText(bytes: Buffer, field = 'file_data'): { text: string; encoding: string } {
  const decoded = decodeCss(bytes);
  if (!('text' in decoded)) return refuse(`it cannot be read as text: ${decoded.fault}`, field);
  if (decoded.text.trimStart().startsWith('<'))
    return refuse('it begins with a tag: send the bare rules', field);
  // It would end the element that carries the styles into a document.
  if (/<\/style/i.test(decoded.text)) return refuse('it holds "</style"', field);
  return decoded;
}

function refuse(reason: string, field: string): never {
  const message = `${field === 'file_data' ? 'The file' : field} is not a stylesheet: ${reason}`;
  throw new PlatenError('stylesheet_invalid', `${message}.`, { faults: [{ field, message }] });
}
