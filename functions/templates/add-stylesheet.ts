import { PlatenError } from '../shared/errors.ts';
import { decodeCss } from '../shared/formats/text.ts';
import type { UploadedFile } from '../shared/http/index.ts';
import type { TemplateStore } from '../shared/store/templates.ts';
import type { StyleFile } from '../shared/store/template-record.ts';
import { keptFilename, loaded } from './upload.ts';

export interface StylesheetFields {
  format: 'css';
  filename?: string | undefined;
  description?: string | undefined;
}

/**
 * Adds a stylesheet to a template, after those it has (decision 11).
 *
 * @throws PlatenError `not_found`, `stylesheet_invalid`, `file_too_large`, `template_too_large`
 */
export async function addStylesheet(
  store: TemplateStore,
  tenant: string,
  templateId: string,
  fields: StylesheetFields,
  file: UploadedFile,
): Promise<StyleFile> {
  const upload = await loaded(file, 'style');
  const encoding = cssEncoding(upload.bytes);
  return await store.addStyle(tenant, templateId, {
    bytes: upload.bytes,
    format: fields.format,
    filename: keptFilename(fields.filename, upload.filename),
    description: fields.description ?? null,
    contentType: `text/css; charset=${encoding}`,
  });
}

/** Any text is CSS to a browser, which skips what it does not understand; what is plainly something else is not. */
function cssEncoding(bytes: Buffer): string {
  const decoded = decodeCss(bytes);
  if (!('text' in decoded)) return refuse(`it cannot be read as text: ${decoded.fault}`);
  if (decoded.text.trimStart().startsWith('<')) return refuse('it begins with a tag: send the bare rules');
  // It would end the element that carries the styles into a document.
  if (/<\/style/i.test(decoded.text)) return refuse('it holds "</style"');
  return decoded.encoding;
}

function refuse(reason: string): never {
  const message = `The file is not a stylesheet: ${reason}`;
  throw new PlatenError('stylesheet_invalid', `${message}.`, { faults: [{ field: 'file_data', message }] });
}
