import * as z from 'zod';
import type { Route } from '../route.ts';
import { pdfDocument, pdfErrors, ZIP } from './common.ts';
import { breakSignatures, openedWith, pageSelection, pdfFile } from './pdf-fields.ts';

/** Routes for the content of a PDF: its facts, attachments, text, and the fields of its form. */

export const pdfContentRoutes = [
  {
    operation: 'pdfInfo',
    method: 'POST',
    path: '/v1/pdf/info',
    group: 'pdf',
    access: 'pdf',
    summary: 'Get information about a PDF',
    form: z.object(openedWith),
    files: { file: pdfFile },
    success: {
      status: 200,
      json: true,
      description: 'The structure and content of the document.',
    },
    errors: pdfErrors,
  },
  {
    operation: 'pdfAttachments',
    method: 'POST',
    path: '/v1/pdf/attachments',
    group: 'pdf',
    access: 'pdf',
    summary: 'Extract the attachments of a PDF',
    form: z.object(openedWith),
    files: { file: pdfFile },
    success: { status: 200, document: ZIP, description: 'The files; an empty ZIP if there are none.' },
    errors: pdfErrors,
  },
  {
    operation: 'pdfText',
    method: 'POST',
    path: '/v1/pdf/text',
    group: 'pdf',
    access: 'pdf',
    summary: 'Extract the text of a PDF',
    form: z.object({
      format: z.enum(['text', 'json']).optional().meta({
        description:
          '`text` (default) ends each page with a form feed; `json` has the words with their positions, by page.',
      }),
      pages: pageSelection,
      ...openedWith,
    }),
    files: { file: pdfFile },
    success: {
      status: 200,
      document: ['text/plain', 'application/json'],
      description: 'The text, in the order of the tags if the PDF is tagged.',
    },
    errors: [...pdfErrors, 'page_range_invalid', 'page_range_outside_document'],
  },
  {
    operation: 'pdfForm',
    method: 'POST',
    path: '/v1/pdf/form',
    group: 'pdf',
    access: 'pdf',
    summary: 'List the fields of a form',
    form: z.object(openedWith),
    files: { file: pdfFile },
    success: { status: 200, json: true, description: 'The fields, in the order of the form.' },
    errors: [...pdfErrors, 'form_xfa'],
  },
  {
    operation: 'fillPdfForm',
    method: 'POST',
    path: '/v1/pdf/form/fill',
    group: 'pdf',
    access: 'pdf',
    summary: 'Fill a form',
    form: z.object({
      data: z.record(z.string(), z.unknown()).meta({
        description:
          'Values by field name, or in nested objects by the parts of the names; `null` clears a field.',
      }),
      flatten: z.boolean().optional().meta({ description: 'Flatten the form. Default false.' }),
      break_signatures: breakSignatures.optional(),
      ...openedWith,
    }),
    files: {
      file: { ...pdfFile, description: 'A PDF with a form.' },
      part: { required: false, many: true, description: 'Images for its buttons, with any names.' },
    },
    success: pdfDocument,
    errors: [
      ...pdfErrors,
      'pdf_signed',
      'form_field_unknown',
      'form_value_invalid',
      'form_xfa',
      'engine_missing',
    ],
  },
] as const satisfies readonly Route[];
