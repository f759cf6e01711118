import {
  type Embedding,
  embeddingOf,
  invalidInvoice,
  type InvoiceReport,
  MAX_XML_BYTES,
  validateInvoice,
} from '@platen/factur-x';
import type { Profile } from '@platen/factur-x/profiles';
import type { UploadedFile } from './http/index.ts';

/** Validates Factur-X invoices before they are embedded. */

/**
 * Returns the XML of an invoice in a request, ready to be embedded.
 *
 * @param profile the required profile; by default the one that the XML names
 * @throws PlatenError `factur_x_invalid`, `file_too_large`
 */
export async function checkedInvoice(
  upload: Pick<UploadedFile, 'field' | 'bytes'>,
  profile?: Profile,
): Promise<Embedding> {
  return await checkedXml(await upload.bytes(MAX_XML_BYTES), upload.field, profile);
}

/** @param field the source of the XML, by its name in the API @throws PlatenError `factur_x_invalid` */
export async function checkedXml(xml: Uint8Array, field: string, profile?: Profile): Promise<Embedding> {
  const report = await validateInvoice(xml, profile === undefined ? {} : { profile });
  return embeddingOf(xml, profileOfValid(report, field), new Date());
}

/** @throws PlatenError `factur_x_invalid` */
export function profileOfValid(report: InvoiceReport, field: string): Profile {
  if (report.profile === null || report.faults.length > 0) throw invalidInvoice(report, field);
  return report.profile;
}
