import type { PAGE_DEFAULTS, TemplateData, TemplateFormat, TemplatingEngine } from '@platen/contract/options';
import type { FontFace } from '@platen/print/fonts/font-file';
import type { FontFormat } from '@platen/print/fonts/sfnt';
import type { ImageFormat } from '@platen/imaging/image-type';

/** A template as the service knows it. */

/** The options a template may register; the names are the wire's, since a rendering's options go on top of them. */
export type PageOptions = { [K in keyof typeof PAGE_DEFAULTS]?: Exclude<TemplateData[K], undefined> };

/** One stored file. What an id stands for never changes. */
export interface StoredFile {
  id: string;
  /** With its ending; null when it was sent without one. */
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
  /** Name of the template variable that stands for the image; dots make nested names. */
  uri: string;
}

/** A set of data to try a template with. */
export interface Sample extends StoredFile {
  /** ISO 8601, UTC. */
  added: string;
}

/** A partial as it was when the version that has it was published (I-39). */
export interface KeptPartial extends StoredFile {
  /** SHA-256 of its bytes, hexadecimal. */
  hash: string;
}

/** A font of the tenant as it was when the version that has it was published (I-40). */
export interface KeptFont extends StoredFile {
  /** SHA-256 of its bytes, hexadecimal. */
  hash: string;
  format: FontFormat;
  faces: readonly FontFace[];
}

/** What a version holds, and what another one may hold differently. */
export interface TemplateContent {
  name: string;
  format: TemplateFormat;
  description: string | null;
  tags: readonly string[];
  templatingEngine: TemplatingEngine;
  /** Those that were given with the template. */
  options: PageOptions;
  /** JSON Schema that render data have to fit, as JSON text. */
  dataSchema: string | null;
  templateFile: StoredFile;
  headerFile: StoredFile | null;
  footerFile: StoredFile | null;
  /** In the order in which they were added, as are the images. */
  styleFiles: readonly StyleFile[];
  imageFiles: readonly ImageFile[];
  /** The partials that its files can come to use, by name. */
  partials: Readonly<Record<string, KeptPartial>>;
  /** The tenant's fonts that its files name, by the names of their files. */
  fonts: Readonly<Record<string, KeptFont>>;
}

/** What is known of a version besides what it holds. */
export interface VersionFacts {
  version: number;
  note: string | null;
  /** Names of what differs from the version before. */
  changes: readonly string[];
  /** When it was written: ISO 8601, UTC. */
  written: string;
  /** It has never been the published one: publishing it gives it the partials of that day. */
  isDraft: boolean;
}

/** One version of a template, and what the template is besides its versions. */
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

/** The stored record does not say what it should: a fault of ours, never "no such template". */
export class CorruptRecordError extends Error {
  override readonly name = 'CorruptRecordError';
}

/** The partials and fonts that a version keeps: files of its own, which no other version's place matters to. */
export function keptIds({ partials, fonts }: TemplateContent): string[] {
  return [...Object.values(partials), ...Object.values(fonts)].map(({ id }) => id);
}

/** Every file id that a version refers to, but for its partials and fonts. */
export function fileIds(content: TemplateContent): string[] {
  const { templateFile, headerFile, footerFile, styleFiles, imageFiles } = content;
  const all = [templateFile, headerFile, footerFile, ...styleFiles, ...imageFiles];
  return all.flatMap((file) => (file ? [file.id] : []));
}
