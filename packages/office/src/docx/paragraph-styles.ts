import type { OfficePackage } from '../package.ts';
import { make } from '../xml/build.ts';
import type { Element } from '../xml/tree.ts';
import { relatedPart } from '../ooxml/related.ts';

/** Properties that paragraphs of a Word document have of their own, or from their style (ECMA-376, 17.7.2). */
export class ParagraphStyles {
  readonly #styles: ReadonlyMap<string, Element>;
  readonly #default: string;

  constructor(file: OfficePackage) {
    const path = relatedPart(file, 'styles');
    const styles = path === undefined ? [] : file.xml(path).root.elements('w:style');
    const ofParagraphs = styles.filter((style) => (style.get('w:type') ?? 'paragraph') === 'paragraph');
    this.#styles = new Map(ofParagraphs.map((style) => [style.get('w:styleId') ?? '', style]));
    const isDefault = (style: Element): boolean => /^(?:1|true|on)$/.test(style.get('w:default') ?? '');
    this.#default = ofParagraphs.find(isDefault)?.get('w:styleId') ?? '';
  }

  /** Returns the list and the level of a paragraph; null for one that is no item. */
  listOf(paragraph: Element): { id: string; level: string } | null {
    const numbers = this.#find(paragraph, 'w:numPr');
    const id = numbers.map((one) => one.first('w:numId')?.get('w:val')).find((one) => one !== undefined);
    if (id === undefined || id === '0') return null;
    const level = numbers.map((one) => one.first('w:ilvl')?.get('w:val')).find((one) => one !== undefined);
    return { id, level: level ?? '0' };
  }

  /** Returns whether a paragraph has a level in the outline. */
  isHeading(paragraph: Element): boolean {
    const level = this.#find(paragraph, 'w:outlineLvl')[0]?.get('w:val');
    return level !== undefined && Number(level) < 9;
  }

  /** Returns the indents that a paragraph has from its style. */
  indentOf(paragraph: Element): Element | undefined {
    return this.#find(paragraph, 'w:ind')[0];
  }

  /** Returns the properties of a paragraph, adding them if there are none. */
  propertiesOf(paragraph: Element): Element {
    let properties = paragraph.first('w:pPr');
    if (properties !== undefined) return properties;
    properties = make(paragraph, 'w:pPr');
    paragraph.insertBefore(paragraph.children[0] ?? null, properties);
    return properties;
  }

  /** Returns the property as the paragraph, its style and the styles on which that is based have it, in this order. */
  #find(paragraph: Element, property: string): Element[] {
    const own = paragraph.first('w:pPr');
    const found = [own?.first(property)];
    const seen = new Set<string>();
    let id: string | undefined = own?.first('w:pStyle')?.get('w:val') ?? this.#default;
    while (id !== undefined && !seen.has(id)) {
      seen.add(id);
      const style = this.#styles.get(id);
      found.push(style?.first('w:pPr')?.first(property));
      id = style?.first('w:basedOn')?.get('w:val');
    }
    return found.filter((one) => one !== undefined);
  }
}
