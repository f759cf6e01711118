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

/** Invoices by Factur-X that are embedded: they are checked first. */

/**
 * The XML of an invoice that came with a request, ready to be embedded.
 *
 * @param profile that it has to be of; by default the one that it names
 * @throws PlatenError `factur_x_invalid`, `file_too_large`
 */
export async function checkedInvoice(
  upload: Pick<UploadedFile, 'field' | 'bytes'>,
  profile?: Profile,
): Promise<Embedding> {
  return await checkedXml(await upload.bytes(MAX_XML_BYTES), upload.field, profile);
}

/** @param field where the XML came from, by its name on the wire @throws PlatenError `factur_x_invalid` */
export async function checkedXml(xml: Uint8Array, field: string, profile?: Profile): Promise<Embedding> {
  const report = await validateInvoice(xml, profile === undefined ? {} : { profile });
  return embeddingOf(xml, profileOfValid(report, field), new Date());
}

/** @throws PlatenError `factur_x_invalid` */
export function profileOfValid(report: InvoiceReport, field: string): Profile {
  if (report.profile === null || report.faults.length > 0) throw invalidInvoice(report, field);
  return report.profile;
}
