import { type DefaultTreeAdapterTypes, parse } from 'parse5';

/**
 * Adds a template's style files to its filled html, in order, as `<style>` elements at the end of the head: after the
 * document's own styles (decision 11), every other byte as it was (decision 13).
 */
export function withStyles(html: string, styles: readonly string[]): string {
  if (styles.length === 0) return html;
  const at = endOfHead(html);
  // `<\/` is `</` in CSS (CSS Syntax 3, 4.3.7), and ends no element in html.
  const elements = styles.map((css) => `<style>\n${css.replace(/<\/(?=style)/gi, '<\\/')}\n</style>\n`);
  return html.slice(0, at) + elements.join('') + html.slice(at);
}

/** Offset where the head ends, whether its tags are written out or implied. */
function endOfHead(html: string): number {
  const document = parse(html, { sourceCodeLocationInfo: true });
  const root = elementNamed(document, 'html');
  const head = root && elementNamed(root, 'head');
  const location = head?.sourceCodeLocation;
  if (location?.endTag) return location.endTag.startOffset;
  const lastChild = head?.childNodes.findLast((node) => node.sourceCodeLocation);
  return (
    lastChild?.sourceCodeLocation?.endOffset ??
    location?.startTag?.endOffset ??
    root?.sourceCodeLocation?.startTag?.endOffset ??
    document.childNodes.find((node) => node.nodeName === '#documentType')?.sourceCodeLocation?.endOffset ??
    0
  );
}

function elementNamed(
  parent: DefaultTreeAdapterTypes.ParentNode,
  name: string,
): DefaultTreeAdapterTypes.Element | undefined {
  return parent.childNodes.find(
    (node): node is DefaultTreeAdapterTypes.Element => 'tagName' in node && node.tagName === name,
  );
}
