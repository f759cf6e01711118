import { type DefaultTreeAdapterTypes as Tree, parse } from 'parse5';
import { type CssUse, replaceInCss } from './css.ts';

/** The addresses in an html document that it loads something from. */

/** What an address is for: it says what is asked for, and how the answer is read. */
export type Use = CssUse | 'image' | 'script' | 'frame';

/** Elements whose attribute holds one address. */
const LOADED: Readonly<Record<string, Readonly<Record<string, Use>>>> = {
  img: { src: 'image' },
  input: { src: 'image' },
  video: { poster: 'image' },
  image: { href: 'image' },
  feImage: { href: 'image' },
  use: { href: 'image' },
  body: { background: 'image' },
  table: { background: 'image' },
  thead: { background: 'image' },
  tbody: { background: 'image' },
  tfoot: { background: 'image' },
  tr: { background: 'image' },
  td: { background: 'image' },
  th: { background: 'image' },
  script: { src: 'script', href: 'script' },
  iframe: { src: 'frame' },
  frame: { src: 'frame' },
  embed: { src: 'frame' },
  object: { data: 'frame' },
};

/** A stretch of the document that is to be another text. */
interface Change {
  from: number;
  to: number;
  text: string;
}

/**
 * Puts other addresses in place of those in a document; every other byte stays as it was.
 *
 * @param base what relative addresses start from, where the document does not say so itself
 * @param replace is given an absolute address; null for one that stays
 */
export function replaceInHtml(
  html: string,
  base: string,
  replace: (address: string, use: Use) => string | null,
): string {
  const document = parse(html, { sourceCodeLocationInfo: true });
  const from = baseOf(document, base);
  const absolute = (address: string, use: Use): string | null => {
    const url = URL.parse(address.trim(), from);
    return url === null ? null : replace(url.href, use);
  };
  const changes: Change[] = [];
  for (const element of elementsOf(document)) {
    for (const attribute of element.attrs) {
      const text = replaceInAttribute(element, attribute, from, absolute, replace);
      const location = element.sourceCodeLocation?.attrs?.[prefixed(attribute)];
      if (text === null || text === attribute.value || !location) continue;
      const value = `${prefixed(attribute)}="${escapeAttribute(text)}"`;
      changes.push({ from: location.startOffset, to: location.endOffset, text: value });
    }
    if (element.tagName !== 'style') continue;
    for (const child of element.childNodes) {
      if (!('value' in child) || !child.sourceCodeLocation) continue;
      const { startOffset, endOffset } = child.sourceCodeLocation;
      const css = html.slice(startOffset, endOffset);
      changes.push({ from: startOffset, to: endOffset, text: replaceInCss(css, absolute) });
    }
  }
  return applied(html, changes);
}

/** The new value of an attribute; null where it loads nothing. */
function replaceInAttribute(
  { tagName, attrs }: Tree.Element,
  { name, value }: { name: string; value: string },
  base: string,
  absolute: (address: string, use: Use) => string | null,
  replace: (address: string, use: Use) => string | null,
): string | null {
  if (name === 'style') return replaceInCss(value, absolute);
  if (name === 'srcset' || name === 'imagesrcset') return replaceInSrcset(value, absolute);
  if (tagName === 'iframe' && name === 'srcdoc') return replaceInHtml(value, base, replace);
  if (tagName === 'link' && name === 'href') {
    const rel =
      attrs
        .find((attribute) => attribute.name === 'rel')
        ?.value.toLowerCase()
        .split(/\s+/) ?? [];
    return rel.includes('stylesheet') ? absolute(value, 'style') : null;
  }
  const use = LOADED[tagName]?.[name];
  return use === undefined || value.trim() === '' ? null : absolute(value, use);
}

/** HTML, "srcset": addresses, each with what it is for behind it, parted by commas. */
function replaceInSrcset(srcset: string, replace: (address: string, use: Use) => string | null): string {
  return srcset.replace(
    /([\s,]*)([^\s,]\S*[^\s,]|[^\s,])((?:\s+[^,]*)?)/g,
    (_, before: string, address: string, descriptor: string) =>
      `${before}${replace(address, 'image') ?? address}${descriptor}`,
  );
}

/** HTML, "document base URL": the first `<base>` that has an address. */
function baseOf(document: Tree.Document, address: string): string {
  for (const { tagName, attrs } of elementsOf(document)) {
    const href = tagName === 'base' ? attrs.find(({ name }) => name === 'href')?.value : undefined;
    if (href !== undefined) return URL.parse(href.trim(), address)?.href ?? address;
  }
  return address;
}

/** In the order of the document, and without recursion: it may be nested as deep as it likes. */
function* elementsOf(document: Tree.Document): Generator<Tree.Element> {
  const left: Tree.Node[] = [document];
  for (let node = left.pop(); node !== undefined; node = left.pop()) {
    if ('tagName' in node) yield node;
    if ('content' in node) left.push(node.content);
    if ('childNodes' in node) for (const child of node.childNodes.toReversed()) left.push(child);
  }
}

function prefixed({ name, prefix }: { name: string; prefix?: string | undefined }): string {
  return prefix === undefined || prefix === '' ? name : `${prefix}:${name}`;
}

function escapeAttribute(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('"', '&quot;');
}

function applied(html: string, changes: readonly Change[]): string {
  let at = 0;
  let text = '';
  for (const change of changes.toSorted((a, b) => a.from - b.from)) {
    text += html.slice(at, change.from) + change.text;
    at = change.to;
  }
  return text + html.slice(at);
}
