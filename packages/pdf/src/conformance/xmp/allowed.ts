import { type Document, type Element, XMLSerializer } from '@xmldom/xmldom';
import { descriptionsIn, RDF, readPacketDocument, withinLimits, XMLNS } from '../../operations/xmp.ts';
import { EXTENSION, type Extension, type Extensions, PREFIXES, readExtensions } from './extensions.ts';
import { SCHEMAS } from './schemas.ts';
import { Types } from './types.ts';
import { elementsIn, propertyAttributes, readValue, writeValue, type XmpValue } from './values.ts';

/** What PDF/A lets stand of an XMP packet (ISO 19005-2, 6.6.2.3). */

export interface AllowedPacket {
  packet: string;
  /** Names of properties, and of fields of properties, that are not in it any more. */
  lost: string[];
}

export interface AllowedOptions {
  /** False: any property with any value stays that is written as XMP wants it; only PDF/A asks for more. */
  hasTypes: boolean;
  /** Namespaces whose properties and descriptions are left out: others are written in their place. */
  without: readonly string[];
  /** Properties that are written anew, as `propertyKey` has them. */
  replaced: ReadonlySet<string>;
}

/** A property in a set. */
export function propertyKey(namespace: string, name: string): string {
  return `${namespace} ${name}`;
}

/**
 * Leaves in a packet the properties that XMP has or that the packet describes, each with a value of its type. A value in
 * another form is written in that of its type where it says the same there.
 *
 * @returns undefined where the packet cannot be read
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

/** Names that are told, and characters of each: packets of pictures have hundreds of properties. */
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

  /** Elements are put into a new one: to take them out of the old one is slow where there are many. */
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
    // All descriptions of a packet are of the same resource (ISO 16684-1, 7.4).
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

  /** A value as the type of its property wants it; undefined where the property is left out. */
  #fitted(
    namespace: string,
    name: string,
    qualifiedName: string,
    value: XmpValue | undefined,
  ): XmpValue | undefined {
    if (this.#without.has(namespace)) return undefined;
    const key = propertyKey(namespace, name);
    if (this.#replaced.has(key)) return undefined;
    // A property may be there once (ISO 16684-1, 7.4).
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

/** Prefixes that are declared for all properties of a description; packets of pictures have some dozens. */
const MAX_PREFIXES = 100;

/** Declares the prefixes of another element; what more there are is declared where it is used. */
function declare(element: Element, other: Element): void {
  const declarations = [...other.attributes].filter(({ namespaceURI }) => namespaceURI === XMLNS);
  for (const { name, value } of declarations.slice(0, MAX_PREFIXES)) {
    if (name.startsWith('xmlns:') && value !== RDF) element.setAttributeNS(XMLNS, name, value);
  }
}
