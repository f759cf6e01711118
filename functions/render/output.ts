import type { TemplateFormat } from '@platen/contract/options';
import { PlatenError } from '@platen/core/errors';

/** The output formats of a template (I-13), including the report (I-54). */

/** Formats of screenshots. */
const PICTURE_FORMATS = ['png', 'jpeg', 'webp'] as const;
export const OUTPUT_FORMATS = [
  'pdf',
  'html',
  'markdown',
  'docx',
  'odt',
  'xlsx',
  'xls',
  'ods',
  'pptx',
  'odp',
  'report',
  ...PICTURE_FORMATS,
] as const;
export type OutputFormat = (typeof OUTPUT_FORMATS)[number];

const OUTPUTS_OF: Readonly<Record<TemplateFormat, readonly OutputFormat[]>> = {
  html: ['pdf', 'html', 'docx', 'odt', 'report', ...PICTURE_FORMATS],
  markdown: ['pdf', 'html', 'markdown', 'docx', 'odt', 'report', ...PICTURE_FORMATS],
  docx: ['pdf', 'docx', 'odt', 'report'],
  odt: ['pdf', 'odt', 'docx', 'report'],
  xlsx: ['pdf', 'xlsx', 'ods', 'xls', 'report'],
  ods: ['pdf', 'ods', 'xlsx', 'xls', 'report'],
  pptx: ['pdf', 'pptx', 'odp', 'report'],
  odp: ['pdf', 'odp', 'pptx', 'report'],
  pdf: ['pdf', 'report'],
};

/** Some clients misspell one of them (I-13), and files of the other have that extension. */
const ALIASES: Readonly<Record<string, OutputFormat>> = { xlx: 'xlsx', jpg: 'jpeg', md: 'markdown' };

const MEDIA_TYPES: Readonly<Record<OutputFormat, string>> = {
  pdf: 'application/pdf',
  html: 'text/html; charset=utf-8',
  markdown: 'text/markdown; charset=utf-8',
  docx: 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
  odt: 'application/vnd.oasis.opendocument.text',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  xls: 'application/vnd.ms-excel',
  ods: 'application/vnd.oasis.opendocument.spreadsheet',
  pptx: 'application/vnd.openxmlformats-officedocument.presentationml.presentation',
  png: 'image/png',
  jpeg: 'image/jpeg',
  webp: 'image/webp',
  odp: 'application/vnd.oasis.opendocument.presentation',
  report: 'application/json; charset=utf-8',
};

/** Returns whether compressing documents of a format makes them smaller; the others are compressed already. */
export function isCompressible(output: OutputFormat): boolean {
  return output === 'html' || output === 'report';
}

/**
 * Returns the output format that a path segment names.
 *
 * @throws PlatenError `unsupported_output_format`, with the list of formats for such a template
 */
export function outputFormat(requested: string, template: TemplateFormat): OutputFormat {
  const lower = requested.toLowerCase();
  const wanted = ALIASES[lower] ?? lower;
  const outputs = OUTPUTS_OF[template];
  const found = outputs.find((format) => format === wanted);
  if (found) return found;
  const message = `a template of the format ${template} cannot be rendered as ${JSON.stringify(requested.slice(0, 40))}, only as ${outputs.join(', ')}`;
  throw new PlatenError('unsupported_output_format', `The format is not supported: ${message}.`, {
    faults: [{ field: 'format', message, value: requested.slice(0, 40), allowed: outputs }],
  });
}

/** Returns the extension of such files. */
export function fileEnding(format: OutputFormat): string {
  return format === 'report' ? 'json' : format;
}

/** Returns the value of a Content-Type header. */
export function mediaType(format: OutputFormat): string {
  return MEDIA_TYPES[format];
}

/** Returns whether the output is a picture of the document. */
export function isPicture(output: OutputFormat): output is (typeof PICTURE_FORMATS)[number] {
  return PICTURE_FORMATS.some((format) => format === output);
}
