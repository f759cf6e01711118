import { PlatenError } from '@platen/core/errors';
import { detectImageFormat, IMAGE_FORMATS, type ImageFormat } from '@platen/imaging/image-type';
import { decodeCss } from '@platen/core/text';

/** Checks of a template's files, for stored templates and for those sent along with a rendering. */

/**
 * Maximum style and image files of a template: the metadata of a stored template has to fit into one item of
 * 400 KB.
 */
export const MAX_STYLE_FILES = 100;
export const MAX_IMAGE_FILES = 300;

/** Maximum size of a file in bytes. */
export const MAX_FILE_BYTES = { style: 2 * 1024 * 1024, image: 64 * 1024 * 1024 } as const;

/**
 * Detects the format of an image from its content, whatever its declared type (I-8).
 *
 * @param field name of the field for errors
 * @param hints file names and formats that were declared, for formats that cannot be distinguished by their
 *   bytes
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
 * Returns a stylesheet's text. Any text is valid CSS for a browser, which skips what it does not understand;
 * only content that is clearly of another type is refused.
 *
 * @param field name of the field for errors
 * @throws PlatenError `stylesheet_invalid`
 */
export function stylesheetText(bytes: Buffer, field = 'file_data'): { text: string; encoding: string } {
  const decoded = decodeCss(bytes);
  if (!('text' in decoded)) return refuse(`it cannot be read as text: ${decoded.fault}`, field);
  if (decoded.text.trimStart().startsWith('<'))
    return refuse('it begins with a tag: send the bare rules', field);
  // The tag would end the element that carries the styles in a document.
  if (/<\/style/i.test(decoded.text)) return refuse('it holds "</style"', field);
  return decoded;
}

function refuse(reason: string, field: string): never {
  const message = `${field === 'file_data' ? 'The file' : field} is not a stylesheet: ${reason}`;
  throw new PlatenError('stylesheet_invalid', `${message}.`, { faults: [{ field, message }] });
}
