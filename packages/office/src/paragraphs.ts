import type { FormatTable } from './formats/table.ts';
import { findTokens, PictureTag, type Place, RawText, Tag, type Token, UnclosedTag } from './tags.ts';
import { closest, type Element, type Foreign, type Node, remove, replace, Text } from './xml/tree.ts';

/**
 * Finds tags in the text of paragraphs, across any runs into which an editor has split it, and replaces each
 * by a node.
 */

/** One stretch of a paragraph's text: a text node, or an element that stands for a character. */
interface Segment {
  node: Text | Element;
  text: string;
}

/** Maximum characters of one paragraph. */
const MAX_TEXT = 20_000_000;

/** The text as the user sees it: all segments of a paragraph joined. */
export interface Paragraph {
  element: Element;
  number: number;
  segments: Segment[];
}

/** A fault in a template, with its place. */
export class TemplateFault extends Error {
  override readonly name = 'TemplateFault';
  readonly part: string;
  readonly paragraph: number;
  readonly cell: string | undefined;
  readonly source: string;

  constructor(message: string, { part, paragraph, cell }: Place, source = '') {
    super(message);
    this.cell = cell;
    this.part = part;
    this.paragraph = paragraph;
    this.source = source;
  }
}

/**
 * Returns the paragraphs of a part in document order; nested ones (text boxes) follow those that contain
 * them.
 */
export function paragraphsOf(root: Element, table: FormatTable): Paragraph[] {
  const found: Paragraph[] = [];
  const visit = (element: Element, paragraph: Paragraph | null): void => {
    // What has been deleted with changes tracked, and is not in the text (ODF 1.3 part 3, 5.5.1).
    if (element.tag === 'text:tracked-changes') return;
    let current = paragraph;
    if (table.paragraphs.has(element.tag) || table.plain.has(element.tag)) {
      current = { element, number: found.length + 1, segments: [] };
      found.push(current);
    }
    const isLeaf = table.leaves === null ? current !== null : table.leaves.has(element.tag);
    const takesText = isLeaf || (current !== null && table.plain.has(current.element.tag));
    for (const child of element.children) {
      if (child.kind === 'text') {
        if (takesText) current?.segments.push({ node: child, text: child.text });
      } else if (child.kind === 'element') {
        const character = current === null ? undefined : table.characters.get(child.tag);
        if (character === undefined) visit(child, current);
        else current?.segments.push({ node: child, text: repeated(character, child) });
      }
    }
  };
  visit(root, null);
  return found;
}

/** Repeats a character: `text:s` states its number of spaces. */
function repeated(character: string, element: Element): string {
  const count = element.tag === 'text:s' ? Number(element.get('text:c') ?? 1) : 1;
  return count > 1 && count < 10_000 ? character.repeat(count) : character;
}

/**
 * Replaces the text of every tag in a paragraph by a node, in the segment where it begins.
 *
 * @param cell the cell that contains it, see `cellNames`
 * @returns the nodes; none when the paragraph contains no tag
 * @throws TemplateFault
 */
export function placeTags(paragraph: Paragraph, part: string, cell?: string): Foreign[] {
  const place: Place = { part, paragraph: paragraph.number, cell };
  const length = paragraph.segments.reduce((sum, segment) => sum + segment.text.length, 0);
  if (length > MAX_TEXT) throw new TemplateFault(`it has more than ${MAX_TEXT} characters`, place);
  const text = paragraph.segments.map((segment) => segment.text).join('');
  const tokens = tokensOf(text, place);
  if (tokens.length === 0) return [];
  markRich(tokens, text, paragraph.element);
  const placed: Foreign[] = [];
  let offset = 0;
  let first = 0;
  for (const segment of paragraph.segments) {
    const end = offset + segment.text.length;
    // Both lists are in order, so tokens that end before this segment are done.
    while ((tokens[first]?.end ?? Infinity) <= offset) first += 1;
    let last = first;
    while ((tokens[last]?.start ?? Infinity) < end) last += 1;
    fillSegment(segment, offset, text, tokens.slice(first, last), (token) => {
      const node = nodeFor(token, place);
      placed.push(node);
      return node;
    });
    offset = end;
  }
  return placed;
}

/** Tags whose value is formatted text, with any prefix. */
const RICH = /\|\s*(?:html|markdown)\s*(?:\(\s*\)\s*)?$/;
const TEXT_PARAGRAPHS: ReadonlySet<string> = new Set(['w:p', 'text:p', 'text:h']);
/** Elements whose paragraphs are the text of a cell or a shape, which cannot contain tables. */
const NO_TEXT: ReadonlySet<string> = new Set(['office:spreadsheet', 'office:presentation', 'office:drawing']);

/** Makes the result of `html` and `markdown` replace the run, or a paragraph with no other content (I-42). */
function markRich(tokens: readonly Token[], text: string, paragraph: Element): void {
  for (const token of tokens) {
    if (token.type !== 'tag' || token.tag.type !== 'output' || token.tag.level !== null) continue;
    if (!RICH.test(token.tag.body)) continue;
    const isAlone = (text.slice(0, token.start) + text.slice(token.end)).trim() === '';
    const isText = TEXT_PARAGRAPHS.has(paragraph.tag) && closest(paragraph, NO_TEXT) === null;
    token.tag.level = isAlone && isText ? 'p' : 'r';
  }
}

/**
 * Returns the tags of a continuous text.
 *
 * @throws TemplateFault
 */
export function tokensOf(text: string, place: Place): Token[] {
  try {
    return findTokens(text);
  } catch (error) {
    if (!(error instanceof UnclosedTag)) throw error;
    throw new TemplateFault(error.message, place, error.opening);
  }
}

/** Texts whose spaces at the ends count only if the text says so. */
const SPACED: ReadonlySet<string> = new Set(['w:t', 'x:t', 'm:t', 'w:instrText']);

function nodeFor(token: Token, place: Place): Foreign {
  switch (token.type) {
    case 'tag':
      return new Tag(token.tag, place);
    case 'picture':
      return new PictureTag(token.attributes, place);
    case 'raw':
      return new RawText(token.text);
  }
}

/**
 * Returns the remaining text and the tags of a segment that begins at `offset`.
 *
 * @param here the tags that overlap it
 */
function fillSegment(
  segment: Segment,
  offset: number,
  text: string,
  here: readonly Token[],
  make: (token: Token) => Foreign,
): void {
  const end = offset + segment.text.length;
  if (here.length === 0) return;
  const nodes: Node[] = [];
  let at = offset;
  for (const token of here) {
    if (token.start > at) nodes.push(new Text(text.slice(at, token.start)));
    if (token.start >= offset) nodes.push(make(token));
    at = Math.min(token.end, end);
  }
  if (at < end) nodes.push(new Text(text.slice(at, end)));
  const { node } = segment;
  if (node.kind === 'element') {
    // A tab or a break inside a tag is white space of the tag.
    remove(node);
    return;
  }
  const leaf = node.parent;
  replace(node, ...nodes);
  if (leaf !== null && SPACED.has(leaf.tag)) {
    leaf.set('xml:space', 'preserve');
  }
}
