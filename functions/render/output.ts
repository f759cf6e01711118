import type { TemplateFormat } from '../shared/contract/options.ts';
import { PlatenError } from '@platen/core/errors';

/** What a template can become (I-13), or what is told of it instead (I-54). */

export const OUTPUT_FORMATS = [
  'pdf',
  'html',
  'docx',
  'odt',
  'xlsx',
  'xls',
  'ods',
  'pptx',
  'odp',
  'report',
] as const;
export type OutputFormat = (typeof OUTPUT_FORMATS)[number];

const OUTPUTS_OF: Readonly<Record<TemplateFormat, readonly OutputFormat[]>> = {
  html: ['pdf', 'html', 'docx', 'odt', 'report'],
  docx: ['pdf', 'docx', 'odt', 'report'],
  odt: ['pdf', 'odt', 'docx', 'report'],
  xlsx: ['pdf', 'xlsx', 'ods', 'xls', 'report'],
  ods: ['pdf', 'ods', 'xlsx', 'xls', 'report'],
  pptx: ['pdf', 'pptx', 'odp', 'report'],
  odp: ['pdf', 'odp', 'pptx', 'report'],
};

/** Clients in the field misspell it (I-13). */
const ALIASES: Readonly<Record<string, OutputFormat>> = { xlx: 'xlsx' };

const MEDIA_TYPES: Readonly<Record<OutputFormat, string>> = {
  pdf: 'application/pdf',
  html: 'text/html; charset=utf-8',
  docx: 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
  odt: 'application/vnd.oasis.opendocument.text',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  xls: 'application/vnd.ms-excel',
  ods: 'application/vnd.oasis.opendocument.spreadsheet',
  pptx: 'application/vnd.openxmlformats-officedocument.presentationml.presentation',
  odp: 'application/vnd.oasis.opendocument.presentation',
  report: 'application/json; charset=utf-8',
};

/**
 * The output format a path segment names.
 *
 * @throws PlatenError `unsupported_output_format`, with the list of what such a template can become
 */
export function outputFormat(requested: string, template: TemplateFormat): OutputFormat {
  const lower = requested.toLowerCase();
  const wanted = ALIASES[lower] ?? lower;
  const outputs = OUTPUTS_OF[template];
  const found = outputs.find((format) => format === wanted);
  if (found) return found;
  const message = `a template of the format ${template} cannot become ${JSON.stringify(requested.slice(0, 40))}, but ${outputs.join(', ')}`;
  throw new PlatenError('unsupported_output_format', `The format is not possible: ${message}.`, {
    faults: [{ field: 'format', message, value: requested.slice(0, 40), allowed: outputs }],
  });
}

/** How the names of such files end. */
export function fileEnding(format: OutputFormat): string {
  return format === 'report' ? 'json' : format;
}

/** The value of a Content-Type header. */
export function mediaType(format: OutputFormat): string {
  return MEDIA_TYPES[format];
}
