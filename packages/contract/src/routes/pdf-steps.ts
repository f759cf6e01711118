import * as z from 'zod';
import type { FileField, Route } from '../route.ts';
import { stepMembers, stepsSchema } from '../steps.ts';
import { pdfDocument, pdfErrors } from './common.ts';
import { breakSignatures, inputPassword, pdfFile } from './pdf-fields.ts';

/** Steps on PDFs: several in one request, and each by a route of its own. */

/** Of what changes a PDF by one step, or by several. */
const stepFields = { break_signatures: breakSignatures.optional(), input_password: inputPassword.optional() };
const stepErrors = [...pdfErrors, 'steps_invalid', 'pdf_signed'] as const;
/** Files that a step's own route takes beside `file`: a part may have the name of its member, or any that is named. */
const stepFile: FileField = { required: false, many: true, description: 'Files that the members name.' };
const stampFiles = {
  file: pdfFile,
  image: { required: false, description: 'The image, where no field names another part.' },
  pdf: { required: false, description: 'The PDF, where no field names another part.' },
  html: { required: false, description: 'The html, where no field has it.' },
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
    summary: 'Carry out several steps on PDFs',
    form: z.object({
      steps: stepsSchema.meta({
        description: 'What is done, in this order. Files are joined first, or where `merge` stands.',
      }),
      ...stepFields,
    }),
    files: {
      file: {
        required: true,
        many: true,
        description:
          'PDFs: `file`, or `file0`, `file1`, … Parts with other names are for steps that name them.',
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
    summary: 'Put a text, an image, html or a page over the pages of a PDF',
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
    summary: 'Give a PDF an outline',
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
    summary: 'Make form fields and annotations part of the pages of a PDF',
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
    summary: 'Turn the pages of a PDF',
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
    summary: 'Take areas and words out of a PDF',
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
    operation: 'decryptPdf',
    method: 'POST',
    path: '/v1/pdf/decrypt',
    group: 'pdf',
    access: 'pdf',
    summary: 'Take the protection off a PDF',
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
    summary: 'Arrange a PDF so that its first page shows while the rest still loads',
    form: z.object(stepFields),
    files: { file: pdfFile },
    success: pdfDocument,
    errors: stepErrors,
  },
] as const satisfies readonly Route[];
