import type { TemplateFormat } from '@platen/contract/options';
import { PlatenError } from '@platen/core/errors';
import { imageMediaType } from '@platen/imaging/image-type';
import type { UploadedFile } from '../shared/http/index.ts';
import type { StoredImage } from '../shared/store/templates/rendering.ts';
import {
  imageFormatOf,
  MAX_FILE_BYTES,
  MAX_IMAGE_FILES,
  MAX_STYLE_FILES,
  stylesheetText,
  checkImageUri,
} from '@platen/contract/templates';
import { isWebFormat } from '@platen/print';

/** Images and styles of a template that is sent along: the parts `img_NAME` and `css_NAME`. */

export const IMAGE_PART = 'img_';
export const STYLE_PART = 'css_';

/** Most bytes of all images together: unlike those of a stored template they are held in memory. */
const MAX_IMAGES_BYTES = MAX_FILE_BYTES.image;

export interface SentFiles {
  /** By the name of the variable of the image. */
  images: ReadonlyMap<string, Omit<StoredImage, 'id'>>;
  /** CSS texts, in the order in which they were sent. */
  styles: readonly string[];
}

/**
 * Reads and validates them like the files of a stored template.
 *
 * @param format format of the template; style sheets apply only to html
 * @param warnings sentences for the caller are added here
 * @throws PlatenError `invalid_field` for a name that is not a variable's, `image_format_unsupported`,
 * `stylesheet_invalid`, `file_too_large`, `template_too_large`
 */
export async function sentFiles(
  files: readonly UploadedFile[],
  format: TemplateFormat,
  warnings: string[],
): Promise<SentFiles> {
  const named = (prefix: string): UploadedFile[] =>
    files.filter(({ field, size }) => field.startsWith(prefix) && size > 0);
  const sentImages = named(IMAGE_PART);
  const sentStyles = named(STYLE_PART);
  checkAmounts(sentImages, sentStyles);
  const images = new Map<string, Omit<StoredImage, 'id'>>();
  for (const file of sentImages)
    images.set(checkImageUri(file.field.slice(IMAGE_PART.length), file.field), await image(file));
  const styles: string[] = [];
  for (const file of sentStyles) {
    styles.push(stylesheetText(await file.bytes(MAX_FILE_BYTES.style), file.field).text);
    if (!isWebFormat(format))
      warnings.push(`${file.field} ignored: a template of the format ${format} has no style sheets`);
  }
  return { images, styles };
}

async function image(file: UploadedFile): Promise<Omit<StoredImage, 'id'>> {
  const { field, filename, contentType } = file;
  const bytes = await file.bytes(MAX_FILE_BYTES.image);
  const format = imageFormatOf(bytes, [filename, contentType?.replace(/^.*\/(x-)?/, '') ?? null], field);
  return { format, contentType: imageMediaType(format), filename, bytes: () => Promise.resolve(bytes) };
}

/** Called before any of them is loaded. */
function checkAmounts(images: readonly UploadedFile[], styles: readonly UploadedFile[]): void {
  const tooMuch =
    images.length > MAX_IMAGE_FILES
      ? `${IMAGE_PART}: a template may have ${MAX_IMAGE_FILES} images, but ${images.length} were sent`
      : styles.length > MAX_STYLE_FILES
        ? `${STYLE_PART}: a template may have ${MAX_STYLE_FILES} style sheets, but ${styles.length} were sent`
        : null;
  const bytes = images.reduce((sum, { size }) => sum + size, 0);
  for (const file of images) file.checkSize(MAX_FILE_BYTES.image);
  if (tooMuch === null && bytes <= MAX_IMAGES_BYTES) return;
  const message =
    tooMuch ?? `${IMAGE_PART}: images sent along may have ${MAX_IMAGES_BYTES / 1024 / 1024} MB together`;
  throw new PlatenError('template_too_large', `${message}.`, {
    faults: [{ field: tooMuch?.startsWith(STYLE_PART) === true ? STYLE_PART : IMAGE_PART, message }],
  });
}
