/** The start tag of an element as text: its name and attributes, read and changed. */

/** A start tag as it is written, with the end tag that belongs to it. */
export interface Tags {
  open: string;
  close: string;
}

/** Returns the name of the element in lower case; '' for anything but a start tag. */
export function tagName(open: string): string {
  return /^<([a-z][^\s/>]*)/i.exec(open)?.[1]?.toLowerCase() ?? '';
}

const VALUE = `\\s*=\\s*("[^"]*"|'[^']*'|[^\\s"'>]+)`;

/** Returns the value of an attribute as it is written, without its quotes; null if there is none. */
export function attributeOf(open: string, name: string): string | null {
  const value = new RegExp(`\\s${name}${VALUE}`, 'i').exec(open)?.[1];
  return value?.replace(/^(["'])(.*)\1$/s, '$2') ?? null;
}

/** Returns the start tag with another value of an attribute; null removes it. */
export function withAttribute(open: string, name: string, value: string | null): string {
  const written = value === null ? '' : ` ${name}="${escapedValue(value)}"`;
  const present = new RegExp(`\\s${name}(?:${VALUE}|(?=[\\s/>]))`, 'i');
  // A function, because a value may contain `$&`.
  if (present.test(open)) return open.replace(present, () => written);
  const end = open.endsWith('/>') ? '/>' : '>';
  return open.slice(0, -end.length).trimEnd() + written + (end === '/>' ? ' />' : '>');
}

/** Returns the tags of an element with another name: `h2` for `h1`. Tags of nothing become plain ones. */
export function renamed({ open, close }: Tags, name: string): Tags {
  if (open === '') return { open: `<${name}>`, close: `</${name}>` };
  return {
    open: open.replace(/^<[a-z][^\s/>]*/i, `<${name}`),
    close: close.replace(/^<\/[a-z][^\s/>]*/i, `</${name}`),
  };
}

/** Fields in a value stay as they are; an ampersand is one of the text, or begins an entity that was there. */
function escapedValue(value: string): string {
  return value.replaceAll('"', '&quot;').replace(/&(?!#?\w+;)/g, '&amp;');
}
