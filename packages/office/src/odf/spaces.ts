import { make } from '../xml/build.ts';
import { all, type Element, type Node, replace, Text } from '../xml/tree.ts';

/**
 * White space in OpenDocument text: a sequence counts as one space, and none begins a paragraph (ODF 1.3 part
 * 3, 6.1.2).
 */

export const PARAGRAPHS: ReadonlySet<string> = new Set(['text:p', 'text:h']);

/**
 * Collapses the white space of a text; text beside a tag stays unchanged. Calc, contrary to the standard,
 * does not collapse any.
 */
export function foldSpaces(root: Element): void {
  for (const paragraph of all(root, ...PARAGRAPHS)) foldIn(paragraph, true);
}

/** Elements that act as a character in a paragraph. */
const CHARACTER = /^(?:draw:|text:(?:s|tab|line-break|note)$)/;
/** Elements in a paragraph that do not belong to its text. */
const ASIDE: ReadonlySet<string> = new Set([...PARAGRAPHS, 'office:annotation']);

/** @returns whether a following space would be collapsed */
function foldIn(element: Element, afterSpace: boolean): boolean {
  let follows = afterSpace;
  for (const child of element.children) {
    if (child.kind === 'text') {
      const folded = child.text.replace(/[ \t\r\n]+/g, ' ');
      child.text = follows && folded.startsWith(' ') ? folded.slice(1) : folded;
      if (child.text !== '') follows = child.text.endsWith(' ');
    } else if (child.kind === 'element' && !ASIDE.has(child.tag)) {
      follows = CHARACTER.test(child.tag) ? false : foldIn(child, follows);
    }
  }
  return follows;
}

/**
 * Converts white space that OpenDocument would collapse (ODF 1.3 part 3, 6.1.2) to elements. This applies
 * only to paragraphs with tags; all others stay unchanged.
 */
export function keepSpaces(paragraph: Element): void {
  let afterSpace = true;
  const visit = (element: Element): void => {
    const hadTags = element.source?.children.some((child) => child.kind === 'foreign') ?? false;
    for (const child of element.children.slice()) {
      if (child.kind === 'text') {
        if (hadTags) replace(child, ...spaced(child.text, element, afterSpace));
        if (child.text !== '') afterSpace = /\s$/.test(child.text);
      } else if (child.kind === 'element') {
        if (child.tag === 'text:s' || child.tag === 'text:tab' || child.tag === 'text:line-break')
          afterSpace = true;
        else visit(child);
      }
    }
  };
  visit(paragraph);
}

/**
 * Converts a text to nodes that keep its spaces. @param afterSpace whether its first space would collapse
 * into a space before it
 */
export function spaced(text: string, near: Element, afterSpace: boolean): Node[] {
  const nodes: Node[] = [];
  let follows = afterSpace;
  for (const piece of text.split(/( +)/)) {
    if (piece === '') continue;
    if (!piece.startsWith(' ')) nodes.push(new Text(piece));
    else {
      // A single space stays text, unless it would collapse into the previous one or the beginning.
      const folded = piece.length - (follows ? 0 : 1);
      if (!follows) nodes.push(new Text(' '));
      if (folded > 0) nodes.push(make(near, 'text:s', { 'text:c': folded > 1 ? folded : undefined }));
    }
    follows = piece.startsWith(' ');
  }
  return nodes;
}
