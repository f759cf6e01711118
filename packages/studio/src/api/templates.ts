import { call, callJson, callList, filenameOf, segment, warningsOf } from './client.ts';
import type { Form } from './uploads.ts';
import type {
  DeletedTemplate,
  ImageFile,
  Import,
  Schema,
  StyleFile,
  Template,
  TemplateEvent,
  TemplateVersion,
} from './types.ts';

/** The requests about templates. */

/** Entries of a history that are shown. */
export const MAX_HISTORY = 500;

export const listTemplates = (): Promise<Template[]> => callList('template');

export const getTemplate = (id: string, version?: string): Promise<Template> =>
  callJson('GET', `template/${segment(id)}`, { query: { version } });

export interface NewTemplate extends ChangedParts {
  file: Blob;
}

/** @throws PlatenError */
export const addTemplate = (template: NewTemplate): Promise<Template> =>
  callJson('POST', 'template', {
    form: formOf(template),
  });

/** The parts of a template that differ from the stored ones. */
export interface ChangedParts {
  data: Readonly<Record<string, unknown>>;
  file?: Blob | undefined;
  header?: string | undefined;
  footer?: string | undefined;
}

export interface Change extends ChangedParts {
  publish: boolean;
  /** The version that was read, so that a newer one by somebody else is not overwritten. */
  readVersion: number;
}

/** Writes the next version. @throws PlatenError `version_conflict` if another one was written meanwhile */
export const changeTemplate = (id: string, change: Change): Promise<Template> =>
  callJson('PUT', `template/${segment(id)}`, {
    form: { ...formOf(change), publish: String(change.publish) },
    headers: { 'if-match': `"${change.readVersion}"` },
  });

/** @param permanent removes it at once; else it can be restored */
export async function deleteTemplate(id: string, permanent = false): Promise<void> {
  await call('DELETE', `template/${segment(id)}`, permanent ? { query: { permanent: 'true' } } : {});
}

export const listDeleted = (): Promise<DeletedTemplate[]> => callList('template/deleted');

export const restoreTemplate = (id: string): Promise<Template> =>
  callJson('POST', `template/${segment(id)}/restore`);

export const listVersions = (id: string): Promise<TemplateVersion[]> =>
  callList(`template/${segment(id)}/versions`);

/** Returns what happened to a template, newest first. */
export const listHistory = (id: string): Promise<TemplateEvent[]> =>
  callList(`template/${segment(id)}/history`, MAX_HISTORY);

export const publishVersion = (id: string, version: number): Promise<Template> =>
  callJson('POST', `template/${segment(id)}/publish`, { form: { version: String(version) } });

/** Returns a file of a version. */
export const fileBlob = async (fileId: string, version: number | string): Promise<Blob> =>
  (await call('GET', `template/file/${segment(fileId)}`, { query: { version: String(version) } })).blob();

export const fileText = async (fileId: string, version: number | string): Promise<string> =>
  (await fileBlob(fileId, version)).text();

export const styleText = async (fileId: string, version: number | string): Promise<string> =>
  (await call('GET', `template/css/file/${segment(fileId)}`, { query: { version: String(version) } })).text();

export const imageBlob = async (fileId: string, version: number | string): Promise<Blob> =>
  (await call('GET', `template/img/file/${segment(fileId)}`, { query: { version: String(version) } })).blob();

export const addStyle = (id: string, css: string, filename: string, publish: boolean): Promise<StyleFile> =>
  callJson('POST', `template/css/${segment(id)}`, {
    form: {
      template_data: JSON.stringify({ format: 'css', filename }),
      file_data: new File([css], filename, { type: 'text/css' }),
      publish: String(publish),
    },
  });

export async function deleteStyle(fileId: string, publish: boolean): Promise<void> {
  await call('DELETE', `template/css/${segment(fileId)}`, { query: { publish: String(publish) } });
}

export const addImage = (id: string, file: File, uri: string, publish: boolean): Promise<ImageFile> =>
  callJson('POST', `template/img/${segment(id)}`, {
    form: {
      template_data: JSON.stringify({ format: endingOf(file.name), filename: file.name, uri }),
      file_data: file,
      publish: String(publish),
    },
  });

export async function deleteImage(fileId: string, publish: boolean): Promise<void> {
  await call('DELETE', `template/img/${segment(fileId)}`, { query: { publish: String(publish) } });
}

export const templateFields = (id: string, version = 'latest'): Promise<Schema> =>
  callJson('GET', `template/${segment(id)}/fields`, { query: { version } });

/** Returns the fields that a template would use after a change, which is not stored. @throws PlatenError */
export const fieldsAfter = (id: string, change: ChangedParts, signal: AbortSignal): Promise<Schema> =>
  callJson('POST', `template/${segment(id)}/fields`, { form: formOf(change), signal });

export async function sampleText(id: string, name: string): Promise<string> {
  return (await call('GET', `template/${segment(id)}/samples/${segment(name)}`)).text();
}

export async function saveSample(id: string, name: string, json: string): Promise<void> {
  await call('PUT', `template/${segment(id)}/samples/${segment(name)}`, { json });
}

export async function deleteSample(id: string, name: string): Promise<void> {
  await call('DELETE', `template/${segment(id)}/samples/${segment(name)}`);
}

/** Returns a ZIP of these templates, or of all templates with their shared resources. @throws PlatenError */
export async function exportTemplates(ids: readonly string[] | null): Promise<File> {
  const answer = await call('GET', 'export', { query: { template: ids?.join(',') } });
  return new File([await answer.blob()], filenameOf(answer, 'templates.zip'));
}

export interface Imported {
  outcome: Import;
  /** The ignored contents of the ZIP. */
  warnings: string[];
}

/** Imports the templates of a ZIP: all of them or, if there is an error, none. @throws PlatenError */
export async function importTemplates(
  zip: File,
  { publish, note }: { publish: boolean; note: string },
): Promise<Imported> {
  const form = { file_data: zip, publish: String(publish), note: note === '' ? undefined : note };
  const answer = await call('POST', 'import', { form });
  return { outcome: (await answer.json()) as Import, warnings: warningsOf(answer) };
}

/** Formats of templates, by the extension of a file name. */
export const FORMATS = ['html', 'docx', 'xlsx', 'pptx', 'odt', 'ods', 'odp'] as const;

export function endingOf(filename: string): string {
  const ending = filename.slice(filename.lastIndexOf('.') + 1).toLowerCase();
  return ending === 'htm' ? 'html' : ending;
}

function formOf({ data, file, header, footer }: ChangedParts): Form {
  return {
    template_data: JSON.stringify(data),
    file_data: file,
    header_data: textFile(header, 'header.html'),
    footer_data: textFile(footer, 'footer.html'),
  };
}

function textFile(content: string | undefined, name: string): Blob | undefined {
  return content === undefined || content === ''
    ? undefined
    : new File([content], name, { type: 'text/html' });
}
