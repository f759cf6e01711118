import * as z from 'zod';
import type { FileField, Route } from '../route.ts';
import { stepMembers, stepsSchema } from '../steps.ts';
import { pdfDocument, pdfErrors } from './common.ts';
import { breakSignatures, inputPassword, pdfFile } from './pdf-fields.ts';

/** Routes for PDF steps: several in one request, and a route for each single step. */

/** Fields of routes that change a PDF in one or several steps. */
const stepFields = { break_signatures: breakSignatures.optional(), input_password: inputPassword.optional() };
const stepErrors = [...pdfErrors, 'steps_invalid', 'pdf_signed'] as const;
/**
 * Files that the route of a single step takes in addition to `file`: a part has the name of the step's
 * member, or any name that the step refers to.
 */
const stepFile: FileField = { required: false, many: true, description: 'Files that the fields refer to.' };
const stampFiles = {
  file: pdfFile,
  image: { required: false, description: 'The image, unless a field names another part.' },
  pdf: { required: false, description: 'The PDF, unless a field names another part.' },
  html: { required: false, description: 'The html, unless it is in a field.' },
  part: stepFile,
};
const letterheadFiles = {
  file: pdfFile,
  pdf: { required: false, description: 'The letterhead, unless a field names another part.' },
  first: {
    required: false,
    description: 'The letterhead of the first page, unless a field names another part.',
  },
  part: stepFile,
};
const stampErrors = [
  ...stepErrors,
  'page_range_invalid',
  'page_range_outside_document',
  'image_invalid',
  'image_too_large',
  'engine_missing',
  'engine_unavailable',
  'print_failed',
  'option_not_supported',
] as const;
const pageErrors = ['page_range_invalid', 'page_range_outside_document'] as const;

export const pdfStepRoutes = [
  {
    operation: 'processPdf',
    method: 'POST',
    path: '/v1/pdf/process',
    group: 'pdf',
    access: 'pdf',
    summary: 'Run several steps on PDFs',
    form: z.object({
      steps: stepsSchema.meta({
        description: 'Steps to run, in this order. Files are merged first, or at the step `merge`.',
      }),
      ...stepFields,
    }),
    files: {
      file: {
        required: true,
        many: true,
        description:
          'PDFs: `file`, or `file0`, `file1`, … Parts with other names are for the steps that name them.',
      },
    },
    success: pdfDocument,
    errors: stampErrors,
  },
  {
    operation: 'stampPdf',
    method: 'POST',
    path: '/v1/pdf/stamp',
    group: 'pdf',
    access: 'pdf',
    summary: 'Stamp a text, an image, html or a page over the pages of a PDF',
    form: z.object({ ...stepMembers.stamp.shape, ...stepFields }),
    files: stampFiles,
    success: pdfDocument,
    errors: stampErrors,
  },
  {
    operation: 'watermarkPdf',
    method: 'POST',
    path: '/v1/pdf/watermark',
    group: 'pdf',
    access: 'pdf',
    summary: 'Put a text, an image, html or a page under the pages of a PDF',
    form: z.object({ ...stepMembers.watermark.shape, ...stepFields }),
    files: stampFiles,
    success: pdfDocument,
    errors: stampErrors,
  },
  {
    operation: 'attachToPdf',
    method: 'POST',
    path: '/v1/pdf/attach',
    group: 'pdf',
    access: 'pdf',
    summary: 'Attach files to a PDF',
    form: z.object({ ...stepMembers.attach.shape, ...stepFields }),
    files: { file: pdfFile, part: stepFile },
    success: pdfDocument,
    errors: stepErrors,
  },
  {
    operation: 'outlinePdf',
    method: 'POST',
    path: '/v1/pdf/outline',
    group: 'pdf',
    access: 'pdf',
    summary: 'Set the outline of a PDF',
    form: z.object({ ...stepMembers.outline.shape, ...stepFields }),
    files: { file: pdfFile },
    success: pdfDocument,
    errors: [...stepErrors, 'page_range_outside_document'],
  },
  {
    operation: 'flattenPdf',
    method: 'POST',
    path: '/v1/pdf/flatten',
    group: 'pdf',
    access: 'pdf',
    summary: 'Flatten the form fields and annotations of a PDF',
    form: z.object(stepFields),
    files: { file: pdfFile },
    success: pdfDocument,
    errors: [...stepErrors, 'option_not_supported'],
  },
  {
    operation: 'selectPdfPages',
    method: 'POST',
    path: '/v1/pdf/pages',
    group: 'pdf',
    access: 'pdf',
    summary: 'Select, reorder and repeat the pages of a PDF',
    form: z.object({ ...stepMembers.pages.shape, ...stepFields }),
    files: { file: pdfFile },
    success: pdfDocument,
    errors: [...stepErrors, ...pageErrors],
  },
  {
    operation: 'rotatePdf',
    method: 'POST',
    path: '/v1/pdf/rotate',
    group: 'pdf',
    access: 'pdf',
    summary: 'Rotate the pages of a PDF',
    form: z.object({ ...stepMembers.rotate.shape, ...stepFields }),
    files: { file: pdfFile },
    success: pdfDocument,
    errors: [...stepErrors, ...pageErrors],
  },
  {
    operation: 'redactPdf',
    method: 'POST',
    path: '/v1/pdf/redact',
    group: 'pdf',
    access: 'pdf',
    summary: 'Redact areas and words of a PDF',
    form: z.object({ ...stepMembers.redact.shape, ...stepFields }),
    files: { file: pdfFile },
    success: pdfDocument,
    errors: [...stepErrors, 'page_range_outside_document', 'option_not_supported'],
  },
  {
    operation: 'imposePdf',
    method: 'POST',
    path: '/v1/pdf/impose',
    group: 'pdf',
    access: 'pdf',
    summary: 'Put several pages of a PDF on each sheet',
    form: z.object({ ...stepMembers.impose.shape, ...stepFields }),
    files: { file: pdfFile },
    success: pdfDocument,
    errors: stepErrors,
  },
  {
    operation: 'scalePdf',
    method: 'POST',
    path: '/v1/pdf/scale',
    group: 'pdf',
    access: 'pdf',
    summary: 'Put the pages of a PDF on sheets of another size',
    form: z.object({ ...stepMembers.scale.shape, ...stepFields }),
    files: { file: pdfFile },
    success: pdfDocument,
    errors: stepErrors,
  },
  {
    operation: 'numberPdfPages',
    method: 'POST',
    path: '/v1/pdf/page-numbers',
    group: 'pdf',
    access: 'pdf',
    summary: 'Number the pages of a PDF',
    form: z.object({ ...stepMembers.page_numbers.shape, ...stepFields }),
    files: { file: pdfFile },
    success: pdfDocument,
    errors: [...stepErrors, ...pageErrors, 'engine_missing', 'option_not_supported'],
  },
  {
    operation: 'putPdfLetterhead',
    method: 'POST',
    path: '/v1/pdf/letterhead',
    group: 'pdf',
    access: 'pdf',
    summary: 'Put a letterhead under the pages of a PDF',
    form: z.object({ ...stepMembers.letterhead.partial().shape, ...stepFields }),
    files: letterheadFiles,
    success: pdfDocument,
    errors: stepErrors,
  },
  {
    operation: 'decryptPdf',
    method: 'POST',
    path: '/v1/pdf/decrypt',
    group: 'pdf',
    access: 'pdf',
    summary: 'Decrypt a PDF',
    form: z.object({ ...stepMembers.decrypt.shape, ...stepFields }),
    files: { file: pdfFile },
    success: pdfDocument,
    errors: stepErrors,
  },
  {
    operation: 'linearizePdf',
    method: 'POST',
    path: '/v1/pdf/linearize',
    group: 'pdf',
    access: 'pdf',
    summary: 'Linearize a PDF for fast web view',
    form: z.object(stepFields),
    files: { file: pdfFile },
    success: pdfDocument,
    errors: stepErrors,
  },
] as const satisfies readonly Route[];
