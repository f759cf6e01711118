import type { XmlDocument } from './parse.ts';
import type { Element } from './tree.ts';

/**
 * Characters that XML 1.0 does not allow (section 2.2), including lone surrogates; the noncharacters are this
 * package's marks.
 */
// oxlint-disable-next-line eslint/no-control-regex -- it matches the characters to remove
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
  return Buffer.from(prolog + textOf(root));
}

/** Returns the XML of an element. Appending to one string takes half the time of joining a list of pieces. */
function textOf(element: Element): string {
  const { name, children } = element;
  let xml = `<${name}`;
  for (const attribute of element.attributes)
    xml += ` ${attribute.name}="${escapeAttribute(attribute.value)}"`;
  if (children.length === 0) return `${xml}/>`;
  xml += '>';
  for (const child of children) {
    if (child.kind === 'element') xml += textOf(child);
    else if (child.kind === 'text') xml += escapeText(child.text);
    else if (child.kind === 'verbatim') xml += child.markup;
    // All foreign nodes are resolved by now; a remaining one is a bug.
    else throw new Error(`${name} contains a node that is not XML`);
  }
  return `${xml}</${name}>`;
}
