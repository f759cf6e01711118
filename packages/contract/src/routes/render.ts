import * as z from 'zod';
import { sentTemplateSchema } from '../options.ts';
import type { FileField, Route } from '../route.ts';
import {
  ZIP,
  RENDERED,
  PDF,
  formTemplateErrors,
  invoiceFile,
  optionErrors,
  pdfDocument,
  renderFields,
  stepFiles,
  fileData,
  headerData,
  footerData,
  templateFiles,
  versionQuery,
} from './common.ts';

/** Routes that render HTML and office templates. */

const renderErrors = [
  'render_data_invalid',
  'form_field_unknown',
  'form_value_invalid',
  ...optionErrors,
  'unsupported_output_format',
  'template_syntax',
  'template_render',
  'template_budget',
  'print_failed',
  'engine_missing',
  'engine_unavailable',
] as const;

/** Errors of templates that are sent along. */
const sentErrors = [
  'template_file_invalid',
  ...formTemplateErrors,
  'template_too_large',
  'image_format_unsupported',
  'stylesheet_invalid',
] as const;

const batchErrors = ['batch_empty', 'batch_too_large', 'batch_failed'] as const;

/** Data for the placeholders. It stays text, because its key order and `1.0` matter (I-16). */
const record = z.string().meta({
  description: 'Values for the placeholders, as a JSON object. Default: an empty object.',
  contentMediaType: 'application/json',
});
const records = z.string().meta({
  description: 'A JSON array with one object for each document.',
  contentMediaType: 'application/json',
});
const onError = z.enum(['fail', 'skip']).meta({
  description: '`skip` leaves out failing records and lists them in `errors.json`. Default `fail`.',
});

/** Fields of a batch that joins its documents into one file. */
const combineFields = {
  combine: z.enum(['pdf']).optional().meta({
    description: '`pdf` makes one PDF of all documents instead of a ZIP, with an outline entry for each.',
  }),
  numbering: z.enum(['record', 'through']).optional().meta({
    description:
      'With `combine`: page numbers in headers and footers restart with each `record` (default) or continue `through` the file.',
  }),
};

const renderDataFile: FileField = { required: false, description: 'The data as a JSON file.' };

const batchDataFile: FileField = {
  required: false,
  description: 'The records as a JSON, JSON Lines, CSV, XLS or XLSX file.',
};

const outputFormat =
  'Output format: pdf, html, markdown, docx, odt, xlsx, xls, ods, pptx, odp, png, jpeg or webp; or `report` for a report on the PDF, as JSON.';

export const renderRoutes = [
  {
    operation: 'renderNow',
    method: 'POST',
    path: '/v1/render/{format}',
    group: 'render',
    access: 'render',
    summary: 'Render a template in the request',
    params: { format: outputFormat },
    form: z.object({
      template_data: sentTemplateSchema.optional(),
      render_data: record.optional(),
      ...renderFields,
    }),
    files: {
      file_data: fileData,
      header_data: headerData,
      footer_data: footerData,
      ...templateFiles,
      render_data: renderDataFile,
      ...invoiceFile,
      ...stepFiles,
    },
    success: { status: 200, document: RENDERED, description: 'The document, or its report.' },
    errors: [...renderErrors, ...sentErrors],
  },
  {
    operation: 'renderNowBatch',
    method: 'POST',
    path: '/v1/render/{format}/batch',
    group: 'render',
    access: 'render',
    summary: 'Render a template in the request for each record',
    params: { format: outputFormat },
    query: z.object({ on_error: onError.optional() }),
    form: z.object({
      template_data: sentTemplateSchema.optional(),
      render_data: records.optional(),
      on_error: onError.optional(),
      ...combineFields,
      ...renderFields,
    }),
    files: {
      file_data: fileData,
      header_data: headerData,
      footer_data: footerData,
      ...templateFiles,
      render_data: batchDataFile,
      ...stepFiles,
    },
    success: {
      status: 200,
      document: [...ZIP, ...PDF],
      description: 'A ZIP of the documents, or one combined PDF.',
    },
    batch: true,
    errors: [...renderErrors, ...batchErrors, ...sentErrors],
  },
  {
    operation: 'renderTemplate',
    method: 'POST',
    path: '/v1/render/{format}/{template_id}',
    group: 'render',
    access: 'render',
    summary: 'Render a stored template',
    params: { format: outputFormat, template_id: 'Id of the template.' },
    query: z.object(versionQuery),
    form: z.object({ render_data: record.optional(), ...renderFields }),
    files: { render_data: renderDataFile, ...invoiceFile, ...stepFiles },
    success: { status: 200, document: RENDERED, description: 'The document, or its report.' },
    errors: ['not_found', ...renderErrors],
  },
  {
    operation: 'renderTemplateBatch',
    method: 'POST',
    path: '/v1/render/{format}/batch/{template_id}',
    group: 'render',
    access: 'render',
    summary: 'Render a stored template for each record',
    params: { format: outputFormat, template_id: 'Id of the template.' },
    query: z.object({ on_error: onError.optional(), ...versionQuery }),
    form: z.object({
      render_data: records.optional(),
      on_error: onError.optional(),
      ...combineFields,
      ...renderFields,
    }),
    files: { render_data: batchDataFile, ...stepFiles },
    success: {
      status: 200,
      document: [...ZIP, ...PDF],
      description: 'A ZIP of the documents, or one combined PDF.',
    },
    batch: true,
    errors: ['not_found', ...renderErrors, ...batchErrors],
  },
  {
    operation: 'renderUrl',
    method: 'POST',
    path: '/v1/pdf/url',
    group: 'render',
    access: 'pdf',
    summary: 'Print a web page',
    form: z.object({ url: z.string().min(1).max(4096), ...renderFields }),
    files: { ...invoiceFile, ...stepFiles },
    success: pdfDocument,
    errors: ['url_not_allowed', 'url_unreachable', ...optionErrors, 'print_failed'],
  },
] as const satisfies readonly Route[];
