import { REMOVABLE_OPTIONS, type Removable, type TemplateChange } from '@platen/contract/options';
import { PlatenError } from '@platen/core/errors';
import type { UploadedFile } from '../shared/http/index.ts';
import type { PartialLibrary } from '@platen/templating/partials';
import type { StoredFile, TemplateRecord } from '../shared/store/templates/record.ts';
import type { NewFile, TemplateEdit, TemplateStore } from '../shared/store/templates.ts';
import type { VersionWrite } from '../shared/store/templates/versions.ts';
import { dataSchemaText } from '@platen/contract/templates';
import { distinct, loadedTemplate, pageOptions, type TemplateUploads } from './add-template.ts';
import { checkTemplate, type CheckedFiles, type TemplateParts } from './check-template.ts';
import { fieldsOfSources } from './fields.ts';
import { furnitureUpload, type Upload } from './upload.ts';

/** The file fields of a template, all of them optional. */
export type ChangedUploads = { [K in keyof TemplateUploads]: UploadedFile | null };

/**
 * Writes the next version of a template: the given fields and files replace those of the newest version. The
 * result is validated as a whole, like a new template, because its unchanged parts must fit the new ones.
 *
 * @throws PlatenError as `checkTemplate` does; `not_found`, `version_conflict`, `conflict`, `invalid_field`,
 * `file_too_large`, `template_too_large`
 */
export async function changeTemplate(
  store: TemplateStore,
  tenant: string,
  id: string,
  data: TemplateChange,
  uploads: ChangedUploads,
  how: VersionWrite,
  library: PartialLibrary,
): Promise<TemplateRecord> {
  const { removed, given } = await readChange(data, uploads);
  // Files are stored once, even if the change is repeated because another one came first.
  const stored = new Map<Upload, NewFile>();
  const sent = new Map<UploadedFile, Upload>();
  const load = async (file: UploadedFile, how: () => Promise<Upload>): Promise<Upload> => {
    const upload = sent.get(file) ?? (await how());
    sent.set(file, upload);
    return upload;
  };
  return await store.change(tenant, id, how, async (base) => {
    const fields = merged(base, data, removed);
    const { file } = uploads;
    const sentFile = file && (await load(file, () => loadedTemplate(file, fields.format)));
    const existing = existingFiles(store, tenant);
    const parts = await changedParts(base, fields, { file: sentFile, ...given }, removed, existing);
    const { files: checked, partials } = await checkTemplate(parts, library);
    const fresh = (name: keyof CheckedFiles): NewFile | undefined => {
      const [upload, made] = [parts[name], checked[name]];
      const isGiven = name === 'file' ? uploads.file !== null : given[name] !== null;
      if (!isGiven || upload === null || made === null) return undefined;
      const known = stored.get(upload) ?? made;
      stored.set(upload, known);
      return known;
    };
    return {
      ...fields,
      partials,
      ...edited({ file: fresh('file'), header: fresh('header'), footer: fresh('footer') }, removed),
    };
  });
}

/**
 * Returns the data that a template would use after a change, which is not written.
 *
 * @throws PlatenError as `checkTemplate` and `fieldsOfSources` do; `not_found`, `invalid_field`, `file_too_large`
 */
export async function fieldsAfterChange(
  store: TemplateStore,
  tenant: string,
  id: string,
  data: TemplateChange,
  uploads: ChangedUploads,
  library: PartialLibrary,
): Promise<Record<string, unknown>> {
  const { removed, given } = await readChange(data, uploads);
  const base = await store.get(tenant, id, 'latest');
  const fields = merged(base, data, removed);
  const file = uploads.file && (await loadedTemplate(uploads.file, fields.format));
  const existing = existingFiles(store, tenant);
  const parts = await changedParts(base, fields, { file, ...given }, removed, existing);
  const { partials } = await checkTemplate(parts, library);
  return await fieldsOfSources({
    ...parts,
    file: parts.file.bytes,
    furniture: [parts.header, parts.footer].flatMap((upload) => (upload === null ? [] : [upload.bytes])),
    partials,
    images: base.imageFiles.map(({ uri }) => uri),
  });
}

type GivenFurniture = Pick<TemplateParts, 'header' | 'footer'>;

/** Loads header and footer of a change, once. @throws PlatenError `file_too_large`, `invalid_field` */
async function readChange(
  data: TemplateChange,
  uploads: ChangedUploads,
): Promise<{ removed: ReadonlySet<Removable>; given: GivenFurniture }> {
  const removed = new Set<Removable>(data.remove);
  refuseBoth(data, uploads, removed);
  const given = {
    header: await furnitureUpload('header', uploads.header, data.header_file),
    footer: await furnitureUpload('footer', uploads.footer, data.footer_file),
  };
  return { removed, given };
}

type ReadExisting = (file: StoredFile) => Promise<Upload>;

const existingFiles =
  (store: TemplateStore, tenant: string): ReadExisting =>
  async (file) => ({ filename: file.filename, bytes: await store.readFile(tenant, file) });

/** Returns the parts of a template with those of a change applied. */
async function changedParts(
  base: TemplateRecord,
  fields: ReturnType<typeof merged>,
  given: GivenFurniture & { file: Upload | null },
  removed: ReadonlySet<Removable>,
  existing: ReadExisting,
): Promise<TemplateParts> {
  const furniture = async (name: 'header' | 'footer'): Promise<Upload | null> => {
    const had = removed.has(name) ? null : base[`${name}File`];
    return given[name] ?? (had && (await existing(had)));
  };
  return {
    format: fields.format,
    engine: fields.templatingEngine,
    filename: fields.options.filename,
    file: given.file ?? (await existing(base.templateFile)),
    header: await furniture('header'),
    footer: await furniture('footer'),
  };
}

/** Returns the changes to the files: new files, removed ones, and no entry for unchanged ones. */
function edited(
  files: { [K in keyof CheckedFiles]: NewFile | undefined },
  removed: ReadonlySet<Removable>,
): TemplateEdit {
  const { file, header, footer } = files;
  return {
    ...(file ? { templateFile: file } : {}),
    ...(header ? { headerFile: header } : removed.has('header') ? { headerFile: null } : {}),
    ...(footer ? { footerFile: footer } : removed.has('footer') ? { footerFile: null } : {}),
  };
}

/** Returns the fields of a template with those of a change applied. */
function merged(
  base: TemplateRecord,
  data: TemplateChange,
  removed: ReadonlySet<Removable>,
): Required<
  Pick<
    TemplateEdit,
    'name' | 'format' | 'description' | 'tags' | 'templatingEngine' | 'options' | 'dataSchema'
  >
> {
  const options = { ...base.options, ...pageOptions(data) };
  for (const name of REMOVABLE_OPTIONS) if (removed.has(name)) delete options[name];
  return {
    name: data.name ?? base.name,
    format: data.format ?? base.format,
    description: removed.has('description') ? null : (data.description ?? base.description),
    tags: data.tags === undefined ? base.tags : distinct(data.tags),
    templatingEngine: data.templating_engine ?? base.templatingEngine,
    dataSchema: removed.has('data_schema')
      ? null
      : data.data_schema === undefined
        ? base.dataSchema
        : dataSchemaText(data.data_schema),
    options,
  };
}

/** @throws PlatenError `invalid_field` if a field is both given and removed */
function refuseBoth(data: TemplateChange, uploads: ChangedUploads, removed: ReadonlySet<Removable>): void {
  for (const name of removed) {
    const isFile = name === 'header' || name === 'footer';
    const isGiven = isFile
      ? uploads[name] !== null || data[`${name}_file`] !== undefined
      : data[name] !== undefined;
    if (!isGiven) continue;
    const field = isFile ? `${name}_data` : `template_data.${name}`;
    const message = `${field} is given, but template_data.remove removes it`;
    throw new PlatenError('invalid_field', `${message}.`, {
      faults: [{ field: 'template_data.remove', message, value: name }],
    });
  }
}
