import { foreignIn } from '../foreign.ts';
import type { OfficePackage } from '../package.ts';
import { relativeTarget } from '../ooxml/relationships.ts';
import {
  all,
  copyElement,
  type Element,
  type Foreign,
  type Node,
  remove,
  replace,
  walk,
} from '../xml/tree.ts';
import { declareNamespaces } from '../xml/adopt.ts';
import { splitParagraph } from './inline.ts';
import { DocxNumbering } from './numbering.ts';
import { mainPart } from '../ooxml/related.ts';
import { adoptStyles } from './subdocument-styles.ts';

/**
 * Inserts a Word document into another one, as python-docx-template does: the content of its body, with
 * everything that the content refers to. Styles of the same name are the template's; lists begin again.
 * Sections with their headers and footers, notes and comments are left out.
 */

/** Elements that only have a meaning in their own document. */
const LEFT_OUT = [
  'w:sectPr',
  'w:footnoteReference',
  'w:endnoteReference',
  'w:commentReference',
  'w:commentRangeStart',
  'w:commentRangeEnd',
  'w:headerReference',
  'w:footerReference',
];

/** A document that is inserted into others, as a new copy each time. */
export class Subdocument {
  readonly #file: OfficePackage;
  readonly #main: string;
  readonly #blocks: Element[];

  constructor(file: OfficePackage) {
    this.#file = file;
    this.#main = mainPart(file);
    const { root } = file.xml(this.#main);
    for (const element of all(root, ...LEFT_OUT)) remove(element);
    this.#blocks = root.elements('w:body').flatMap((body) => body.elements());
  }

  /**
   * Returns a copy of its content for a place in a part of another document.
   *
   * @param near element that will contain the content
   */
  blocksFor(target: OfficePackage, part: string, near: Element): Node[] {
    const blocks = this.#blocks.map((block) => {
      const copy = copyElement(block);
      declareNamespaces(copy, block, near);
      return copy;
    });
    this.#takeParts(blocks, target, part);
    const styles = adoptStyles(blocks, this.#file, target);
    DocxNumbering.adopt(target, [...blocks, ...styles.taken], this.#file);
    styles.save();
    return blocks;
  }

  /** Copies the pictures, links and other parts that the content refers to. */
  #takeParts(blocks: readonly Element[], target: OfficePackage, part: string): void {
    const source = this.#file.relationships(this.#main);
    const into = target.relationships(part);
    const taken = new Map<string, string>();
    for (const element of blocks.flatMap((block) => [...walk(block)])) {
      for (const attribute of element.attributes) {
        if (!attribute.tag.startsWith('r:')) continue;
        const relation = source.find(attribute.value);
        if (relation === undefined) continue;
        const type = relation.type;
        if (relation.external) attribute.value = into.add(type, relation.target, true);
        else if (relation.path !== null && this.#file.has(relation.path)) {
          const path = copyPart(this.#file, relation.path, target, taken);
          attribute.value = into.add(type, relativeTarget(part, path));
        }
      }
    }
  }
}

/** Copies a part and everything it refers to. @param taken new paths by source path */
function copyPart(
  source: OfficePackage,
  path: string,
  target: OfficePackage,
  taken: Map<string, string>,
): string {
  const known = taken.get(path);
  if (known !== undefined) return known;
  const dot = path.lastIndexOf('.');
  const [stem, ending] = [path.slice(0, dot).replace(/\d$/, ''), path.slice(dot + 1)];
  const bytes = source.bytes(path) ?? Buffer.alloc(0);
  const name = target.freePath(stem, ending);
  taken.set(path, name);
  target.set(name, bytes);
  const type = source.typeOf(path);
  if (type !== '') target.contentTypes().set(name, type);
  for (const { id, type: kind, target: address, external, path: below } of source
    .relationships(path)
    .list()) {
    const into = target.relationships(name);
    const added =
      external || below === null || !source.has(below)
        ? into.add(kind, address, external)
        : into.add(kind, relativeTarget(name, copyPart(source, below, target, taken)));
    if (added !== id) renameReference(target, name, id, added);
  }
  return name;
}

function renameReference(file: OfficePackage, part: string, from: string, to: string): void {
  const document = file.xml(part);
  for (const element of walk(document.root))
    for (const attribute of element.attributes)
      if (attribute.tag.startsWith('r:') && attribute.value === from) attribute.value = to;
  file.setXml(part, document);
}

/**
 * Inserts a document at its mark: it replaces a paragraph with no other content, or goes between the halves
 * of the paragraph.
 */
export function placeSubdocument(mark: Foreign, blocks: readonly Node[], paragraph: Element | null): void {
  const { parent } = mark;
  const owner = paragraph?.parent ?? null;
  if (parent === null) return;
  if (paragraph === null || owner === null) {
    replace(mark, ...blocks);
    return;
  }
  const next = owner.children[owner.children.indexOf(paragraph) + 1] ?? null;
  splitParagraph(mark);
  const rest = owner.children[owner.children.indexOf(paragraph) + 1] ?? null;
  owner.insertBefore(rest, ...blocks);
  if (isEmpty(paragraph)) remove(paragraph);
  if (rest !== null && rest !== next && rest.kind === 'element' && isEmpty(rest)) remove(rest);
}

function isEmpty(paragraph: Element): boolean {
  return (
    paragraph.textContent().trim() === '' &&
    all(paragraph, 'w:drawing', 'w:pict', 'w:object', 'w:br', 'w:sectPr').length === 0 &&
    foreignIn(paragraph).length === 0
  );
}
