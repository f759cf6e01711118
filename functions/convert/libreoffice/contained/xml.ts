import { SaxesParser } from 'saxes';

/** Parses untrusted XML and writes it again, so that LibreOffice reads exactly what was checked. */

/** XML that LibreOffice might read differently. `message` is the end of a sentence: "a part … ". */
export class XmlFault extends Error {
  override readonly name = 'XmlFault';
}

export interface OpenElement {
  /** The local name, without its prefix: a document's choice of prefixes must not decide what is checked. */
  readonly name: string;
  /** Names as written, in document order. Values are decoded; rules may change or remove them. */
  readonly attributes: Map<string, string>;
}

/** Decides how a document is rewritten. Names are local names. */
export interface XmlRules {
  /** @returns false to remove the element with all its content */
  element(element: OpenElement): boolean;
  /** Returns the new text of a text node within its parent element. */
  text(text: string, parent: string): string;
  /** Called at the end of an element with all output so far, which it may change. */
  end?(name: string, written: string[]): void;
}

/** Most times that the output may exceed the input, as entities expand. */
const MAX_GROWTH = 8;
const GROWTH_FLOOR = 1 << 20;
/** Most levels of nested elements; Office and LibreOffice stay far below. */
const MAX_DEPTH = 2_000;

/**
 * Returns the text of an XML part, decoded by its byte order mark, its first bytes, or its declaration.
 *
 * @returns the text and whether it was UTF-8; null if it is not XML at all
 * @throws XmlFault if its encoding is not supported
 */
export function xmlText(bytes: Buffer): { text: string; isUtf8: boolean } | null {
  const wide = wideEncoding(bytes);
  if (wide !== null) return { text: decoded(bytes, wide), isUtf8: false };
  let start = bytes.subarray(0, 3).equals(UTF8_MARK) ? 3 : 0;
  while (isSpace(bytes[start])) start += 1;
  if (bytes.subarray(start, start + 4).equals(EBCDIC_START)) throw new XmlFault('is in no known encoding');
  if (bytes[start] !== 0x3c) return null;
  const declaration = /^<\?xml[^>]{0,200}?\sencoding\s*=\s*["']([^"']{0,40})["']/.exec(
    bytes.toString('latin1', start, start + 300),
  );
  const label = declaration?.[1]?.toLowerCase() ?? 'utf-8';
  // UTF-16 was ruled out above.
  if (/^(?:utf-?8|us-ascii|ascii|utf-?16.{0,2}|ucs-?2)$/.test(label)) {
    return { text: bytes.toString('utf8', start), isUtf8: /^(?:utf-?8|us-ascii|ascii)$/.test(label) };
  }
  return { text: decoded(bytes, label), isUtf8: false };
}

const UTF8_MARK = Buffer.from([0xef, 0xbb, 0xbf]);
/** `<?xm` in EBCDIC. */
const EBCDIC_START = Buffer.from([0x4c, 0x6f, 0xa7, 0x94]);

function isSpace(byte: number | undefined): boolean {
  return byte === 0x20 || byte === 0x09 || byte === 0x0a || byte === 0x0d;
}

/** XML 1.0, appendix F. */
function wideEncoding(bytes: Buffer): string | null {
  const [a, b, c, d] = bytes;
  const isUtf32 =
    (a === 0 && b === 0 && c === 0 && d === 0x3c) || (a === 0x3c && b === 0 && c === 0 && d === 0);
  const hasMark32 =
    (a === 0xff && b === 0xfe && c === 0 && d === 0) || (a === 0 && b === 0 && c === 0xfe && d === 0xff);
  if (isUtf32 || hasMark32) throw new XmlFault('is in UTF-32');
  if ((a === 0xff && b === 0xfe) || (b === 0 && a === 0x3c)) return 'utf-16le';
  if ((a === 0xfe && b === 0xff) || (a === 0 && b === 0x3c)) return 'utf-16be';
  return null;
}

function decoded(bytes: Buffer, label: string): string {
  try {
    return new TextDecoder(label, { fatal: true }).decode(bytes);
  } catch {
    throw new XmlFault(`is not in ${label.slice(0, 40)}, or that is no known encoding`);
  }
}

/**
 * Rewrites XML by the rules: UTF-8, without document type, comments and processing instructions, with
 * entities expanded.
 *
 * @throws XmlFault if it is not well-formed
 */
export function rewriteXml(text: string, rules: XmlRules): string {
  const written: string[] = ['<?xml version="1.0" encoding="UTF-8"?>\n'];
  const open: string[] = [];
  const limit = Math.max(GROWTH_FLOOR, text.length * MAX_GROWTH);
  let size = 0;
  /** Depth of the element that is removed; 0 if none is. */
  let dropped = 0;
  let pending = '';
  const write = (piece: string): void => {
    size += piece.length;
    if (size > limit) throw new XmlFault('grows beyond all bounds');
    written.push(piece);
  };
  const flush = (): void => {
    if (pending === '') return;
    const kept = dropped > 0 ? '' : rules.text(pending, open.at(-1) ?? '');
    pending = '';
    if (kept !== '') write(escapeText(kept));
  };
  const parser = new SaxesParser({ xmlns: false, position: false });
  parser.on('error', (error) => {
    throw new XmlFault(`is not well-formed: ${error.message.slice(0, 200)}`);
  });
  parser.on('doctype', (doctype) => {
    for (const [name, value] of entitiesOf(doctype)) parser.ENTITIES[name] ??= value;
  });
  parser.on('text', (piece) => {
    if (open.length > 0) pending += piece;
  });
  parser.on('cdata', (piece) => {
    pending += piece;
  });
  parser.on('opentag', (tag) => {
    flush();
    const name = localName(tag.name);
    open.push(name);
    if (open.length > MAX_DEPTH) throw new XmlFault('is nested too deeply');
    if (dropped > 0) return;
    const attributes = new Map(Object.entries(tag.attributes));
    if (!rules.element({ name, attributes })) {
      dropped = open.length;
      return;
    }
    const pairs = Array.from(attributes, ([attribute, value]) => ` ${attribute}="${escapeAttribute(value)}"`);
    write(`<${tag.name}${pairs.join('')}>`);
  });
  parser.on('closetag', (tag) => {
    flush();
    const name = open.pop() ?? '';
    if (dropped > 0) {
      if (open.length < dropped) dropped = 0;
      return;
    }
    rules.end?.(name, written);
    write(`</${tag.name}>`);
  });
  parser.write(text.replace(/^\ufeff/, '').trimStart()).close();
  return written.join('');
}

/** Returns a name without its prefix. */
export function localName(name: string): string {
  return name.slice(name.indexOf(':') + 1);
}

/** Returns the declared entities that are plain text; other entities cannot be used. */
function entitiesOf(doctype: string): [string, string][] {
  return Array.from(
    doctype.matchAll(/<!ENTITY\s+([\w.:-]{1,100})\s+(?:"([^"<&%]{0,1000})"|'([^'<&%]{0,1000})')\s*>/g),
    ([, name = '', double, single]) => [name, double ?? single ?? ''],
  );
}

export function escapeText(text: string): string {
  return text.replace(/[&<>\r]/g, (character) => ESCAPES[character] ?? character);
}

function escapeAttribute(value: string): string {
  return value.replace(/[&<>"\t\n\r]/g, (character) => ESCAPES[character] ?? character);
}

const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  '\t': '&#9;',
  '\n': '&#10;',
  '\r': '&#13;',
};
