/** Writes XML and omits empty elements, which CII does not allow. */

export type XmlNode = { name: string; attributes: string; content: string | XmlNode[] } | null;

/** Returns an element with a text; null if the text is empty. */
export function value(
  name: string,
  content: string | undefined,
  attributes: Readonly<Record<string, string | undefined>> = {},
): XmlNode {
  const inner = content?.trim() ?? '';
  return inner === '' ? null : { name, attributes: attributesOf(attributes), content: inner };
}

/** Returns an element with child elements; null if there are none. */
export function node(name: string, nodes: readonly XmlNode[]): XmlNode {
  const inner = nodes.filter((child) => child !== null);
  return inner.length === 0 ? null : { name, attributes: '', content: inner };
}

/** Returns an element with child elements, even if there are none. */
export function kept(name: string, nodes: readonly XmlNode[]): XmlNode {
  return { name, attributes: '', content: nodes.filter((child) => child !== null) };
}

function attributesOf(attributes: Readonly<Record<string, string | undefined>>): string {
  return Object.entries(attributes)
    .map(([name, content]) => (content === undefined ? '' : ` ${name}="${escaped(content.trim())}"`))
    .join('');
}

/** Returns the tree as text, with two spaces for each level. */
export function written(root: XmlNode, namespaces: Readonly<Record<string, string>>): string {
  const spaces = Object.entries(namespaces).map(([prefix, uri]) => `\n  xmlns:${prefix}="${uri}"`);
  return `<?xml version="1.0" encoding="UTF-8"?>\n${lines(root, '', spaces.join(''))}`;
}

function lines(element: XmlNode, indent: string, extra = ''): string {
  if (element === null) return '';
  const { name, attributes, content } = element;
  const start = `${indent}<${name}${extra}${attributes}`;
  if (typeof content === 'string') return `${start}>${escaped(content)}</${name}>\n`;
  if (content.length === 0) return `${start}/>\n`;
  return `${start}>\n${content.map((child) => lines(child, `${indent}  `)).join('')}${indent}</${name}>\n`;
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  '\r': '&#13;',
};

/** Escapes text and removes characters that XML cannot represent. */
function escaped(text: string): string {
  return (
    text
      .toWellFormed()
      // oxlint-disable-next-line no-control-regex -- those that XML 1.0 does not have
      .replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g, '')
      .replace(/[&<>"\r]/g, (character) => ENTITIES[character] ?? character)
  );
}
