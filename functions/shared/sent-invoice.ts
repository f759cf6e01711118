import { PlatenError } from '@platen/core/errors';
import type { Embedding } from '@platen/factur-x';
import type { RenderOptions } from '@platen/contract/options';
import type { PlatenRequest } from './http/index.ts';

/** Invoices whose XML comes along with a rendering (I-44). */

/** Fields that name where an invoice came from. */
export const INVOICE_FIELDS = {
  xml: 'factur_x_xml',
  data: 'render_options.factur_x.data',
  template: 'render_options.factur_x.template',
} as const;

/** The error of an option that says nothing that can be done. */
export function invalidInvoiceOption(field: string, what: string): PlatenError {
  const message = `${field} ${what}`;
  return new PlatenError('invalid_option', `${message}.`, { faults: [{ field, message }] });
}

const WITHOUT_OPTION = 'is required with factur_x_xml: it names the profile';

/** Refuses XML of an invoice that nothing was asked to be done with. @throws PlatenError `invalid_option` */
export function refuseUnusedInvoice({ optionalFile }: Pick<PlatenRequest, 'optionalFile'>): void {
  if (optionalFile(INVOICE_FIELDS.xml) !== null)
    throw invalidInvoiceOption('render_options.factur_x', WITHOUT_OPTION);
}

/**
 * The invoice of a rendering that has no records: its XML came along.
 *
 * @returns null where none is embedded
 * @throws PlatenError `factur_x_invalid`; `invalid_option` where there is no XML, or XML that nothing was asked to be done
 *   with, or where it is to be made of a record
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
      throw invalidInvoiceOption(INVOICE_FIELDS[name], 'needs a record, and what is made here has none');
  }
  const upload = request.optionalFile(INVOICE_FIELDS.xml);
  if (upload === null)
    throw invalidInvoiceOption('render_options.factur_x', 'needs the XML of the invoice as factur_x_xml');
  // Loaded when it is needed: most documents are no invoices.
  return await (await import('./factur-x.ts')).checkedInvoice(upload, wanted.profile);
}
