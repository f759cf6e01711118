import { type DefaultTreeAdapterTypes, defaultTreeAdapter, parse, serialize } from 'parse5';

/**
 * LibreOffice loads what html names from the disk, whatever its settings say. So html is given to it with nothing in
 * it that could be loaded: what is part of the text itself, as a `data:` address, stays.
 */

/** Elements that are nothing but something loaded, or that act. */
const DROPPED: ReadonlySet<string> = new Set([
  'applet',
  'audio',
  'base',
  'bgsound',
  'embed',
  'frame',
  'frameset',
  'iframe',
  'link',
  'noscript',
  'object',
  'script',
  'source',
  'template',
  'track',
  'video',
]);

/** Attributes whose address is loaded. `href` is not among them: the elements that load it are dropped. */
const LOADED: ReadonlySet<string> = new Set([
  'action',
  'archive',
  'background',
  'classid',
  'codebase',
  'data',
  'dynsrc',
  'lowsrc',
  'poster',
  'src',
  'srcset',
]);

/** In styles, `url(…)` with anything but a `data:` address in it; and what could hide one, an escape. */
const STYLE_ADDRESS = /url\s*\((?!\s*["']?\s*data:)[^)]*\)?|@import[^;]*;?|\\/gi;

/** Text of html with everything taken out that would be loaded from elsewhere. */
export function selfContained(html: string): string {
  const document = parse(html);
  clean(document);
  return serialize(document);
}

function clean(root: DefaultTreeAdapterTypes.ParentNode): void {
  // Not by recursion: documents may be nested deeper than the stack.
  const open: DefaultTreeAdapterTypes.ParentNode[] = [root];
  for (let parent = open.pop(); parent !== undefined; parent = open.pop()) {
    // A copy: elements are dropped on the way.
    for (const node of parent.childNodes.slice()) {
      if (!('tagName' in node)) {
        if ('tagName' in parent && parent.tagName === 'style' && 'value' in node) {
          node.value = withoutAddresses(node.value);
        }
        continue;
      }
      if (isDropped(node)) defaultTreeAdapter.detachNode(node);
      else {
        cleanAttributes(node);
        open.push(node);
      }
    }
  }
}

function isDropped({ tagName, attrs }: DefaultTreeAdapterTypes.Element): boolean {
  // `meta http-equiv=refresh` loads another page; the other kinds are harmless, and one says the encoding.
  const isRefresh = tagName === 'meta' && attrs.some(({ name }) => name === 'http-equiv');
  return DROPPED.has(tagName.toLowerCase()) || isRefresh;
}

function cleanAttributes(element: DefaultTreeAdapterTypes.Element): void {
  element.attrs = element.attrs.filter(({ name, value }) => !LOADED.has(name) || /^\s*data:/i.test(value));
  for (const attribute of element.attrs) {
    if (attribute.name === 'style') attribute.value = withoutAddresses(attribute.value);
  }
}

function withoutAddresses(style: string): string {
  return style.replace(STYLE_ADDRESS, '');
}
