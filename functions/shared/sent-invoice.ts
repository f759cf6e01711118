import { PlatenError } from '@platen/core/errors';
import type { Embedding } from '@platen/factur-x';
import type { RenderOptions } from '@platen/contract/options';
import type { PlatenRequest } from './http/index.ts';

/** Invoices whose XML is sent with a rendering (I-44). */

/** Fields that name the source of an invoice. */
export const INVOICE_FIELDS = {
  xml: 'factur_x_xml',
  data: 'render_options.factur_x.data',
  template: 'render_options.factur_x.template',
} as const;

/** Returns the error of an option that cannot be applied. */
export function invalidInvoiceOption(field: string, what: string): PlatenError {
  const message = `${field} ${what}`;
  return new PlatenError('invalid_option', `${message}.`, { faults: [{ field, message }] });
}

const WITHOUT_OPTION = 'is required with factur_x_xml: it names the profile';

/** Refuses XML of an invoice that no option uses. @throws PlatenError `invalid_option` */
export function refuseUnusedInvoice({ optionalFile }: Pick<PlatenRequest, 'optionalFile'>): void {
  if (optionalFile(INVOICE_FIELDS.xml) !== null)
    throw invalidInvoiceOption('render_options.factur_x', WITHOUT_OPTION);
}

/**
 * Returns the invoice of a rendering without records: its XML is part of the request.
 *
 * @returns null if none is embedded
 * @throws PlatenError `factur_x_invalid`; `invalid_option` if there is no XML, or unused XML, or if it is to
 * be made of a record
 */
export async function sentInvoice(
  request: Pick<PlatenRequest, 'optionalFile'> & { form: { render_options?: RenderOptions | undefined } },
): Promise<Embedding | null> {
  const { factur_x: wanted } = request.form.render_options ?? {};
  if (wanted === undefined) {
    refuseUnusedInvoice(request);
    return null;
  }
  for (const name of ['data', 'template'] as const) {
    if (wanted[name] !== undefined)
      throw invalidInvoiceOption(INVOICE_FIELDS[name], 'requires a record, which this request does not have');
  }
  const upload = request.optionalFile(INVOICE_FIELDS.xml);
  if (upload === null)
    throw invalidInvoiceOption('render_options.factur_x', 'needs the XML of the invoice as factur_x_xml');
  // Loaded when needed: most documents are no invoices.
  return await (await import('./factur-x.ts')).checkedInvoice(upload, wanted.profile);
}
