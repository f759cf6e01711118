import { type DefaultTreeAdapterTypes as Tree, parse } from 'parse5';
import { cssPieces } from './css-addresses.ts';
import {
  escapedPieces,
  MAX_DEPTH,
  type Pieces,
  type Place,
  placeOf,
  type Use,
  type Wanted,
} from './pieces.ts';
import { srcsetPieces } from './srcset.ts';

/** The URLs of resources in an html document. */

/** Elements whose attribute contains one URL. */
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

/** The context for reading the URLs of an attribute. */
interface Context {
  base: string;
  wanted: Wanted;
  depth: number;
}

/** A range of the document that contains a URL. */
interface Stretch {
  from: number;
  to: number;
  pieces: Pieces;
}

/**
 * Splits a document at the URLs that it loads; every other byte stays unchanged.
 *
 * @param base the base of relative URLs, if the document does not set it itself
 */
export function htmlPieces(html: string, base: string, wanted: Wanted = 'loaded', depth = 0): Pieces {
  const document = parse(html, { sourceCodeLocationInfo: true });
  const from = baseOf(document, base);
  const stretches: Stretch[] = [];
  for (const element of elementsOf(document)) {
    for (const attribute of element.attrs) {
      const location = element.sourceCodeLocation?.attrs?.[prefixed(attribute)];
      if (!location) continue;
      const { startOffset, endOffset } = location;
      const original = html.slice(startOffset, endOffset);
      const pieces = attributePieces(element, attribute, { base: from, original, wanted, depth });
      if (pieces !== null) stretches.push({ from: startOffset, to: endOffset, pieces });
    }
    if (element.tagName !== 'style') continue;
    for (const child of element.childNodes) {
      if (!('value' in child) || !child.sourceCodeLocation) continue;
      const { startOffset, endOffset } = child.sourceCodeLocation;
      const pieces = cssPieces(html.slice(startOffset, endOffset), from, wanted);
      stretches.push({ from: startOffset, to: endOffset, pieces });
    }
  }
  return assembled(html, stretches);
}

/** An attribute with its name; null if it loads nothing. */
function attributePieces(
  element: Tree.Element,
  attribute: { name: string; value: string; prefix?: string | undefined },
  { original, ...context }: Context & { original: string },
): Pieces | null {
  const before = `${prefixed(attribute)}="`;
  const use = useOf(element, attribute.name);
  if (use !== null) {
    const after = (fragment: string): string => `${escapeAttribute(fragment)}"`;
    const place = placeOf(attribute.value, use, context.base, { original, before, after }, context.wanted);
    return place && [place];
  }
  const pieces = textPieces(element, attribute, context);
  if (pieces === null || pieces.every((piece) => typeof piece === 'string')) return null;
  return [before, ...escapedPieces(pieces, escapeAttribute), '"'];
}

/** The pieces of an attribute that contains URLs among other text; null for any other. */
function textPieces(
  { tagName }: Tree.Element,
  { name, value }: { name: string; value: string },
  { base, wanted, depth }: Context,
): Pieces | null {
  if (name === 'style') return cssPieces(value, base, wanted);
  if (name === 'srcset' || name === 'imagesrcset') return srcsetPieces(value, base, wanted);
  if (tagName === 'iframe' && name === 'srcdoc' && depth < MAX_DEPTH)
    return htmlPieces(value, base, wanted, depth + 1);
  return null;
}

/** Returns the use of an attribute's single URL; null for an attribute without one, or one that loads nothing. */
export function useOf({ tagName, attrs }: Tree.Element, name: string): Use | null {
  if (tagName !== 'link' || name !== 'href') return LOADED[tagName]?.[name] ?? null;
  const rel = attrs.find((attribute) => attribute.name === 'rel')?.value.toLowerCase();
  return rel?.split(/\s+/).includes('stylesheet') === true ? 'style' : null;
}

/** HTML, "document base URL": the first `<base>` with a URL. */
function baseOf(document: Tree.Document, address: string): string {
  for (const { tagName, attrs } of elementsOf(document)) {
    const href = tagName === 'base' ? attrs.find(({ name }) => name === 'href')?.value : undefined;
    if (href !== undefined) return URL.parse(href.trim(), address)?.href ?? address;
  }
  return address;
}

/** In document order, and without recursion, because the depth is unlimited. */
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

function assembled(html: string, stretches: readonly Stretch[]): Pieces {
  const pieces: (string | Place)[] = [];
  let at = 0;
  for (const stretch of stretches.toSorted((a, b) => a.from - b.from)) {
    // An element that the parser duplicated is in the document once.
    if (stretch.from < at) continue;
    pieces.push(html.slice(at, stretch.from));
    for (const piece of stretch.pieces) pieces.push(piece);
    at = stretch.to;
  }
  pieces.push(html.slice(at));
  return pieces;
}
