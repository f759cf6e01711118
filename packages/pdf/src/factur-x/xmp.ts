import { DOMParser, type Document, type Element } from '@xmldom/xmldom';
import { packetDocument, packetOf, RDF } from '../operations/xmp.ts';

/** What the XMP of a PDF says of the invoice in it, and the description of those words that PDF/A asks for. */

const FACTUR_X = 'urn:factur-x:pdfa:CrossIndustryDocument:invoice:1p0#';
/** What invoices of ZUGFeRD 1 and 2.0 say: it would contradict. */
const FORMER = [
  'urn:zugferd:pdfa:CrossIndustryDocument:invoice:2p0#',
  'urn:ferd:pdfa:CrossIndustryDocument:invoice:1p0#',
  'urn:ferd:pdfa:invoice:rc#',
];

const EXTENSION = 'http://www.aiim.org/pdfa/ns/extension/';
const SCHEMA = 'http://www.aiim.org/pdfa/ns/schema#';
const PROPERTY = 'http://www.aiim.org/pdfa/ns/property#';

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
  const root = document.getElementsByTagNameNS(RDF, 'RDF').item(0);
  if (root === null) throw new Error('an XMP packet has no rdf:RDF');
  for (const namespace of [FACTUR_X, ...FORMER]) forget(document, namespace);
  append(document, root, claim(invoice));
  const bag = document
    .getElementsByTagNameNS(EXTENSION, 'schemas')
    .item(0)
    ?.getElementsByTagNameNS(RDF, 'Bag')
    .item(0);
  if (bag) append(document, bag, schemaItem());
  else {
    const schemas = `<pdfaExtension:schemas><rdf:Bag>${schemaItem()}</rdf:Bag></pdfaExtension:schemas>`;
    append(
      document,
      root,
      `<rdf:Description rdf:about="" xmlns:pdfaExtension="${EXTENSION}">${schemas}</rdf:Description>`,
    );
  }
  return packetOf(document);
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

function claim({ fileName, level, version }: InvoiceDescription): string {
  const said = {
    DocumentType: 'INVOICE',
    DocumentFileName: fileName,
    Version: version,
    ConformanceLevel: level,
  };
  const properties = Object.entries(said).map(([name, value]) => `<fx:${name}>${value}</fx:${name}>`);
  return `<rdf:Description rdf:about="" xmlns:fx="${FACTUR_X}">${properties.join('')}</rdf:Description>`;
}

const PROPERTIES: Readonly<Record<string, string>> = {
  DocumentFileName: 'Name of the embedded XML invoice file',
  DocumentType: 'Type of the embedded document',
  Version: 'Version of the standard of the embedded invoice',
  ConformanceLevel: 'Profile of the embedded invoice',
};

function schemaItem(): string {
  const items = Object.entries(PROPERTIES).map(
    ([name, description]) =>
      '<rdf:li rdf:parseType="Resource">' +
      `<pdfaProperty:name>${name}</pdfaProperty:name><pdfaProperty:valueType>Text</pdfaProperty:valueType>` +
      `<pdfaProperty:category>external</pdfaProperty:category>` +
      `<pdfaProperty:description>${description}</pdfaProperty:description></rdf:li>`,
  );
  return (
    `<rdf:li rdf:parseType="Resource" xmlns:pdfaSchema="${SCHEMA}" xmlns:pdfaProperty="${PROPERTY}">` +
    '<pdfaSchema:schema>Factur-X PDFA Extension Schema</pdfaSchema:schema>' +
    `<pdfaSchema:namespaceURI>${FACTUR_X}</pdfaSchema:namespaceURI><pdfaSchema:prefix>fx</pdfaSchema:prefix>` +
    `<pdfaSchema:property><rdf:Seq>${items.join('')}</rdf:Seq></pdfaSchema:property></rdf:li>`
  );
}

/** @param xml elements whose prefix `rdf` is known */
function append(document: Document, parent: Element, xml: string): void {
  const parsed = new DOMParser().parseFromString(`<x xmlns:rdf="${RDF}">${xml}</x>`, 'text/xml');
  for (const child of Array.from(parsed.documentElement?.childNodes ?? [])) {
    parent.appendChild(document.importNode(child, true));
  }
}
