import type { TemplateData, TemplatingEngine } from '../shared/contract/options.ts';
import { PAGE_DEFAULTS } from '../shared/contract/options.ts';
import { PlatenError } from '@platen/core/errors';
import type { OfficeFormat } from '@platen/office/format';
import { detectTemplateFormat, htmlText, templateMediaType } from '../shared/formats/template.ts';
import type { UploadedFile } from '../shared/http/index.ts';
import type { NewFile, TemplateStore } from '../shared/store/templates.ts';
import type { PageOptions, TemplateRecord } from '../shared/store/template-record.ts';
import { checkTemplateSyntax, type TemplateText } from './syntax.ts';
import { keptFilename, loaded, naming } from './upload.ts';

/** Of looking at an office file's placeholders, within the memory and the time this function has. */
const OFFICE_LIMITS = { timeout: 20_000, memory: 512 * 1024 * 1024 };

export interface TemplateUploads {
  file: UploadedFile;
  header: UploadedFile | null;
  footer: UploadedFile | null;
}

/**
 * Adds a template after looking at its files: they have to be of the format given, and their placeholders have to
 * parse (I-8).
 *
 * @throws PlatenError `template_file_invalid`, `office_file_damaged`, `office_file_encrypted`, `template_syntax`,
 * `file_too_large`, `template_too_large`
 */
export async function addTemplate(
  store: TemplateStore,
  tenant: string,
  data: TemplateData,
  uploads: TemplateUploads,
): Promise<TemplateRecord> {
  const templatingEngine = data.templating_engine ?? 'jinja2';
  const texts: TemplateText[] = [];
  const templateFile = await checkTemplateFile(uploads.file, data, templatingEngine, texts);
  const headerFile = uploads.header && (await checkFurniture('header', uploads.header, texts));
  const footerFile = uploads.footer && (await checkFurniture('footer', uploads.footer, texts));
  if (data.filename !== undefined) {
    texts.push({ field: 'template_data.filename', file: 'filename', text: data.filename });
  }
  await checkTemplateSyntax(texts, templatingEngine);
  return await store.add(tenant, {
    name: data.name,
    format: data.format,
    description: data.description ?? null,
    templatingEngine,
    options: pageOptions(data),
    templateFile,
    headerFile,
    footerFile,
  });
}

/** The template file, looked at. The text of one that is html is added to `texts`. */
async function checkTemplateFile(
  file: UploadedFile,
  { format }: TemplateData,
  templatingEngine: TemplatingEngine,
  texts: TemplateText[],
): Promise<NewFile> {
  const field = 'file_data';
  const { bytes, filename: sentAs } = await loaded(file, format === 'html' ? 'html' : 'office');
  return await naming({ field, file: 'template' }, async () => {
    const found = await detectTemplateFormat(bytes);
    if (found !== format) {
      const what = found === 'html' ? 'text' : found;
      throw new PlatenError(
        'template_file_invalid',
        `The file is ${what}, but template_data.format says ${format}.`,
      );
    }
    const filename = keptFilename(sentAs);
    if (format !== 'html') {
      await checkOfficePlaceholders(bytes, format, templatingEngine);
      return { bytes, filename, contentType: templateMediaType(format) };
    }
    const { text, encoding } = htmlText(bytes, 'The file');
    texts.push({ field, file: 'template', text });
    return { bytes, filename, contentType: `text/html; charset=${encoding}` };
  });
}

/** Loads what fills office documents only when there is one to be looked at. */
async function checkOfficePlaceholders(
  bytes: Uint8Array,
  format: OfficeFormat,
  engine: TemplatingEngine,
): Promise<void> {
  if (engine === 'none') return;
  const { checkOfficeTemplate } = await import('@platen/office');
  await checkOfficeTemplate(bytes, format, engine, { limits: OFFICE_LIMITS });
}

/** A header or footer: html or plain text, whatever the template is. */
async function checkFurniture(
  file: 'header' | 'footer',
  sent: UploadedFile,
  texts: TemplateText[],
): Promise<NewFile> {
  const field = `${file}_data`;
  const { bytes, filename } = await loaded(sent, 'furniture');
  const { text, encoding } = await naming({ field, file }, () => htmlText(bytes, `The ${file}`));
  texts.push({ field, file, text });
  const mediaType = /<[a-z!/]/i.test(text) ? 'text/html' : 'text/plain';
  return { bytes, filename: keptFilename(filename), contentType: `${mediaType}; charset=${encoding}` };
}

/** The options that were given: what was not is a default of the service, not of this template. */
function pageOptions(data: TemplateData): PageOptions {
  const names = Object.keys(PAGE_DEFAULTS) as (keyof PageOptions)[];
  return Object.fromEntries(
    names.filter((name) => data[name] !== undefined).map((name) => [name, data[name]]),
  );
}
