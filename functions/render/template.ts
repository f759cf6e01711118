import type { SentTemplateData, TemplateFormat } from '@platen/contract/options';
import { PlatenError } from '@platen/core/errors';
import { isWebFormat } from '@platen/print';
import { frontMatterOptions } from '@platen/contract/front-matter';
import {
  dataSchemaText,
  type FurnitureEntries,
  furnitureTexts,
  refuseTwice,
  detectTemplateFormat,
  htmlText,
} from '@platen/contract/templates';
import type { FurnitureTexts } from '@platen/print/page';
import { formTemplateFields } from '@platen/pdf/forms/template-fields';
import type { Partials } from '@platen/templating/protocol';
import { isDocument, type UsedPartial } from '@platen/templating/partials';
import type { TemplateForRendering } from '../shared/store/templates/rendering.ts';
import type { TenantFont } from '../shared/tenant-fonts.ts';
import type { TemplateOptions } from './settings.ts';

/** An image of a template. */
export interface TemplateImage {
  contentType: string;
  /** Returns the bytes; called only when they are needed. */
  bytes: () => Promise<Uint8Array>;
}

/** A template ready to be filled, stored or sent along. */
export interface RenderTemplate {
  name: string;
  /** The title of documents without one. */
  title: string;
  format: TemplateFormat;
  options: TemplateOptions;
  /** JSON Schema of the data, as JSON text; null for any data. */
  dataSchema: string | null;
  bytes: Uint8Array;
  /** The file's text, for an html template. */
  text: string | null;
  /** Html or plain text, by the pages that have it; null for the default one. */
  header: FurnitureTexts;
  footer: FurnitureTexts;
  /** CSS texts, in the order in which they apply. */
  styles: readonly string[];
  /** By the name of the image's variable; dots make nested names (I-11). */
  images: ReadonlyMap<string, TemplateImage>;
  /** The partials that its texts can include. */
  partials: TemplatePartials;
  /** The tenant's own fonts, for printing. */
  fonts: readonly TenantFont[];
}

/** A template without the partials and fonts of its tenant. */
export type TemplateWithoutLibrary = Omit<RenderTemplate, 'partials' | 'fonts'>;

/** Partials by name, as filling needs them. */
export interface TemplatePartials {
  texts: Partials;
  documents: ReadonlyMap<string, Uint8Array>;
}

/** Prepares stored partials for filling. */
export function readPartials(partials: readonly UsedPartial[]): TemplatePartials {
  const [documents, texts] = [partials.filter(isDocument), partials.filter((one) => !isDocument(one))];
  return {
    texts: Object.fromEntries(
      texts.map(({ name, bytes }) => [name, htmlText(bytes, `The partial ${name}`).text]),
    ),
    documents: new Map(documents.map(({ name, bytes }) => [name, bytes])),
  };
}

/**
 * Returns a stored template, as the store loads it.
 *
 * @param images in formats that the reader of its documents supports
 */
export async function storedTemplate(
  stored: TemplateForRendering,
  images: RenderTemplate['images'],
  warnings: string[],
): Promise<TemplateWithoutLibrary> {
  const options = { ...stored.options, templating_engine: stored.templatingEngine };
  return {
    name: stored.name,
    title: stored.name,
    format: stored.format,
    options: await withFrontMatter(stored.format, stored.file.text, options, warnings),
    dataSchema: stored.dataSchema,
    bytes: stored.file.bytes,
    text: stored.file.text,
    header: stored.header && furnitureTexts(stored.header.text, 'header_data'),
    footer: stored.footer && furnitureTexts(stored.footer.text, 'footer_data'),
    styles: stored.styles.map(({ text }) => text),
    images,
  };
}

/** A template in a request, instead of the id of a stored one. */
export interface SentTemplate {
  file: Uint8Array;
  /** The client's name of the file; null if it has none. */
  filename: string | null;
  header: Uint8Array | null;
  footer: Uint8Array | null;
  warnings: string[];
  signal: AbortSignal;
  data: { [K in keyof SentTemplateData]?: SentTemplateData[K] | undefined };
  /** Returns the files that accompany a template of that format. */
  attached: (format: TemplateFormat) => Promise<Pick<RenderTemplate, 'styles' | 'images'>>;
}

/**
 * Returns a template that was sent along. Its format is detected, because clients without a given format declare `html`
 * for any file. But any text counts as html, so text that was declared to be an office file is refused (I-8 and I-13).
 *
 * @throws PlatenError `template_file_invalid`, `office_file_damaged`, `office_file_encrypted`, and as `attached` and
 * `formTemplateFields` do
 */
export async function sentTemplate({
  file,
  filename,
  header,
  footer,
  data,
  attached,
  warnings,
  signal,
}: SentTemplate): Promise<TemplateWithoutLibrary> {
  const {
    name = 'document',
    format: declared,
    description: _,
    data_schema: schema,
    header_file: headerEntries,
    footer_file: footerEntries,
    ...options
  } = data;
  const found = await detectTemplateFormat(file);
  const isMarkdown =
    declared === 'markdown' || (declared === undefined && /\.(?:md|markdown)$/i.test(filename ?? ''));
  const format = found === 'html' && isMarkdown ? 'markdown' : found;
  if (isWebFormat(format) && declared !== undefined && !isWebFormat(declared)) {
    const message = `file_data is text, but template_data.format is ${declared}`;
    throw new PlatenError('template_file_invalid', `${message}.`, {
      faults: [{ field: 'file_data', message, allowed: declared }],
    });
  }
  if (format === 'pdf') await formTemplateFields(file, { signal });
  const text = isWebFormat(format) ? htmlText(file, 'The file').text : null;
  return {
    name,
    title: data.name ?? titleOf(filename) ?? name,
    format,
    options: await withFrontMatter(format, text, options, warnings),
    dataSchema: schema === undefined ? null : dataSchemaText(schema),
    bytes: file,
    text,
    header: sentFurniture('header', header, headerEntries),
    footer: sentFurniture('footer', footer, footerEntries),
    ...(await attached(format)),
  };
}

/** Returns the options of a template, with a markdown file's front matter as the defaults. */
async function withFrontMatter(
  format: TemplateFormat,
  text: string | null,
  options: TemplateOptions,
  warnings: string[],
): Promise<TemplateOptions> {
  if (format !== 'markdown' || text === null) return options;
  const given = Object.entries(options).filter(([, value]) => value !== undefined && value !== null);
  return { ...(await frontMatterOptions(text, warnings)), ...Object.fromEntries(given) };
}

/** Returns a header or footer that was sent as a file, or as an object in `template_data`. */
function sentFurniture(
  name: 'header' | 'footer',
  file: Uint8Array | null,
  entries: FurnitureEntries | undefined,
): FurnitureTexts {
  refuseTwice(name, file, entries);
  if (entries !== undefined) return furnitureTexts(entries, `template_data.${name}_file`);
  return file && furnitureTexts(htmlText(file, `The ${name}`).text, `${name}_data`);
}

/**
 * Returns the name of a file without its extension; null for a name that a client generated: the field's, or
 * a blob's.
 */
function titleOf(filename: string | null): string | null {
  const base = (filename ?? '')
    .replace(/^.*[\\/]/s, '')
    .replace(/\.[a-z0-9]{1,5}$/i, '')
    .trim();
  return base === '' || /^(?:file_data|file|blob|upload|untitled)$/i.test(base) ? null : base;
}
