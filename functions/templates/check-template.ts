import type { TemplateFormat, TemplatingEngine } from '@platen/contract/options';
import { PlatenError } from '@platen/core/errors';
import { formTemplateFields } from '@platen/pdf/forms/template-fields';
import { frontMatterOptions } from '@platen/contract/front-matter';
import {
  detectTemplateFormat,
  htmlText,
  templateMediaType,
  furnitureTexts,
} from '@platen/contract/templates';
import { type NamedIn, type PartialLibrary, resolvePartials } from '@platen/templating/partials';
import { isWebFormat } from '@platen/print';
import type { NewFile, NewPartial } from '../shared/store/templates.ts';
import { checkOfficePlaceholders } from './office-placeholders.ts';
import { FORM_LIMITS } from './form-fields.ts';
import { referenceReader, namedInTexts } from './partials.ts';
import { checkTemplateSyntax, type TemplateText } from './syntax.ts';
import { keptFilename, naming, type Upload } from './upload.ts';

/** Validates the files of a template: they must have the declared format, and their placeholders must parse (I-8). */

/** A template's files, with the fields that determine how they are read. */
export interface TemplateParts {
  format: TemplateFormat;
  engine: TemplatingEngine;
  /** The name of its documents, a template as well. */
  filename: string | undefined;
  file: Upload;
  header: Upload | null;
  footer: Upload | null;
}

/** The same files, ready to be stored. */
export interface CheckedFiles {
  file: NewFile;
  header: NewFile | null;
  footer: NewFile | null;
}

/**
 * @param library the partials that the template can use
 * @returns the files, and the partials that it uses
 * @throws PlatenError `template_file_invalid`, `office_file_damaged`, `office_file_encrypted`,
 * `template_syntax`, `template_budget`, and as `formTemplateFields`
 */
export async function checkTemplate(
  parts: TemplateParts,
  library: PartialLibrary,
): Promise<{ files: CheckedFiles; partials: NewPartial[] }> {
  const { engine, filename } = parts;
  const texts: TemplateText[] = [];
  const named: NamedIn[] = [];
  const files = {
    file: await checkTemplateFile(parts, texts, named),
    header: parts.header && (await checkFurniture('header', parts.header, texts)),
    footer: parts.footer && (await checkFurniture('footer', parts.footer, texts)),
  };
  if (filename !== undefined)
    texts.push({ field: 'template_data.filename', file: 'filename', text: filename });
  await checkTemplateSyntax(texts, engine);
  if (engine === 'none') return { files, partials: [] };
  named.push(...(await namedInTexts(texts, engine)));
  return {
    files,
    partials: await resolvePartials(named, library, referenceReader(engine), { strict: true }),
  };
}

/**
 * Validates the template file. The text of an html template is added to `texts`, the partials that other
 * formats name to `named`.
 */
async function checkTemplateFile(
  { format, engine, file: { bytes, filename: sentAs } }: TemplateParts,
  texts: TemplateText[],
  named: NamedIn[],
): Promise<NewFile> {
  const field = 'file_data';
  return await naming({ field, file: 'template' }, async () => {
    const found = await detectTemplateFormat(bytes);
    // The detection reports any text as html.
    if (found !== (format === 'markdown' ? 'html' : format)) {
      const what = found === 'html' ? 'text' : found;
      throw new PlatenError(
        'template_file_invalid',
        `The file is ${what}, but template_data.format is ${format}.`,
      );
    }
    const filename = keptFilename(sentAs);
    if (format === 'pdf') {
      await formTemplateFields(bytes, FORM_LIMITS);
      return { bytes, filename, contentType: templateMediaType(format) };
    }
    if (!isWebFormat(format)) {
      const references = await checkOfficePlaceholders(bytes, format, engine);
      named.push({ field, references, takesDocuments: format === 'docx' });
      return { bytes, filename, contentType: templateMediaType(format) };
    }
    const { text, encoding } = htmlText(bytes, 'The file');
    if (format === 'markdown') await frontMatterOptions(text, []);
    texts.push({ field, file: 'template', text });
    return { bytes, filename, contentType: `${templateMediaType(format)}; charset=${encoding}` };
  });
}

/** A header or footer is html or plain text, regardless of the format of the template. */
async function checkFurniture(
  file: 'header' | 'footer',
  { bytes, filename }: Upload,
  texts: TemplateText[],
): Promise<NewFile> {
  const field = `${file}_data`;
  const { text, encoding } = await naming({ field, file }, () => htmlText(bytes, `The ${file}`));
  const parts = furnitureTexts(text, field);
  const isObject = parts[0]?.text !== text;
  for (const part of parts)
    texts.push({ field, file: isObject ? `${file}.${part.pages}` : file, text: part.text });
  const html = /<[a-z!/]/i.test(text) ? 'text/html' : 'text/plain';
  const mediaType = isObject ? 'application/json' : html;
  return { bytes, filename: keptFilename(filename), contentType: `${mediaType}; charset=${encoding}` };
}
