import type { Document } from '@xmldom/xmldom';
import { describeSchemas, type ExtensionSchema, type SchemaProperty } from '../conformance/identification.ts';
import { packetDocument, packetOf, RDF, withDescriptions } from '../operations/xmp.ts';

/** The XMP properties of a PDF with an invoice, and their description, which PDF/A requires. */

const FACTUR_X = 'urn:factur-x:pdfa:CrossIndustryDocument:invoice:1p0#';
/** Namespaces of ZUGFeRD 1 and 2.0, whose properties would contradict. */
const FORMER = [
  'urn:zugferd:pdfa:CrossIndustryDocument:invoice:2p0#',
  'urn:ferd:pdfa:CrossIndustryDocument:invoice:1p0#',
  'urn:ferd:pdfa:invoice:rc#',
];

const SCHEMA = 'http://www.aiim.org/pdfa/ns/schema#';

/** The declared properties of the invoice. */
export interface InvoiceDescription {
  fileName: string;
  /** Name of the profile in the standard, such as `EN 16931`. */
  level: string;
  /** Version of the profile's standard. */
  version: string;
}

/** @param packet the existing XMP, whose other properties stay */
export function describeInvoice(packet: string | undefined, invoice: InvoiceDescription): string {
  const document = packetDocument(packet);
  for (const namespace of [FACTUR_X, ...FORMER]) forget(document, namespace);
  return withDescriptions(packetOf(document), describeSchemas([invoiceSchema(invoice)]));
}

/** Removes all properties of a schema, and its description. */
function forget(document: Document, namespace: string): void {
  for (const element of Array.from(document.getElementsByTagNameNS(namespace, '*'))) {
    element.parentNode?.removeChild(element);
  }
  for (const description of Array.from(document.getElementsByTagNameNS(RDF, 'Description'))) {
    for (const attribute of Array.from(description.attributes)) {
      if (attribute.namespaceURI === namespace) description.removeAttributeNode(attribute);
    }
  }
  for (const place of Array.from(document.getElementsByTagNameNS(SCHEMA, 'namespaceURI'))) {
    if ((place.textContent ?? '').trim() !== namespace) continue;
    const item = place.parentNode;
    item?.parentNode?.removeChild(item);
  }
}

/** The properties of an invoice with their description, for a new packet. */
export function invoiceSchema({ fileName, level, version }: InvoiceDescription): ExtensionSchema {
  const said = (name: string, value: string, description: string): SchemaProperty => ({
    name,
    value,
    description,
    type: 'Text',
    category: 'external',
  });
  return {
    name: 'Factur-X PDFA Extension Schema',
    namespace: FACTUR_X,
    prefix: 'fx',
    replaces: FORMER,
    properties: [
      said('DocumentType', 'INVOICE', 'Type of the embedded document'),
      said('DocumentFileName', fileName, 'Name of the embedded XML invoice file'),
      said('Version', version, 'Version of the standard of the embedded invoice'),
      said('ConformanceLevel', level, 'Profile of the embedded invoice'),
    ],
  };
}
