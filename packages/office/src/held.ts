import { contentOf, isBlank, isLeafText } from './content.ts';
import type { FormatTable } from './formats/table.ts';
import { raise } from './structure.ts';
import { make } from './xml/build.ts';
import {
  all,
  closest,
  copyElement,
  type Element,
  Foreign,
  remove,
  replace,
  shallowCopy,
} from './xml/tree.ts';

/** Content of a document that a macro or a variable holds, and that is printed within a text. */

/** A block whose opening and closing tags do not enclose complete elements, or that is printed where these cannot be. */
export class BrokenStructure extends Error {
  override readonly name = 'BrokenStructure';
}

/** The content, as children of a stand-in for the element that contains it in the template. */
export class HeldContent extends Foreign {
  readonly holder: Element;

  /** @param owner the element of the template */
  constructor(owner: Element) {
    super();
    this.holder = shallowCopy(owner);
  }

  copy(): HeldContent {
    const copy = new HeldContent(this.holder);
    copy.holder.append(...copyElement(this.holder).children);
    return copy;
  }
}

/**
 * Puts held content into its place. Paragraphs and tables divide the paragraph in which they are printed, runs divide
 * the run.
 *
 * @throws BrokenStructure for rows, cells and other content that cannot stand within a text
 */
export function placeHeld(held: HeldContent, table: FormatTable): void {
  const paragraph = closest(held.parent, table.paragraphs);
  const content = held.holder.children.slice();
  const elements = held.holder.elements();
  const isPart = elements.some(({ tag }) =>
    [table.row, table.cell, table.item].some((tags) => tags.has(tag)),
  );
  if (paragraph?.parent == null || isPart)
    throw new BrokenStructure(
      `a macro or variable holds ${elements[0]?.name ?? 'elements'} and is printed where only text can stand`,
    );
  if (!elements.some((element) => isBlock(element, table))) {
    let top = held.parent;
    while (top !== null && top !== paragraph && (table.run.has(top.tag) || isLeafText(top, table)))
      top = top.parent;
    raise(held, top ?? paragraph, table);
    replace(held, ...content);
    return;
  }
  const section = paragraph.first('w:pPr')?.first('w:sectPr');
  if (section) remove(section);
  const texts = contentOf(paragraph, table);
  const at = texts.indexOf(held);
  // A paragraph of white space would remain beside the content.
  for (const side of [texts.slice(0, at), texts.slice(at + 1)])
    if (side.every(isBlank)) for (const node of side) remove(node);
  const owner = paragraph.parent;
  raise(held, owner, table);
  const isLast = texts.slice(at + 1).every(isBlank);
  const last = isLast ? elements.at(-1) : owner.children[owner.children.indexOf(held) + 1];
  replace(held, ...content);
  if (section && last?.kind === 'element') endSection(section, last);
}

function isBlock(element: Element, table: FormatTable): boolean {
  if (table.paragraphs.has(element.tag) || table.table.has(element.tag)) return true;
  return !table.run.has(element.tag) && all(element, ...table.paragraphs).length > 0;
}

/** Ends a section of Word with its last paragraph, or with an empty one after a table. */
function endSection(section: Element, last: Element): void {
  let paragraph = last;
  if (last.tag !== 'w:p') {
    paragraph = make(last, 'w:p');
    last.parent?.insertAfter(last, paragraph);
  }
  let properties = paragraph.first('w:pPr');
  if (properties === undefined) {
    properties = make(paragraph, 'w:pPr');
    paragraph.insertBefore(paragraph.children[0] ?? null, properties);
  }
  properties.append(section);
}
