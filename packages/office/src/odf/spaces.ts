import { make } from '../xml/build.ts';
import { all, type Element, type Node, replace, Text } from '../xml/tree.ts';

/** White space in OpenDocument text, of which several are one, and none begins a paragraph (ODF 1.3 part 3, 6.1.2). */

export const PARAGRAPHS: ReadonlySet<string> = new Set(['text:p', 'text:h']);

/** Folds the white space of a text: beside a tag, it is kept as it is. Calc, other than the standard, folds none. */
export function foldSpaces(root: Element): void {
  for (const paragraph of all(root, ...PARAGRAPHS)) foldIn(paragraph, true);
}

/** Elements that stand in a paragraph as a character does. */
const CHARACTER = /^(?:draw:|text:(?:s|tab|line-break|note)$)/;
/** Elements that are no part of a paragraph's text, though they stand in it. */
const ASIDE: ReadonlySet<string> = new Set([...PARAGRAPHS, 'office:annotation']);

/** @returns whether a space that follows would be folded */
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
 * White space that OpenDocument would fold (ODF 1.3 part 3, 6.1.2) becomes elements. Only where tags were: the rest
 * is as the editor wrote it.
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

/** Text with its spaces kept. @param afterSpace whether a space before it would fold its first one */
export function spaced(text: string, near: Element, afterSpace: boolean): Node[] {
  const nodes: Node[] = [];
  let follows = afterSpace;
  for (const piece of text.split(/( +)/)) {
    if (piece === '') continue;
    if (!piece.startsWith(' ')) nodes.push(new Text(piece));
    else {
      // One space is text, unless it stands where it would be folded into the one before or the beginning.
      const folded = piece.length - (follows ? 0 : 1);
      if (!follows) nodes.push(new Text(' '));
      if (folded > 0) nodes.push(make(near, 'text:s', { 'text:c': folded > 1 ? folded : undefined }));
    }
    follows = piece.startsWith(' ');
  }
  return nodes;
}
