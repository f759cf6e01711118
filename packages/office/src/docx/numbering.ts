import type { OfficePackage } from '../package.ts';
import type { ListMark } from '../html/model.ts';
import { adopted } from '../xml/adopt.ts';
import { make } from '../xml/build.ts';
import type { XmlDocument } from '../xml/parse.ts';
import { all, copyElement, type Element, remove } from '../xml/tree.ts';
import { nextNumber } from './ids.ts';
import { relatedPart } from '../ooxml/related.ts';
import { requiredPart } from './parts.ts';

/** Lists of Word: each list gets a number of its own, so that its items count from its own start. */

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
  /** The lists by number. */
  readonly #numbers: Map<string, Element>;
  /** The element that follows all lists. */
  readonly #end: Element | null;

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
    this.#path = requiredPart(file, 'numbering');
    this.#document = file.xml(this.#path);
    const { root } = this.#document;
    const numbers = root.elements('w:num');
    this.#numbers = new Map(numbers.map((number) => [number.get('w:numId') ?? '', number]));
    this.#end = root.first('w:numIdMacAtCleanup') ?? null;
    this.#next = {
      list: nextNumber(numbers, 'w:numId'),
      definition: nextNumber(root.elements('w:abstractNum'), 'w:abstractNumId'),
    };
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
    this.#append(number);
    return id;
  }

  /** Adds a list that begins again with the look of another one. @returns its number; null for an unknown list */
  again(list: string): string | null {
    const { root } = this.#document;
    const number = this.#numbers.get(list);
    const abstract = this.definitionOf(list);
    if (number === undefined || abstract === undefined) return null;
    const copy = copyElement(number);
    copy.set('w:numId', String(this.#next.list));
    for (const level of abstract.elements('w:lvl')) {
      const place = level.get('w:ilvl') ?? '0';
      let override = copy.elements('w:lvlOverride').find((one) => one.get('w:ilvl') === place);
      if (override === undefined) copy.append((override = make(root, 'w:lvlOverride', { 'w:ilvl': place })));
      if (override.first('w:startOverride') !== undefined) continue;
      const start = (override.first('w:lvl') ?? level).first('w:start')?.get('w:val') ?? '1';
      override.insertBefore(override.children[0] ?? null, make(root, 'w:startOverride', { 'w:val': start }));
    }
    this.#append(copy);
    this.#next.list += 1;
    return copy.get('w:numId') ?? null;
  }

  /** Returns the list with which a list counts on: all with one definition, unless they begin again. */
  countedWith(list: string): string {
    const number = this.#numbers.get(list);
    if (number === undefined || number.first('w:lvlOverride') !== undefined) return list;
    const definition = number.first('w:abstractNumId')?.get('w:val');
    for (const [id, other] of this.#numbers) {
      const isSame = other.first('w:abstractNumId')?.get('w:val') === definition;
      if (isSame && other.first('w:lvlOverride') === undefined) return id;
    }
    return list;
  }

  /** Returns the definition of a list. */
  definitionOf(list: string): Element | undefined {
    const id = this.#numbers.get(list)?.first('w:abstractNumId')?.get('w:val');
    const definitions = this.#document.root.elements('w:abstractNum');
    return definitions.find((one) => one.get('w:abstractNumId') === id);
  }

  /** Gives the lists of another document, which `elements` use, definitions of their own in a document. */
  static adopt(file: OfficePackage, elements: readonly Element[], source: OfficePackage): void {
    const used = elements.flatMap((element) => all(element, 'w:numId'));
    const path = relatedPart(source, 'numbering');
    if (used.length > 0 && path !== undefined) DocxNumbering.of(file).#adopt(used, source.xml(path).root);
  }

  #adopt(used: readonly Element[], lists: Element): void {
    const { root } = this.#document;
    const given = new Map<string, string>();
    for (const element of used) {
      const id = element.get('w:val') ?? '';
      const number = lists.elements('w:num').find((one) => one.get('w:numId') === id);
      const abstractId = number?.first('w:abstractNumId')?.get('w:val');
      const abstract = lists
        .elements('w:abstractNum')
        .find((one) => one.get('w:abstractNumId') === abstractId);
      if (!given.has(id) && number !== undefined && abstract !== undefined) {
        const copied = adopted(abstract, root);
        copied.set('w:abstractNumId', String(this.#next.definition));
        // Word treats definitions with the same `nsid` as the same list.
        for (const same of copied.elements('w:nsid')) remove(same);
        this.#prepend(copied);
        const copiedNumber = adopted(number, root);
        copiedNumber.set('w:numId', String(this.#next.list));
        copiedNumber.first('w:abstractNumId')?.set('w:val', String(this.#next.definition));
        this.#append(copiedNumber);
        given.set(id, String(this.#next.list));
        this.#next.list += 1;
        this.#next.definition += 1;
      }
      // A number that the source document does not define means no list.
      element.set('w:val', given.get(id) ?? '0');
    }
  }

  #append(number: Element): void {
    this.#document.root.insertBefore(this.#end, number);
    this.#numbers.set(number.get('w:numId') ?? '', number);
  }

  /** Adds a definition: all of them precede all lists (ECMA-376, 17.9.16). */
  #prepend(abstract: Element): void {
    const { root } = this.#document;
    root.insertBefore(root.first('w:num') ?? null, abstract);
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
    this.#prepend(abstract);
    this.#abstract.set(mark, id);
    return id;
  }
}

function isNumbered(mark: ListMark): boolean {
  return mark !== 'bullet' && mark !== 'none';
}
