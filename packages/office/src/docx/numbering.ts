import type { OfficePackage } from '../package.ts';
import type { ListMark } from '../html/model.ts';
import { relativeTarget } from '../ooxml/relationships.ts';
import { make } from '../xml/build.ts';
import { parseXml, type XmlDocument } from '../xml/parse.ts';
import { type Element } from '../xml/tree.ts';

/** Lists of Word: each list gets a number of its own, so that its items count from its own start. */

const DOCUMENT = 'word/document.xml';
const TYPE = 'application/vnd.openxmlformats-officedocument.wordprocessingml.numbering+xml';
const EMPTY =
  '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n<w:numbering xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"/>';

const BULLETS = ['•', '◦', '▪'];
const FORMATS: Readonly<Record<ListMark, string>> = {
  bullet: 'bullet',
  decimal: 'decimal',
  'lower-alpha': 'lowerLetter',
  'upper-alpha': 'upperLetter',
  'lower-roman': 'lowerRoman',
  'upper-roman': 'upperRoman',
  none: 'none',
};
const LEVELS = 9;
/** Indent of each level in twentieths of a point. */
export const INDENT = 720;

const kept = new WeakMap<OfficePackage, DocxNumbering>();

/** The lists of a document. */
export class DocxNumbering {
  readonly #path: string;
  readonly #document: XmlDocument;
  readonly #next: { list: number; definition: number };
  readonly #abstract = new Map<ListMark, number>();

  /** Returns the lists of a document. */
  static of(file: OfficePackage): DocxNumbering {
    const known = kept.get(file) ?? new DocxNumbering(file);
    kept.set(file, known);
    return known;
  }

  /** Writes the lists that have been added. */
  static save(file: OfficePackage): void {
    const numbering = kept.get(file);
    if (numbering !== undefined) file.setXml(numbering.#path, numbering.#document);
  }

  private constructor(file: OfficePackage) {
    const relations = file.relationships(DOCUMENT);
    const known = relations
      .list()
      .find(({ type, path }) => type === 'numbering' && path !== null && file.has(path));
    this.#path = known?.path ?? 'word/numbering.xml';
    this.#document = known === undefined ? parseXml(Buffer.from(EMPTY)) : file.xml(this.#path);
    const { root } = this.#document;
    this.#next = {
      list: nextId(root, 'w:num', 'w:numId'),
      definition: nextId(root, 'w:abstractNum', 'w:abstractNumId'),
    };
    if (known !== undefined) return;
    file.contentTypes().set(this.#path, TYPE);
    relations.add('numbering', relativeTarget(DOCUMENT, this.#path));
  }

  /** Adds a list at a level, or continues one at another number. @returns the list's number */
  list(mark: ListMark, level: number, start: number): number {
    const { root } = this.#document;
    const abstract = this.#abstract.get(mark) ?? this.#addAbstract(root, mark);
    const id = this.#next.list;
    this.#next.list += 1;
    const override = make(
      root,
      'w:lvlOverride',
      { 'w:ilvl': level },
      make(root, 'w:startOverride', { 'w:val': start }),
    );
    const number = make(
      root,
      'w:num',
      { 'w:numId': id },
      make(root, 'w:abstractNumId', { 'w:val': abstract }),
      ...(isNumbered(mark) ? [override] : []),
    );
    root.insertBefore(root.first('w:numIdMacAtCleanup') ?? null, number);
    return id;
  }

  #addAbstract(root: Element, mark: ListMark): number {
    const id = this.#next.definition;
    this.#next.definition += 1;
    const levels = Array.from({ length: LEVELS }, (_, level) => {
      const bullet = mark === 'none' ? '' : (BULLETS[level % 3] ?? '•');
      const text = isNumbered(mark) ? `%${level + 1}.` : bullet;
      return make(
        root,
        'w:lvl',
        { 'w:ilvl': level },
        make(root, 'w:start', { 'w:val': 1 }),
        make(root, 'w:numFmt', { 'w:val': FORMATS[mark] }),
        make(root, 'w:lvlText', { 'w:val': text }),
        make(root, 'w:lvlJc', { 'w:val': 'left' }),
        make(root, 'w:pPr', {}, make(root, 'w:ind', { 'w:left': INDENT * (level + 1), 'w:hanging': 360 })),
      );
    });
    const abstract = make(
      root,
      'w:abstractNum',
      { 'w:abstractNumId': id },
      make(root, 'w:multiLevelType', { 'w:val': 'hybridMultilevel' }),
      ...levels,
    );
    // All abstract definitions precede all lists (ECMA-376, 17.9.16).
    root.insertBefore(root.elements('w:num')[0] ?? null, abstract);
    this.#abstract.set(mark, id);
    return id;
  }
}

function isNumbered(mark: ListMark): boolean {
  return mark !== 'bullet' && mark !== 'none';
}

function nextId(root: Element, tag: string, attribute: string): number {
  return Math.max(0, ...root.elements(tag).map((element) => Number(element.get(attribute) ?? 0))) + 1;
}
