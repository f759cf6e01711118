import MarkdownIt from 'markdown-it';
import {
  defaultTreeAdapter as tree,
  type DefaultTreeAdapterTypes as Tree,
  html as H,
  parse,
  parseFragment,
  serialize,
} from 'parse5';
import type { SentFile } from './form.ts';
import { RequestError } from './request-error.ts';

/** Inlines the files that an `index.html` references, because Platen takes a single HTML file. */

/** Attributes whose value may be the name of a file. */
const NAMING: ReadonlySet<string> = new Set([
  'src',
  'href',
  'poster',
  'data',
  'background',
  'srcset',
  'xlink:href',
]);
/** Elements whose `href` is a link and not a resource to load. */
const LINKS: ReadonlySet<string> = new Set(['a', 'area', 'base']);

/** Maximum characters that are inlined in one document; a file counts each time it is referenced. */
const MAX_INLINED = 64 * 1024 * 1024;

/** Maps file names to inlined content, and limits the total inserted into a document to `MAX_INLINED`. */
class Inlined {
  readonly #texts = new Map<string, string>();
  #taken = 0;

  set(name: string, text: string): void {
    this.#texts.set(name, text);
  }

  /**
   * Returns the content of a file; undefined if there is no file of that name.
   *
   * @throws RequestError if the total exceeds the limit
   */
  take(name: string): string | undefined {
    const text = this.#texts.get(name);
    this.#taken += text?.length ?? 0;
    if (this.#taken > MAX_INLINED)
      throw new RequestError(
        413,
        'The files, as often as they are named, make a document of more than 64 MB',
      );
    return text;
  }
}

/** Returns the document with its referenced files inlined. @throws RequestError if they are too large */
export async function withAssets(html: string, files: readonly SentFile[]): Promise<string> {
  if (files.length === 0) return html;
  const assets = new Inlined();
  for (const { name, content } of files.filter((file) => !file.name.endsWith('.css'))) {
    assets.set(name, await dataAddress(content, name));
  }
  // Style sheets reference images, fonts and other style sheets; each one can include those processed before
  // it.
  for (const { name, content } of files.filter((file) => file.name.endsWith('.css'))) {
    const css = new Blob([inCss(await content.text(), assets)]);
    assets.set(name, await dataAddress(css, name));
  }
  const document = parse(html);
  for (const element of elementsOf(document)) {
    for (const attribute of element.attrs) {
      if (attribute.name === 'style') attribute.value = inCss(attribute.value, assets);
      else if (NAMING.has(attribute.name) && !LINKS.has(element.tagName)) {
        attribute.value = assets.take(assetName(attribute.value)) ?? attribute.value;
      }
    }
    if (element.tagName === 'style') {
      for (const child of element.childNodes)
        if (tree.isTextNode(child)) child.value = inCss(child.value, assets);
    }
  }
  return serialize(document);
}

/** Returns the document with `address` as its base URL, unless it has a `<base>` element. */
export function withBase(html: string, address: string): string {
  const document = parse(html);
  const elements = [...elementsOf(document)];
  if (elements.some(({ tagName }) => tagName === 'base')) return serialize(document);
  const base = tree.createElement('base', H.NS.HTML, [{ name: 'href', value: address }]);
  const head = elements.find(({ tagName }) => tagName === 'head');
  const [first] = head?.childNodes ?? [];
  if (head !== undefined && first !== undefined) tree.insertBefore(head, base, first);
  else if (head !== undefined) tree.appendChild(head, base);
  return serialize(document);
}

/** Returns the file name in a relative address: `logo.png` for `./logo.png`. */
function assetName(address: string): string {
  const path = address.trim().replace(/^\.\//, '').split(/[?#]/, 1).join('');
  try {
    return decodeURIComponent(path);
  } catch {
    // The percent sign does not begin an escape sequence, so it is part of the name.
    return path;
  }
}

function inCss(css: string, assets: Inlined): string {
  return css.replace(
    /url\( ?(["']?)([^"')]{1,500})\1 ?\)/g,
    (whole: string, _quote: string, address: string) => {
      const data = assets.take(assetName(address));
      return data === undefined ? whole : `url("${data}")`;
    },
  );
}

const TYPES: Readonly<Record<string, string>> = {
  css: 'text/css',
  htm: 'text/html',
  html: 'text/html',
  js: 'text/javascript',
  mjs: 'text/javascript',
  svg: 'image/svg+xml',
  png: 'image/png',
  jpg: 'image/jpeg',
  jpeg: 'image/jpeg',
  gif: 'image/gif',
  webp: 'image/webp',
  ttf: 'font/ttf',
  otf: 'font/otf',
  woff: 'font/woff',
  woff2: 'font/woff2',
};

async function dataAddress(content: Blob, name: string): Promise<string> {
  const type = TYPES[name.split('.').at(-1)?.toLowerCase() ?? ''] ?? 'application/octet-stream';
  return `data:${type};base64,${Buffer.from(await content.arrayBuffer()).toString('base64')}`;
}

function* elementsOf(node: Tree.ParentNode): Generator<Tree.Element> {
  for (const child of node.childNodes) {
    if (!tree.isElementNode(child)) continue;
    yield child;
    yield* elementsOf(child.tagName === 'template' ? (child as Tree.Template).content : child);
  }
}

/**
 * Inserts markdown files where an `index.html` has Go's `{{ toHTML "file.md" }}`.
 *
 * @throws RequestError for a file that was not sent, or if the total exceeds the limit
 */
export async function withMarkdown(html: string, files: readonly SentFile[]): Promise<string> {
  const markdown = new MarkdownIt({ html: true, linkify: true });
  const texts = new Inlined();
  for (const { name, content } of files.filter((file) => /\.(md|markdown)$/i.test(file.name))) {
    texts.set(name, withoutScripts(markdown.render(await content.text())));
  }
  return html.replace(
    /\{\{-? {0,9}toHTML {1,9}(["'`])([^"'`]{1,255})\1 {0,9}-?\}\}/g,
    (_, _quote: string, name: string) => {
      const text = texts.take(name);
      if (text === undefined) throw new RequestError(400, `The markdown file '${name}' is missing`);
      return text;
    },
  );
}

/**
 * Removes scripts, frames, event handlers and elements of other namespaces from rendered markdown, as
 * Gotenberg does.
 */
function withoutScripts(html: string): string {
  const fragment = parseFragment(html);
  // The elements are collected before any is removed, because removal would disturb the traversal.
  for (const element of Array.from(elementsOf(fragment))) {
    if (element.tagName === 'script' || element.tagName === 'iframe' || element.namespaceURI !== H.NS.HTML)
      tree.detachNode(element);
    element.attrs = element.attrs.filter(
      ({ name, value }) => !name.startsWith('on') && !/^\s*javascript:/i.test(value),
    );
  }
  return serialize(fragment);
}
