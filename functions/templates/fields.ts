import type { TemplateRecord } from '../shared/store/templates/record.ts';
import type { TemplateStore } from '../shared/store/templates.ts';
import { isWebFormat } from '@platen/print/page/web-format';
import { furnitureTexts } from '@platen/contract/furniture';
import { htmlText } from '@platen/contract/template-format';
import { isDocument } from '@platen/templating/partials';
import { partialText } from './partials.ts';
import { formSchema } from './form-fields.ts';
import { OFFICE_LIMITS } from './office-placeholders.ts';

/**
 * Returns the data that all files of a template use, or that a form has fields for, as JSON Schema. Its
 * images need no data.
 *
 * @throws PlatenError as `officeTemplateText` and `formSchema` do
 */
export async function templateFields(
  store: TemplateStore,
  tenant: string,
  template: TemplateRecord,
): Promise<Record<string, unknown>> {
  const { templatingEngine: engine, format, options, imageFiles } = template;
  if (format === 'pdf') return await formSchema(await store.readFile(tenant, template.templateFile));
  const { fieldsOf } = await import('@platen/templating/fields');
  if (engine === 'none') return fieldsOf([], 'jinja2');
  const texts = options.filename === undefined ? [] : [options.filename];
  const bytes = await store.readFile(tenant, template.templateFile);
  if (isWebFormat(format)) {
    texts.push(htmlText(bytes, 'The file').text);
    for (const file of [template.headerFile, template.footerFile])
      if (file) {
        const { text } = htmlText(await store.readFile(tenant, file), 'The file');
        texts.push(...furnitureTexts(text, 'header_data').map((part) => part.text));
      }
  } else {
    const { officeTemplateText } = await import('@platen/office');
    const options = { limits: OFFICE_LIMITS };
    texts.push(await officeTemplateText(bytes, format, engine, options));
    // Included documents are filled with the same data.
    for (const file of Object.values(template.partials).filter(isDocument))
      texts.push(await officeTemplateText(await store.readFile(tenant, file), 'docx', engine, options));
  }
  return fieldsOf(
    texts,
    engine,
    imageFiles.map(({ uri }) => uri),
    Object.fromEntries(
      await Promise.all(
        Object.entries(template.partials)
          .filter(([, file]) => !isDocument(file))
          .map(async ([name, file]) => [name, partialText(await store.readFile(tenant, file))] as const),
      ),
    ),
  );
}
