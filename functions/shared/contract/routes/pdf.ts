import * as z from 'zod';
import type { FileField, Route } from '../route.ts';
import { pdfDocument, ZIP } from './common.ts';

/** PDF transformation. */

export const pdfErrors = [
  'pdf_invalid',
  'pdf_damaged',
  'pdf_password_required',
  'pdf_password_wrong',
  'pdf_too_complex',
] as const;

const inputPassword = z.string().meta({ description: 'Opens a password-protected input.' });

const pageNumber = z.number().int().min(1);

const group = z.array(pageNumber).min(1);

const groupDescription =
  '`[n]`: that page; `[first, last]`: that range; three or more: exactly those, in order.';

export const pdfFile: FileField = { required: true, description: 'A PDF.' };

export const pdfRoutes = [
  {
    operation: 'mergePdf',
    method: 'POST',
    path: '/v1/pdf/merge',
    group: 'pdf',
    access: 'pdf',
    summary: 'Merge PDFs',
    form: z.object({ input_password: inputPassword.optional() }),
    files: { file: { required: true, many: true, description: 'PDFs: `file1`, `file2`, … At least two.' } },
    success: pdfDocument,
    errors: pdfErrors,
  },
  {
    operation: 'splitPdf',
    method: 'POST',
    path: '/v1/pdf/split',
    group: 'pdf',
    access: 'pdf',
    summary: 'Take pages out of a PDF',
    form: z.object({
      splits: group.meta({ description: groupDescription }),
      input_password: inputPassword.optional(),
    }),
    files: { file: pdfFile },
    success: pdfDocument,
    errors: [...pdfErrors, 'pages_invalid'],
  },
  {
    operation: 'splitPdfToZip',
    method: 'POST',
    path: '/v1/pdf/split-zip',
    group: 'pdf',
    access: 'pdf',
    summary: 'Split a PDF into several',
    form: z.object({
      splits: z.array(group.meta({ description: groupDescription })).min(1),
      input_password: inputPassword.optional(),
    }),
    files: { file: pdfFile },
    success: { status: 200, document: ZIP, description: 'One PDF for each group.' },
    errors: [...pdfErrors, 'pages_invalid'],
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
        .optional(),
      input_password: inputPassword.optional(),
    }),
    files: { file: pdfFile },
    success: pdfDocument,
    errors: pdfErrors,
  },
  {
    operation: 'editPdfMetadata',
    method: 'POST',
    path: '/v1/pdf/metadata',
    group: 'pdf',
    access: 'pdf',
    summary: 'Edit the metadata of a PDF',
    form: z.object({
      metadata: z
        .record(z.string(), z.string().nullable())
        .meta({ description: 'Keys `Title`, `Author`, `Subject`, `Producer`, `Creator`; `null` removes.' }),
      input_password: inputPassword.optional(),
    }),
    files: { file: pdfFile },
    success: pdfDocument,
    errors: pdfErrors,
  },
  {
    operation: 'encryptPdf',
    method: 'POST',
    path: '/v1/pdf/encrypt',
    group: 'pdf',
    access: 'pdf',
    summary: 'Encrypt a PDF with a password',
    form: z.object({
      password: z.string().optional(),
      options: z
        .object({ encrypt_password: z.string(), password: z.string() })
        .partial()
        .optional()
        .meta({ description: 'The password as clients send it, where `password` is not given.' }),
      permissions: z.record(z.string(), z.boolean()).optional(),
      input_password: inputPassword.optional(),
    }),
    files: { file: pdfFile },
    success: pdfDocument,
    errors: pdfErrors,
  },
  {
    operation: 'renderPdfPages',
    method: 'POST',
    path: '/v1/pdf/image/{format}',
    group: 'pdf',
    access: 'pdf',
    summary: 'Turn the pages of a PDF into images',
    params: { format: 'png, jpeg, webp, tiff, gif, bmp, svg or pdf.' },
    form: z.object({
      dpi: z.number().min(10).max(1200).optional(),
      pages: z.string().optional().meta({ description: 'Such as `1-3,5,8-`. Default: all.' }),
      input_password: inputPassword.optional(),
    }),
    files: { file: pdfFile },
    success: {
      status: 200,
      document: ['image/*', ...ZIP],
      description: 'The image, or a ZIP of several.',
    },
    errors: [...pdfErrors, 'page_range_invalid', 'page_range_outside_document', 'image_format_unsupported'],
  },
] as const satisfies readonly Route[];
