import type { Document } from '@xmldom/xmldom';
import { describeSchemas, type ExtensionSchema, type SchemaProperty } from '../conformance/identification.ts';
import { packetDocument, packetOf, RDF, withDescriptions } from '../operations/xmp.ts';

/** What the XMP of a PDF says of the invoice in it, and the description of those words that PDF/A asks for. */

const FACTUR_X = 'urn:factur-x:pdfa:CrossIndustryDocument:invoice:1p0#';
/** What invoices of ZUGFeRD 1 and 2.0 say: it would contradict. */
const FORMER = [
  'urn:zugferd:pdfa:CrossIndustryDocument:invoice:2p0#',
  'urn:ferd:pdfa:CrossIndustryDocument:invoice:1p0#',
  'urn:ferd:pdfa:invoice:rc#',
];

const SCHEMA = 'http://www.aiim.org/pdfa/ns/schema#';

/** What is said of the invoice. */
export interface InvoiceDescription {
  fileName: string;
  /** Name of the profile in the words of the standard, such as `EN 16931`. */
  level: string;
  /** Version of the profile's standard. */
  version: string;
}

/** @param packet the XMP there is; what it says of other things stays */
export function describeInvoice(packet: string | undefined, invoice: InvoiceDescription): string {
  const document = packetDocument(packet);
  for (const namespace of [FACTUR_X, ...FORMER]) forget(document, namespace);
  return withDescriptions(packetOf(document), describeSchemas([invoiceSchema(invoice)]));
}

/** Takes out all that is said in a schema, and the schema's own description. */
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

/** What is said of an invoice, and of the words that it is said in, for a packet that is written anew. */
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
