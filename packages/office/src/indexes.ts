import { fieldsIn, instructionOf } from './docx/fields.ts';
import { findTokens, type ParsedTag, UnclosedTag } from './tags.ts';
import { all, type Element, type Text, walk } from './xml/tree.ts';

/**
 * Tables of contents, other indexes and references contain copies of text, including tags of headings,
 * outside the loops that contain these headings. When the variable of such a tag is unknown, the tag prints
 * nothing until the program that opens the document updates the copy.
 */

/** The variable at the start of an output. */
const VARIABLE = /^\s*((?!not\b)[\p{L}_][\p{L}\p{N}_]*)/u;
/** Fields that show text from elsewhere in the document (ECMA-376, 17.16.5). */
const COPY = /^\s*(?:TOC|INDEX|TOA|REF|STYLEREF)\b/i;

/** Guards the tags in the indexes and references of a Word document, and makes Word update these fields. */
export function guardFields(root: Element): void {
  const begins = new Map<Element, Element>();
  // Of fields within each other, the outer one is the last, and counts.
  for (const field of fieldsIn(root)) {
    if (!COPY.test(instructionOf(field))) continue;
    for (const text of field.texts) begins.set(text, field.begin);
  }
  const paragraphs = new Map<Element, { texts: Text[]; begin: Element }>();
  let paragraph: Element = root;
  for (const element of walk(root)) {
    if (element.tag === 'w:p') paragraph = element;
    if (element.tag !== 'w:t') continue;
    const begin = begins.get(element);
    if (begin === undefined) continue;
    const known = paragraphs.get(paragraph) ?? { texts: [], begin };
    for (const text of textsOf(element)) known.texts.push(text);
    paragraphs.set(paragraph, known);
  }
  for (const { texts, begin } of paragraphs.values()) if (guard(texts)) begin.set('w:dirty', 'true');
}

/** Guards the tags in the indexes of an OpenDocument text. */
export function guardIndexBodies(root: Element): void {
  for (const body of all(root, 'text:index-body'))
    for (const paragraph of all(body, 'text:p')) guard([...walk(paragraph)].flatMap(textsOf));
}

function textsOf(element: Element): Text[] {
  return element.children.filter((child) => child.kind === 'text');
}

/** The change to a tag: a condition around it, or its removal. */
interface Edit {
  start: number;
  end: number;
  variable: string | undefined;
}

/**
 * Wraps each output of a paragraph in a condition and removes block tags. @returns whether there was any tag
 */
function guard(texts: readonly Text[]): boolean {
  const whole = texts.map(({ text }) => text).join('');
  const edits = editsOf(whole);
  let start = 0;
  for (const text of texts) {
    const end = start + text.text.length;
    let at = start;
    let result = '';
    for (const edit of edits.filter((one) => one.start < end && one.end > start)) {
      result += whole.slice(at, Math.max(at, edit.start));
      at = Math.min(edit.end, end);
      if (edit.variable === undefined) continue;
      if (edit.start >= start) result += `{% if ${edit.variable} %}`;
      result += whole.slice(Math.max(start, edit.start), at);
      if (edit.end <= end) result += '{% endif %}';
    }
    text.text = result + whole.slice(at, end);
    start = end;
  }
  return edits.length > 0;
}

function editsOf(text: string): Edit[] {
  try {
    return findTokens(text).flatMap((token) =>
      token.type !== 'tag' || token.tag.type === 'comment'
        ? []
        : [{ start: token.start, end: token.end, variable: variableOf(token.tag) }],
    );
  } catch (error) {
    // The search for the part's tags reports the error later, with its place.
    if (!(error instanceof UnclosedTag)) throw error;
    return [];
  }
}

function variableOf({ type, body }: ParsedTag): string | undefined {
  return type === 'output' ? VARIABLE.exec(body)?.[1] : undefined;
}
