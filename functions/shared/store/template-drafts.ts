import { PlatenError } from '@platen/core/errors';
import type { NewFile, NewPartial } from './new-files.ts';
import type { ImageFile, StoredFile, StyleFile, TemplateRecord } from './template-record.ts';

/** What is given of templates that are added or changed, and the kinds of files that they have. */

export type NewTemplate = Pick<
  TemplateRecord,
  'name' | 'format' | 'description' | 'templatingEngine' | 'options'
> & {
  tags?: readonly string[];
  dataSchema?: string | null;
  templateFile: NewFile;
  headerFile: NewFile | null;
  footerFile: NewFile | null;
  /** What its files can come to use. */
  partials?: readonly NewPartial[];
  /** Its style and image files, in order: those that a template has which is changed, and new ones. Default: none. */
  styleFiles?: readonly (StyleFile | NewStyle)[];
  imageFiles?: readonly (ImageFile | NewImage)[];
};

/** What is to be different in a template; what is left out stays as it is. */
export type TemplateEdit = Partial<NewTemplate>;

export type NewStyle = NewFile & Pick<StyleFile, 'format' | 'description'>;
export type NewImage = NewFile & Pick<ImageFile, 'format' | 'description' | 'uri'>;

/** What a kind of file ids stands for. `template` is the template's own file, its header or its footer. */
export interface FileOf {
  template: StoredFile;
  style: StyleFile;
  image: ImageFile;
}
export type FileKind = keyof FileOf;

/** The files of a kind that a template has. */
export const FILES_OF: { readonly [K in FileKind]: (template: TemplateRecord) => readonly FileOf[K][] } = {
  template: ({ templateFile, headerFile, footerFile }) =>
    [templateFile, headerFile, footerFile].filter((file) => file !== null),
  style: ({ styleFiles }) => styleFiles,
  image: ({ imageFiles }) => imageFiles,
};
/** How errors name them. */
export const KIND_NAMES: Readonly<Record<FileKind, string>> = {
  template: 'template file',
  style: 'stylesheet',
  image: 'image',
};
/** Where a template has them. */
export const MEMBERS = { style: 'styleFiles', image: 'imageFiles' } as const;

/** @throws PlatenError `not_found` */
export function notFound(what: string, id: string): never {
  throw new PlatenError('not_found', `There is no ${what} with the id "${id.slice(0, 100)}".`);
}
