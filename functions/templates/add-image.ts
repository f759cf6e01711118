import { imageFormatNamed, imageMediaType } from '@platen/imaging/image-type';
import type { UploadedFile } from '../shared/http/index.ts';
import type { TemplateStore } from '../shared/store/templates.ts';
import type { VersionWrite } from '../shared/store/templates/versions.ts';
import type { ImageFile } from '../shared/store/templates/record.ts';
import { imageFormatOf, checkImageUri, defaultImageUri } from '@platen/contract/templates';
import { loadedNamed } from './upload.ts';

export interface ImageFields {
  /** The format that the caller declares. */
  format: string;
  filename?: string | undefined;
  description?: string | undefined;
  uri?: string | undefined;
}

/**
 * Adds an image to a template. Its format is detected, not trusted (I-8): a picture in another supported
 * format than declared is stored in its actual format, with a warning.
 *
 * @param warnings sentences for the caller are added here
 * @throws PlatenError `not_found`, `image_format_unsupported`, `invalid_field`, `file_too_large`,
 * `template_too_large`, `version_conflict`, `conflict`
 */
export async function addImage(
  store: TemplateStore,
  tenant: string,
  templateId: string,
  fields: ImageFields,
  file: UploadedFile,
  how: VersionWrite,
  warnings: string[],
): Promise<ImageFile> {
  const upload = await loadedNamed(file, 'image', fields.filename);
  const { filename } = upload;
  const format = imageFormatOf(upload.bytes, [filename, file.filename, fields.format]);
  if (imageFormatNamed(fields.format) !== format) {
    warnings.push(
      `template_data.format is "${fields.format}", but the image is ${format} and is stored as such.`,
    );
  }
  const uri =
    fields.uri === undefined
      ? defaultImageUri(
          filename,
          (await store.get(tenant, templateId, 'latest')).imageFiles.map((image) => image.uri),
        )
      : checkImageUri(fields.uri);
  const image = {
    bytes: upload.bytes,
    format,
    filename,
    description: fields.description ?? null,
    uri,
    contentType: imageMediaType(format),
  };
  return await store.addImage(tenant, templateId, image, how);
}
