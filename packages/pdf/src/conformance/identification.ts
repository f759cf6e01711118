import {
  editXmp,
  packetDocument,
  packetOf,
  propertiesOf,
  withDescriptions,
  withoutSchemas,
} from '../operations/xmp.ts';
import type { Requirements } from './levels.ts';
import { allowedPacket, propertyKey } from './xmp/allowed.ts';

/** A property of a custom XMP schema, with its value. */
export interface SchemaProperty {
  name: string;
  type: 'Text' | 'Integer';
  category: 'internal' | 'external';
  description: string;
  value: string;
}

/** A schema that is not part of XMP: PDF/A requires its description in the packet (ISO 19005-2, 6.6.2.3.2). */
export interface ExtensionSchema {
  name: string;
  namespace: string;
  prefix: string;
  properties: readonly SchemaProperty[];
  /** Namespaces of older schemas for the same data, which could contradict. */
  replaces?: readonly string[] | undefined;
}

/** The claims and properties in a packet. */
export interface Identification {
  /** Null if the document claims nothing. */
  demands: Requirements | null;
  title: string | null;
  author: string | null;
  subject: string | null;
  keywords: string | null;
  creator: string | null;
  producer: string | null;
  /** ISO 8601. */
  created: string | null;
  modified: string | null;
  schemas: readonly ExtensionSchema[];
}

/** A packet as it is written. */
export interface WrittenPacket {
  packet: string;
  /** Names of the properties of the previous packet that PDF/A does not permit. */
  lost: readonly string[];
}

/** @param before the existing packet; one that cannot be read is replaced */
export function writePacket(identification: Identification, before: string | null): WrittenPacket {
  const { title, author, subject, creator, producer, modified } = identification;
  const own = ownDescriptions(identification);
  const values = {
    // An existing title may also have other languages.
    ...(title === null || title === titleOf(before) ? {} : { Title: title }),
    ...(author === null ? {} : { Author: author }),
    ...(subject === null ? {} : { Subject: subject }),
    ...(creator === null ? {} : { Creator: creator }),
    ...(producer === null ? {} : { Producer: producer }),
    ...(modified === null ? {} : { ModDate: modified }),
  };
  const replaced = new Set(
    Object.keys(values).flatMap((key) =>
      propertiesOf(key).map(({ namespace, name }) => propertyKey(namespace, name)),
    ),
  );
  const leftOut = [PDFA, PDFUA, ...replacedBy(identification)];
  const { demands } = identification;
  const kept =
    demands === null || (demands.archive === null && !demands.accessible)
      ? { packet: withoutSchemas(before ?? '', leftOut), lost: [] }
      : allowedPacket(before ?? '', { hasTypes: demands.archive !== null, without: leftOut, replaced });
  if (kept?.packet === undefined) return { packet: packet(describe(identification) + own), lost: [] };
  return { packet: withDescriptions(editXmp(kept.packet, values), own), lost: kept.lost };
}

/** The title of a packet, in its first language. */
export function titleOf(packet: string | null): string | null {
  const title = /<dc:title>\s*<rdf:Alt>\s*<rdf:li[^<>]*>([^<>]*)</.exec(packet ?? '')?.[1]?.trim() ?? '';
  return title === '' ? null : title;
}

/** A packet without claims, and with all other properties. */
export function unclaimedPacket(before: string | undefined): string {
  return without(before, [PDFA, PDFUA]);
}

function replacedBy({ schemas }: Identification): string[] {
  return schemas.flatMap(({ namespace, replaces = [] }) => [namespace, ...replaces]);
}

/** A packet without the claim of PDF/UA, and with all other properties. */
export function withoutAccessibility(before: string): string {
  return without(before, [PDFUA]);
}

function without(before: string | undefined, namespaces: readonly string[]): string {
  return withoutSchemas(before ?? '', namespaces) ?? packetOf(packetDocument(undefined));
}

const PDFA = 'http://www.aiim.org/pdfa/ns/id/';
const PDFUA = 'http://www.aiim.org/pdfua/ns/id/';

const UA_SCHEMA: ExtensionSchema = {
  name: 'PDF/UA identification schema',
  namespace: PDFUA,
  prefix: 'pdfuaid',
  properties: [
    { name: 'part', type: 'Integer', category: 'internal', description: 'Part of ISO 14289', value: '1' },
  ],
};

/** The claims, and the schemas that are not part of XMP. */
function ownDescriptions({ demands, schemas }: Identification): string {
  const archive = demands?.archive ?? null;
  const claims =
    archive === null
      ? ''
      : description(
          `xmlns:pdfaid="${PDFA}"`,
          `<pdfaid:part>${archive.part}</pdfaid:part><pdfaid:conformance>${archive.level}</pdfaid:conformance>`,
        );
  const all = demands?.accessible === true ? [UA_SCHEMA, ...schemas] : schemas;
  return claims + describeSchemas(all);
}

/** Elements `rdf:Description` with the properties of such schemas, and with the descriptions of the schemas. */
export function describeSchemas(schemas: readonly ExtensionSchema[]): string {
  const said = schemas.map(({ namespace, prefix, properties }) =>
    description(
      `xmlns:${prefix}="${escaped(namespace)}"`,
      properties
        .map(({ name, value }) => `<${prefix}:${name}>${escaped(value)}</${prefix}:${name}>`)
        .join(''),
    ),
  );
  return said.join('') + (schemas.length > 0 ? extensions(schemas) : '');
}

function extensions(schemas: readonly ExtensionSchema[]): string {
  const of = (name: string): string => `xmlns:pdfa${name}="http://www.aiim.org/pdfa/ns/${name.toLowerCase()}`;
  const names = `${of('Extension')}/" ${of('Schema')}#" ${of('Property')}#"`;
  return description(
    names,
    `<pdfaExtension:schemas><rdf:Bag>${schemas.map(extension).join('')}</rdf:Bag></pdfaExtension:schemas>`,
  );
}

function extension({ name, namespace, prefix, properties }: ExtensionSchema): string {
  const items = properties.map(
    (property) =>
      `<rdf:li rdf:parseType="Resource"><pdfaProperty:name>${property.name}</pdfaProperty:name>` +
      `<pdfaProperty:valueType>${property.type}</pdfaProperty:valueType>` +
      `<pdfaProperty:category>${property.category}</pdfaProperty:category>` +
      `<pdfaProperty:description>${escaped(property.description)}</pdfaProperty:description></rdf:li>`,
  );
  return (
    `<rdf:li rdf:parseType="Resource"><pdfaSchema:schema>${escaped(name)}</pdfaSchema:schema>` +
    `<pdfaSchema:namespaceURI>${escaped(namespace)}</pdfaSchema:namespaceURI>` +
    `<pdfaSchema:prefix>${prefix}</pdfaSchema:prefix>` +
    `<pdfaSchema:property><rdf:Seq>${items.join('')}</rdf:Seq></pdfaSchema:property></rdf:li>`
  );
}

/** The counterparts of the Info dictionary (ISO 19005-2, 6.6.2). */
function describe(identification: Identification): string {
  const { title, author, subject, keywords, creator, producer, created, modified } = identification;
  const text = (name: string, value: string | null): string =>
    value === null ? '' : `<${name}>${escaped(value)}</${name}>`;
  const languages = (name: string, value: string | null): string =>
    value === null
      ? ''
      : `<${name}><rdf:Alt><rdf:li xml:lang="x-default">${escaped(value)}</rdf:li></rdf:Alt></${name}>`;
  const list = (name: string, value: string | null): string =>
    value === null ? '' : `<${name}><rdf:Seq><rdf:li>${escaped(value)}</rdf:li></rdf:Seq></${name}>`;
  const names =
    'xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:pdf="http://ns.adobe.com/pdf/1.3/" ' +
    'xmlns:xmp="http://ns.adobe.com/xap/1.0/"';
  return description(
    names,
    languages('dc:title', title) +
      list('dc:creator', author) +
      languages('dc:description', subject) +
      text('pdf:Keywords', keywords) +
      text('pdf:Producer', producer) +
      text('xmp:CreatorTool', creator) +
      text('xmp:CreateDate', created) +
      text('xmp:ModifyDate', modified),
  );
}

function description(names: string, content: string): string {
  return `<rdf:Description rdf:about="" ${names}>${content}</rdf:Description>`;
}

function packet(content: string): string {
  const rdf = `<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">${content}</rdf:RDF>`;
  const meta = `<x:xmpmeta xmlns:x="adobe:ns:meta/">${rdf}</x:xmpmeta>`;
  return `<?xpacket begin="\uFEFF" id="W5M0MpCehiHzreSzNTczkc9d"?>\n${meta}\n<?xpacket end="w"?>`;
}

const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

/** XML cannot represent most control characters (XML 1.0, 2.2). */
function escaped(value: string): string {
  return (
    value
      .toWellFormed()
      // oxlint-disable-next-line no-control-regex -- it matches the characters that are removed
      .replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g, '')
      .replace(/[&<>"]/g, (character) => ENTITIES[character] ?? '')
  );
}

/** Converts a PDF date (ISO 32000-1, 7.9.4) to ISO 8601; null for other text. */
export function isoDate(date: string): string | null {
  const match = /^D:(\d{4})(\d\d)?(\d\d)?(\d\d)?(\d\d)?(\d\d)?(?:([+-])(\d\d)'?(\d\d)?'?|Z.*)?$/.exec(date);
  if (match === null) return null;
  const [
    ,
    year = '',
    month = '01',
    day = '01',
    hour = '00',
    minute = '00',
    second = '00',
    sign,
    h = '00',
    m,
  ] = match;
  const zone = sign === undefined || `${h}${m ?? '00'}` === '0000' ? 'Z' : `${sign}${h}:${m ?? '00'}`;
  return `${year}-${month}-${day}T${hour}:${minute}:${second}${zone}`;
}
