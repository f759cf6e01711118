import { fileName, sameFileKey } from '@platen/core/file-name';
import { imageEnding } from '@platen/imaging/image-type';
import * as z from 'zod';
import { MAX_IMAGE_FILES, MAX_STYLE_FILES } from '@platen/contract/templates';
import { tagsSchema, templateDataSchema, templateFieldsSchema } from '@platen/contract/options';
import type {
  ImageFile,
  StoredFile,
  StyleFile,
  TemplateRecord,
} from '../../shared/store/templates/record.ts';

/**
 * The file layout of exported templates (docs/repository.md): a folder for each, with `template.json` and the
 * files that it names, and beside them the files of the tenant.
 */

export const TEMPLATES = 'templates/';
export const PARTIALS = 'partials/';
export const FONTS = 'fonts/';
export const TRANSLATIONS = 'translations/';
/** In a template's folder: its fields, and the roles of its files. */
export const MANIFEST = 'template.json';
/** In a template's folder: its samples, as `<name>.json`. */
export const SAMPLES = 'samples/';
/** At the top: the ids of the templates and files that the folders were exported from. */
export const ORIGIN = 'export.json';

const path = z.string().min(1).max(300);
const description = templateFieldsSchema.shape.description;

/** `template.json`. */
export const manifestSchema = templateFieldsSchema.extend({
  tags: tagsSchema.optional(),
  data_schema: templateDataSchema.shape.data_schema,
  file: path,
  header: path.optional(),
  footer: path.optional(),
  styles: z
    .array(z.object({ file: path, description }))
    .max(MAX_STYLE_FILES)
    .optional(),
  images: z
    .array(z.object({ file: path, uri: z.string().max(255).optional(), description }))
    .max(MAX_IMAGE_FILES)
    .optional(),
});
export type Manifest = z.infer<typeof manifestSchema>;

const origin = z.object({
  id: z.string(),
  version: z.number().int().optional(),
  files: z.record(z.string(), z.string()),
});

/** `export.json`. */
export const originSchema = z.object({ templates: z.record(z.string(), origin) });
export type Origin = z.infer<typeof origin>;

/** A template as the files of its folder. */
export interface TemplateFolder {
  manifest: Manifest;
  /** By their paths in the folder. */
  files: Map<string, StoredFile>;
}

/** Returns the files of one version, under the names they were sent with, if those are valid on every system. */
export function folderOf(template: TemplateRecord): TemplateFolder {
  const { name, format, description, tags, templatingEngine, options, dataSchema } = template;
  const { templateFile, headerFile, footerFile, styleFiles, imageFiles } = template;
  const files = new Map<string, StoredFile>();
  const taken = new Set([MANIFEST]);
  const place = (file: StoredFile, folder: string, fallback: string): string => {
    const name = file.filename ?? fallback;
    const path = free(folder, fileName(name, endingOf(name) ?? endingOf(fallback) ?? 'bin'), taken);
    taken.add(sameFileKey(path));
    files.set(path, file);
    return path;
  };
  const furniture = (kind: 'header' | 'footer', file: StoredFile): string =>
    place(file, '', `${kind}.${file.contentType.startsWith('application/json') ? 'json' : 'html'}`);
  const described = (file: StyleFile | ImageFile): { description?: string } =>
    file.description === null ? {} : { description: file.description };
  const manifest: Manifest = {
    name,
    format,
    ...(description === null ? {} : { description }),
    ...(tags.length === 0 ? {} : { tags: [...tags] }),
    ...(templatingEngine === 'jinja2' ? {} : { templating_engine: templatingEngine }),
    ...options,
    file: place(templateFile, '', `template.${format === 'markdown' ? 'md' : format}`),
    ...(headerFile && { header: furniture('header', headerFile) }),
    ...(footerFile && { footer: furniture('footer', footerFile) }),
    ...(styleFiles.length > 0 && {
      styles: styleFiles.map((style) => ({
        file: place(style, 'styles/', 'style.css'),
        ...described(style),
      })),
    }),
    ...(imageFiles.length > 0 && {
      images: imageFiles.map((image) => ({
        file: place(image, 'images/', `${image.uri}.${imageEnding(image.format)}`),
        uri: image.uri,
        ...described(image),
      })),
    }),
    ...(dataSchema === null ? {} : { data_schema: JSON.parse(dataSchema) as Record<string, unknown> }),
  };
  return { manifest, files };
}

function endingOf(name: string): string | null {
  return /\.([^.]{1,16})$/.exec(name)?.[1]?.toLowerCase() ?? null;
}

/** Returns a path that is not taken, even on systems that ignore case. */
export function free(folder: string, name: string, taken: ReadonlySet<string>): string {
  const dot = name.lastIndexOf('.');
  const [stem, ending] = dot > 0 ? [name.slice(0, dot), name.slice(dot)] : [name, ''];
  for (let n = 1; ; n += 1) {
    const path = folder + (n === 1 ? name : `${stem}-${n}${ending}`);
    if (!taken.has(sameFileKey(path))) return path;
  }
}
