import { type DefaultTreeAdapterTypes, defaultTreeAdapter, parse, serialize } from 'parse5';
import { readDataAddress } from '@platen/core/text';
import { cleanDrawing } from './drawing.ts';
import { isOwnOrPixels, withoutOutsideUrls } from './rules.ts';

/**
 * LibreOffice loads files that html names from the disk, regardless of its settings. This module removes all
 * references to files from the html; `data:` URLs, which are part of the text, stay.
 */

/** Elements that only load something, or that run code. */
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

/** Attributes with an address that is loaded; also `href`, on elements that are not links. */
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

/** Returns html without anything that would be loaded from elsewhere. */
export function selfContained(html: string): string {
  const document = parse(html);
  clean(document);
  return serialize(document);
}

function clean(root: DefaultTreeAdapterTypes.ParentNode): void {
  // A loop instead of recursion, as elements may be nested deeper than the stack.
  const open: DefaultTreeAdapterTypes.ParentNode[] = [root];
  for (let parent = open.pop(); parent !== undefined; parent = open.pop()) {
    // A copy, because elements are removed during the loop.
    for (const node of parent.childNodes.slice()) {
      if (!('tagName' in node)) {
        if ('tagName' in parent && parent.tagName === 'style' && 'value' in node) {
          node.value = withoutOutsideUrls(node.value);
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
  // `meta http-equiv=refresh` loads another page; the other kinds are harmless, and one declares the encoding.
  const isRefresh = tagName === 'meta' && attrs.some(({ name }) => name === 'http-equiv');
  return DROPPED.has(tagName.toLowerCase()) || isRefresh;
}

function cleanAttributes(element: DefaultTreeAdapterTypes.Element): void {
  const isLink = element.tagName === 'a' || element.tagName === 'area';
  element.attrs = element.attrs.flatMap((attribute) => {
    const { name, value } = attribute;
    if (name === 'style') return { ...attribute, value: withoutOutsideUrls(value) };
    // An SVG within the text has addresses of its own.
    if (!LOADED.has(name) && (name !== 'href' || isLink)) return attribute;
    const clean = cleanAddress(value);
    return clean === null ? [] : { ...attribute, value: clean };
  });
}

/** Returns a `data:` address with a picture of pixels or a cleaned SVG; null for any other address. */
function cleanAddress(address: string): string | null {
  if (isOwnOrPixels(address)) return address;
  const data = readDataAddress(address);
  const drawing = data === null ? null : cleanDrawing(data.bytes);
  return drawing === null ? null : `data:image/svg+xml;base64,${drawing.toString('base64')}`;
}
