import type { XmlDocument } from './parse.ts';
import type { Attribute, Element } from './tree.ts';

/**
 * Characters that XML 1.0 does not allow (section 2.2), including lone surrogates; the noncharacters are this
 * package's marks.
 */
// oxlint-disable-next-line eslint/no-control-regex -- these are what is looked for
const ILLEGAL = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufdd0-\ufdef\ufffe\uffff]/g;

/** Returns the text without the characters that XML cannot contain. */
export function legalText(text: string): string {
  return text.toWellFormed().replace(ILLEGAL, '');
}

export function escapeText(text: string): string {
  if (!/[&<>\r]/.test(text)) return text;
  return text.replace(/[&<>\r]/g, (c) =>
    c === '&' ? '&amp;' : c === '<' ? '&lt;' : c === '>' ? '&gt;' : '&#13;',
  );
}

export function escapeAttribute(text: string): string {
  if (!/[&<"\t\n\r]/.test(text)) return text;
  return text.replace(/[&<"\t\n\r]/g, (c) =>
    c === '&' ? '&amp;' : c === '<' ? '&lt;' : c === '"' ? '&quot;' : `&#${c.charCodeAt(0)};`,
  );
}

export function serializeXml({ prolog, root }: XmlDocument): Buffer {
  const pieces: string[] = [prolog];
  write(root, pieces);
  return Buffer.from(pieces.join(''));
}

function write(element: Element, pieces: string[]): void {
  pieces.push('<', element.name, ...attributesText(element.attributes));
  if (element.children.length === 0) {
    pieces.push('/>');
    return;
  }
  pieces.push('>');
  for (const child of element.children) {
    if (child.kind === 'element') write(child, pieces);
    else if (child.kind === 'text') pieces.push(escapeText(child.text));
    else if (child.kind === 'verbatim') pieces.push(child.markup);
    // All foreign nodes are resolved by now; a remaining one is a bug.
    else throw new Error(`something is left in ${element.name} that is no XML`);
  }
  pieces.push('</', element.name, '>');
}

function attributesText(attributes: readonly Attribute[]): string[] {
  return attributes.map(({ name, value }) => ` ${name}="${escapeAttribute(value)}"`);
}
