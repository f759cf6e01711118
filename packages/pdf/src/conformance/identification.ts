import {
  editXmp,
  packetDocument,
  packetOf,
  propertyOf,
  withDescriptions,
  withoutSchemas,
} from '../operations/xmp.ts';
import type { Demands } from './levels.ts';
import { allowedPacket, propertyKey } from './xmp/allowed.ts';

/** A property of an XMP schema of one's own, and what it says. */
export interface SchemaProperty {
  name: string;
  type: 'Text' | 'Integer';
  category: 'internal' | 'external';
  description: string;
  value: string;
}

/** A schema that XMP does not bring along: PDF/A wants it described in the packet (ISO 19005-2, 6.6.2.3.2). */
export interface ExtensionSchema {
  name: string;
  namespace: string;
  prefix: string;
  properties: readonly SchemaProperty[];
  /** Namespaces of schemas that say the same of old, and would contradict. */
  replaces?: readonly string[] | undefined;
}

/** The claims and properties in a packet. */
export interface Identification {
  /** Null: the document claims nothing. */
  demands: Demands | null;
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
  /** Names of what PDF/A does not let stand of the packet before. */
  lost: readonly string[];
}

/** @param before the packet there is; of one that cannot be read, nothing is kept */
export function writePacket(identification: Identification, before: string | null): WrittenPacket {
  const { title, author, subject, creator, producer, modified } = identification;
  const own = ownDescriptions(identification);
  const values = {
    // A title that is there already may be there in other languages too.
    ...(title === null || title === titleOf(before) ? {} : { Title: title }),
    ...(author === null ? {} : { Author: author }),
    ...(subject === null ? {} : { Subject: subject }),
    ...(creator === null ? {} : { Creator: creator }),
    ...(producer === null ? {} : { Producer: producer }),
    ...(modified === null ? {} : { ModDate: modified }),
  };
  const replaced = new Set(
    Object.keys(values).flatMap((key) => {
      const property = propertyOf(key);
      return property === undefined ? [] : [propertyKey(property.namespace, property.name)];
    }),
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

/** The title of a packet, in the language that is first. */
export function titleOf(packet: string | null): string | null {
  const title = /<dc:title>\s*<rdf:Alt>\s*<rdf:li[^<>]*>([^<>]*)</.exec(packet ?? '')?.[1]?.trim() ?? '';
  return title === '' ? null : title;
}

/** A packet that claims nothing, and says all else that it said. */
export function unclaimedPacket(before: string | undefined): string {
  return without(before, [PDFA, PDFUA]);
}

function replacedBy({ schemas }: Identification): string[] {
  return schemas.flatMap(({ namespace, replaces = [] }) => [namespace, ...replaces]);
}

/** A packet that does not claim PDF/UA, and says all else that it said. */
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

/** The claims, and the schemas that XMP does not know. */
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

/** Elements `rdf:Description` with what is said in such schemas, and with what those are. */
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

/** XML has no way to write most control characters (XML 1.0, 2.2). */
function escaped(value: string): string {
  return (
    value
      .toWellFormed()
      // oxlint-disable-next-line no-control-regex -- they are what is left out
      .replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g, '')
      .replace(/[&<>"]/g, (character) => ENTITIES[character] ?? '')
  );
}

/** A date of PDF (ISO 32000-1, 7.9.4) as one of ISO 8601; null for what is none. */
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
