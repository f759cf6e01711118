import * as z from 'zod';
import { encryptionFields } from '../encryption.ts';
import { conformanceLevels, languageText, metadataFields } from '../option-values.ts';
import type { Route } from '../route.ts';
import { pdfDocument, pdfErrors, ZIP } from './common.ts';
import { breakSignatures, inputPassword, pageSelection, pdfFile, removeSignatures } from './pdf-fields.ts';

/** Routes for PDF transformation: several documents into one, one into several, or a conversion. */

const pageNumber = z.number().int().min(1);

const group = z.array(pageNumber).min(1);

const groupDescription =
  '`[n]` is a page, `[first, last]` a range; three or more numbers are exactly these pages, in order.';

export const pdfRoutes = [
  {
    operation: 'mergePdf',
    method: 'POST',
    path: '/v1/pdf/merge',
    group: 'pdf',
    access: 'pdf',
    summary: 'Merge PDFs',
    form: z.object({
      break_signatures: removeSignatures.optional(),
      input_password: inputPassword.optional(),
    }),
    files: { file: { required: true, many: true, description: 'PDFs: `file1`, `file2`, … At least two.' } },
    success: pdfDocument,
    errors: [...pdfErrors, 'pdf_signed'],
  },
  {
    operation: 'splitPdf',
    method: 'POST',
    path: '/v1/pdf/split',
    group: 'pdf',
    access: 'pdf',
    summary: 'Extract pages of a PDF',
    form: z.object({
      splits: group.meta({ description: groupDescription }),
      break_signatures: removeSignatures.optional(),
      input_password: inputPassword.optional(),
    }),
    files: { file: pdfFile },
    success: pdfDocument,
    errors: [...pdfErrors, 'pdf_signed', 'pages_invalid'],
  },
  {
    operation: 'splitPdfToZip',
    method: 'POST',
    path: '/v1/pdf/split-zip',
    group: 'pdf',
    access: 'pdf',
    summary: 'Split a PDF into several PDFs',
    form: z.object({
      splits: z.array(group.meta({ description: groupDescription })).min(1),
      break_signatures: removeSignatures.optional(),
      input_password: inputPassword.optional(),
    }),
    files: { file: pdfFile },
    success: { status: 200, document: ZIP, description: 'One PDF for each group.' },
    errors: [...pdfErrors, 'pdf_signed', 'pages_invalid'],
  },
  {
    operation: 'compressPdf',
    method: 'POST',
    path: '/v1/pdf/compress',
    group: 'pdf',
    access: 'pdf',
    summary: 'Compress a PDF',
    form: z.object({
      options: z
        .object({
          quality: z.enum(['lossless', 'high', 'medium', 'low']),
          max_dpi: z.number().min(10).max(2400),
          remove_duplicates: z.boolean(),
          object_streams: z.boolean(),
          linearize: z.boolean(),
        })
        .partial()
        .meta({ id: 'CompressOptions' })
        .optional(),
      break_signatures: breakSignatures.optional(),
      input_password: inputPassword.optional(),
    }),
    files: { file: pdfFile },
    success: pdfDocument,
    errors: [...pdfErrors, 'pdf_signed'],
  },
  {
    operation: 'conformPdf',
    method: 'POST',
    path: '/v1/pdf/conform',
    group: 'pdf',
    access: 'pdf',
    summary: 'Make a PDF meet PDF/A and PDF/UA',
    form: z.object({
      conformance: conformanceLevels().meta({
        description:
          'A list: one level of PDF/A (`pdf/a-2b`, `-2u`, `-2a`, `-3b`, `-3u`, `-3a`), `pdf/ua-1`, or one of each.',
      }),
      on_violation: z.enum(['error', 'warn']).optional().meta({
        description:
          'Handling of violations that only the author can fix: `error`, or `warn` for the document without the claim and a Warning for each violation. Default error.',
      }),
      language: languageText().optional().meta({ description: 'Language of the document, such as `de`.' }),
      title: z.string().min(1).max(1000).optional().meta({ description: 'Title of the document.' }),
      break_signatures: breakSignatures.optional(),
      input_password: inputPassword.optional(),
    }),
    files: { file: pdfFile },
    success: pdfDocument,
    errors: [...pdfErrors, 'not_conformant', 'pdf_signed'],
  },
  {
    operation: 'editPdfMetadata',
    method: 'POST',
    path: '/v1/pdf/metadata',
    group: 'pdf',
    access: 'pdf',
    summary: 'Edit the metadata of a PDF',
    form: z.object({
      metadata: metadataFields,
      break_signatures: breakSignatures.optional(),
      input_password: inputPassword.optional(),
    }),
    files: { file: pdfFile },
    success: pdfDocument,
    errors: [...pdfErrors, 'pdf_signed'],
  },
  {
    operation: 'encryptPdf',
    method: 'POST',
    path: '/v1/pdf/encrypt',
    group: 'pdf',
    access: 'pdf',
    summary: 'Encrypt a PDF with a password',
    form: z.object({
      ...encryptionFields,
      options: z
        .object({ encrypt_password: encryptionFields.password, password: encryptionFields.password })
        .partial()
        .meta({ id: 'PasswordOptions' })
        .optional()
        .meta({ description: 'Alternative to `password`, as some clients send it.' }),
      break_signatures: breakSignatures.optional(),
      input_password: inputPassword.optional(),
    }),
    files: { file: pdfFile },
    success: pdfDocument,
    errors: [...pdfErrors, 'pdf_signed'],
  },
  {
    operation: 'renderPdfPages',
    method: 'POST',
    path: '/v1/pdf/image/{format}',
    group: 'pdf',
    access: 'pdf',
    summary: 'Convert the pages of a PDF to images',
    params: { format: 'png, jpeg, webp, tiff, gif, bmp, ico, psd, svg or pdf.' },
    form: z.object({
      dpi: z.number().min(10).max(1200).optional(),
      pages: pageSelection,
      input_password: inputPassword.optional(),
    }),
    files: { file: pdfFile },
    success: {
      status: 200,
      document: ['image/*', ...ZIP],
      description: 'The image, or a ZIP of several images.',
    },
    errors: [...pdfErrors, 'page_range_invalid', 'page_range_outside_document', 'image_format_unsupported'],
  },
] as const satisfies readonly Route[];
