import type { ListMark } from '../html/model.ts';
import { make } from '../xml/build.ts';
import { all, copyElement, type Element } from '../xml/tree.ts';

/** Number formats of lists. */
const FORMATS: Readonly<Partial<Record<ListMark, string>>> = {
  decimal: '1',
  'lower-alpha': 'a',
  'upper-alpha': 'A',
  'lower-roman': 'i',
  'upper-roman': 'I',
};

/** Automatic styles, with which OpenDocument defines formatting. */
export class AutomaticStyles {
  private readonly root: Element;
  private readonly made = new Map<string, string>();
  private readonly names: Set<string>;
  /** The automatic styles by family and name. */
  private models: Map<string, Element> | undefined;

  constructor(root: Element) {
    this.root = root;
    this.names = new Set(all(root, 'style:style').map((style) => style.get('style:name') ?? ''));
  }

  /**
   * Returns a style like `parent` with some properties changed.
   *
   * @param group the element that contains the properties, e.g. `style:text-properties`
   * @returns its name
   */
  derive(
    family: string,
    parent: string | undefined,
    group: string,
    properties: Readonly<Record<string, string>>,
  ): string {
    const key = JSON.stringify([family, parent, group, properties]);
    const known = this.made.get(key);
    if (known !== undefined) return known;
    let number = this.made.size + 1;
    while (this.names.has(`Platen${number}`)) number += 1;
    const name = `Platen${number}`;
    this.names.add(name);
    this.made.set(key, name);
    const container = this.container();
    this.models ??= new Map(container.elements('style:style').map((style) => [modelKey(style), style]));
    const model = this.models.get(`${family} ${parent}`);
    // An automatic style cannot be the parent of another (ODF 1.3 part 3, 16.2), so it is copied.
    const style = model
      ? copyElement(model)
      : make(container, 'style:style', { 'style:family': family, 'style:parent-style-name': parent });
    container.append(style);
    style.set('style:name', name);
    this.models.set(modelKey(style), style);
    let own = style.first(group);
    if (own === undefined) {
      own = make(style, group);
      style.append(own);
    }
    const holder = own;
    for (const other of make(holder, group, properties).attributes) {
      if (other.name.startsWith('xmlns')) holder.attributes.push(other);
      else holder.set(other.tag, other.value);
    }
    return name;
  }

  /** Returns a list style: bullets, or numbers that start again with each list. @returns its name */
  list(mark: ListMark): string {
    const key = `list ${mark}`;
    const known = this.made.get(key);
    if (known !== undefined) return known;
    const name = `PlatenList${this.made.size + 1}`;
    this.made.set(key, name);
    const container = this.container();
    const levels = Array.from({ length: 10 }, (_, i) => {
      const place = {
        'text:list-level-position-and-space-mode': 'label-alignment',
      };
      const indent = `${(i + 1) * 0.635}cm`;
      const properties = make(
        container,
        'style:list-level-properties',
        place,
        make(container, 'style:list-level-label-alignment', {
          'text:label-followed-by': 'listtab',
          'text:list-tab-stop-position': indent,
          'fo:text-indent': '-0.635cm',
          'fo:margin-left': indent,
        }),
      );
      const at = { 'text:level': i + 1 };
      return mark in FORMATS
        ? make(
            container,
            'text:list-level-style-number',
            { ...at, 'style:num-suffix': '.', 'style:num-format': FORMATS[mark] },
            properties,
          )
        : make(
            container,
            'text:list-level-style-bullet',
            { ...at, 'text:bullet-char': mark === 'none' ? '\u00a0' : ['•', '◦', '▪'][i % 3] },
            properties,
          );
    });
    container.append(make(container, 'text:list-style', { 'style:name': name }, ...levels));
    return name;
  }

  private container(): Element {
    const known = this.root.first('office:automatic-styles');
    if (known) return known;
    const container = make(this.root, 'office:automatic-styles');
    const before = this.root
      .elements()
      .find(({ tag }) => tag === 'office:master-styles' || tag === 'office:body');
    this.root.insertBefore(before ?? null, container);
    return container;
  }
}

function modelKey(style: Element): string {
  return `${style.get('style:family')} ${style.get('style:name')}`;
}
