import { SaxesParser } from 'saxes';
import { XmlFault } from './fault.ts';

/** Parses untrusted XML: document types, and therefore entities, are refused, and every size is bounded. */

export interface XmlElement {
  /** The local name if the namespace is one of CII; otherwise `{namespace}` precedes it. */
  readonly name: string;
  readonly attributes: ReadonlyMap<string, string>;
  readonly children: XmlElement[];
  readonly parent: XmlElement | null;
  /** The text directly in the element. */
  text: string;
  /** 1-based. */
  readonly line: number;
}

/** Maximum bytes of an invoice, including its attachments (BT-125). */
export const MAX_XML_BYTES = 10 * 1024 * 1024;
/** Maximum depth; CII needs 9 levels. */
const MAX_DEPTH = 64;
/** Maximum elements: about 5,000 lines with all possible elements. */
const MAX_ELEMENTS = 250_000;
const MAX_ATTRIBUTES = 250_000;

/** Namespaces of CII D16B and D22B, on which Factur-X is based. */
const CII =
  /^urn:un:unece:uncefact:data:standard:(?:CrossIndustryInvoice|ReusableAggregateBusinessInformationEntity|UnqualifiedDataType|QualifiedDataType):100$/;

/**
 * Returns the text of XML in UTF-8, UTF-16 or its declared encoding. The declaration is removed, but its line
 * breaks remain.
 */
export function xmlText(bytes: Uint8Array): string {
  if (bytes.length > MAX_XML_BYTES) {
    throw new XmlFault(`The XML has more than ${MAX_XML_BYTES / 2 ** 20} MB.`);
  }
  const text = decoded(bytes);
  const declaration = /^<\?xml\s[^>]{0,300}\?>/.exec(text)?.[0] ?? '';
  // The declared encoding no longer applies to the decoded text.
  return declaration.replace(/[^\n]/g, '') + text.slice(declaration.length);
}

function decoded(bytes: Uint8Array): string {
  const label = encodingOf(bytes);
  try {
    return new TextDecoder(label, { fatal: true }).decode(bytes);
  } catch {
    throw new XmlFault(`The XML is not in ${label.slice(0, 40)}, or that is no known encoding.`);
  }
}

function encodingOf(bytes: Uint8Array): string {
  const [a, b] = bytes;
  if (a === 0xff && b === 0xfe) return 'utf-16le';
  if (a === 0xfe && b === 0xff) return 'utf-16be';
  const start = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.length, 300)).toString('latin1');
  const declared = /^(?:\u00ef\u00bb\u00bf)?<\?xml[^>]{0,200}?\sencoding\s*=\s*["']([^"']{1,40})["']/.exec(
    start,
  );
  return declared?.[1] ?? 'utf-8';
}

/**
 * Parses an XML document into elements.
 *
 * @throws XmlFault if it is not well-formed, has a document type, or exceeds a limit
 */
export function parseXml(text: string): XmlElement {
  const parser = new SaxesParser({ xmlns: true, position: true });
  const open: XmlElement[] = [];
  let root: XmlElement | null = null;
  let elements = 0;
  let attributes = 0;
  const refuse = (message: string): never => {
    throw new XmlFault(message, parser.line);
  };
  parser.on('error', (error) => refuse(`The XML is not well-formed: ${error.message.slice(0, 200)}.`));
  parser.on('doctype', () => refuse('The XML has a document type, which an invoice must not have.'));
  parser.on('opentag', (tag) => {
    elements += 1;
    if (elements > MAX_ELEMENTS) refuse(`The XML has more than ${MAX_ELEMENTS} elements.`);
    if (open.length >= MAX_DEPTH) refuse(`The elements of the XML are more than ${MAX_DEPTH} deep.`);
    const parent = open.at(-1) ?? null;
    const values = new Map<string, string>();
    for (const { uri, local, value } of Object.values(tag.attributes)) {
      attributes += 1;
      if (uri === '') values.set(local, value);
    }
    if (attributes > MAX_ATTRIBUTES) refuse(`The XML has more than ${MAX_ATTRIBUTES} attributes.`);
    const name = CII.test(tag.uri) ? tag.local : `{${tag.uri}}${tag.local}`;
    const element = { name, attributes: values, children: [], parent, text: '', line: parser.line };
    if (parent === null) root = element;
    else parent.children.push(element);
    open.push(element);
  });
  const append = (piece: string): void => {
    const element = open.at(-1);
    if (element !== undefined) element.text += piece;
  };
  parser.on('text', append);
  parser.on('cdata', append);
  parser.on('closetag', () => open.pop());
  parser.write(text).close();
  return root ?? refuse('There is no XML.');
}

/** Returns the path of an element, such as `/CrossIndustryInvoice/…/IncludedSupplyChainTradeLineItem[2]`. */
export function pathOf(element: XmlElement): string {
  const steps: string[] = [];
  for (let at: XmlElement | null = element; at !== null; at = at.parent) {
    const { name, parent } = at;
    const alike = parent === null ? [] : parent.children.filter((child) => child.name === name);
    steps.unshift(alike.length > 1 ? `${name}[${alike.indexOf(at) + 1}]` : name);
  }
  return `/${steps.join('/')}`;
}
