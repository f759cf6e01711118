import * as z from 'zod';
import { versionText } from '../option-values.ts';
import { renderOptionsSchema } from '../options.ts';
import type { FileField, Success } from '../route.ts';

/** Parts that the routes of several function groups share. */

export const PDF = ['application/pdf'];

export const ZIP = ['application/zip'];

export const ANY_DOCUMENT = [
  'application/pdf',
  'text/html',
  'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
  'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  'application/vnd.openxmlformats-officedocument.presentationml.presentation',
  'application/vnd.oasis.opendocument.text',
  'application/vnd.oasis.opendocument.spreadsheet',
  'application/vnd.oasis.opendocument.presentation',
  'application/vnd.ms-excel',
];

/** Media types of a rendering's response: a document, or a report on it. */
export const RENDERED = [...ANY_DOCUMENT, 'application/json'];

export const pdfDocument = { status: 200, document: PDF, description: 'The PDF.' } as const satisfies Success;

/** Errors of routes that read a PDF. */
export const pdfErrors = [
  'pdf_invalid',
  'pdf_damaged',
  'pdf_password_required',
  'pdf_password_wrong',
  'pdf_too_complex',
] as const;

/** Query parameters of a list: page size and cursor. */
export const pageQuery = {
  limit: z.number().int().min(1).optional().meta({ description: 'Maximum number of entries. Default: all.' }),
  cursor: z
    .string()
    .max(1000)
    .optional()
    .meta({ description: 'Position in the list, from the `Link` header with `rel="next"`.' }),
};

/** The same for lists that can be long. */
export const longPageQuery = {
  ...pageQuery,
  limit: z.number().int().min(1).max(1_000).optional().meta({
    description: 'Maximum number of entries. Default 100.',
  }),
};

/** Query parameter for the next page of a list. */
export const cursorQuery = {
  cursor: z
    .string()
    .max(100)
    .optional()
    .meta({ description: 'Position in the list, from the `Link` header with `rel="next"`.' }),
};

/** Query parameter for the version of a template. */
export const versionQuery = {
  version: versionText().optional().meta({
    description: 'The number of a version, or `latest`. Default: the published one.',
  }),
};

/** Field that sets whether renderings use a new version. */
export const publishField = {
  publish: z.boolean().optional().meta({
    description: 'Publish the new version, so that renderings use it; `false` writes a draft. Default true.',
  }),
};

/** Errors of routes that write a new version of a template. */
export const versionErrors = ['not_found', 'version_conflict', 'conflict'] as const;

/** A text field or a file part may carry the data; the function reports an error when both are missing. */
export const renderFields = { render_options: renderOptionsSchema.optional() };

/** Errors of routes that take options. */
export const optionErrors = [
  'invalid_option',
  'option_not_supported',
  'page_range_invalid',
  'page_range_outside_document',
  'steps_invalid',
  'factur_x_invalid',
  'not_conformant',
  'certificate_expired',
  'timestamp_unavailable',
  'revocation_unavailable',
] as const;

/** Errors of routes whose form is a template. */
export const formTemplateErrors = [
  'form_xfa',
  'pdf_password_required',
  'pdf_signed',
  'pdf_damaged',
  'pdf_too_complex',
] as const;

export const fileData: FileField = { required: true, description: 'The template file.' };

export const headerData: FileField = { required: false, description: 'Header: HTML or plain text.' };

export const footerData: FileField = { required: false, description: 'Footer: HTML or plain text.' };

/** The files of a template that a change replaces. */
export const changedFiles = {
  file_data: { ...fileData, required: false },
  header_data: headerData,
  footer_data: footerData,
} as const satisfies Readonly<Record<string, FileField>>;

/** The XML of an invoice to embed. */
export const invoiceFile = {
  factur_x_xml: {
    required: false,
    description: 'XML of the invoice, for `render_options.factur_x`.',
  },
} as const satisfies Readonly<Record<string, FileField>>;

/** Files for the steps of a rendering. */
export const stepFiles: Readonly<Record<'step_', FileField>> = {
  step_: {
    required: false,
    prefix: true,
    description: 'A file for the steps in `render_options`, which refer to it by the full name of the part.',
  },
};

/** Images and styles of a template that is sent along. */
export const templateFiles: Readonly<Record<'img_' | 'css_', FileField>> = {
  img_: {
    required: false,
    prefix: true,
    description:
      'An image of the template, of any of the supported types. The name after `img_` is its variable.',
  },
  css_: {
    required: false,
    prefix: true,
    description: 'A style sheet of the template, with any name. Style sheets apply in the order sent.',
  },
};
