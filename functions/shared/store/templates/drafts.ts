import { PlatenError } from '@platen/core/errors';
import type { NewFile, NewPartial } from './new-files.ts';
import type { ImageFile, StoredFile, StyleFile, TemplateRecord } from './record.ts';

/** The input for new and changed templates, and the kinds of their files. */

export type NewTemplate = Pick<
  TemplateRecord,
  'name' | 'format' | 'description' | 'templatingEngine' | 'options'
> & {
  tags?: readonly string[];
  dataSchema?: string | null;
  templateFile: NewFile;
  headerFile: NewFile | null;
  footerFile: NewFile | null;
  /** The partials that its files may use. */
  partials?: readonly NewPartial[];
  /** Its style and image files, in order: existing ones of a changed template, and new ones. Default: none. */
  styleFiles?: readonly (StyleFile | NewStyle)[];
  imageFiles?: readonly (ImageFile | NewImage)[];
};

/** The changes to a template; absent members stay as they are. */
export type TemplateEdit = Partial<NewTemplate>;

export type NewStyle = NewFile & Pick<StyleFile, 'format' | 'description'>;
export type NewImage = NewFile & Pick<ImageFile, 'format' | 'description' | 'uri'>;

/** The files that a kind of file id identifies. `template` is the template's own file, its header or its footer. */
export interface FileOf {
  template: StoredFile;
  style: StyleFile;
  image: ImageFile;
}
export type FileKind = keyof FileOf;

/** Returns the files of a kind that a template has. */
export const FILES_OF: { readonly [K in FileKind]: (template: TemplateRecord) => readonly FileOf[K][] } = {
  template: ({ templateFile, headerFile, footerFile }) =>
    [templateFile, headerFile, footerFile].filter((file) => file !== null),
  style: ({ styleFiles }) => styleFiles,
  image: ({ imageFiles }) => imageFiles,
};
/** The names of the kinds in errors. */
export const KIND_NAMES: Readonly<Record<FileKind, string>> = {
  template: 'template file',
  style: 'stylesheet',
  image: 'image',
};
/** The members of a template with these files. */
export const MEMBERS = { style: 'styleFiles', image: 'imageFiles' } as const;

/** @throws PlatenError `not_found` */
export function notFound(what: string, id: string): never {
  throw new PlatenError('not_found', `There is no ${what} with the id "${id.slice(0, 100)}".`);
}
