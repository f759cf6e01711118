import { isWebFormat } from '@platen/print';
import { decodeCss, decodeHtml, type Decoded } from '@platen/core/text';
import {
  CorruptRecordError,
  type ImageFile,
  type KeptFont,
  type KeptPartial,
  type PageOptions,
  type StoredFile,
  type TemplateRecord,
} from './record.ts';

/** The content of a stored template that a rendering needs. */

/** A text and the id of its file, which also identifies derived data (a compiled template) in caches. */
export interface StoredText {
  id: string;
  text: string;
}

export interface StoredImage {
  id: string;
  format: ImageFile['format'];
  contentType: string;
  filename: string | null;
  /** Reads the image, at most once while it stays in memory. */
  bytes: () => Promise<Buffer>;
}

export interface TemplateForRendering extends Pick<
  TemplateRecord,
  'id' | 'name' | 'format' | 'templatingEngine' | 'dataSchema' | 'version'
> {
  /** The template's own options; the caller adds the defaults. */
  options: PageOptions;
  /** The template file; its text where the format is html, else null. */
  file: { id: string; bytes: Buffer; text: string | null };
  header: StoredText | null;
  footer: StoredText | null;
  /** In the order in which they apply. */
  styles: readonly StoredText[];
  /** By `uri`; of several images with the same one, the last added. */
  images: ReadonlyMap<string, StoredImage>;
  /** By name. */
  partials: readonly LoadedPartial[];
  /** The tenant's fonts when the version was published. */
  fonts: readonly LoadedFont[];
}

/** A stored font of a version. */
export interface LoadedFont extends Pick<KeptFont, 'id' | 'contentType' | 'format' | 'faces'> {
  /** Reads it, at most once while it stays in memory. */
  bytes: () => Promise<Buffer>;
}

/** A stored partial of a version. */
export interface LoadedPartial extends Pick<KeptPartial, 'hash' | 'contentType'> {
  name: string;
  bytes: Buffer;
}

/** @param read returns the bytes of one of the template's files */
export async function assembleForRendering(
  template: TemplateRecord,
  read: (file: StoredFile) => Promise<Buffer>,
): Promise<TemplateForRendering> {
  const { templateFile, headerFile, footerFile, styleFiles, imageFiles } = template;
  const text = async (file: StoredFile, decode: (bytes: Buffer) => Decoded): Promise<StoredText> => ({
    id: file.id,
    text: decoded(file, decode(await read(file))),
  });
  const partials = Promise.all(
    Object.entries(template.partials).map(async ([name, file]): Promise<LoadedPartial> => {
      const { hash, contentType } = file;
      return { name, hash, contentType, bytes: await read(file) };
    }),
  );
  // Awaited last, so that an earlier error takes precedence.
  partials.catch(() => undefined);
  const [bytes, header, footer, ...styles] = await Promise.all([
    read(templateFile),
    headerFile && text(headerFile, decodeHtml),
    footerFile && text(footerFile, decodeHtml),
    ...styleFiles.map((style) => text(style, decodeCss)),
  ]);
  return {
    id: template.id,
    name: template.name,
    format: template.format,
    templatingEngine: template.templatingEngine,
    options: template.options,
    dataSchema: template.dataSchema,
    version: template.version,
    partials: await partials,
    fonts: Object.values(template.fonts).map((font) => {
      const { id, contentType, format, faces } = font;
      return { id, contentType, format, faces, bytes: () => read(font) };
    }),
    file: {
      id: templateFile.id,
      bytes,
      text: isWebFormat(template.format) ? decoded(templateFile, decodeHtml(bytes)) : null,
    },
    header,
    footer,
    styles,
    images: new Map(
      imageFiles.map((image) => [
        image.uri,
        {
          id: image.id,
          format: image.format,
          contentType: image.contentType,
          filename: image.filename,
          bytes: () => read(image),
        },
      ]),
    ),
  };
}

/** It was text when it was stored. */
function decoded(file: StoredFile, result: Decoded): string {
  if ('text' in result) return result.text;
  throw new CorruptRecordError(`The stored file ${file.id} cannot be read: ${result.fault}.`);
}
