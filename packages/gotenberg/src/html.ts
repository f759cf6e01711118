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

/** Combines an `index.html` with the files that it names into one file, because Platen takes a single one. */

/** Attributes that name a file. */
const NAMING: ReadonlySet<string> = new Set([
  'src',
  'href',
  'poster',
  'data',
  'background',
  'srcset',
  'xlink:href',
]);
/** Whose `href` leads away. */
const LINKS: ReadonlySet<string> = new Set(['a', 'area', 'base']);

/** All that one document takes in, characters: a file counts as often as it is named. */
const MAX_INLINED = 64 * 1024 * 1024;

/** Texts by the names of files, which a document takes in until it has `MAX_INLINED` of them. */
class Inlined {
  readonly #texts = new Map<string, string>();
  #taken = 0;

  set(name: string, text: string): void {
    this.#texts.set(name, text);
  }

  /** @returns undefined when no file has the name @throws RequestError for more than is taken in */
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

/** @returns the document with the files that it names in it @throws RequestError when they are too much */
export async function withAssets(html: string, files: readonly SentFile[]): Promise<string> {
  const assets = new Inlined();
  for (const { name, content } of files.filter((file) => !file.name.endsWith('.css'))) {
    assets.set(name, await dataAddress(content, name));
  }
  // Style sheets name images and fonts, and one another: the later after the earlier.
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

/** @returns the document with addresses that start from `address`, unless it says from where they do itself */
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

/** `./logo.png` is `logo.png`. */
function assetName(address: string): string {
  const path = address.trim().replace(/^\.\//, '').split(/[?#]/, 1).join('');
  try {
    return decodeURIComponent(path);
  } catch {
    // Not an escape: the name has a percent sign.
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
 * Puts markdown files in where an `index.html` asks for them by Go's `{{ toHTML "file.md" }}`.
 *
 * @throws RequestError for a file that was not sent, and for too much
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

/** Html in markdown is text with marks: what runs is taken out, as Gotenberg does. */
function withoutScripts(html: string): string {
  const fragment = parseFragment(html);
  // All of them first: what is taken out is not walked through.
  for (const element of Array.from(elementsOf(fragment))) {
    if (element.tagName === 'script' || element.tagName === 'iframe' || element.namespaceURI !== H.NS.HTML)
      tree.detachNode(element);
    element.attrs = element.attrs.filter(
      ({ name, value }) => !name.startsWith('on') && !/^\s*javascript:/i.test(value),
    );
  }
  return serialize(fragment);
}
