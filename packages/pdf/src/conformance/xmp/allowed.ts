import { type Document, type Element, XMLSerializer } from '@xmldom/xmldom';
import { descriptionsIn, RDF, readPacketDocument, withinLimits, XMLNS } from '../../operations/xmp.ts';
import { EXTENSION, type Extension, type Extensions, PREFIXES, readExtensions } from './extensions.ts';
import { SCHEMAS } from './schemas.ts';
import { Types } from './types.ts';
import { elementsIn, propertyAttributes, readValue, writeValue, type XmpValue } from './values.ts';

/** The parts of an XMP packet that PDF/A permits (ISO 19005-2, 6.6.2.3). */

export interface AllowedPacket {
  packet: string;
  /** Names of removed properties, and of removed fields of properties. */
  lost: string[];
}

export interface AllowedOptions {
  /** False keeps any property with any well-formed value; only PDF/A requires more. */
  hasTypes: boolean;
  /** Namespaces whose properties and descriptions are removed, because others are written instead. */
  without: readonly string[];
  /** Properties that are rewritten, by `propertyKey`. */
  replaced: ReadonlySet<string>;
}

/** The key of a property in a set. */
export function propertyKey(namespace: string, name: string): string {
  return `${namespace} ${name}`;
}

/**
 * Keeps the properties of a packet that XMP defines or that the packet describes, each with a value of its type. A
 * value in another form is converted if that is possible without loss.
 *
 * @returns undefined if the packet cannot be read
 * @throws PlatenError `pdf_too_complex` as `editXmp`
 */
export function allowedPacket(packet: string, options: AllowedOptions): AllowedPacket | undefined {
  return withinLimits(() => allowedIn(packet, options));
}

function allowedIn(packet: string, options: AllowedOptions): AllowedPacket | undefined {
  const document = readPacketDocument(packet);
  const root = document?.getElementsByTagNameNS(RDF, 'RDF').item(0);
  if (document === undefined || root === null || root === undefined) return undefined;
  const allowed = new Allowed(document, root, options);
  root.parentNode?.replaceChild(allowed.rewritten(), root);
  return { packet: new XMLSerializer().serializeToString(document), lost: shortened([...allowed.lost]) };
}

/** Maximum number of reported names, and of their characters: packets of images have hundreds of properties. */
const [MAX_NAMES, MAX_CHARACTERS] = [100, 80];

function shortened(names: readonly string[]): string[] {
  const told = names.slice(0, MAX_NAMES).map((name) => name.slice(0, MAX_CHARACTERS));
  return names.length > told.length ? [...told, `${names.length - told.length} more`] : told;
}

const TYPES = new Types();

class Allowed {
  readonly lost = new Set<string>();
  readonly #document: Document;
  readonly #root: Element;
  readonly #hasTypes: boolean;
  readonly #without: ReadonlySet<string>;
  readonly #replaced: ReadonlySet<string>;
  readonly #written = new Set<string>();
  readonly #extensions: Extensions;

  constructor(document: Document, root: Element, { hasTypes, without, replaced }: AllowedOptions) {
    this.#document = document;
    this.#root = root;
    this.#hasTypes = hasTypes;
    this.#without = new Set(without);
    this.#replaced = replaced;
    const lists = descriptionsIn(root)
      .flatMap(elementsIn)
      .filter(({ namespaceURI, localName }) => namespaceURI === EXTENSION && localName === 'schemas')
      .flatMap((element) => readValue(element)?.value ?? []);
    this.#extensions = readExtensions(lists, this.#without, (name) => this.lost.add(name));
  }

  /** Elements are moved to a new one, because removing many from the old one is slow. */
  rewritten(): Element {
    const rdf = this.#document.createElementNS(RDF, 'rdf:RDF');
    declare(rdf, this.#root);
    let about: string | undefined;
    for (const element of elementsIn(this.#root)) {
      if (element.namespaceURI !== RDF || element.localName !== 'Description') {
        this.lost.add(element.nodeName);
        continue;
      }
      about ??= element.getAttributeNS(RDF, 'about') ?? '';
      const description = this.#describe(about);
      declare(description, element);
      for (const { namespace, name, qualifiedName, value } of propertyAttributes(element)) {
        const written = this.#fitted(namespace, name, qualifiedName, value);
        if (written !== undefined) this.#write(description, namespace, qualifiedName, written);
      }
      for (const property of elementsIn(element)) this.#property(description, property);
      if (description.hasChildNodes()) rdf.appendChild(description);
    }
    const { described } = this.#extensions;
    if (described === null) return rdf;
    const description = this.#describe(about ?? '');
    for (const [prefix, namespace] of PREFIXES)
      description.setAttributeNS(XMLNS, `xmlns:${prefix}`, namespace);
    this.#write(description, EXTENSION, 'pdfaExtension:schemas', described);
    rdf.appendChild(description);
    return rdf;
  }

  #describe(about: string): Element {
    const description = this.#document.createElementNS(RDF, 'rdf:Description');
    // All descriptions of a packet are about the same resource (ISO 16684-1, 7.4).
    description.setAttributeNS(RDF, 'rdf:about', about);
    return description;
  }

  #property(description: Element, element: Element): void {
    const { namespaceURI, localName, nodeName } = element;
    if (namespaceURI === EXTENSION) return;
    const read = readValue(element);
    const written = this.#fitted(namespaceURI ?? '', localName ?? '', nodeName, read?.value);
    if (read === undefined || written === undefined) return;
    if (written !== read.value || read.isUnusual) {
      this.#write(description, namespaceURI ?? '', nodeName, written);
    } else description.appendChild(this.#document.importNode(element, true));
  }

  /** The value in the form of its type; undefined if the property is removed. */
  #fitted(
    namespace: string,
    name: string,
    qualifiedName: string,
    value: XmpValue | undefined,
  ): XmpValue | undefined {
    if (this.#without.has(namespace)) return undefined;
    const key = propertyKey(namespace, name);
    if (this.#replaced.has(key)) return undefined;
    // A property may occur only once (ISO 16684-1, 7.4).
    if (this.#written.has(key)) {
      this.lost.add(`a second ${qualifiedName}`);
      return undefined;
    }
    const own: Extension | undefined = this.#extensions.schemas.get(namespace);
    const described = own?.properties.get(name);
    const known = described ?? SCHEMAS.get(namespace)?.get(name);
    const type = this.#hasTypes || namespace === '' ? known : 'any';
    const types = described === undefined ? TYPES : (own?.types ?? TYPES);
    const fields: string[] = [];
    const fitted =
      value === undefined || type === undefined
        ? undefined
        : types.fitted(value, type, (field) => fields.push(`${field} in ${qualifiedName}`));
    if (fitted === undefined) this.lost.add(qualifiedName);
    else for (const field of fields) this.lost.add(field);
    if (fitted !== undefined) this.#written.add(key);
    return fitted;
  }

  #write(description: Element, namespace: string, qualifiedName: string, value: XmpValue): void {
    const element = this.#document.createElementNS(namespace, qualifiedName);
    writeValue(element, value);
    description.appendChild(element);
  }
}

/**
 * Maximum number of prefixes that are declared for all properties of a description; packets of images have some
 * dozens.
 */
const MAX_PREFIXES = 100;

/** Declares the prefixes of another element; further prefixes are declared where they are used. */
function declare(element: Element, other: Element): void {
  const declarations = [...other.attributes].filter(({ namespaceURI }) => namespaceURI === XMLNS);
  for (const { name, value } of declarations.slice(0, MAX_PREFIXES)) {
    if (name.startsWith('xmlns:') && value !== RDF) element.setAttributeNS(XMLNS, name, value);
  }
}
