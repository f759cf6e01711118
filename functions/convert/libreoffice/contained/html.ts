import { type DefaultTreeAdapterTypes, defaultTreeAdapter, parse, serialize } from 'parse5';
import { readDataAddress } from '@platen/core/data-address';
import { cleanDrawing } from './drawing.ts';
import { isOwnOrPixels, withoutOutsideUrls } from './rules.ts';

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

/** Attributes whose address is loaded; `href` besides, on elements that are no links. */
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
  // `meta http-equiv=refresh` loads another page; the other kinds are harmless, and one says the encoding.
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

/** What an element loads: pictures in the address itself, of SVG what leads nowhere; null where it is anything else. */
function cleanAddress(address: string): string | null {
  if (isOwnOrPixels(address)) return address;
  const data = readDataAddress(address);
  const drawing = data === null ? null : cleanDrawing(data.bytes);
  return drawing === null ? null : `data:image/svg+xml;base64,${drawing.toString('base64')}`;
}
