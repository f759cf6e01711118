import * as z from 'zod';
import { BARCODE_FORMATS } from '@platen/imaging/barcode/symbologies';
import { renderOptionsSchema } from '../options.ts';
import type { Route } from '../route.ts';
import { invoiceFile, optionErrors, pdfDocument, renderFields, stepFiles } from './common.ts';

/** Routes that turn images and barcodes into PDF. */

const imageErrors = [
  'image_invalid',
  'image_format_unsupported',
  'image_too_large',
  ...optionErrors,
  'engine_missing',
] as const;

export const imageRoutes = [
  {
    operation: 'renderImage',
    method: 'POST',
    path: '/v1/render/img',
    group: 'images',
    access: 'render',
    summary: 'Convert an image to PDF',
    form: z.object(renderFields),
    files: { image: { required: true, description: 'The image.' }, ...invoiceFile, ...stepFiles },
    success: pdfDocument,
    errors: imageErrors,
  },
  {
    operation: 'renderBarcode',
    method: 'POST',
    path: '/v1/render/barcode',
    group: 'images',
    access: 'render',
    summary: 'Make a PDF with a barcode',
    form: z.object({
      data: z
        .object({
          data: z.string().min(1).meta({ description: 'Data of the barcode.' }),
          barcode_format: z
            .string()
            .min(1)
            .meta({ description: 'Format of the barcode, in any case.', enum: [...BARCODE_FORMATS] }),
        })
        .meta({ id: 'Barcode' }),
      ...renderFields,
    }),
    files: { ...invoiceFile, ...stepFiles },
    success: pdfDocument,
    errors: ['barcode_invalid', ...optionErrors],
  },
  {
    operation: 'renderStoredImage',
    method: 'GET',
    path: '/v1/img/{id}',
    group: 'images',
    access: 'render',
    summary: 'Convert a stored image to PDF',
    params: { id: 'Id of the image.' },
    query: z.object({ render_options: renderOptionsSchema.optional() }),
    success: pdfDocument,
    errors: ['not_found', ...imageErrors],
  },
  {
    operation: 'renderStoredImageByPost',
    method: 'POST',
    path: '/v1/img/{id}',
    group: 'images',
    access: 'render',
    summary: 'Convert a stored image to PDF',
    params: { id: 'Id of the image.' },
    form: z.object(renderFields),
    files: { ...invoiceFile, ...stepFiles },
    success: pdfDocument,
    errors: ['not_found', ...imageErrors],
  },
] as const satisfies readonly Route[];
