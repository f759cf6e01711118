import { type DefaultTreeAdapterTypes as Tree, html as spec, parse } from 'parse5';

/**
 * The title of an html document as browsers see it (HTML, "document.title"): the text of its first `<title>` element,
 * with white space collapsed. Null when it has none, or an empty one (decision 20).
 */
export function documentTitle(html: string): string | null {
  // Most of a long document comes after its title: no need to read it.
  for (let end = nextEnd(html, 0); end !== null; end = nextEnd(html, end)) {
    const element = findTitle(parse(html.slice(0, end)));
    if (element === undefined) continue;
    const text = element.childNodes.map((node) => ('value' in node ? node.value : '')).join('');
    return text.replace(/[\t\n\f\r ]+/g, ' ').trim() || null;
  }
  return null;
}

/** What may stand before the document type: nothing that makes an element. */
const DOCUMENT_TYPE = /^\ufeff?(?:\s|<!--.*?-->|<\?[^>]*>)*<!doctype[^>]*>/is;

/**
 * The document with `title` for its title, if it has none. The element goes behind the document type, where the parser
 * makes the head for it and lets what follows go on inside (HTML, "before html" to "in head" insertion modes): scripts
 * may still change it.
 */
export function withTitle(html: string, title: string): string {
  if (documentTitle(html) !== null) return html;
  const at = DOCUMENT_TYPE.exec(html)?.[0].length ?? 0;
  return `${html.slice(0, at)}<title>${escapeText(title)}</title>${html.slice(at)}`;
}

/** Text inside an element of text that has references and no elements (HTML, "escapable raw text"). */
function escapeText(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
}

/** Where the next `</title>` ends, after `from`. It may be one of an SVG, or inside a comment. */
function nextEnd(html: string, from: number): number | null {
  const pattern = /<\/title\s*>/gi;
  pattern.lastIndex = from;
  return pattern.test(html) ? pattern.lastIndex : null;
}

/** Without recursion: a document may be nested as deep as it likes. */
function findTitle(document: Tree.Document): Tree.Element | undefined {
  const left: Tree.Node[] = [document];
  for (let node = left.pop(); node !== undefined; node = left.pop()) {
    if ('tagName' in node && node.tagName === 'title' && node.namespaceURI === spec.NS.HTML) return node;
    if ('childNodes' in node) for (const child of node.childNodes.toReversed()) left.push(child);
  }
  return undefined;
}
