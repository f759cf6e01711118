import * as z from 'zod';
import { conformanceLevels, languageText } from '../option-values.ts';
import type { FileField, Route } from '../route.ts';
import { stepMembers, stepsSchema } from '../steps.ts';
import { documentInfoSchema, formSchema } from '../pdf-info.ts';
import { pdfDocument, pdfErrors, ZIP } from './common.ts';

/** PDF transformation. */

const inputPassword = z.string().meta({ description: 'Opens a password-protected input.' });

/** What opens a protected input, by either of its names. */
const openedWith = {
  input_password: inputPassword.optional(),
  password: z.string().optional().meta({ description: 'The same as `input_password`.' }),
};

const pageSelection = z.string().optional().meta({ description: 'Such as `1-3,5,8-`. Default: all.' });

const pageNumber = z.number().int().min(1);

const group = z.array(pageNumber).min(1);

const groupDescription =
  '`[n]`: that page; `[first, last]`: that range; three or more: exactly those, in order.';

export const pdfFile: FileField = { required: true, description: 'A PDF.' };

const breakSignatures = z.boolean().meta({
  description: 'Change a signed file all the same, which breaks its signatures. Default false.',
});

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
          'What becomes of a document that only its author can mend: an error, or `warn`: the document without the claim, and Warnings. Default error.',
      }),
      language: languageText().optional().meta({ description: 'Language of the document, such as `de`.' }),
      title: z.string().min(1).max(1000).optional().meta({ description: 'Title of the document.' }),
      input_password: inputPassword.optional(),
    }),
    files: { file: pdfFile },
    success: pdfDocument,
    errors: [...pdfErrors, 'not_conformant'],
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
      pages: pageSelection,
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
      break_signatures: z.boolean().optional().meta({
        description: 'Change a signed file all the same, which breaks its signatures. Default false.',
      }),
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
