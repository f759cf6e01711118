import * as z from 'zod';
import { PROFILES } from '@platen/factur-x/profiles';
import { invoiceConformance } from '../option-values.ts';
import type { FileField, Route } from '../route.ts';
import { pdfDocument, pdfErrors } from './common.ts';
import { breakSignatures, inputPassword } from './pdf-fields.ts';

/** Routes for Factur-X and ZUGFeRD invoices. */

const xml: FileField = { required: true, description: 'The invoice: XML in UN/CEFACT CII.' };

export const facturXRoutes = [
  {
    operation: 'embedFacturX',
    method: 'POST',
    path: '/v1/pdf/factur-x',
    group: 'pdf',
    access: 'pdf',
    summary: 'Embed the XML of an invoice in a PDF',
    form: z.object({
      profile: z
        .enum(PROFILES)
        .optional()
        .meta({ description: 'Required profile of the XML. Default: the profile that it names.' }),
      break_signatures: breakSignatures.optional(),
      ...invoiceConformance,
      input_password: inputPassword.optional(),
    }),
    files: { file: { required: true, description: 'The invoice as a PDF.' }, xml },
    success: pdfDocument,
    errors: [...pdfErrors, 'factur_x_invalid', 'not_conformant', 'pdf_signed'],
  },
  {
    operation: 'extractFacturX',
    method: 'POST',
    path: '/v1/pdf/factur-x/extract',
    group: 'pdf',
    access: 'pdf',
    summary: 'Extract the XML of an invoice from a PDF',
    form: z.object({ input_password: inputPassword.optional() }),
    files: { file: { required: true, description: 'A PDF with an embedded invoice.' } },
    success: { status: 200, document: ['application/xml'], description: 'The XML, as it was embedded.' },
    errors: [...pdfErrors, 'factur_x_invalid'],
  },
  {
    operation: 'validateFacturX',
    method: 'POST',
    path: '/v1/factur-x/validate',
    group: 'pdf',
    access: 'pdf',
    summary: 'Validate the XML of an invoice',
    form: z.object({}),
    files: { xml },
    success: {
      status: 200,
      json: true,
      description: 'The invoice is valid: its profile and the rules that were checked.',
    },
    errors: ['factur_x_invalid'],
  },
] as const satisfies readonly Route[];
