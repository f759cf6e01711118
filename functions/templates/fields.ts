import type { TemplateRecord } from '../shared/store/templates/record.ts';
import type { TemplateStore } from '../shared/store/templates.ts';
import { isWebFormat } from '@platen/print';
import { furnitureTexts, htmlText } from '@platen/contract/templates';
import { isDocument } from '@platen/templating/partials';
import { partialText } from './partials.ts';
import { formSchema } from './form-fields.ts';
import { OFFICE_LIMITS } from './office-placeholders.ts';

/** The files of a template that use data, with what determines how they are read. */
interface TemplateSources {
  format: TemplateRecord['format'];
  engine: TemplateRecord['templatingEngine'];
  /** The name of its documents, a template as well. */
  filename: string | undefined;
  file: Uint8Array;
  /** The header and the footer, as far as there are any. */
  furniture: readonly Uint8Array[];
  partials: readonly { name: string; contentType: string; bytes: Uint8Array }[];
  /** Names of its images, which need no data. */
  images: readonly string[];
}

/** Returns the data that a stored template uses. @throws PlatenError as `fieldsOfSources` */
export async function templateFields(
  store: TemplateStore,
  tenant: string,
  template: TemplateRecord,
): Promise<Record<string, unknown>> {
  const { headerFile, footerFile, partials, imageFiles } = template;
  const furniture = [headerFile, footerFile].filter((file) => file !== null);
  return await fieldsOfSources({
    format: template.format,
    engine: template.templatingEngine,
    filename: template.options.filename,
    file: await store.readFile(tenant, template.templateFile),
    furniture: await Promise.all(furniture.map((file) => store.readFile(tenant, file))),
    partials: await Promise.all(
      Object.entries(partials).map(async ([name, file]) => ({
        name,
        contentType: file.contentType,
        bytes: await store.readFile(tenant, file),
      })),
    ),
    images: imageFiles.map(({ uri }) => uri),
  });
}

/**
 * Returns the data that all files of a template use, or that a form has fields for, as JSON Schema.
 *
 * @throws PlatenError as `officeTemplateText` and `formSchema` do
 */
export async function fieldsOfSources(sources: TemplateSources): Promise<Record<string, unknown>> {
  const { format, engine, filename, file, furniture, partials, images } = sources;
  if (format === 'pdf') return await formSchema(file);
  const { fieldsOf } = await import('@platen/templating/fields');
  if (engine === 'none') return fieldsOf([], 'jinja2');
  const texts = filename === undefined ? [] : [filename];
  if (isWebFormat(format)) {
    texts.push(htmlText(file, 'The file').text);
    for (const bytes of furniture) {
      const { text } = htmlText(bytes, 'The file');
      texts.push(...furnitureTexts(text, 'header_data').map((part) => part.text));
    }
  } else {
    const { officeTemplateText } = await import('@platen/office');
    const options = { limits: OFFICE_LIMITS };
    texts.push(await officeTemplateText(file, format, engine, options));
    // Included documents are filled with the same data.
    for (const { bytes } of partials.filter(isDocument))
      texts.push(await officeTemplateText(bytes, 'docx', engine, options));
  }
  const included = partials.filter((partial) => !isDocument(partial));
  return fieldsOf(
    texts,
    engine,
    images,
    Object.fromEntries(included.map(({ name, bytes }) => [name, partialText(bytes)])),
  );
}
