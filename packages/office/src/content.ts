import type { FormatTable } from './formats/table.ts';
import { tagsIn } from './groups.ts';
import type { Tag } from './tags.ts';
import { closest, type Element, type Node, remove } from './xml/tree.ts';

/** Collects a paragraph's content across its elements, and joins paragraphs when a tag requests it. */

/**
 * `{%-` at the beginning of a paragraph joins it to the previous one, `-%}` at the end joins the next one to
 * it, and white space stays (python-docx-template). Elsewhere they remove the white space beside them, as in
 * Jinja2.
 */
export function joinParagraphs(root: Element, table: FormatTable): void {
  for (const tag of tagsIn(root)) {
    if (tag.level !== null || (!tag.trimLeft && !tag.trimRight)) continue;
    let paragraph = closest(tag.parent, table.paragraphs);
    if (paragraph === null) continue;
    if (tag.trimLeft) {
      const previous = isFirst(tag, paragraph, table) ? sibling(paragraph, -1, table) : null;
      if (previous === null) trimBefore(tag, paragraph, table);
      else {
        moveContent(paragraph, previous, table);
        paragraph = previous;
      }
    }
    if (tag.trimRight) {
      const next = isLast(tag, paragraph, table) ? sibling(paragraph, 1, table) : null;
      if (next === null) trimAfter(tag, paragraph, table);
      else moveContent(next, paragraph, table);
    }
  }
}

function trimBefore(tag: Tag, paragraph: Element, table: FormatTable): void {
  const content = contentOf(paragraph, table);
  trim(content.slice(0, content.indexOf(tag)).toReversed(), (text) => text.trimEnd(), table);
}

function trimAfter(tag: Tag, paragraph: Element, table: FormatTable): void {
  const content = contentOf(paragraph, table);
  trim(content.slice(content.indexOf(tag) + 1), (text) => text.trimStart(), table);
}

/**
 * Removes the white space beside a tag, given the content from there on. A tag beside a line break joins the lines as
 * it joins paragraphs: the white space of the other line stays.
 */
function trim(content: readonly Node[], cut: (text: string) => string, table: FormatTable): void {
  let joins = false;
  for (const node of content) {
    if (node.kind === 'text') {
      if (!joins) node.text = cut(node.text);
      // The blanks of a joined line may be meant.
      if (joins || node.text !== '') return;
    } else {
      const character = node.kind === 'element' ? spaceOf(node, table) : '';
      if (character === '' || (joins && character !== '\n')) return;
      joins ||= character === '\n';
      remove(node);
    }
  }
}

/** Returns the white space that an element stands for, `''` if none. Page and column breaks are none. */
function spaceOf(element: Element, table: FormatTable): string {
  const type = element.get('w:type');
  if (type === 'page' || type === 'column') return '';
  const character = table.characters.get(element.tag) ?? '';
  return character.trim() === '' ? character : '';
}

function sibling(paragraph: Element, step: 1 | -1, table: FormatTable): Element | null {
  const { parent } = paragraph;
  if (parent === null) return null;
  let at = parent.children.indexOf(paragraph) + step;
  for (; at >= 0 && at < parent.children.length; at += step) {
    const node = parent.children[at];
    if (node?.kind === 'text' && node.text.trim() === '') continue;
    return node?.kind === 'element' && table.paragraphs.has(node.tag) ? node : null;
  }
  return null;
}

function moveContent(from: Element, to: Element, table: FormatTable): void {
  const moved = from.children.filter((child) => child.kind !== 'element' || !table.properties.has(child.tag));
  // A section ends with its paragraph, so its properties move along.
  const section = from.first('w:pPr')?.first('w:sectPr');
  remove(from);
  // `a:endParaRPr` is the last child of a paragraph.
  const end = to.first('a:endParaRPr');
  if (end) remove(end);
  to.append(...moved);
  const properties = to.first('w:pPr');
  if (section && properties) properties.append(section);
}

/** Returns the texts and foreign nodes of a paragraph in order. */
export function contentOf(paragraph: Element, table: FormatTable): Node[] {
  const found: Node[] = [];
  const visit = (element: Element): void => {
    for (const child of element.children) {
      if (child.kind === 'element') {
        if (table.solid.has(child.tag) || table.characters.has(child.tag)) found.push(child);
        else if (!table.properties.has(child.tag) && !table.paragraphs.has(child.tag)) visit(child);
      } else if (child.kind === 'foreign' || (child.kind === 'text' && isLeafText(child.parent, table)))
        found.push(child);
    }
  };
  visit(paragraph);
  return found;
}

export function isLeafText(parent: Element | null, table: FormatTable): boolean {
  return (
    parent !== null && (table.leaves === null || table.leaves.has(parent.tag) || table.plain.has(parent.tag))
  );
}

export function isBlank(node: Node): boolean {
  return node.kind === 'text' && node.text.trim() === '';
}

function isFirst(tag: Tag, paragraph: Element, table: FormatTable): boolean {
  return contentOf(paragraph, table).find((node) => !isBlank(node)) === tag;
}

function isLast(tag: Tag, paragraph: Element, table: FormatTable): boolean {
  return contentOf(paragraph, table).findLast((node) => !isBlank(node)) === tag;
}
