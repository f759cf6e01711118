import {
  type DefaultTreeAdapterTypes as Tree,
  defaultTreeAdapter as tree,
  html as spec,
  parse,
  serialize,
} from 'parse5';
import type { HtmlResource } from '../print.ts';

/** Classes that are filled in here, and with what. */
export type FilledClasses = Record<'date' | 'title' | 'url', string>;

/** Elements that run, load or rule the document: none of them has a place in a header or footer. */
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
/** As deep as browsers nest elements. */
const MAX_DEPTH = 512;
/** Attributes that hold one address. */
const ADDRESSES = new Set(['src', 'href', 'xlink:href', 'poster', 'background']);
/** Attributes in which addresses stand among other text. */
const WITH_ADDRESSES = new Set(['style', 'srcset']);

/**
 * Makes a custom header or footer, already filled with the data, fit to be printed (decision 20): no scripts, the
 * classes `date`, `title` and `url` filled in, images as `data:` addresses. `pageNumber` and `totalPages` are left to
 * the engine. Plain text keeps its line breaks.
 *
 * @returns html to be placed inside an element; `''` when there is nothing in it
 */
export function prepareCustom(
  text: string,
  values: FilledClasses,
  images: ReadonlyMap<string, HtmlResource>,
): string {
  // A whole document as well as a piece of one: style elements and the attributes of the body are kept. The parser
  // turns <image> into <img> (HTML, "in body" insertion mode).
  const { head, body } = parts(text);
  const sheets = head.childNodes.filter((node) => 'tagName' in node && node.tagName === 'style');
  const isPlain = sheets.length === 0 && body.childNodes.every((node) => node.nodeName === '#text');
  const box = tree.createElement('div', spec.NS.HTML, body.attrs);
  if (isPlain) box.attrs.push({ name: 'style', value: 'white-space:pre-line' });
  for (const node of [...sheets, ...body.childNodes]) {
    tree.detachNode(node);
    tree.appendChild(box, node);
  }
  clean(box, { values, inline: inliner(images) }, 0);
  if (
    box.childNodes.every((node) => node.nodeName === '#text' && 'value' in node && node.value.trim() === '')
  )
    return '';
  const whole = tree.createDocumentFragment();
  tree.appendChild(whole, box);
  return serialize(whole);
}

interface Cleaning {
  values: FilledClasses;
  /** Replaces the addresses of images in a text. */
  inline(text: string): string;
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
  for (const attribute of element.attrs) {
    const name =
      attribute.prefix === undefined || attribute.prefix === ''
        ? attribute.name
        : `${attribute.prefix}:${attribute.name}`;
    if (ADDRESSES.has(name)) attribute.value = cleanAddress(attribute.value, cleaning);
    else if (WITH_ADDRESSES.has(name)) attribute.value = cleaning.inline(attribute.value);
    else if (name === 'class') fillClasses(element, attribute, cleaning.values);
  }
  for (const child of element.childNodes.slice()) {
    if (!('tagName' in child)) {
      if (element.tagName === 'style' && 'value' in child) child.value = cleanSheet(child.value, cleaning);
    } else if (REMOVED.has(child.tagName)) tree.detachNode(child);
    else clean(child, cleaning, depth + 1);
  }
}

function cleanAddress(address: string, { inline }: Cleaning): string {
  // Browsers skip blanks and control characters in a scheme.
  const scheme = address
    .slice(0, 200)
    .replace(/[\p{Cc}\s]/gu, '')
    .toLowerCase();
  return scheme.startsWith('javascript:') ? '' : inline(address);
}

/** The filled classes go by another name from here on, or Chromium would put its own date and address in. */
const RENAMED = 'platen-';

function fillClasses(element: Tree.Element, attribute: { value: string }, values: FilledClasses): void {
  const classes = attribute.value.split(/\s+/);
  const key = classes.find((name): name is keyof FilledClasses => Object.hasOwn(values, name));
  if (key === undefined) return;
  attribute.value = classes.map((name) => (Object.hasOwn(values, name) ? RENAMED + name : name)).join(' ');
  element.childNodes = [];
  tree.insertText(element, values[key]);
  // A title in Arabic must not turn the date beside it around.
  if (element.attrs.every(({ name }) => name !== 'dir')) element.attrs.push({ name: 'dir', value: 'auto' });
}

function cleanSheet(css: string, { inline }: Cleaning): string {
  return inline(css).replace(/\.(date|title|url)(?![\w-])/g, `.${RENAMED}$1`);
}

/** Puts `data:` addresses in place of those of the images; the longest first, as one may begin another. */
function inliner(images: ReadonlyMap<string, HtmlResource>): (text: string) => string {
  const addresses = [...images.keys()].toSorted((a, b) => b.length - a.length);
  return (text) =>
    addresses.reduce((changed, address) => {
      const image = images.get(address);
      return image === undefined || !changed.includes(address)
        ? changed
        : changed.replaceAll(address, dataUrl(image));
    }, text);
}

function dataUrl({ contentType, bytes }: HtmlResource): string {
  const base64 = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('base64');
  return `data:${contentType};base64,${base64}`;
}
