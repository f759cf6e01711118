import type { PAGE_DEFAULTS, TemplateData, TemplateFormat, TemplatingEngine } from '@platen/contract/options';
import type { FontFace, FontFormat } from '@platen/print/fonts';
import type { ImageFormat } from '@platen/imaging/image-type';

/** A template in the service's internal form. */

/** The options that a template may set; the names are those of the API, as a rendering's options override them. */
export type PageOptions = { [K in keyof typeof PAGE_DEFAULTS]?: Exclude<TemplateData[K], undefined> };

/** One stored file. The content of an id never changes. */
export interface StoredFile {
  id: string;
  /** With its extension; null when it was sent without a name. */
  filename: string | null;
  contentType: string;
  /** Size in bytes. */
  size: number;
}

/** A file that was added to a template after the template itself. */
export interface AttachedFile extends StoredFile {
  description: string | null;
  /** ISO 8601, UTC. */
  added: string;
}

export interface StyleFile extends AttachedFile {
  format: 'css';
}

export interface ImageFile extends AttachedFile {
  format: ImageFormat;
  /** Name of the template variable for the image; dots make nested names. */
  uri: string;
}

/** A set of data for trying a template. */
export interface Sample extends StoredFile {
  /** ISO 8601, UTC. */
  added: string;
}

/** A partial in its state when its version was published (I-39). */
export interface KeptPartial extends StoredFile {
  /** SHA-256 of its bytes, hexadecimal. */
  hash: string;
}

/** A font of the tenant in its state when its version was published (I-40). */
export interface KeptFont extends StoredFile {
  /** SHA-256 of its bytes, hexadecimal. */
  hash: string;
  format: FontFormat;
  faces: readonly FontFace[];
}

/** The content of a version, which may differ between versions. */
export interface TemplateContent {
  name: string;
  format: TemplateFormat;
  description: string | null;
  tags: readonly string[];
  templatingEngine: TemplatingEngine;
  /** The options that were given with the template. */
  options: PageOptions;
  /** JSON Schema of the render data, as JSON text. */
  dataSchema: string | null;
  templateFile: StoredFile;
  headerFile: StoredFile | null;
  footerFile: StoredFile | null;
  /** In the order in which they were added, as are the images. */
  styleFiles: readonly StyleFile[];
  imageFiles: readonly ImageFile[];
  /** The partials that its files may use, by name. */
  partials: Readonly<Record<string, KeptPartial>>;
  /** The tenant's fonts that its files name, by the names of their files. */
  fonts: Readonly<Record<string, KeptFont>>;
}

/** The properties of a version besides its content. */
export interface VersionFacts {
  version: number;
  note: string | null;
  /** Names of the differences from the version before. */
  changes: readonly string[];
  /** When it was written: ISO 8601, UTC. */
  written: string;
  /** Name of the caller who wrote it; null if it is not known. */
  by: string | null;
  /** Whether it was never published: publishing stores the tenant's current partials with it. */
  isDraft: boolean;
}

/** One version of a template, and the properties that all versions share. */
export interface TemplateRecord extends TemplateContent, VersionFacts {
  id: string;
  /** Number of the version that renderings use. */
  published: number;
  /** Number of the newest version. */
  latest: number;
  samples: Readonly<Record<string, Sample>>;
  /** When the template was added: ISO 8601, UTC. */
  created: string;
}

/** The stored record is invalid: an internal error, never "no such template". */
export class CorruptRecordError extends Error {
  override readonly name = 'CorruptRecordError';
}

/** Returns the ids of the partials and fonts of a version, which do not depend on other versions. */
export function keptIds({ partials, fonts }: TemplateContent): string[] {
  return [...Object.values(partials), ...Object.values(fonts)].map(({ id }) => id);
}

/** Returns every file id that a version refers to, except its partials and fonts. */
export function fileIds(content: TemplateContent): string[] {
  const { templateFile, headerFile, footerFile, styleFiles, imageFiles } = content;
  const all = [templateFile, headerFile, footerFile, ...styleFiles, ...imageFiles];
  return all.flatMap((file) => (file ? [file.id] : []));
}
