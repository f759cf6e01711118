import { randomUUID } from 'node:crypto';
import {
  type DefaultTreeAdapterTypes as Tree,
  defaultTreeAdapter as tree,
  html as spec,
  parse,
  serialize,
} from 'parse5';
import { SECTION_CLASS } from '../by-page.ts';
import { cssPieces } from './css-addresses.ts';
import { useOf } from './html-addresses.ts';
import { joined, type Pieces, type Place, placeOf } from './pieces.ts';
import { isPlainText } from './plain-text.ts';
import { srcsetPieces } from './srcset.ts';

/** Classes that are filled in here, with their content. */
export type FilledClasses = Record<'date' | 'title' | 'url', string>;

/**
 * Elements that run code, load resources or affect the whole document: none of them is permitted in a header or
 * footer.
 */
const REMOVED = new Set([
  'script',
  'link',
  'meta',
  'base',
  'title',
  'iframe',
  'frame',
  'object',
  'embed',
  'template',
]);
/** The maximum depth of elements in browsers. */
const MAX_DEPTH = 512;
/** Attributes whose URL may run a script. */
const ADDRESSES = new Set(['src', 'href', 'xlink:href', 'poster', 'background']);

/**
 * Prepares a custom header or footer, already filled with the data, for printing (I-20): without scripts, and with
 * the classes `date`, `title` and `url` filled in. `pageNumber` and `totalPages` are left to the engine. Plain
 * text keeps its line breaks.
 *
 * @returns html to be placed inside an element, split at the URLs it loads; empty if it has no content
 */
export function prepareCustom(text: string, values: FilledClasses): Pieces {
  const isPlain = isPlainText(text);
  // Accepts a whole document as well as a fragment: style elements and the attributes of the body are kept. The
  // parser turns <image> into <img> (HTML, "in body" insertion mode).
  const { head, body } = parts(isPlain ? text.replaceAll('<', '&lt;') : text);
  const sheets = head.childNodes.filter((node) => 'tagName' in node && node.tagName === 'style');
  const box = tree.createElement('div', spec.NS.HTML, body.attrs);
  if (isPlain) box.attrs.push({ name: 'style', value: 'white-space:pre-line' });
  box.childNodes = sheets.concat(body.childNodes);
  for (const node of box.childNodes) node.parentNode = box;
  const places = new Places();
  clean(box, { values, places }, 0);
  if (
    box.childNodes.every((node) => node.nodeName === '#text' && 'value' in node && node.value.trim() === '')
  )
    return [];
  const whole = tree.createDocumentFragment();
  tree.appendChild(whole, box);
  return places.pieces(serialize(whole));
}

interface Cleaning {
  values: FilledClasses;
  places: Places;
}

/** Represents the places of a text while it is a tree. */
class Places {
  /** Random, so that no document can contain it. */
  readonly #mark = `platen-${randomUUID()}-`;
  readonly #places: Place[] = [];

  /** The text with a mark for each of its places. */
  marked(pieces: Pieces): string {
    return joined(pieces, (place) => this.#marked(place));
  }

  /** A mark in an attribute that contains a single URL. */
  address(written: string, use: Place['use']): string {
    const place = placeOf(written, use, null, { original: '', before: '', after: (fragment) => fragment });
    return place === null ? written : this.#marked(place) + place.after;
  }

  #marked({ address, use }: Place): string {
    this.#places.push({ address, use, original: '', before: '', after: '' });
    return `${this.#mark}${this.#places.length - 1};`;
  }

  /** The text with its places instead of the marks. */
  pieces(text: string): Pieces {
    const [first = '', ...others] = text.split(this.#mark);
    const pieces: (string | Place)[] = [first];
    for (const other of others) {
      const end = other.indexOf(';');
      const place = this.#places[Number(other.slice(0, end))];
      if (place !== undefined) pieces.push(place);
      pieces.push(other.slice(end + 1));
    }
    return pieces;
  }
}

function parts(text: string): { head: Tree.Element; body: Tree.Element } {
  const root = parse(text.trim()).childNodes.find((node): node is Tree.Element => 'tagName' in node);
  const child = (name: string): Tree.Element | undefined =>
    root?.childNodes.find((node): node is Tree.Element => 'tagName' in node && node.tagName === name);
  const empty = (): Tree.Element => tree.createElement('div', spec.NS.HTML, []);
  // A document with a frameset has no body.
  return { head: child('head') ?? empty(), body: child('body') ?? empty() };
}

function clean(element: Tree.Element, cleaning: Cleaning, depth: number): void {
  if (depth === MAX_DEPTH) element.childNodes = [];
  element.attrs = element.attrs.filter((attribute) => !/^on/i.test(attribute.name));
  for (const attribute of element.attrs) cleanAttribute(element, attribute, cleaning);
  element.childNodes = element.childNodes.filter(
    (child) => !('tagName' in child) || !REMOVED.has(child.tagName),
  );
  for (const child of element.childNodes) {
    if ('tagName' in child) clean(child, cleaning, depth + 1);
    else if (element.tagName === 'style' && 'value' in child) child.value = cleanSheet(child.value, cleaning);
  }
}

function cleanAttribute(
  element: Tree.Element,
  attribute: Tree.Element['attrs'][number],
  { values, places }: Cleaning,
): void {
  const { name, prefix, value } = attribute;
  const use = useOf(element, name);
  if (name === 'style') attribute.value = places.marked(cssPieces(value, null));
  else if (name === 'srcset') attribute.value = places.marked(srcsetPieces(value, null));
  else if (name === 'class') fillClasses(element, attribute, values);
  else if (ADDRESSES.has(prefix === undefined || prefix === '' ? name : `${prefix}:${name}`)) {
    if (isScript(value)) attribute.value = '';
    else if (use !== null) attribute.value = places.address(value, use);
  }
}

/** Browsers skip spaces and control characters in a scheme. */
function isScript(address: string): boolean {
  const scheme = address.slice(0, 200).replace(/[\p{Cc}\s]/gu, '');
  return scheme.toLowerCase().startsWith('javascript:');
}

/** The filled classes are renamed, otherwise Chromium would insert its own date and URL. */
const RENAMED = 'platen-';

function fillClasses(element: Tree.Element, attribute: { value: string }, values: FilledClasses): void {
  const classes = attribute.value.split(/\s+/);
  if (classes.includes('section') && isFilledWithSection(element)) {
    attribute.value = `${attribute.value} ${SECTION_CLASS}`;
    element.childNodes = [];
    return;
  }
  const key = classes.find((name): name is keyof FilledClasses => Object.hasOwn(values, name));
  if (key === undefined) return;
  attribute.value = classes.map((name) => (Object.hasOwn(values, name) ? RENAMED + name : name)).join(' ');
  element.childNodes = [];
  tree.insertText(element, values[key]);
  // An Arabic title must not reverse the date beside it.
  if (element.attrs.every(({ name }) => name !== 'dir')) element.attrs.push({ name: 'dir', value: 'auto' });
}

/** A `span`, or an element without content: other elements may have such a class, and have content. */
function isFilledWithSection({ tagName, childNodes }: Tree.Element): boolean {
  const isBlank = (node: Tree.ChildNode): boolean => 'value' in node && node.value.trim() === '';
  return tagName === 'span' || childNodes.every(isBlank);
}

function cleanSheet(css: string, { places }: Cleaning): string {
  return places.marked(cssPieces(css, null)).replace(/\.(date|title|url)(?![\w-])/g, `.${RENAMED}$1`);
}
