import type { FieldsOf, FileInput } from '@platen/client';
import type { Form } from './form.ts';
import { RequestError } from './request-error.ts';

/** The fields `facturx…`: the XML of an invoice, which makes a PDF a Factur-X document. */

export interface Invoice {
  xml: FileInput;
  fields: FieldsOf<'embedFacturX'>;
}

/** Returns the invoice of a form; null if it has none. @throws RequestError for other fields without one */
export function invoiceOf(form: Form): Invoice | null {
  const xml = form.special('facturxXml')[0];
  const level = form.text('facturxConformanceLevel')?.toLowerCase().replaceAll(' ', '');
  for (const name of ['facturxVersion', 'facturxDocumentType']) form.text(name);
  if (xml !== undefined)
    return {
      xml: { content: xml.content, name: 'factur-x.xml' },
      fields: level === undefined ? {} : { profile: level as 'en16931' },
    };
  if (level !== undefined)
    throw new RequestError(400, "Invalid form data: form file 'facturxXml' is required");
  return null;
}
