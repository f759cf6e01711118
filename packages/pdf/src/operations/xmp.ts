import { PlatenError } from '@platen/core/errors';
import { DOMParser, type Document, type Element, XMLSerializer } from '@xmldom/xmldom';

/**
 * XMP packets (ISO 16684-1): the description of a document in XML, in addition to the one in the Info dictionary.
 */

export const RDF = 'http://www.w3.org/1999/02/22-rdf-syntax-ns#';
export const XMLNS = 'http://www.w3.org/2000/xmlns/';
const META = 'adobe:ns:meta/';

/** The form of a property: text, text in several languages, a list of one text, or a set of the words of a text. */
type Form = 'text' | 'languages' | 'list' | 'set';

interface Property {
  namespace: string;
  prefix: string;
  name: string;
  form: Form;
  /** Not defined by XMP (ISO 16684-1, 8), so that PDF/A-1 to PDF/A-3 require a description of it. */
  isExtension?: boolean;
}

const DC = { namespace: 'http://purl.org/dc/elements/1.1/', prefix: 'dc' };
const PDF = { namespace: 'http://ns.adobe.com/pdf/1.3/', prefix: 'pdf' };
const BASIC = { namespace: 'http://ns.adobe.com/xap/1.0/', prefix: 'xmp' };

/** The equivalents of the Info dictionary's keys (ISO 32000-2, table 349). */
const PROPERTIES: Readonly<Record<string, readonly Property[]>> = {
  Title: [{ ...DC, name: 'title', form: 'languages' }],
  Author: [{ ...DC, name: 'creator', form: 'list' }],
  Subject: [{ ...DC, name: 'description', form: 'languages' }],
  // Readers look for keywords in both places.
  Keywords: [
    { ...PDF, name: 'Keywords', form: 'text' },
    { ...DC, name: 'subject', form: 'set' },
  ],
  Producer: [{ ...PDF, name: 'Producer', form: 'text' }],
  Creator: [{ ...BASIC, name: 'CreatorTool', form: 'text' }],
  CreationDate: [{ ...BASIC, name: 'CreateDate', form: 'text' }],
  ModDate: [{ ...BASIC, name: 'ModifyDate', form: 'text' }],
  Trapped: [{ ...PDF, name: 'Trapped', form: 'text', isExtension: true }],
  MetadataDate: [{ ...BASIC, name: 'MetadataDate', form: 'text' }],
};

/** The properties for a key of the Info dictionary. Keys of others have one in the schema for them, as Acrobat writes it. */
export function propertiesOf(key: string): readonly Property[] {
  if (Object.hasOwn(PROPERTIES, key)) return PROPERTIES[key] ?? [];
  const code = (character: string): string =>
    `\u2182${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`;
  // Only names of XML can be names of properties.
  const name = key.replace(/[^\p{L}\p{N}_.-]|^[\p{N}.-]/gu, code);
  const namespace = 'http://ns.adobe.com/pdfx/1.3/';
  return [{ namespace, prefix: 'pdfx', name, form: 'text', isExtension: true }];
}

/**
 * Sets and removes properties; everything else in the packet stays, including the identification of PDF/A.
 *
 * @param packet the existing packet, or undefined; one that cannot be read is replaced
 * @param values by the names of the Info dictionary, besides `MetadataDate`; dates in ISO 8601; null removes a property
 * @param hasExtensions false adds no property that PDF/A-1 to PDF/A-3 require a description of
 * @throws PlatenError `pdf_too_complex` for a packet with too many elements or levels
 */
export function editXmp(
  packet: string | undefined,
  values: Readonly<Record<string, string | null>>,
  hasExtensions = true,
): string {
  return withinLimits(() => edited(packet, values, hasExtensions));
}

/**
 * Parses or serializes a packet.
 *
 * @throws PlatenError `pdf_too_complex` if its levels exhaust the stack
 */
export function withinLimits<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (error instanceof RangeError) throw tooComplex();
    throw error;
  }
}

/** Maximum number of elements of a packet; each takes half a kilobyte of memory. */
const MAX_TAGS = 200_000;

function tooComplex(): PlatenError {
  return new PlatenError(
    'pdf_too_complex',
    'The XMP packet of the PDF is nested too deeply or has too many elements.',
  );
}

function edited(
  packet: string | undefined,
  values: Readonly<Record<string, string | null>>,
  hasExtensions: boolean,
): string {
  const document = packetDocument(packet);
  const root = document.getElementsByTagNameNS(RDF, 'RDF').item(0);
  if (root === null) throw new Error('an XMP packet has no rdf:RDF');
  for (const [key, value] of Object.entries(values)) {
    for (const property of propertiesOf(key)) {
      const before = remove(root, property);
      const isAdded = before !== undefined || hasExtensions || property.isExtension !== true;
      if (value !== null && isAdded)
        (before ?? describe(root)).appendChild(create(document, property, value));
    }
  }
  return packetOf(document);
}

/** Serializes a packet for a file. */
export function packetOf(document: Document): string {
  const text = new XMLSerializer().serializeToString(document).replace(/<\?(?:xpacket|xml)\s[^<>]*\?>/g, '');
  // The padding lets others edit the packet in place (ISO 16684-1, 7.3.2).
  const padding = `${' '.repeat(99)}\n`.repeat(20);
  return `<?xpacket begin="\uFEFF" id="W5M0MpCehiHzreSzNTczkc9d"?>\n${text.trim()}\n${padding}<?xpacket end="w"?>`;
}

/**
 * The document of a packet, or an empty one if there is none that can be read.
 *
 * @throws as `editXmp`
 */
export function packetDocument(packet: string | undefined): Document {
  return (packet === undefined ? undefined : readPacketDocument(packet)) ?? empty();
}

/**
 * A packet without the properties of some schemas and without the descriptions of those; the rest of it stays.
 *
 * @returns undefined if the packet cannot be read
 * @throws PlatenError `pdf_too_complex` as `editXmp`
 */
export function withoutSchemas(packet: string, namespaces: readonly string[]): string | undefined {
  return withinLimits(() => {
    const document = readPacketDocument(packet);
    const root = document?.getElementsByTagNameNS(RDF, 'RDF').item(0);
    if (document === undefined || root === null || root === undefined) return undefined;
    const copy = copyOf(document, root, (element) => isOfSchema(element, namespaces));
    for (const description of descriptionsIn(copy)) {
      for (const { namespaceURI, localName } of Array.from(description.attributes)) {
        if (localName === null || !namespaces.includes(namespaceURI ?? '')) continue;
        description.removeAttributeNS(namespaceURI, localName);
      }
    }
    root.parentNode?.replaceChild(copy, root);
    return packetOf(document);
  });
}

/** Returns whether an element is a property in one of some schemas, or describes one of them. */
function isOfSchema(element: Element, namespaces: readonly string[]): boolean {
  if (namespaces.includes(element.namespaceURI ?? '')) return true;
  if (element.namespaceURI !== RDF || element.localName !== 'li') return false;
  return Array.from(element.childNodes).some((node) => {
    const { namespaceURI, localName } = node as Element;
    if (namespaceURI !== SCHEMA || localName !== 'namespaceURI') return false;
    return namespaces.includes((node.textContent ?? '').trim());
  });
}

/** A copy without some elements, because removing many of them one by one is slow. */
function copyOf(document: Document, element: Element, isLeftOut: (element: Element) => boolean): Element {
  const copy = document.importNode(element, false);
  for (const node of Array.from(element.childNodes)) {
    if (node.nodeType !== 1) copy.appendChild(document.importNode(node, true));
    else if (!isLeftOut(node as Element)) copy.appendChild(copyOf(document, node as Element, isLeftOut));
  }
  return copy;
}

const EXTENSION = 'http://www.aiim.org/pdfa/ns/extension/';
const SCHEMA = 'http://www.aiim.org/pdfa/ns/schema#';

/**
 * Adds descriptions to a packet, and combines the descriptions of schemas in one list: a property may occur only
 * once (ISO 16684-1, 7.5).
 *
 * @param packet a readable one, as `editXmp` writes it
 * @param descriptions a sequence of `rdf:Description` elements
 */
export function withDescriptions(packet: string, descriptions: string): string {
  const document = packetDocument(packet);
  const root = document.getElementsByTagNameNS(RDF, 'RDF').item(0);
  const added = readPacketDocument(`<rdf:RDF xmlns:rdf="${RDF}">${descriptions}</rdf:RDF>`)?.documentElement;
  if (root === null || !added) throw new Error('what is added to an XMP packet is no XML');
  for (const child of Array.from(added.childNodes)) root.appendChild(document.importNode(child, true));
  const [first, ...others] = Array.from(document.getElementsByTagNameNS(EXTENSION, 'schemas'));
  const list = first?.getElementsByTagNameNS(RDF, 'Bag').item(0);
  for (const other of list ? others : []) {
    const bag = other.getElementsByTagNameNS(RDF, 'Bag').item(0);
    for (const item of Array.from(bag?.childNodes ?? [])) list?.appendChild(document.importNode(item, true));
    other.parentNode?.removeChild(other);
  }
  return packetOf(document);
}

/**
 * The document of a packet; undefined if it cannot be read.
 *
 * @throws as `editXmp`
 */
export function readPacketDocument(packet: string): Document | undefined {
  if (packet.split('<', MAX_TAGS + 1).length > MAX_TAGS) throw tooComplex();
  try {
    const parser = new DOMParser({
      onError: (level, message) => {
        if (level !== 'warning') throw new Error(message);
      },
    });
    const document = parser.parseFromString(packet.replace(/^\uFEFF/, '').trim(), 'text/xml');
    return document.getElementsByTagNameNS(RDF, 'RDF').item(0) === null ? undefined : document;
  } catch (error) {
    if (error instanceof RangeError) throw error;
    // The packet is not XML, so nothing in it can be kept.
    return undefined;
  }
}

function empty(): Document {
  const text = `<x:xmpmeta xmlns:x="${META}"><rdf:RDF xmlns:rdf="${RDF}"/></x:xmpmeta>`;
  return new DOMParser().parseFromString(text, 'text/xml');
}

/**
 * Removes all occurrences of a property, as elements or attributes.
 *
 * @returns the description that contained it
 */
function remove(root: Element, { namespace, name }: Property): Element | undefined {
  let place: Element | undefined;
  for (const description of descriptionsIn(root)) {
    if (description.hasAttributeNS(namespace, name)) {
      description.removeAttributeNS(namespace, name);
      place ??= description;
    }
    for (const child of Array.from(description.childNodes)) {
      const element = child as Element;
      if (element.namespaceURI !== namespace || element.localName !== name) continue;
      description.removeChild(child);
      place ??= description;
    }
  }
  return place;
}

/** The descriptions of a packet: they hold its properties. */
export function descriptionsIn(root: Element): Element[] {
  return [...root.childNodes].filter((node): node is Element => {
    const element = node as Element;
    return element.namespaceURI === RDF && element.localName === 'Description';
  });
}

/** The first description, or a new one. */
function describe(root: Element): Element {
  const [first] = descriptionsIn(root);
  if (first !== undefined) return first;
  const element = ownerOf(root).createElementNS(RDF, 'rdf:Description');
  element.setAttributeNS(RDF, 'rdf:about', '');
  root.appendChild(element);
  return element;
}

const LISTS = { languages: 'rdf:Alt', list: 'rdf:Seq', set: 'rdf:Bag' } as const;

function create(document: Document, property: Property, value: string): Element {
  const element = document.createElementNS(property.namespace, `${property.prefix}:${property.name}`);
  element.setAttributeNS(XMLNS, `xmlns:${property.prefix}`, property.namespace);
  if (property.form === 'text') {
    element.appendChild(document.createTextNode(xmlText(value)));
    return element;
  }
  const list = document.createElementNS(RDF, LISTS[property.form]);
  const items =
    property.form === 'set' ? value.split(/[,;\n]/).flatMap((word) => word.trim() || []) : [value];
  for (const words of items) {
    const item = document.createElementNS(RDF, 'rdf:li');
    if (property.form === 'languages') {
      item.setAttributeNS('http://www.w3.org/XML/1998/namespace', 'xml:lang', 'x-default');
    }
    item.appendChild(document.createTextNode(xmlText(words)));
    list.appendChild(item);
  }
  element.appendChild(list);
  return element;
}

function ownerOf(element: Element): Document {
  if (element.ownerDocument === null) throw new Error('an element has no document');
  return element.ownerDocument;
}

/** XML cannot represent most control characters (XML 1.0, 2.2). */
function xmlText(value: string): string {
  // oxlint-disable-next-line no-control-regex -- it matches the characters that are removed
  return value.toWellFormed().replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g, '');
}
