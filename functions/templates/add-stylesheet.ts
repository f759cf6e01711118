import type { UploadedFile } from '../shared/http/index.ts';
import type { TemplateStore } from '../shared/store/templates.ts';
import type { VersionWrite } from '../shared/store/templates/versions.ts';
import type { StyleFile } from '../shared/store/templates/record.ts';
import { stylesheetText } from '@platen/contract/templates';
import { loadedNamed } from './upload.ts';

export interface StylesheetFields {
  format: 'css';
  filename?: string | undefined;
  description?: string | undefined;
}

/**
 * Adds a stylesheet to a template, after its existing ones (I-11).
 *
 * @throws PlatenError `not_found`, `stylesheet_invalid`, `file_too_large`, `template_too_large`,
 * `version_conflict`, `conflict`
 */
export async function addStylesheet(
  store: TemplateStore,
  tenant: string,
  templateId: string,
  fields: StylesheetFields,
  file: UploadedFile,
  how: VersionWrite,
): Promise<StyleFile> {
  const upload = await loadedNamed(file, 'style', fields.filename);
  const { encoding } = stylesheetText(upload.bytes);
  const style = {
    bytes: upload.bytes,
    format: fields.format,
    filename: upload.filename,
    description: fields.description ?? null,
    contentType: `text/css; charset=${encoding}`,
  };
  return await store.addStyle(tenant, templateId, style, how);
}
