import * as z from 'zod';
import { documentInfoSchema, formSchema } from '../pdf-info.ts';
import type { Route } from '../route.ts';
import { pdfDocument, pdfErrors, ZIP } from './common.ts';
import { breakSignatures, openedWith, pageSelection, pdfFile } from './pdf-fields.ts';

/** What is in a PDF: its facts, attachments, text, and the fields of its form. */

export const pdfContentRoutes = [
  {
    operation: 'pdfInfo',
    method: 'POST',
    path: '/v1/pdf/info',
    group: 'pdf',
    access: 'pdf',
    summary: 'Look into a PDF',
    form: z.object(openedWith),
    files: { file: pdfFile },
    success: { status: 200, json: documentInfoSchema, description: 'What there is in the document.' },
    errors: pdfErrors,
  },
  {
    operation: 'pdfAttachments',
    method: 'POST',
    path: '/v1/pdf/attachments',
    group: 'pdf',
    access: 'pdf',
    summary: 'Take the attachments out of a PDF',
    form: z.object(openedWith),
    files: { file: pdfFile },
    success: { status: 200, document: ZIP, description: 'The files; without any an empty ZIP.' },
    errors: pdfErrors,
  },
  {
    operation: 'pdfText',
    method: 'POST',
    path: '/v1/pdf/text',
    group: 'pdf',
    access: 'pdf',
    summary: 'Read the text of a PDF',
    form: z.object({
      format: z.enum(['text', 'json']).optional().meta({
        description:
          '`text` (default): each page ends with a form feed. `json`: words with their places, by page.',
      }),
      pages: pageSelection,
      ...openedWith,
    }),
    files: { file: pdfFile },
    success: {
      status: 200,
      document: ['text/plain', 'application/json'],
      description: 'The text, in the order of the tags where there are some.',
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
    success: { status: 200, json: formSchema, description: 'The fields, in the order of the form.' },
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
          'Values by the names of the fields, or in objects by the parts of names; `null` empties a field.',
      }),
      flatten: z
        .boolean()
        .optional()
        .meta({ description: 'Make the fields part of the pages. Default false.' }),
      break_signatures: breakSignatures.optional(),
      ...openedWith,
    }),
    files: {
      file: { ...pdfFile, description: 'A PDF with a form.' },
      part: { required: false, many: true, description: 'Images for its buttons, by any names.' },
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
