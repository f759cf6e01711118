import type { Attr, Element } from '@xmldom/xmldom';
import { RDF, XMLNS } from '../../operations/xmp.ts';

/** Values of XMP properties, independent of their RDF notation (ISO 16684-1, 6 and 7). */

export type ListForm = 'bag' | 'seq' | 'alt';

export type XmpValue =
  | { form: 'text'; text: string; language: string | null }
  | { form: ListForm; items: readonly XmpValue[] }
  | { form: 'fields'; fields: readonly XmpField[] };

/** A field of a structure. */
export interface XmpField {
  namespace: string;
  name: string;
  /** The name in the packet, with its prefix. */
  qualifiedName: string;
  value: XmpValue;
}

/** The content of an element. */
export interface ReadValue {
  value: XmpValue;
  /** Whether its notation may be refused by XMP readers, or has parts that do not belong to the value. */
  isUnusual: boolean;
}

const XML = 'http://www.w3.org/XML/1998/namespace';

/** Maximum depth of nested lists and structures; the types of XMP have at most five levels. */
const MAX_DEPTH = 16;

/** The value of a property; undefined if XMP does not define its form. */
export function readValue(element: Element): ReadValue | undefined {
  const reader = new Reader();
  const value = reader.property(element, 0);
  return value === undefined ? undefined : { value, isUnusual: reader.isUnusual };
}

/** The child elements. */
export function elementsIn(element: Element): Element[] {
  return [...element.childNodes].filter((node): node is Element => node.nodeType === 1);
}

/** The attributes that are properties, without those of XML and RDF. */
export function propertyAttributes(element: Element): XmpField[] {
  return [...element.attributes].flatMap(({ namespaceURI, localName, name, value }) => {
    const isOther = namespaceURI === RDF || namespaceURI === XMLNS || namespaceURI === XML;
    if (isOther || !namespaceURI || localName === null) return [];
    const text: XmpValue = { form: 'text', text: value, language: null };
    return [{ namespace: namespaceURI, name: localName, qualifiedName: name, value: text }];
  });
}

const LISTS: Readonly<Record<string, ListForm>> = { Bag: 'bag', Seq: 'seq', Alt: 'alt' };

/** RDF attributes that do not affect a value. */
const PLAIN = ['ID', 'parseType', 'datatype'];

class Reader {
  isUnusual = false;

  property(element: Element, depth: number): XmpValue | undefined {
    if (depth > MAX_DEPTH) return undefined;
    const parseType = element.getAttributeNS(RDF, 'parseType') ?? '';
    if (parseType === 'Resource') {
      this.isUnusual ||= !hasPlainAttributes(element);
      return this.#structure(element, depth);
    }
    const [child, another] = elementsIn(element);
    if (parseType !== '' || another !== undefined) return undefined;
    if (child === undefined) return this.#simple(element);
    const isOfXml = ({ namespaceURI }: Attr): boolean => namespaceURI === XML;
    this.isUnusual ||= !hasPlainAttributes(element) || hasTextOfItsOwn(element);
    this.isUnusual ||= [...child.attributes].some(isOfXml);
    const form = child.namespaceURI === RDF ? LISTS[child.localName ?? ''] : undefined;
    if (form === undefined) return this.#structure(child, depth);
    return this.#list(child, form, depth);
  }

  #simple(element: Element): XmpValue {
    const fields = propertyAttributes(element);
    const named = ['resource', 'value'].find((name) => element.hasAttributeNS(RDF, name));
    const isEmpty = !element.hasChildNodes();
    if (isEmpty && named === undefined && fields.length > 0) return { form: 'fields', fields };
    const hasText = [...element.childNodes].every(({ nodeType }) => nodeType === 3);
    const isUsual = named === undefined ? hasPlainAttributes(element) : isEmpty;
    this.isUnusual ||= !hasText || !isUsual;
    const language = element.getAttributeNS(XML, 'lang');
    const text = named === undefined ? element.textContent : element.getAttributeNS(RDF, named);
    return { form: 'text', text: text ?? '', language: language === '' ? null : language };
  }

  #structure(element: Element, depth: number): XmpValue | undefined {
    this.isUnusual ||= hasTextOfItsOwn(element);
    const fields = propertyAttributes(element);
    const children = elementsIn(element);
    // A value with qualifiers, which are not part of the value.
    const value = children.find(
      ({ namespaceURI, localName }) => namespaceURI === RDF && localName === 'value',
    );
    if (value !== undefined) return this.property(value, depth + 1);
    const named = new Set(fields.map(({ namespace, name }) => `${namespace} ${name}`));
    for (const child of children) {
      const { namespaceURI: namespace, localName: name, nodeName: qualifiedName } = child;
      const own = this.property(child, depth + 1);
      const key = `${namespace} ${name}`;
      if (own === undefined || !namespace || name === null || named.has(key)) return undefined;
      named.add(key);
      fields.push({ namespace, name, qualifiedName, value: own });
    }
    return { form: 'fields', fields };
  }

  #list(element: Element, form: ListForm, depth: number): XmpValue | undefined {
    this.isUnusual ||= hasTextOfItsOwn(element) || propertyAttributes(element).length > 0;
    const items: XmpValue[] = [];
    for (const item of elementsIn(element)) {
      const value = this.property(item, depth + 1);
      if (value === undefined || item.namespaceURI !== RDF || item.localName !== 'li') return undefined;
      items.push(value);
    }
    return { form, items };
  }
}

function hasPlainAttributes(element: Element): boolean {
  return [...element.attributes].every(({ namespaceURI, localName }) => {
    if (namespaceURI === RDF) return PLAIN.includes(localName ?? '');
    return namespaceURI === XMLNS || (namespaceURI === XML && localName === 'lang');
  });
}

function hasTextOfItsOwn(element: Element): boolean {
  return [...element.childNodes].some(
    ({ nodeType, nodeValue }) => nodeType === 4 || (nodeType === 3 && (nodeValue ?? '').trim() !== ''),
  );
}

const TAGS: Readonly<Record<ListForm, string>> = { bag: 'rdf:Bag', seq: 'rdf:Seq', alt: 'rdf:Alt' };

/** Writes a value to an empty element. */
export function writeValue(element: Element, value: XmpValue): void {
  const document = element.ownerDocument;
  if (document === null) throw new Error('an element has no document');
  if (value.form === 'text') {
    if (value.language !== null) element.setAttributeNS(XML, 'xml:lang', value.language);
    element.appendChild(document.createTextNode(value.text));
    return;
  }
  if (value.form === 'fields') {
    element.setAttributeNS(RDF, 'rdf:parseType', 'Resource');
    for (const { namespace, qualifiedName, value: own } of value.fields) {
      const field = document.createElementNS(namespace, qualifiedName);
      writeValue(field, own);
      element.appendChild(field);
    }
    return;
  }
  const list = document.createElementNS(RDF, TAGS[value.form]);
  for (const own of value.items) {
    const item = document.createElementNS(RDF, 'rdf:li');
    writeValue(item, own);
    list.appendChild(item);
  }
  element.appendChild(list);
}
