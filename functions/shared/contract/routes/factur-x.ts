import * as z from 'zod';
import { invoiceReportSchema } from '../resources.ts';
import type { FileField, Route } from '../route.ts';

/** Invoices by Factur-X and ZUGFeRD. */

const xml: FileField = { required: true, description: 'The invoice: XML in UN/CEFACT CII.' };

export const facturXRoutes = [
  {
    operation: 'validateFacturX',
    method: 'POST',
    path: '/v1/factur-x/validate',
    group: 'pdf',
    access: 'pdf',
    summary: 'Check the XML of an invoice',
    form: z.object({}),
    files: { xml },
    success: {
      status: 200,
      json: invoiceReportSchema,
      description: 'The invoice is valid: its profile, and the rules it was checked by.',
    },
    errors: ['factur_x_invalid'],
  },
] as const satisfies readonly Route[];
