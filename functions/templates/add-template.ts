import { type NewTemplateData, PAGE_DEFAULTS } from '@platen/contract/options';
import type { UploadedFile } from '../shared/http/index.ts';
import type { PageOptions, TemplateRecord } from '../shared/store/templates/record.ts';
import type { NewTemplate, TemplateStore } from '../shared/store/templates.ts';
import { isWebFormat } from '@platen/print';
import { dataSchemaText } from '@platen/contract/templates';
import type { PartialLibrary } from '@platen/templating/partials';
import { checkTemplate } from './check-template.ts';
import { furnitureUpload, loadedNamed, type Upload } from './upload.ts';

export interface TemplateUploads {
  file: UploadedFile;
  header: UploadedFile | null;
  footer: UploadedFile | null;
}

/**
 * Validates the files of a template and adds it.
 *
 * @param by name of the caller
 * @throws PlatenError as `checkTemplate` does; `file_too_large`, `template_too_large`
 */
export async function addTemplate(
  store: TemplateStore,
  tenant: string,
  data: NewTemplateData,
  uploads: TemplateUploads,
  library: PartialLibrary,
  by: string | null,
): Promise<TemplateRecord> {
  const { format, templating_engine: engine = 'jinja2', filename } = data;
  const parts = {
    format,
    engine,
    filename,
    file: await loadedTemplate(uploads.file, format),
    header: await furnitureUpload('header', uploads.header, data.header_file),
    footer: await furnitureUpload('footer', uploads.footer, data.footer_file),
  };
  const { files, partials } = await checkTemplate(parts, library);
  return await store.add(
    tenant,
    {
      ...statedFields(data),
      templateFile: files.file,
      headerFile: files.header,
      footerFile: files.footer,
      partials,
    },
    { note: data.note ?? null, by },
  );
}

/** Returns the fields of a new template, besides its files. @throws PlatenError `invalid_field` as `dataSchemaText` */
export function statedFields(
  data: NewTemplateData,
): Pick<
  NewTemplate,
  'name' | 'format' | 'description' | 'tags' | 'templatingEngine' | 'options' | 'dataSchema'
> {
  return {
    name: data.name,
    format: data.format,
    description: data.description ?? null,
    tags: distinct(data.tags),
    templatingEngine: data.templating_engine ?? 'jinja2',
    options: pageOptions(data),
    dataSchema: data.data_schema === undefined ? null : dataSchemaText(data.data_schema),
  };
}

/** Returns tags without duplicates. */
export function distinct(tags: readonly string[] = []): string[] {
  return [...new Set(tags)];
}

/** Loads a template file of at most the size that its format allows. @throws PlatenError as `loadedNamed` */
export async function loadedTemplate(file: UploadedFile, format: NewTemplateData['format']): Promise<Upload> {
  return await loadedNamed(file, isWebFormat(format) ? 'html' : 'office');
}

/** Returns the options that were given: the others are defaults of the service, not of this template. */
export function pageOptions(data: Pick<NewTemplateData, keyof PageOptions>): PageOptions {
  const names = Object.keys(PAGE_DEFAULTS) as (keyof PageOptions)[];
  return Object.fromEntries(
    names.filter((name) => data[name] !== undefined).map((name) => [name, data[name]]),
  );
}
