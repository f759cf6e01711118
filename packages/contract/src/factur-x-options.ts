import * as z from 'zod';
import { PROFILES } from '@platen/factur-x/profiles';

/** The option for the invoice that is embedded in a PDF (I-44). */

export const facturXOptionsSchema = z
  .object({
    profile: z.enum(PROFILES).meta({ description: 'Required Factur-X profile of the XML.' }),
    data: z.string().max(1000).optional().meta({
      description:
        'Path of the invoice in the record, in the JSON form of EN 16931, such as `invoice` or `orders.0.invoice`; `.` is the record itself. Default: the XML is the part `factur_x_xml`.',
    }),
    template: z.string().min(1).max(250).optional().meta({
      description: 'Name of a partial that is filled with the record and renders the XML.',
    }),
  })
  .meta({
    id: 'FacturXOptions',
    description: 'Embeds the XML of an invoice in the PDF (Factur-X, ZUGFeRD).',
  });
